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

  /** Works on the open channel; an interrupt waits until the work is done. */
  public <T> T uninterrupted(Use<T> use) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return use.on(channel);
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
          channel = FileChannel.open(path, StandardOpenOption.READ);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Work on the open channel, done again from its start when an interrupt closed the channel. */
  @FunctionalInterface
  public interface Use<T> {
    T on(FileChannel channel) throws IOException;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
