package io.verbena.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.host.HostFiles;
import io.verbena.memory.PoolLimit.Machine;
import org.junit.jupiter.api.Test;

class PoolLimitTest {
  private static final long GIB = 1L << 30;

  @Test
  void leastBoundDecidesAndIsNamedFirst() {
    PoolLimit limit = PoolLimit.derive(new Machine(GIB, 64 * GIB, 8 * GIB, 6 * GIB, 256 * GIB, 0));
    assertThat(limit.bytes()).isEqualTo(GIB / 2);
    assertThat(limit.reasons())
        .startsWith("half of the executor's memory overhead (1 GiB) is 512 MiB; ")
        .contains("half of what the container allows beside the heap (2 GiB) is 1 GiB")
        .contains("half of the backing's free space (64 GiB) is 32 GiB")
        .endsWith("a quarter of the machine's memory (256 GiB) is 64 GiB");
  }

  @Test
  void containerThatTheHeapFillsLeavesNoPool() {
    assertThat(PoolLimit.derive(new Machine(0, GIB, 4 * GIB, 6 * GIB, 0, 0)).bytes()).isZero();
  }

  @Test
  void unknownBoundsAreLeftOut() {
    PoolLimit limit = PoolLimit.derive(new Machine(0, 2 * GIB, 0, GIB, 0, 0));
    assertThat(limit.bytes()).isEqualTo(GIB);
    assertThat(limit.reasons()).isEqualTo("half of the backing's free space (2 GiB) is 1 GiB");
  }

  @Test
  void thisMachineHasABound() {
    PoolLimit limit = PoolLimit.derive(PoolLimit.machine(HostFiles.thisHost(), 0, 0, GIB));
    assertThat(limit.bytes()).isPositive();
    assertThat(limit.reasons()).contains("of the machine's memory");
  }

  /** The worked example of docs/operations.md: heaps of 16 GiB on large hosts. */
  @Test
  void exampleOfTheOperationsPageHolds() {
    assertThat(PoolLimit.derive(large(12 * GIB)).bytes()).isEqualTo(6 * GIB);
    long byDefault = 16 * GIB / 10;
    assertThat(PoolLimit.derive(large(byDefault)).bytes()).isEqualTo(816L << 20);
  }

  private static Machine large(long overhead) {
    long heap = 16 * GIB;
    return new Machine(overhead, 512 * GIB, heap + overhead, heap, 1024 * GIB, 900 * GIB);
  }
}
