package io.verbena.spark;

import io.verbena.fetch.FetchStats;
import io.verbena.fetch.FlowStats;
import io.verbena.fetch.TransportStats;
import io.verbena.spark.RegistryMessage.LocalDirectories;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import io.verbena.store.StoreStats;
import io.verbena.transport.verbs.VerbsStats;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Parts of registry messages as bytes. Writers and readers of a part stand next to each other. */
final class FieldCodec {
  private FieldCodec() {}

  interface Reader<T> {
    T read() throws IOException;
  }

  interface Writer<T> {
    void write(T value) throws IOException;
  }

  static void writeStrings(DataOutputStream out, List<String> values) throws IOException {
    out.writeInt(values.size());
    for (String value : values) {
      out.writeUTF(value);
    }
  }

  static List<String> readStrings(DataInputStream in) throws IOException {
    int count = readCount(in);
    List<String> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(in.readUTF());
    }
    return List.copyOf(values);
  }

  static <T> void writeMap(DataOutputStream out, Map<String, T> map, Writer<T> writer)
      throws IOException {
    out.writeInt(map.size());
    for (Map.Entry<String, T> entry : map.entrySet()) {
      out.writeUTF(entry.getKey());
      writer.write(entry.getValue());
    }
  }

  static <T> Map<String, T> readMap(DataInputStream in, Reader<T> reader) throws IOException {
    int count = readCount(in);
    Map<String, T> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(in.readUTF(), reader.read());
    }
    return map;
  }

  private static int readCount(DataInputStream in) throws IOException {
    int count = in.readInt();
    // Every element takes at least one byte.
    if (count < 0 || count > in.available()) {
      throw new IOException("registry message with a count of " + count + " elements");
    }
    return count;
  }

  static void write(DataOutputStream out, UUID value) throws IOException {
    out.writeLong(value.getMostSignificantBits());
    out.writeLong(value.getLeastSignificantBits());
  }

  static UUID readUuid(DataInputStream in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }

  static void write(DataOutputStream out, StoreDescriptor value) throws IOException {
    out.writeLong(value.nonceHigh());
    out.writeLong(value.nonceLow());
    writeStrings(out, value.directories());
    out.writeInt(value.chunkSize());
    writeStrings(out, value.verbsAddresses());
  }

  static StoreDescriptor readStore(DataInputStream in) throws IOException {
    return new StoreDescriptor(
        in.readLong(), in.readLong(), readStrings(in), in.readInt(), readStrings(in));
  }

  static void write(DataOutputStream out, LocalDirectories value) throws IOException {
    writeStrings(out, value.paths());
    out.writeInt(value.subDirectories());
  }

  static LocalDirectories readLocal(DataInputStream in) throws IOException {
    return new LocalDirectories(readStrings(in), in.readInt());
  }

  static void write(DataOutputStream out, ShuffleDescriptor value) throws IOException {
    out.writeInt(value.shuffleId());
    out.writeInt(value.partitions());
    out.writeLong(value.generation());
    out.writeInt(value.word());
    out.writeInt(value.directoryRegion());
    out.writeInt(value.directoryOffset());
  }

  static ShuffleDescriptor readShuffle(DataInputStream in) throws IOException {
    return new ShuffleDescriptor(
        in.readInt(), in.readInt(), in.readLong(), in.readInt(), in.readInt(), in.readInt());
  }

  static void write(DataOutputStream out, ExecutorFigures value) throws IOException {
    out.writeUTF(value.executorId());
    out.writeUTF(value.host());
    StoreStats store = value.store();
    out.writeLong(store.poolBytes());
    out.writeLong(store.tableBytes());
    out.writeLong(store.poolReserved());
    writeMap(out, store.reservedOf(), out::writeLong);
    out.writeLong(store.poolHighWater());
    out.writeLong(store.poolLimit());
    out.writeUTF(store.backing());
    out.writeLong(store.runsInPool());
    out.writeLong(store.runsOnDisk());
    out.writeLong(store.diskBytes());
    FetchStats fetch = value.fetch();
    out.writeLong(fetch.localBytes());
    out.writeLong(fetch.localBlocks());
    writeMap(out, fetch.bytes(), out::writeLong);
    writeMap(out, fetch.blocks(), out::writeLong);
    out.writeLong(fetch.tableReads());
    writeMap(out, fetch.falls(), out::writeLong);
    out.writeLong(fetch.checksumFailures());
    out.writeLong(fetch.rereads());
    writeMap(out, fetch.transports(), transport -> write(out, transport));
    write(out, fetch.flow());
    writeMap(out, fetch.peers(), out::writeUTF);
    write(out, value.verbs());
    out.writeLong(value.servingCpuNanos());
  }

  static ExecutorFigures readFigures(DataInputStream in) throws IOException {
    return new ExecutorFigures(
        in.readUTF(),
        in.readUTF(),
        readStoreStats(in),
        readFetchStats(in),
        readVerbsStats(in),
        in.readLong());
  }

  private static StoreStats readStoreStats(DataInputStream in) throws IOException {
    return new StoreStats(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        readMap(in, in::readLong),
        in.readLong(),
        in.readLong(),
        in.readUTF(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }

  private static FetchStats readFetchStats(DataInputStream in) throws IOException {
    return new FetchStats(
        in.readLong(),
        in.readLong(),
        readMap(in, in::readLong),
        readMap(in, in::readLong),
        in.readLong(),
        readMap(in, in::readLong),
        in.readLong(),
        in.readLong(),
        readMap(in, () -> readTransportStats(in)),
        readFlowStats(in),
        readMap(in, in::readUTF));
  }

  private static void write(DataOutputStream out, TransportStats value) throws IOException {
    out.writeLong(value.reads());
    out.writeLong(value.outstanding());
    out.writeLong(value.open());
    out.writeLong(value.opened());
    out.writeLong(value.unreachable());
    out.writeLong(value.broken());
    out.writeLong(value.silent());
  }

  private static TransportStats readTransportStats(DataInputStream in) throws IOException {
    return new TransportStats(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }

  private static void write(DataOutputStream out, FlowStats value) throws IOException {
    out.writeLong(value.receiveBytes());
    out.writeLong(value.receiveHighWater());
    out.writeLong(value.receiveLimit());
    out.writeLong(value.waitNanos());
    out.writeLong(value.inFlightWaitNanos());
    out.writeLong(value.bufferWaitNanos());
  }

  private static FlowStats readFlowStats(DataInputStream in) throws IOException {
    return new FlowStats(
        in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
  }

  private static void write(DataOutputStream out, VerbsStats value) throws IOException {
    out.writeLong(value.registeredBytes());
    out.writeLong(value.memoryRegions());
    out.writeLong(value.queuePairs());
    out.writeLong(value.servingQueuePairs());
    out.writeLong(value.workRequests());
  }

  private static VerbsStats readVerbsStats(DataInputStream in) throws IOException {
    return new VerbsStats(
        in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
  }
}
