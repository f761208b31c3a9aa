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

  private final boolean serialized;

  RdmaShuffleHandle(int shuffleId, ShuffleDependency<K, V, C> dependency) {
    super(shuffleId, dependency);
    this.serialized =
        canMoveBytes(
            dependency.serializer().supportsRelocationOfSerializedObjects(),
            dependency.mapSideCombine(),
            dependency.partitioner().numPartitions());
  }

  /** The handle that Spark hands back; its types are those of the dependency. */
  @SuppressWarnings("unchecked")
  static <K, V, C> RdmaShuffleHandle<K, V, C> of(ShuffleHandle handle) {
    return (RdmaShuffleHandle<K, V, C>) handle;
  }

  /** Whether records are serialised at once and moved as bytes; otherwise objects are sorted. */
  boolean serialized() {
    return serialized;
  }

  static boolean canMoveBytes(boolean relocatable, boolean mapSideCombine, int partitions) {
    return relocatable && !mapSideCombine && partitions <= RecordPointer.MAX_PARTITIONS;
  }
}
