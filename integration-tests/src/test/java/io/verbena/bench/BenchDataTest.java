package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

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

  @Test
  void mapTasksMakeDifferentRecordsAndTheSameAgain() {
    Set<Long> keys = new HashSet<>();
    for (int map = 0; map < 4; map++) {
      Iterator<Tuple2<Long, byte[]>> records = records(map);
      Iterator<Tuple2<Long, byte[]>> again = records(map);
      while (records.hasNext()) {
        Tuple2<Long, byte[]> record = records.next();
        Tuple2<Long, byte[]> same = again.next();
        assertThat(record._1()).isEqualTo(same._1());
        assertThat(record._2()).isEqualTo(same._2()).hasSize(JobRecords.VALUE_SIZE);
        keys.add(record._1());
      }
    }
    assertThat(keys).hasSize(400);
  }

  @Test
  void digestDoesNotDependOnOrderAndSeesEveryByte() {
    List<Tuple2<Long, byte[]>> one = List.of(pair(1, 7), pair(2, 8));
    List<Tuple2<Long, byte[]>> turned = List.of(pair(2, 8), pair(1, 7));
    List<Tuple2<Long, byte[]>> spoilt = List.of(pair(1, 7), pair(2, 9));
    assertThat(digest(one)).isEqualTo(new JobDigest.Total(2, digest(turned).sum(), true));
    assertThat(digest(turned).sorted()).isFalse();
    assertThat(digest(spoilt).sum()).isNotEqualTo(digest(one).sum());
  }

  private static Iterator<Tuple2<Long, byte[]>> records(int map) {
    return new JobRecords(100).call(List.of(map).iterator());
  }

  private static Tuple2<Long, byte[]> pair(long key, int value) {
    return new Tuple2<>(key, new byte[] {(byte) value, 0, 0});
  }

  private static JobDigest.Total digest(List<Tuple2<Long, byte[]>> records) {
    return JobDigest.total(List.of(new JobDigest.OfPairs(true).call(records.iterator()).next()));
  }
}
