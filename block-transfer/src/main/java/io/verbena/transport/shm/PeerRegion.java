package io.verbena.transport.shm;

import io.verbena.memory.PeerMapping;
import io.verbena.table.ControlReader;
import io.verbena.transport.OutOfRegionException;
import io.verbena.transport.PositionFile;
import io.verbena.transport.Read;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One region file of a peer. Each reading thread takes a file of its own from a small stock,
 * because an interrupt closes the channel that its thread reads.
 */
final class PeerRegion {
  private static final Logger LOG = LoggerFactory.getLogger(PeerRegion.class);
  private static final int SMALL_PAGE = 4096;
  private static final int IDLE_FILES = 16;

  private final Path path;
  private final int length;
  private final ShmTransport.Mode mode;
  private final ConcurrentLinkedDeque<PositionFile> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger idleCount = new AtomicInteger();
  private final LongAdder bytesRead = new LongAdder();
  private volatile PeerMapping mapping;

  private PeerRegion(Path path, int length, ShmTransport.Mode mode) {
    this.path = path;
    this.length = length;
    this.mode = mode;
  }

  /** Opens the file once, so that a missing or short one shows now. */
  static PeerRegion open(Path path, ControlReader.Region record, ShmTransport.Mode mode)
      throws IOException {
    if (record.length() <= 0 || record.length() > Integer.MAX_VALUE) {
      throw new OutOfRegionException(
          "region "
              + record.id()
              + " at "
              + path
              + " is recorded with "
              + record.length()
              + " bytes");
    }
    boolean hugePages = record.pageSize() > SMALL_PAGE;
    PeerRegion region =
        new PeerRegion(
            path,
            (int) record.length(),
            mode == ShmTransport.Mode.AUTO && hugePages ? ShmTransport.Mode.MAPPED : mode);
    PositionFile file = PositionFile.open(path);
    region.giveBack(file);
    long size = file.size();
    if (size < record.length()) {
      region.close();
      throw new IOException(path + " has " + size + " bytes, its record says " + record.length());
    }
    return region;
  }

  int length() {
    return length;
  }

  /** Copies a range that was checked against {@link #length}. */
  void copy(Read read) throws IOException {
    if (mapped()) {
      PeerMapping peer = mapping == null ? map() : mapping;
      read.into().putView(read.intoOffset(), peer.view(), read.offset(), read.length());
      return;
    }
    PositionFile file = idle.pollFirst();
    if (file == null) {
      file = PositionFile.open(path);
    } else {
      idleCount.decrementAndGet();
    }
    try {
      file.readFully(read.into().buffer(read.intoOffset(), read.length()), read.offset());
    } finally {
      giveBack(file);
    }
    if (mode == ShmTransport.Mode.AUTO) {
      bytesRead.add(read.length());
    }
  }

  private boolean mapped() {
    return switch (mode) {
      case MAPPED -> true;
      case READ -> false;
      case AUTO -> mapping != null || bytesRead.sum() >= length;
    };
  }

  private synchronized PeerMapping map() throws IOException {
    if (mapping == null) {
      try (PositionFile file = PositionFile.open(path)) {
        mapping = file.uninterrupted(c -> PeerMapping.of(c, path.toString(), length));
      }
    }
    return mapping;
  }

  private void giveBack(PositionFile file) {
    if (idleCount.incrementAndGet() <= IDLE_FILES) {
      idle.addFirst(file);
    } else {
      idleCount.decrementAndGet();
      close(file);
    }
  }

  /** Called when no copy runs and none will. Idempotent. */
  synchronized void close() {
    for (PositionFile file = idle.pollFirst(); file != null; file = idle.pollFirst()) {
      close(file);
    }
    if (mapping != null) {
      mapping.close();
      mapping = null;
    }
  }

  private void close(PositionFile file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("Closing {} failed", path, e);
    }
  }
}
