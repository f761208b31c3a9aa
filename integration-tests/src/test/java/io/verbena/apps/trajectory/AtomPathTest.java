package io.verbena.apps.trajectory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtomPathTest {
  @Test
  void anAtomIsFollowedOverPeriodicBoundariesOnly() throws Exception {
    // 0.3 of an edge of 10 at a time along x, as much back along y, open along z.
    FrameTable table = table(8, 10, 0);
    DisplacementSums sums = new DisplacementSums(8, 7);
    AtomPath path = new AtomPath(table, sums);
    for (int i = 0; i < 8; i++) {
      double x = (1 + 3.0 * i) % 10;
      double y = (1 - 3.0 * i + 30) % 10;
      path.add(new AtomStep(5, i), new Position(x, y, i % 2 == 0 ? 0.5 : 9.5));
    }
    path.finishAtom();
    assertThat(sums.complete()).isTrue();
    assertThat(sums.atoms()).isEqualTo(1);
    for (int i = 0; i < 8; i++) {
      double z = i % 2 == 0 ? 0 : 9;
      double expected = 2 * 9.0 * i * i + z * z;
      assertThat(sums.fromFirst[i].dividedBy(1)).isCloseTo(expected, within(1e-9));
      assertThat(sums.byLag[i].dividedBy(8 - i)).isCloseTo(expected, within(1e-9));
    }
    assertThat(sums.largestStep()).isCloseTo(0.3, within(1e-12));
  }

  @Test
  void aGrowingBoxIsFollowedAsLammpsUnwrapsIt() throws Exception {
    // Crosses the upper boundary once; the image lies one edge of that frame away.
    FrameTable table = table(3, 10, 1);
    DisplacementSums sums = new DisplacementSums(3, 0);
    AtomPath path = new AtomPath(table, sums);
    path.add(new AtomStep(1, 0), new Position(9, 0, 0));
    path.add(new AtomStep(1, 1), new Position(0.5, 0, 0)); // edge 11: at 11.5
    path.add(new AtomStep(1, 2), new Position(1, 0, 0)); // edge 12: at 13
    path.finishAtom();
    assertThat(sums.fromFirst[1].dividedBy(1)).isEqualTo(2.5 * 2.5);
    assertThat(sums.fromFirst[2].dividedBy(1)).isEqualTo(16);
  }

  @Test
  void theFirstMissingFrameOfTheLowestAtomIsRemembered() throws Exception {
    FrameTable table = table(3, 10, 0);
    DisplacementSums sums = new DisplacementSums(3, 0);
    AtomPath path = new AtomPath(table, sums);
    path.add(new AtomStep(7, 0), new Position(0, 0, 0));
    path.add(new AtomStep(8, 1), new Position(0, 0, 0));
    path.add(new AtomStep(8, 2), new Position(0, 0, 0));
    path.finishAtom();
    DisplacementSums other = new DisplacementSums(3, 0);
    other.atomIncomplete(8, 0);
    DisplacementSums all = other.plus(sums);
    assertThat(all.complete()).isFalse();
    assertThat(all.incompleteAtom()).isEqualTo(7);
    assertThat(all.missingFrame()).isEqualTo(1);
    assertThat(all.atoms()).isZero();
  }

  /** Periodic along x and y. */
  private static FrameTable table(int frames, double edge, double growth) throws InputException {
    List<FrameInfo> infos = new ArrayList<>();
    for (int i = 0; i < frames; i++) {
      double[] edges = {edge + i * growth, edge, edge};
      Box box = new Box(new double[3], edges, new boolean[] {true, true, false});
      Origin origin = new Origin("f", 0, i);
      long[] ids = {5};
      infos.add(
          new FrameInfo(new Frame(origin, 10L * i, Double.NaN, box, ids, new double[3], false)));
    }
    return FrameTable.of(infos, List.of(), List.of());
  }
}
