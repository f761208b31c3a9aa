package io.verbena.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file's first bytes as memory, aligned to huge pages where these can be had.
 *
 * <p>Threads: any; whoever unmaps makes sure that nobody touches the memory any more.
 */
final class Mapping {
  private final ByteBuffer bytes;
  private final boolean aligned;

  private Mapping(ByteBuffer bytes, boolean aligned) {
    this.bytes = bytes.order(ByteOrder.nativeOrder());
    this.aligned = aligned;
  }

  /**
   * Maps a file. Call it where no interrupt can come: one would close the channel.
   *
   * @throws IOException when the file is shorter, since touching what is missing would be fatal
   */
  static Mapping of(Path path, int length, boolean writable) throws IOException {
    if (NativeMemory.available() && length >= NativeMemory.hugePage()) {
      return new Mapping(
          NativeMemory.map(path.toString(), length, NativeMemory.hugePage(), writable), true);
    }
    try (FileChannel channel =
        writable
            ? FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)
            : FileChannel.open(path, StandardOpenOption.READ)) {
      checkSize(path, channel.size(), length);
      return new Mapping(
          channel.map(
              writable ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY, 0, length),
          false);
    }
  }

  private static void checkSize(Path path, long size, int length) throws IOException {
    if (size < length) {
      throw new IOException(
          "cannot map " + path + ": it has " + size + " bytes, expected at least " + length);
    }
  }

  ByteBuffer bytes() {
    return bytes;
  }

  /** Whether huge pages may be asked for. */
  boolean aligned() {
    return aligned;
  }

  /** Ends the mapping. Call it once. */
  void unmap() {
    if (!aligned) {
      Raw.free(bytes);
      return;
    }
    try {
      NativeMemory.unmap(bytes);
    } catch (IOException e) {
      throw new IllegalStateException("a mapping that was made cannot be ended", e);
    }
  }
}
