package io.verbena.transport;

import static io.verbena.log.LogKey.PATH;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A memory file read at positions by many threads. Each takes an open file of its own from a small
 * stock, because an interrupt closes the channel that its thread reads.
 *
 * <p>Threads: any. Reads that run when it is closed end well.
 */
public final class RegionFile implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(RegionFile.class);
  private static final int IDLE_FILES = 16;

  private final Path path;
  private final long size;
  private final ConcurrentLinkedDeque<PositionFile> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger idleCount = new AtomicInteger();
  private volatile boolean closed;

  private RegionFile(Path path, PositionFile first, long size) {
    this.path = path;
    this.size = size;
    giveBack(first);
  }

  /** Opens the file once, so that a missing one shows now. */
  public static RegionFile open(Path path) throws IOException {
    PositionFile first = PositionFile.open(path);
    try {
      return new RegionFile(path, first, first.size());
    } catch (IOException | RuntimeException e) {
      first.close();
      throw e;
    }
  }

  public Path path() {
    return path;
  }

  /** Bytes of the file. */
  public long size() {
    return size;
  }

  /** Fills what remains of {@code into} with the bytes from {@code position}. */
  public void read(ByteBuffer into, long position) throws IOException {
    PositionFile file = take();
    try {
      file.readFully(into, position);
    } finally {
      giveBack(file);
    }
  }

  private PositionFile take() throws IOException {
    PositionFile file = idle.pollFirst();
    if (file == null) {
      return PositionFile.open(path);
    }
    idleCount.decrementAndGet();
    return file;
  }

  private void giveBack(PositionFile file) {
    if (closed) {
      close(file);
    } else if (idleCount.incrementAndGet() <= IDLE_FILES) {
      idle.addFirst(file);
      if (closed) {
        close();
      }
    } else {
      idleCount.decrementAndGet();
      close(file);
    }
  }

  /** Idempotent. */
  @Override
  public void close() {
    closed = true;
    for (PositionFile file = idle.pollFirst(); file != null; file = idle.pollFirst()) {
      close(file);
    }
  }

  private void close(PositionFile file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn(
          "Closing {} failed; what was read of it is right, check its file system",
          PATH.is(path),
          e);
    }
  }
}
