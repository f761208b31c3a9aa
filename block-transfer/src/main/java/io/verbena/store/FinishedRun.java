package io.verbena.store;

import io.verbena.table.EntryArray;
import java.nio.file.Path;

/**
 * A run that is written and not published yet.
 *
 * @param entries one for each partition
 * @param file the run's file, null when all of it is in the pool
 * @param fileSize bytes of the file
 */
record FinishedRun(EntryArray entries, Path file, long fileSize) {
  /** A run without bytes, which shows readers that the map output is here. */
  static FinishedRun empty(int partitions) {
    return new FinishedRun(new EntryArray(partitions), null, 0);
  }
}
