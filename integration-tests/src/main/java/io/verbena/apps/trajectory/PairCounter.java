package io.verbena.apps.trajectory;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import scala.Tuple2;

/** Counts the pairs of atoms by distance, cell by cell, and hands out a histogram per frame. */
final class PairCounter {
  private final double cutoff;
  private final int bins;
  private final List<Tuple2<Integer, long[]>> histograms = new ArrayList<>();
  private final List<double[]> ghosts = new ArrayList<>();
  private double[] home = new double[0];
  private long[] histogram = new long[0];

  private PairCounter(double cutoff, int bins) {
    this.cutoff = cutoff;
    this.bins = bins;
  }

  /**
   * Counts all pairs of the cells of a partition.
   *
   * @param blocks sorted by key
   * @return pairs in each bin, each pair once, by frame
   */
  static Iterator<Tuple2<Integer, long[]>> count(
      Iterator<Tuple2<CellKey, CellBlock>> blocks, double cutoff, int bins) {
    PairCounter counter = new PairCounter(cutoff, bins);
    CellKey current = null;
    while (blocks.hasNext()) {
      Tuple2<CellKey, CellBlock> block = blocks.next();
      if (!block._1.equals(current)) {
        counter.finishCell();
        if (current == null || current.frame != block._1.frame) {
          counter.beginFrame(block._1.frame);
        }
        current = block._1;
      }
      counter.add(block._2);
    }
    counter.finishCell();
    return counter.histograms.iterator();
  }

  private void beginFrame(int frame) {
    histogram = new long[bins];
    histograms.add(new Tuple2<>(frame, histogram));
  }

  private void add(CellBlock block) {
    if (block.home) {
      home = block.positions;
    } else {
      ghosts.add(block.positions);
    }
  }

  private void finishCell() {
    for (int atom = 0; atom < home.length; atom += 3) {
      countFrom(atom, home, atom + 3);
      for (double[] block : ghosts) {
        countFrom(atom, block, 0);
      }
    }
    home = new double[0];
    ghosts.clear();
  }

  private void countFrom(int atom, double[] others, int first) {
    double x = home[atom];
    double y = home[atom + 1];
    double z = home[atom + 2];
    double perBin = bins / cutoff;
    for (int i = first; i < others.length; i += 3) {
      double dx = others[i] - x;
      double dy = others[i + 1] - y;
      double dz = others[i + 2] - z;
      double squared = dx * dx + dy * dy + dz * dz;
      if (squared < cutoff * cutoff) {
        int bin = (int) (Math.sqrt(squared) * perBin);
        if (bin < bins) {
          histogram[bin]++;
        }
      }
    }
  }
}
