package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BenchDataTest {
  @Test
  void roundsHaveManyMapsForSmallBlocksAndTheBytesThatWereAskedFor() {
    long round = 256L << 20;
    assertThat(FetchShape.of(4 << 10, round)).isEqualTo(new FetchShape(4 << 10, 512, 128));
    assertThat(FetchShape.of(16 << 20, round)).isEqualTo(new FetchShape(16 << 20, 8, 2));
    for (int size = 4 << 10; size <= 16 << 20; size *= 2) {
      assertThat(FetchShape.of(size, round).bytes()).isEqualTo(round);
    }
  }

  @Test
  void blocksOfDifferentNamesDiffer() {
    byte[] scratch = new byte[64];
    Set<Integer> sums = new HashSet<>();
    for (int shuffle = 0; shuffle < 3; shuffle++) {
      for (int map = 0; map < 3; map++) {
        for (int partition = 0; partition < 3; partition++) {
          sums.add(BlockData.crc(scratch, shuffle, map, partition));
        }
      }
    }
    assertThat(sums).hasSize(27);
  }
}
