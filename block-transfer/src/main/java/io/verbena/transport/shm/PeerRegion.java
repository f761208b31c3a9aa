package io.verbena.transport.shm;

import io.verbena.memory.PeerMapping;
import io.verbena.table.ControlReader;
import io.verbena.transport.OutOfRegionException;
import io.verbena.transport.PositionFile;
import io.verbena.transport.Read;
import io.verbena.transport.RegionFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * One region of a peer: its file or a mapping of it. The mapping relies on its owner, which never
 * cuts a region's file: the JVM would answer with an {@code InternalError} at some later moment
 * that nobody can catch in the right place.
 */
final class PeerRegion {
  private static final int SMALL_PAGE = 4096;

  /** Below so many bytes the system call costs more than a mapping's first touch of huge pages. */
  private static final int SMALL_READ = 16 << 10;

  private final RegionFile file;
  private final int length;
  private final int mappedBelow;
  private volatile PeerMapping mapping;

  private PeerRegion(RegionFile file, int length, int mappedBelow) {
    this.file = file;
    this.length = length;
    this.mappedBelow = mappedBelow;
  }

  /** Opens the file, so that a missing or short one shows now. */
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
    RegionFile file = RegionFile.open(path);
    if (file.size() < record.length()) {
      file.close();
      throw new IOException(
          path + " has " + file.size() + " bytes, its record says " + record.length());
    }
    boolean hugePages = record.pageSize() > SMALL_PAGE && PeerMapping.usesHugePages();
    int mappedBelow =
        switch (mode) {
          case MAPPED -> Integer.MAX_VALUE;
          case READ -> 0;
          case AUTO -> hugePages ? SMALL_READ : 0;
        };
    return new PeerRegion(file, (int) record.length(), mappedBelow);
  }

  int length() {
    return length;
  }

  /** Copies a range that was checked against {@link #length}. */
  void copy(Read read) throws IOException {
    if (read.length() >= mappedBelow) {
      file.read(read.into().buffer(read.intoOffset(), read.length()), read.offset());
      return;
    }
    PeerMapping peer = mapping == null ? map() : mapping;
    read.into().putView(read.intoOffset(), peer.view(), read.offset(), read.length());
  }

  private synchronized PeerMapping map() throws IOException {
    if (mapping == null) {
      mapping = PositionFile.withoutInterrupt(() -> PeerMapping.of(file.path(), length));
    }
    return mapping;
  }

  /** Called when no copy runs and none will. Idempotent. */
  synchronized void close() {
    file.close();
    if (mapping != null) {
      mapping.close();
      mapping = null;
    }
  }
}
