package io.verbena.store;

import static io.verbena.log.LogKey.MAP_ID;
import static io.verbena.log.LogKey.SHUFFLE_ID;

import io.verbena.log.KeyedLogger;
import io.verbena.memory.Extent;
import io.verbena.memory.ExtentList;
import io.verbena.memory.NativeBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One map task attempt's output while it is written: any number of runs, published together.
 *
 * <p>Threads: owned by one task thread, except that Spark's memory manager may write a run (a
 * spill) on another thread while the owner waits; calls never overlap.
 */
public final class MapOutput implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(MapOutput.class);

  private final ShuffleStore store;
  private final int shuffleId;
  private final int partitions;
  private final long mapId;
  private final long[] lengths;
  private final List<FinishedRun> runs = new ArrayList<>();
  private final ExtentList extents = new ExtentList();
  private final ExtentList chains = new ExtentList();
  private final Map<Path, RunFile> files = new LinkedHashMap<>();

  private RunWriter current;
  private long bytes;
  private boolean closed;

  MapOutput(ShuffleStore store, int shuffleId, int partitions, long mapId) {
    this.store = store;
    this.shuffleId = shuffleId;
    this.partitions = partitions;
    this.mapId = mapId;
    this.lengths = new long[partitions];
  }

  /** Begins the next run. The previous one is finished. A run without bytes leaves no trace. */
  public RunWriter newRun() {
    checkOpen();
    if (current != null && !current.ended()) {
      throw new IllegalStateException("a run of " + this + " is not finished");
    }
    current = new RunWriter(this, runs.size());
    return current;
  }

  /** Bytes written so far in all runs. */
  public long bytes() {
    return bytes + (current == null ? 0 : current.openBytes());
  }

  /**
   * Publishes all runs: afterwards readers find the map output. Call it once.
   *
   * @return bytes of each reduce partition over all runs, as readers will fetch them
   * @throws IOException when the table has no room, the announcement fails or the map output was
   *     published before; nothing is left
   */
  public long[] commit() throws IOException {
    checkOpen();
    try {
      if (current != null) {
        current.finish();
      }
      store.commit(this);
      return lengths.clone();
    } finally {
      close();
    }
  }

  /**
   * Writes the headers of the shuffle's location table once more. For a map output that takes the
   * place of one that readers could not get: where the table was damaged they would not get the new
   * one either.
   *
   * @throws IOException when another task holds the table too long, or the thread was interrupted
   */
  public void repairTable() throws IOException {
    checkOpen();
    store.repairTable(shuffleId);
  }

  /** Frees everything unless committed. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (current != null) {
        closeQuietly(current::abort);
      }
      for (RunFile file : files.values()) {
        closeQuietly(file);
        store.files().delete(file.path(), file.size());
      }
    } finally {
      store.end(extents, chains);
    }
  }

  /** What cannot be closed is deleted all the same. */
  private void closeQuietly(Closeable part) {
    try {
      part.close();
    } catch (IOException e) {
      LOG.warn(
          "cannot close a file of {}; it is deleted all the same, check its file system",
          this,
          SHUFFLE_ID.also(shuffleId),
          MAP_ID.also(mapId),
          e);
    }
  }

  int shuffleId() {
    return shuffleId;
  }

  int partitions() {
    return partitions;
  }

  long mapId() {
    return mapId;
  }

  int chunkSize() {
    return store.chunkSize();
  }

  List<FinishedRun> runs() {
    return runs;
  }

  /** Makes everything belong to {@code to}: closing frees nothing of it any more. */
  void handOver(Shuffle to) {
    to.take(extents, chains, files.values());
    files.clear();
  }

  void add(int partition, int length) {
    lengths[partition] += length;
    bytes += length;
  }

  void finished(FinishedRun run) {
    runs.add(run);
  }

  NativeBuffer takeStaging() {
    return store.takeStaging();
  }

  void giveBackStaging(NativeBuffer buffer) {
    store.giveBackStaging(buffer);
  }

  /** Stores bytes in the pool; null when it is full. */
  Extent store(ByteBuffer from) throws IOException {
    Extent extent = store.pool().store(from);
    if (extent != null) {
      extents.add(extent);
    }
    return extent;
  }

  Extent allocateChain(int length) throws IOException {
    Extent extent = store.pool().allocateTable(length);
    chains.add(extent);
    return extent;
  }

  RunFile openFile(int run) throws IOException {
    RunFile file = store.files().open(shuffleId, mapId, run);
    files.put(file.path(), file);
    return file;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
  }

  @Override
  public String toString() {
    return "the output of map " + mapId + " in shuffle " + shuffleId;
  }
}
