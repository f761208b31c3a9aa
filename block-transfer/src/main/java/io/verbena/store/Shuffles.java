package io.verbena.store;

import io.verbena.memory.Pool;
import io.verbena.table.Control;
import io.verbena.table.ControlWriter;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shuffles of a store, who pins them, and the generation words. A shuffle that is removed is
 * out of reach at once and freed with its last pin.
 *
 * <p>Threads: any. The lock is held for look-ups alone, never while memory or files are freed.
 */
final class Shuffles {
  private final String store;
  private final ControlWriter control;
  private final Pool pool;
  private final RunFiles files;

  // Guarded by this, as are the shuffles' pins.
  private final Map<Integer, Shuffle> live = new HashMap<>();
  private final BitSet words = new BitSet();
  private long lastGeneration;
  private boolean closed;

  /**
   * Begins without shuffles.
   *
   * @param store what to call the store in messages
   */
  Shuffles(String store, ControlWriter control, Pool pool, RunFiles files) {
    this.store = store;
    this.control = control;
    this.pool = pool;
    this.files = files;
  }

  synchronized void checkOpen() {
    if (closed) {
      throw new IllegalStateException(store + " is closed");
    }
  }

  /** Pins the shuffle, begun anew when it is not here, for a commit. */
  synchronized Shuffle pinOrBegin(int shuffleId, int partitions) throws IOException {
    checkOpen();
    Shuffle shuffle = live.get(shuffleId);
    if (shuffle == null) {
      shuffle = begin(shuffleId, partitions);
      live.put(shuffleId, shuffle);
    }
    if (shuffle.partitions() != partitions) {
      throw new IllegalArgumentException(
          "shuffle "
              + shuffleId
              + " has "
              + shuffle.partitions()
              + " partitions here, not "
              + partitions);
    }
    shuffle.pins++;
    return shuffle;
  }

  private Shuffle begin(int shuffleId, int partitions) throws IOException {
    int word = words.nextClearBit(0);
    if (word >= Control.MAX_WORDS) {
      throw new IOException(
          "no generation word is free: " + Control.MAX_WORDS + " shuffles are alive in " + store);
    }
    Shuffle shuffle = new Shuffle(shuffleId, partitions, ++lastGeneration, word);
    words.set(word);
    control.setGeneration(word, lastGeneration);
    return shuffle;
  }

  /** Pins the shuffle for a reader; null when nothing of it is published here. */
  synchronized Shuffle pinPublished(int shuffleId) {
    checkOpen();
    Shuffle shuffle = live.get(shuffleId);
    if (shuffle == null || shuffle.isEmpty()) {
      return null;
    }
    shuffle.pins++;
    return shuffle;
  }

  /** The shuffle as it is now, without a pin; null when nothing of it is published here. */
  synchronized Shuffle published(int shuffleId) {
    Shuffle shuffle = live.get(shuffleId);
    return shuffle == null || shuffle.isEmpty() ? null : shuffle;
  }

  synchronized int[] publishedIds() {
    return live.values().stream()
        .filter(shuffle -> !shuffle.isEmpty())
        .mapToInt(Shuffle::shuffleId)
        .toArray();
  }

  void unpin(Shuffle shuffle) {
    synchronized (this) {
      shuffle.pins--;
      if (shuffle.pins > 0) {
        return;
      }
      words.clear(shuffle.word());
    }
    shuffle.free(pool, files);
  }

  /** Forgets a shuffle that nobody was told of, unless others are still about to announce it. */
  void discardIfUnannounced(Shuffle shuffle) {
    synchronized (this) {
      // One pin is for being here, one the caller's.
      if (shuffle.announced() || shuffle.pins != 2 || !live.remove(shuffle.shuffleId(), shuffle)) {
        return;
      }
      control.setGeneration(shuffle.word(), 0);
    }
    unpin(shuffle);
  }

  /** Removes a shuffle; an unknown one is no error. */
  void remove(int shuffleId) {
    Shuffle shuffle;
    synchronized (this) {
      shuffle = live.remove(shuffleId);
      if (shuffle == null) {
        return;
      }
      control.setGeneration(shuffle.word(), 0);
    }
    unpin(shuffle);
  }

  /** Removes all shuffles and lets none begin; false when that was done before. */
  boolean close() {
    List<Integer> left;
    synchronized (this) {
      if (closed) {
        return false;
      }
      closed = true;
      left = List.copyOf(live.keySet());
    }
    left.forEach(this::remove);
    return true;
  }
}
