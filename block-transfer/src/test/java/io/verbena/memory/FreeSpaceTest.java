package io.verbena.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class FreeSpaceTest {
  private record Taken(int offset, int units) {}

  @RepeatedTest(20)
  void randomOperationsAgreeWithABitmap(RepetitionInfo repetition) {
    long seed = System.nanoTime() + repetition.getCurrentRepetition();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int limit = 1 + random.nextInt(500);
    FreeSpace space = new FreeSpace(limit);
    boolean[] used = new boolean[limit];
    int frontier = 0;
    List<Taken> taken = new ArrayList<>();
    for (int step = 0; step < 2000; step++) {
      if (random.nextInt(5) < 3) {
        int units = 1 + random.nextInt(1 + limit / 4);
        int expected = firstHole(used, frontier, units);
        int offset = space.takeHole(units);
        assertThat(offset).as("seed %s step %s", seed, step).isEqualTo(expected);
        if (offset < 0) {
          int trailing = trailing(used, frontier);
          int growth = Math.max(0, units - trailing);
          boolean fits = growth <= limit - frontier;
          assertThat(space.growthFor(units)).isEqualTo(fits ? growth : -1);
          if (!fits) {
            continue;
          }
          offset = space.takeAtFrontier(units);
          assertThat(offset).isEqualTo(frontier - trailing);
          frontier += growth;
        }
        mark(used, offset, units, true);
        taken.add(new Taken(offset, units));
      } else if (!taken.isEmpty()) {
        Taken freed = taken.remove(random.nextInt(taken.size()));
        space.release(freed.offset(), freed.units());
        mark(used, freed.offset(), freed.units(), false);
      }
      assertThat(space.frontier()).isEqualTo(frontier);
      assertThat(space.free()).as("seed %s step %s", seed, step).isEqualTo(free(used, frontier));
      assertThat(space.holes()).isEqualTo(holes(used, frontier));
    }
  }

  private static void mark(boolean[] used, int offset, int units, boolean value) {
    for (int i = offset; i < offset + units; i++) {
      assertThat(used[i]).isEqualTo(!value);
      used[i] = value;
    }
  }

  private static int firstHole(boolean[] used, int frontier, int units) {
    int run = 0;
    for (int i = 0; i < frontier; i++) {
      run = used[i] ? 0 : run + 1;
      if (run == units) {
        return i - units + 1;
      }
    }
    return -1;
  }

  private static int trailing(boolean[] used, int frontier) {
    int run = 0;
    while (run < frontier && !used[frontier - 1 - run]) {
      run++;
    }
    return run;
  }

  private static int free(boolean[] used, int frontier) {
    int free = 0;
    for (int i = 0; i < frontier; i++) {
      free += used[i] ? 0 : 1;
    }
    return free;
  }

  private static int holes(boolean[] used, int frontier) {
    int holes = 0;
    for (int i = 0; i < frontier; i++) {
      holes += !used[i] && (i == 0 || used[i - 1]) ? 1 : 0;
    }
    return holes;
  }

  @Test
  void freeingTwiceIsRefused() {
    FreeSpace space = new FreeSpace(100);
    space.takeAtFrontier(30);
    space.release(10, 10);
    assertThatThrownBy(() -> space.release(5, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("freed twice or never taken: offset=5 units=10");
    assertThatThrownBy(() -> space.release(19, 2)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.release(29, 2)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void sealedSpaceGivesOnlyHoles() {
    FreeSpace space = new FreeSpace(100);
    space.takeAtFrontier(30);
    space.seal();
    assertThat(space.growthFor(1)).isEqualTo(-1);
    assertThat(space.untouched()).isZero();
    space.release(0, 4);
    assertThat(space.takeHole(4)).isZero();
  }
}
