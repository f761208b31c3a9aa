package io.verbena.ping;

import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code serve} tells whoever has proved the secret.
 *
 * @param host its name
 * @param boot what the kernel calls this run of itself: the same on processes of one machine
 * @param regionSize bytes of the region that may be read
 * @param backing what the region lies on
 * @param verbs its RDMA device, or why there is none
 * @param store where its memory is
 * @param shuffle where a shuffle lies in it
 * @param folder where files of that shuffle would be
 */
record Welcome(
    String host,
    String boot,
    int regionSize,
    String backing,
    String verbs,
    StoreDescriptor store,
    ShuffleDescriptor shuffle,
    String folder) {

  private static final int MOST_NAMES = 1024;

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(host);
    out.writeUTF(boot);
    out.writeInt(regionSize);
    out.writeUTF(backing);
    out.writeUTF(verbs);
    out.writeLong(store.nonceHigh());
    out.writeLong(store.nonceLow());
    write(out, store.directories());
    out.writeInt(store.chunkSize());
    write(out, store.verbsAddresses());
    out.writeInt(shuffle.shuffleId());
    out.writeInt(shuffle.partitions());
    out.writeLong(shuffle.generation());
    out.writeInt(shuffle.word());
    out.writeInt(shuffle.directoryRegion());
    out.writeInt(shuffle.directoryOffset());
    out.writeUTF(folder);
  }

  static Welcome read(DataInputStream in) throws IOException {
    return new Welcome(
        in.readUTF(),
        in.readUTF(),
        in.readInt(),
        in.readUTF(),
        in.readUTF(),
        new StoreDescriptor(in.readLong(), in.readLong(), names(in), in.readInt(), names(in)),
        new ShuffleDescriptor(
            in.readInt(), in.readInt(), in.readLong(), in.readInt(), in.readInt(), in.readInt()),
        in.readUTF());
  }

  private static void write(DataOutputStream out, List<String> names) throws IOException {
    out.writeInt(names.size());
    for (String name : names) {
      out.writeUTF(name);
    }
  }

  private static List<String> names(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MOST_NAMES) {
      throw new IOException("a list of " + count + " names");
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(in.readUTF());
    }
    return names;
  }
}
