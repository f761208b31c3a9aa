package io.verbena.apps.trajectory;

import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/**
 * Radial distribution function over all pairs of atoms, normalised as LAMMPS's {@code compute rdf}
 * does. Pairs are counted in whole numbers, so their sums need no order.
 */
final class RadialDistribution {
  private final FrameTable table;
  private final double cutoff;
  private final int bins;

  /** Pairs by frame and bin, each pair once, of all copies together. */
  private final long[][] pairs;

  private final int copies;

  private RadialDistribution(
      FrameTable table, double cutoff, int bins, int copies, List<Tuple2<Integer, long[]>> counts) {
    this.table = table;
    this.cutoff = cutoff;
    this.bins = bins;
    this.copies = copies;
    this.pairs = new long[table.size()][bins];
    counts.forEach(count -> pairs[count._1] = count._2);
  }

  /**
   * Runs the job.
   *
   * @param copies systems that do not see one another
   */
  static RadialDistribution compute(
      JavaRDD<ReadItem> items,
      Broadcast<FrameTable> table,
      int copies,
      double cutoff,
      int bins,
      int partitions) {
    List<Tuple2<Integer, long[]>> counts =
        items
            .flatMapToPair(item -> blocks(table.value(), item, copies, cutoff))
            .repartitionAndSortWithinPartitions(new SpreadPartitioner(partitions))
            .mapPartitionsToPair(blocks -> PairCounter.count(blocks, cutoff, bins))
            .reduceByKey(new SpreadPartitioner(partitions), RadialDistribution::add)
            .collect();
    return new RadialDistribution(table.value(), cutoff, bins, copies, counts);
  }

  private static Iterator<Tuple2<CellKey, CellBlock>> blocks(
      FrameTable table, ReadItem item, int copies, double cutoff) {
    if (item instanceof Frame frame && table.indexOf(frame) >= 0) {
      return new CellBlocks(frame, table.indexOf(frame), cutoff, copies);
    }
    return List.<Tuple2<CellKey, CellBlock>>of().iterator();
  }

  private static long[] add(long[] left, long[] right) {
    long[] sum = new long[left.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = left[i] + right[i];
    }
    return sum;
  }

  double cutoff() {
    return cutoff;
  }

  int bins() {
    return bins;
  }

  /** Middle of a bin. */
  double radius(int bin) {
    return (bin + 0.5) * cutoff / bins;
  }

  /** Pairs of one system, each counted from both its atoms. Whole numbers: copies are alike. */
  private double pairsOfSystem(int frame, int bin) {
    return 2.0 * pairs[frame][bin] / copies;
  }

  /** g(r) of a frame, in all systems together. */
  double[] ofFrame(int frame) {
    double atoms = table.atoms();
    double volume = table.box(frame).volume();
    double[] g = new double[bins];
    for (int bin = 0; bin < bins; bin++) {
      double lower = bin * cutoff / bins;
      double upper = (bin + 1) * cutoff / bins;
      double shell = 4 * Math.PI / 3 * (upper * upper * upper - lower * lower * lower);
      double ideal = atoms * (atoms - 1) * shell / volume;
      g[bin] = ideal > 0 ? pairsOfSystem(frame, bin) / ideal : 0;
    }
    return g;
  }

  /** Neighbours of an atom up to the outer edge of each bin, mean of all atoms of a frame. */
  double[] coordinationOfFrame(int frame) {
    double[] coordination = new double[bins];
    double pairsSoFar = 0;
    for (int bin = 0; bin < bins; bin++) {
      pairsSoFar += pairsOfSystem(frame, bin);
      coordination[bin] = pairsSoFar / table.atoms();
    }
    return coordination;
  }

  /** Mean over all frames. */
  double[] mean() {
    return meanOf(this::ofFrame);
  }

  /** Mean over all frames. */
  double[] meanCoordination() {
    return meanOf(this::coordinationOfFrame);
  }

  private double[] meanOf(IntFunction<double[]> perFrame) {
    double[] mean = new double[bins];
    for (int frame = 0; frame < table.size(); frame++) {
      double[] values = perFrame.apply(frame);
      for (int bin = 0; bin < bins; bin++) {
        mean[bin] += values[bin];
      }
    }
    for (int bin = 0; bin < bins; bin++) {
      mean[bin] /= table.size();
    }
    return mean;
  }
}
