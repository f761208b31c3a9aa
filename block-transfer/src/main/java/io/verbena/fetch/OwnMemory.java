package io.verbena.fetch;

import io.verbena.store.LocalSegment;
import io.verbena.transport.RegionFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How this process reads small pages of the pool that it owns. Map tasks write these through the
 * region files, so they are not in this process's mapping, and touching them there for the first
 * time costs more than reading the file.
 *
 * <p>Threads: any.
 */
final class OwnMemory implements AutoCloseable {
  private final Map<Path, RegionFile> regions = new ConcurrentHashMap<>();

  /** Reads a piece in the pool through its region's file. */
  void read(LocalSegment.Piece piece, ByteBuffer into) throws IOException {
    region(piece.file()).read(into, piece.fileOffset());
  }

  private RegionFile region(Path path) throws IOException {
    RegionFile known = regions.get(path);
    if (known != null) {
      return known;
    }
    RegionFile opened = RegionFile.open(path);
    RegionFile before = regions.putIfAbsent(path, opened);
    if (before != null) {
      opened.close();
      return before;
    }
    return opened;
  }

  /** Closes all files, which are opened again when they are needed. */
  @Override
  public void close() {
    // One by one: what is added meanwhile is closed or stays, never forgotten.
    regions
        .values()
        .removeIf(
            file -> {
              file.close();
              return true;
            });
  }
}
