package io.verbena.apps.trajectory;

import org.apache.spark.Partitioner;

/**
 * Spreads atoms and cells by a mixed hash, so that neighbouring ids do not gather. All frames of an
 * atom go to one partition.
 */
final class SpreadPartitioner extends Partitioner {
  private static final long serialVersionUID = 1L;
  private static final int GOLDEN_RATIO = 0x9e3779b9;

  private final int partitions;

  SpreadPartitioner(int partitions) {
    this.partitions = partitions;
  }

  @Override
  public int numPartitions() {
    return partitions;
  }

  @Override
  public int getPartition(Object key) {
    int hash = key instanceof AtomStep step ? Long.hashCode(step.atom) : key.hashCode();
    int mixed = hash * GOLDEN_RATIO;
    return Math.floorMod(mixed ^ (mixed >>> 15), partitions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SpreadPartitioner o && partitions == o.partitions;
  }

  @Override
  public int hashCode() {
    return partitions;
  }
}
