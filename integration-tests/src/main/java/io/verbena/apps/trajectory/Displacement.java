package io.verbena.apps.trajectory;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/**
 * Mean squared displacement. Frames are regrouped by atom, sorted by time in the shuffle, so that a
 * task holds the path of one atom at a time.
 */
final class Displacement {
  private Displacement() {}

  /**
   * Runs the job.
   *
   * @param copies systems of atoms with ids of their own
   * @param maxLag in frames
   */
  static DisplacementSums compute(
      JavaRDD<ReadItem> items,
      Broadcast<FrameTable> table,
      int copies,
      int maxLag,
      int partitions) {
    long idsPerCopy = table.value().idsPerSystem();
    return items
        .flatMapToPair(item -> atoms(table.value(), item, copies, idsPerCopy))
        .repartitionAndSortWithinPartitions(new SpreadPartitioner(partitions))
        .mapPartitions(steps -> sum(table.value(), steps, maxLag))
        .reduce(DisplacementSums::plus);
  }

  private static Iterator<Tuple2<AtomStep, Position>> atoms(
      FrameTable table, ReadItem item, int copies, long idsPerCopy) {
    if (item instanceof Frame frame && table.indexOf(frame) >= 0) {
      return new Atoms(frame, table.indexOf(frame), copies, idsPerCopy);
    }
    return List.<Tuple2<AtomStep, Position>>of().iterator();
  }

  private static Iterator<DisplacementSums> sum(
      FrameTable table, Iterator<Tuple2<AtomStep, Position>> steps, int maxLag) {
    DisplacementSums sums = new DisplacementSums(table.size(), maxLag);
    AtomPath path = new AtomPath(table, sums);
    while (steps.hasNext()) {
      Tuple2<AtomStep, Position> step = steps.next();
      path.add(step._1, step._2);
    }
    path.finishAtom();
    return List.of(sums).iterator();
  }

  /** The records of a frame, made as they are asked for. */
  private static final class Atoms implements Iterator<Tuple2<AtomStep, Position>> {
    private final Frame frame;
    private final int index;
    private final int copies;
    private final long idsPerCopy;
    private int copy;
    private int atom;

    Atoms(Frame frame, int index, int copies, long idsPerCopy) {
      this.frame = frame;
      this.index = index;
      this.copies = copies;
      this.idsPerCopy = idsPerCopy;
    }

    @Override
    public boolean hasNext() {
      return copy < copies;
    }

    @Override
    public Tuple2<AtomStep, Position> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      AtomStep key = new AtomStep(frame.ids[atom] + copy * idsPerCopy, index);
      double[] p = frame.positions;
      Position position = new Position(p[3 * atom], p[3 * atom + 1], p[3 * atom + 2]);
      if (++atom == frame.atoms()) {
        atom = 0;
        copy++;
      }
      return new Tuple2<>(key, position);
    }
  }
}
