package io.verbena.bench;

import io.verbena.fetch.FetchStats;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;

/**
 * Main class of the process that reads: the driver of the serving Spark process and a client of the
 * serving store.
 */
final class FetchReader {
  private final SparkContext context;
  private final Path folder;
  private final byte[] array;
  private final boolean checksum;
  private final Map<FetchSide, BlockSource> sources = new EnumMap<>(FetchSide.class);

  private FetchReader(SparkContext context, Path folder, int arraySize, boolean checksum) {
    this.context = context;
    this.folder = folder;
    this.array = new byte[arraySize];
    this.checksum = checksum;
  }

  /**
   * A round.
   *
   * @param nanos from the first request to the last byte in the heap array
   * @param bytes delivered
   * @param cpuSeconds of this process meanwhile
   */
  record Round(long nanos, long bytes, double cpuSeconds) {}

  /** How Spark's executor finds this process. */
  record Driver(String appId, String port) {}

  /** Arguments: a folder, bytes of the heap array, whether Spark computes its checksums. */
  public static void main(String[] args) throws IOException {
    SparkContext context =
        new SparkContext(SparkPeer.conf(Path.of(args[0], "spark-reader").toString()));
    FetchReader reader =
        new FetchReader(
            context, Path.of(args[0]), Integer.parseInt(args[1]), Boolean.parseBoolean(args[2]));
    ChildLoop.run(reader::handle);
    reader.close();
    System.exit(0);
  }

  private void close() throws IOException {
    for (BlockSource source : sources.values()) {
      source.close();
    }
    context.stop();
  }

  private Object handle(String[] words) throws IOException {
    return switch (words[0]) {
      case "driver" -> new Driver(context.applicationId(), context.conf().get("spark.driver.port"));
      case "spark" -> connectSpark(Integer.parseInt(words[1]));
      case "verbena" -> placeVerbena(Integer.parseInt(words[1]), Path.of(words[2]), words[3]);
      case "stats" -> stats();
      case "read" -> read(FetchSide.valueOf(words[1]), Integer.parseInt(words[2]), shape(words));
      case "warm" ->
          warm(
              FetchSide.valueOf(words[1]),
              Integer.parseInt(words[2]),
              shape(words),
              Double.parseDouble(words[6]));
      case "verify" ->
          verify(FetchSide.valueOf(words[1]), Integer.parseInt(words[2]), shape(words));
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    };
  }

  private static FetchShape shape(String[] words) {
    return new FetchShape(
        Integer.parseInt(words[3]), Integer.parseInt(words[4]), Integer.parseInt(words[5]));
  }

  private String connectSpark(int port) {
    SparkEnv env = SparkEnv.get();
    sources.put(FetchSide.NETTY, SparkSource.network(env, port, checksum));
    sources.put(FetchSide.DISK, SparkSource.hostLocal(env, port, checksum));
    return "connected";
  }

  private String placeVerbena(int shuffle, Path peerFolder, String place) throws IOException {
    VerbenaSource source = (VerbenaSource) sources.get(FetchSide.VERBENA);
    if (source == null) {
      source = VerbenaSource.open(folder.resolve("verbena-reader"));
      sources.put(FetchSide.VERBENA, source);
    }
    source.place(shuffle, Json.parse(place, VerbenaServer.Place.class), peerFolder);
    return "placed";
  }

  private FetchStats stats() {
    return ((VerbenaSource) sources.get(FetchSide.VERBENA)).stats();
  }

  private Round read(FetchSide side, int shuffle, FetchShape shape) throws IOException {
    BlockSource source = sources.get(side);
    Drain drain = new Drain(array);
    ProcCpu cpu = ProcCpu.start(ProcessHandle.current().pid());
    long start = System.nanoTime();
    for (int partition = 0; partition < shape.partitions(); partition++) {
      source.read(shuffle, shape, partition, drain);
    }
    long nanos = System.nanoTime() - start;
    double cpuSeconds = cpu.seconds();
    if (drain.bytes != shape.bytes()) {
      throw new BenchException(
          side + " delivered " + drain.bytes + " bytes of " + shape.bytes() + " in " + shape);
    }
    return new Round(nanos, drain.bytes, cpuSeconds);
  }

  /**
   * Reads a shuffle again and again, so that compilers have done their work: for some seconds of
   * this process's CPU time, since on a busy machine the clock says little.
   */
  private long warm(FetchSide side, int shuffle, FetchShape shape, double seconds)
      throws IOException {
    ProcCpu cpu = ProcCpu.start(ProcessHandle.current().pid());
    long rounds = 0;
    do {
      read(side, shuffle, shape);
      rounds++;
    } while (cpu.seconds() < seconds);
    return rounds;
  }

  /** Compares every block's bytes with what they must be. */
  private long verify(FetchSide side, int shuffle, FetchShape shape) throws IOException {
    byte[] scratch = new byte[shape.blockSize()];
    Set<Long> seen = new HashSet<>();
    for (int partition = 0; partition < shape.partitions(); partition++) {
      sources
          .get(side)
          .read(
              shuffle,
              shape,
              partition,
              (map, reduce, stream) -> {
                if (crc(stream) != BlockData.crc(scratch, shuffle, map, reduce)
                    || !seen.add(map << 32 | reduce)) {
                  throw new BenchException(
                      side + " delivered wrong bytes: map " + map + ", partition " + reduce);
                }
              });
    }
    if (seen.size() != shape.blocks()) {
      throw new BenchException(side + " delivered " + seen.size() + " blocks of " + shape);
    }
    return seen.size();
  }

  private int crc(InputStream stream) throws IOException {
    CRC32C crc = new CRC32C();
    for (int n = stream.read(array); n >= 0; n = stream.read(array)) {
      crc.update(array, 0, n);
    }
    return (int) crc.getValue();
  }

  /** Reads streams into a heap array, the same one all the time, as deserializers do. */
  private static final class Drain implements BlockSource.Sink {
    private final byte[] array;
    private long bytes;

    Drain(byte[] array) {
      this.array = array;
    }

    @Override
    public void accept(long map, int partition, InputStream stream) throws IOException {
      for (int n = stream.read(array); n >= 0; n = stream.read(array)) {
        bytes += n;
      }
    }
  }
}
