package io.verbena.spark;

import org.apache.spark.ShuffleDependency;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleHandle;

/**
 * A registered shuffle and how its map outputs are written: decided once on the driver, so that all
 * tasks agree.
 */
final class RdmaShuffleHandle<K, V, C> extends BaseShuffleHandle<K, V, C> {
  private static final long serialVersionUID = 1L;

  private final WriteMode mode;

  RdmaShuffleHandle(int shuffleId, ShuffleDependency<K, V, C> dependency, WriteMode mode) {
    super(shuffleId, dependency);
    this.mode = mode;
  }

  /** The handle that Spark hands back; its types are those of the dependency. */
  @SuppressWarnings("unchecked")
  static <K, V, C> RdmaShuffleHandle<K, V, C> of(ShuffleHandle handle) {
    return (RdmaShuffleHandle<K, V, C>) handle;
  }

  WriteMode mode() {
    return mode;
  }
}
