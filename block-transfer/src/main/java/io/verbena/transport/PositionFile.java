package io.verbena.transport;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file read at positions on task threads. Java closes a channel when its reader is interrupted;
 * this class opens the file again, finishes the read and leaves the thread interrupted, so that a
 * killed task sees its interrupt and nobody sees a false error.
 *
 * <p>Threads: one at a time.
 */
public final class PositionFile implements AutoCloseable {
  private final Path path;
  private FileChannel channel;

  private PositionFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Opens a file for reading. */
  public static PositionFile open(Path path) throws IOException {
    return new PositionFile(path, FileChannel.open(path, StandardOpenOption.READ));
  }

  /** Bytes of the file now. */
  public long size() throws IOException {
    return uninterrupted(FileChannel::size);
  }

  /**
   * Fills what remains of {@code into} with the bytes from {@code position}.
   *
   * @throws EOFException when the file ends before
   */
  public void readFully(ByteBuffer into, long position) throws IOException {
    int start = into.position();
    uninterrupted(
        c -> {
          into.position(start);
          while (into.hasRemaining()) {
            int n = c.read(into, position + into.position() - start);
            if (n < 0) {
              throw new EOFException(
                  path
                      + " ends at "
                      + (position + into.position() - start)
                      + ", expected "
                      + into.remaining()
                      + " more bytes");
            }
          }
          return 0L;
        });
  }

  private long uninterrupted(Use use) throws IOException {
    return withoutInterrupt(
        () -> {
          if (!channel.isOpen()) {
            channel = FileChannel.open(path, StandardOpenOption.READ);
          }
          return use.on(channel);
        });
  }

  /**
   * Does work on channels of its own; an interrupt, which closes them, waits until it is done.
   *
   * @param work begins anew when an interrupt came between
   */
  public static <T> T withoutInterrupt(Work<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.done();
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Work that can be begun anew. */
  @FunctionalInterface
  public interface Work<T> {
    T done() throws IOException;
  }

  /** Use of the open channel. */
  @FunctionalInterface
  private interface Use {
    long on(FileChannel channel) throws IOException;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
