package io.verbena.fetch;

import static io.verbena.log.LogKey.MAP_ID;
import static io.verbena.log.LogKey.SHUFFLE_ID;

import io.verbena.log.KeyedLogger;
import io.verbena.store.StoreSettings;
import io.verbena.transport.PositionFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Reads a peer's run files in place. Keeps the file read last open, since the pieces of a run come
 * one after another.
 *
 * <p>Threads: the task's.
 */
final class RunFileReader implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(RunFileReader.class);

  private final StoreSettings.RunFiles files;
  private final int shuffleId;
  private PositionFile open;
  private long openMap;
  private int openRun;

  RunFileReader(StoreSettings.RunFiles files, int shuffleId) {
    this.files = files;
    this.shuffleId = shuffleId;
  }

  /** Whether the run's file is here and as long as its owner says. */
  boolean reaches(long mapId, int run, long size) {
    if (files == null) {
      return false;
    }
    try {
      return file(mapId, run).size() == size;
    } catch (IOException | RuntimeException e) {
      LOG.debug("The file of run {} of map {} cannot be read in place", run, mapId, e);
      return false;
    }
  }

  /** Fills {@code into}. */
  void read(long mapId, int run, long offset, ByteBuffer into) throws IOException {
    file(mapId, run).readFully(into, offset);
  }

  private PositionFile file(long mapId, int run) throws IOException {
    if (open == null || openMap != mapId || openRun != run) {
      close();
      Path path = files.file(shuffleId, mapId, run);
      open = PositionFile.open(path);
      openMap = mapId;
      openRun = run;
    }
    return open;
  }

  @Override
  public void close() {
    PositionFile file = open;
    open = null;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        LOG.warn(
            "Closing a run file failed; what was read of it is right, check its file system",
            SHUFFLE_ID.also(shuffleId),
            MAP_ID.also(openMap),
            e);
      }
    }
  }
}
