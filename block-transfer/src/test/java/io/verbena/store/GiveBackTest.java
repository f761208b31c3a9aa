package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.memory.MemoryView;
import io.verbena.table.ControlReader;
import io.verbena.table.RemoteKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Idle regions of a store that a network adapter serves. */
public class GiveBackTest {
  private static final int REGIONS = 3;

  @TempDir Path root;

  /** Gives all regions of a store back that nobody owns anything of, all but one. */
  public static void giveBackIdle(ShuffleStore store) {
    store.pool().giveBack(0);
  }

  /** Remembers what it exported, and checks the order of things when it is withdrawn. */
  private static final class Adapter implements RemoteAccess {
    final List<MemoryView> exported = new ArrayList<>();
    final List<Integer> withdrawn = new ArrayList<>();
    private MemoryView control;

    @Override
    public List<String> addresses() {
      return List.of("192.0.2.1:1");
    }

    @Override
    public RemoteKey export(MemoryView memory) {
      exported.add(memory);
      return new RemoteKey(memory.address(), 1);
    }

    @Override
    public void withdraw(MemoryView memory) {
      int id = exported.indexOf(memory);
      assertThat(ControlReader.retired(control, id)).as("readers are told before").isTrue();
      assertThat(memory.getByte(memory.capacity() - 1)).as("it is still there").isZero();
      withdrawn.add(id);
    }

    @Override
    public void serve(long nonceHigh, long nonceLow, MemoryView area) {
      control = area;
    }
  }

  @Test
  void regionsAreWithdrawnFromTheAdapterBeforeTheirMemoryGoes() throws IOException {
    Adapter adapter = new Adapter();
    StoreFixture fixture = new StoreFixture(root);
    fixture.remote = adapter;
    fixture.prefault = false;
    try (ShuffleStore store = fixture.open()) {
      for (int map = 0; map < REGIONS; map++) {
        byte[][] blocks = new byte[10][fixture.regionSize / 12];
        StoreFixture.write(store, 3, map, blocks);
      }
      assertThat(adapter.exported).hasSize(REGIONS);
      giveBackIdle(store);
      assertThat(adapter.withdrawn).as("while the shuffle lives").isEmpty();

      store.removeShuffle(3);
      giveBackIdle(store);

      assertThat(adapter.withdrawn).containsExactly(1, 2);
      assertThat(store.stats().poolReserved()).isEqualTo(fixture.regionSize);
    }
  }
}
