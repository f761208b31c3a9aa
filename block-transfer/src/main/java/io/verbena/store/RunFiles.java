package io.verbena.store;

import static io.verbena.log.LogKey.NUM_BYTES;
import static io.verbena.log.LogKey.PATH;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** The files of runs that found no room in the pool, and the bytes that they take. */
final class RunFiles {
  private static final KeyedLogger LOG = KeyedLogger.of(RunFiles.class);

  private final StoreSettings.RunFiles places;
  private final AtomicLong bytes = new AtomicLong();

  RunFiles(StoreSettings.RunFiles places) {
    this.places = places;
  }

  Path path(int shuffleId, long mapId, int run) {
    return places.file(shuffleId, mapId, run);
  }

  /** Makes a run's file; one that is there already is emptied. */
  RunFile open(int shuffleId, long mapId, int run) throws IOException {
    return new RunFile(path(shuffleId, mapId, run), bytes);
  }

  /** Deletes a file of so many bytes that was closed. */
  void delete(Path file, long size) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn(
          "cannot delete {} of {} bytes; delete it when the application has ended",
          PATH.is(file),
          NUM_BYTES.is(size),
          e);
    }
    bytes.addAndGet(-size);
  }

  /** Bytes of all files alive. */
  long bytes() {
    return bytes.get();
  }
}
