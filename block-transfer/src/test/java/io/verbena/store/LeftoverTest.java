package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoverTest {
  @TempDir Path root;

  /** Opens a store, writes into it, says so and ends or waits to be killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      try (ShuffleStore store = new StoreFixture(Path.of(arguments[0])).open()) {
        StoreFixture.write(store, 1, 1, new byte[][] {new byte[200_000]});
        System.out.println("written");
        if (arguments[1].equals("wait")) {
          Thread.sleep(120_000);
        }
      }
    }
  }

  private ChildJvm start(String what) throws IOException {
    ChildJvm child = new ChildJvm(List.of(), Holder.class, root.toString(), what);
    assertThat(child.until("written")).endsWith("written\n");
    return child;
  }

  private List<Path> executors(StoreFixture fixture) throws IOException {
    return StoreFixture.files(fixture.memory.get(0)).stream()
        .filter(path -> path.getFileName().toString().equals("control"))
        .map(Path::getParent)
        .toList();
  }

  @Test
  void filesOfAKilledProcessAreRemovedByTheNextAndThoseOfALivingOneAreNot() throws Exception {
    StoreFixture fixture = new StoreFixture(root);
    try (ChildJvm killed = start("wait");
        ChildJvm living = start("wait")) {
      assertThat(executors(fixture)).hasSize(2);
      killed.kill();
      assertThat(executors(fixture)).hasSize(2);
      try (ShuffleStore store = fixture.open()) {
        assertThat(executors(fixture))
            .hasSize(2)
            .contains(Path.of(store.descriptor().directories().get(0)));
        try (ShuffleStore second = fixture.open()) {
          assertThat(executors(fixture))
              .hasSize(3)
              .contains(Path.of(second.descriptor().directories().get(0)));
        }
        assertThat(executors(fixture)).hasSize(2);
      }
      living.kill();
    }
    fixture.open().close();
    assertThat(StoreFixture.files(fixture.memory.get(0))).isEmpty();
    assertThat(StoreFixture.files(fixture.local.get(0))).isEmpty();
  }

  @Test
  void closeRemovesWhatAProcessLeftThatWasKilledMeanwhile() throws Exception {
    StoreFixture fixture = new StoreFixture(root);
    try (ShuffleStore store = fixture.open();
        ChildJvm killed = start("wait")) {
      killed.kill();
      assertThat(executors(fixture))
          .hasSize(2)
          .contains(Path.of(store.descriptor().directories().get(0)));
    }
    assertThat(StoreFixture.files(fixture.memory.get(0))).isEmpty();
    assertThat(StoreFixture.files(fixture.local.get(0))).isEmpty();
  }

  @Test
  void closeLeavesNoFile() throws Exception {
    try (ChildJvm child = start("end")) {
      assertThat(child.waitForEnd()).isZero();
    }
    StoreFixture fixture = new StoreFixture(root);
    assertThat(StoreFixture.files(fixture.memory.get(0))).isEmpty();
    assertThat(StoreFixture.files(fixture.local.get(0))).isEmpty();
  }

  @Test
  void secondStoreOfAProcessKeepsTheFirstOnesLock() throws Exception {
    StoreFixture fixture = new StoreFixture(root);
    try (ShuffleStore first = fixture.open();
        ShuffleStore second = fixture.open();
        ChildJvm other = start("end")) {
      assertThat(other.waitForEnd()).isZero();
      assertThat(executors(fixture))
          .containsExactlyInAnyOrder(
              Path.of(first.descriptor().directories().get(0)),
              Path.of(second.descriptor().directories().get(0)));
    }
  }
}
