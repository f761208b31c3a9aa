package io.verbena.apps.trajectory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class PairCounterTest {
  private static final int BINS = 20;

  @Test
  void cellsGiveThePairsThatAllImagesGive() {
    for (long seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      double[] edge = random.doubles(3, 2, 9).toArray();
      boolean[] periodic = {random.nextBoolean(), random.nextBoolean(), random.nextBoolean()};
      Box box = new Box(new double[] {-1, 0, 3}, edge, periodic);
      double cutoff = 0.5 + random.nextDouble() * 1.5;
      Frame frame = frame(random, box, 1 + random.nextInt(80));
      assertThat(counted(frame, cutoff))
          .as("seed %d", seed)
          .containsExactly(bruteForce(frame, cutoff));
    }
  }

  /** Positions anywhere, in any image: some beyond the box, also along open axes. */
  private static Frame frame(Random random, Box box, int atoms) {
    double[] positions = new double[3 * atoms];
    for (int i = 0; i < positions.length; i++) {
      int axis = i % 3;
      double outside = box.periodic(axis) ? 2 : 0.1;
      double part = random.nextDouble() * (1 + 2 * outside) - outside;
      positions[i] = box.low(axis) + part * box.edge(axis);
    }
    long[] ids = new long[atoms];
    return new Frame(new Origin("f", 0, 0), 0, Double.NaN, box, ids, positions, true);
  }

  private static long[] counted(Frame frame, double cutoff) {
    List<Tuple2<CellKey, CellBlock>> blocks = new ArrayList<>();
    new CellBlocks(frame, 0, cutoff, 1).forEachRemaining(blocks::add);
    blocks.sort(Comparator.comparing(Tuple2::_1));
    Iterator<Tuple2<Integer, long[]>> histograms =
        PairCounter.count(blocks.iterator(), cutoff, BINS);
    return histograms.next()._2;
  }

  /** Every atom against every image of every atom, each pair thus twice. */
  private static long[] bruteForce(Frame frame, double cutoff) {
    Box box = frame.box;
    double[] p = frame.positions.clone();
    for (int i = 0; i < p.length; i++) {
      p[i] = box.wrap(i % 3, p[i]);
    }
    long[] twice = new long[BINS];
    for (int a = 0; a < p.length; a += 3) {
      for (int b = 0; b < p.length; b += 3) {
        for (int image = 0; image < 27; image++) {
          int[] at = {image / 9 - 1, image / 3 % 3 - 1, image % 3 - 1};
          double squared = 0;
          boolean exists = a != b || image != 13;
          for (int axis = 0; axis < 3; axis++) {
            exists &= at[axis] == 0 || box.periodic(axis);
            double d = p[b + axis] + at[axis] * box.edge(axis) - p[a + axis];
            squared += d * d;
          }
          int bin = (int) (Math.sqrt(squared) * BINS / cutoff);
          if (exists && bin < BINS) {
            twice[bin]++;
          }
        }
      }
    }
    for (int bin = 0; bin < BINS; bin++) {
      twice[bin] /= 2;
    }
    return twice;
  }
}
