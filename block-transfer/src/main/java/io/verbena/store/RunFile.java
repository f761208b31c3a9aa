package io.verbena.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A run's file while it is written. The channel is the run's alone: an interrupt closes it for
 * nobody else.
 */
final class RunFile implements Closeable {
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path path;
  private final FileChannel channel;
  private final AtomicLong diskBytes;
  private long size;

  RunFile(Path path, AtomicLong diskBytes) throws IOException {
    this.path = path;
    this.diskBytes = diskBytes;
    this.channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE),
            PRIVATE);
  }

  /** Appends bytes; gives the offset of the first. */
  long append(ByteBuffer bytes) throws IOException {
    long at = size;
    while (bytes.hasRemaining()) {
      int written = channel.write(bytes);
      size += written;
      diskBytes.addAndGet(written);
    }
    return at;
  }

  Path path() {
    return path;
  }

  long size() {
    return size;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
