package io.verbena.apps.trajectory;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import scala.Tuple2;

/**
 * The atoms of a frame by cell: each cell's atoms for the cell itself, and for half of its
 * neighbours as their ghosts. Half, because a pair over a boundary is to be seen from one side
 * only. Ghosts come shifted to the image next to the receiver: no periodicity is left to think of,
 * and it is right even where a cell is its own neighbour. Made as they are asked for.
 */
final class CellBlocks implements Iterator<Tuple2<CellKey, CellBlock>> {
  /** The cell itself, then the neighbours on one side. */
  private static final List<int[]> OFFSETS = offsets();

  private final int frame;
  private final int copies;
  private final CellGrid grid;
  private final double[] sorted;
  private final int[] starts;
  private final double[] shift = new double[3];

  private int copy;
  private int cell;
  private int offset;
  private Tuple2<CellKey, CellBlock> next;

  CellBlocks(Frame frame, int index, double cutoff, int copies) {
    this.frame = index;
    this.copies = copies;
    this.grid = new CellGrid(frame.box, cutoff, frame.atoms());
    this.sorted = new double[frame.positions.length];
    this.starts = new int[grid.size() + 1];
    sort(frame);
    advance();
  }

  private static List<int[]> offsets() {
    List<int[]> offsets = new ArrayList<>();
    for (int i = 13; i < 27; i++) { // 13 is (0, 0, 0), the middle of 27
      offsets.add(new int[] {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1});
    }
    return List.copyOf(offsets);
  }

  private void sort(Frame frame) {
    int atoms = frame.atoms();
    double[] wrapped = new double[3 * atoms];
    int[] cells = new int[atoms];
    for (int atom = 0; atom < atoms; atom++) {
      for (int axis = 0; axis < 3; axis++) {
        wrapped[3 * atom + axis] = frame.box.wrap(axis, frame.positions[3 * atom + axis]);
      }
      cells[atom] = grid.cellOf(wrapped[3 * atom], wrapped[3 * atom + 1], wrapped[3 * atom + 2]);
      starts[cells[atom] + 1]++;
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    int[] ends = starts.clone();
    for (int atom = 0; atom < atoms; atom++) {
      System.arraycopy(wrapped, 3 * atom, sorted, 3 * ends[cells[atom]]++, 3);
    }
  }

  private boolean isEmpty(int cell) {
    return starts[cell] == starts[cell + 1];
  }

  private void advance() {
    next = null;
    while (next == null && copy < copies) {
      if (!isEmpty(cell)) {
        int receiver = grid.neighbour(cell, OFFSETS.get(offset), shift);
        if (receiver >= 0 && !isEmpty(receiver)) {
          next = new Tuple2<>(new CellKey(frame, copy, receiver), block());
        }
      } else {
        offset = OFFSETS.size() - 1;
      }
      if (++offset == OFFSETS.size()) {
        offset = 0;
        if (++cell == grid.size()) {
          cell = 0;
          copy++;
        }
      }
    }
  }

  private CellBlock block() {
    double[] positions = new double[3 * (starts[cell + 1] - starts[cell])];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = sorted[3 * starts[cell] + i] + shift[i % 3];
    }
    return new CellBlock(offset == 0, positions);
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Tuple2<CellKey, CellBlock> next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    Tuple2<CellKey, CellBlock> result = next;
    advance();
    return result;
  }
}
