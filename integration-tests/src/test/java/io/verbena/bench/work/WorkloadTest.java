package io.verbena.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Workloads without Spark: names, sizes, records, digests. */
class WorkloadTest {
  @Test
  void everyWorkloadIsFoundByItsNameAndHasASmallerSizeForTrying() {
    assertThat(Workloads.all()).hasSizeGreaterThanOrEqualTo(11);
    for (Workload workload : Workloads.all()) {
      assertThat(Workloads.of(workload.title())).isSameAs(workload);
      assertThat(workload.what()).isNotBlank();
      assertThat(workload.quickSize().records()).isLessThan(workload.size().records());
    }
  }

  @Test
  void unknownNameIsToldWithAllNames() {
    assertThatThrownBy(() -> Workloads.of("nope"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("unknown workload \"nope\": there are partition, sort,")
        .hasMessageContaining("uncompressed");
  }

  @Test
  void scaledSizeIsAMultipleOfItsMaps() {
    Size size = new Size(8, 64, 1_000);
    assertThat(size.times(0.5)).isEqualTo(new Size(8, 64, 504));
    assertThat(size.times(1e-9)).isEqualTo(new Size(8, 64, 8));
    assertThatThrownBy(() -> new Size(0, 1, 1)).hasMessageContaining("maps=0");
  }

  @Test
  void mapTasksMakeDifferentRecordsAndTheSameAgain() {
    Set<Long> keys = new HashSet<>();
    for (int map = 0; map < 4; map++) {
      Iterator<Tuple2<Long, byte[]>> records = records(map, Records.distinct());
      Iterator<Tuple2<Long, byte[]>> again = records(map, Records.distinct());
      while (records.hasNext()) {
        Tuple2<Long, byte[]> record = records.next();
        Tuple2<Long, byte[]> same = again.next();
        assertThat(record._1()).isEqualTo(same._1());
        assertThat(record._2()).isEqualTo(same._2()).hasSize(Records.VALUE_SIZE);
        keys.add(record._1());
      }
    }
    assertThat(keys).hasSize(400);
  }

  @Test
  void keysAreSharedAsTheWorkloadWants() {
    assertThat(count(Records.grouped(50)).values()).hasSize(50).containsOnly(8);
    Map<Long, Integer> skewed = count(Records.halfOfOneKey());
    assertThat(skewed).hasSize(201);
    assertThat(skewed.values()).contains(200);
  }

  @Test
  void digestDoesNotDependOnOrderAndSeesEveryByte() {
    List<Tuple2<Long, byte[]>> one = List.of(pair(1, 7), pair(2, 8));
    List<Tuple2<Long, byte[]>> turned = List.of(pair(2, 8), pair(1, 7));
    List<Tuple2<Long, byte[]>> spoilt = List.of(pair(1, 7), pair(2, 9));
    assertThat(digest(one)).isEqualTo(new Digest(2, digest(turned).sum(), true));
    assertThat(digest(turned).sorted()).isFalse();
    assertThat(digest(spoilt).sum()).isNotEqualTo(digest(one).sum());
  }

  @Test
  void digestOfGroupsIsThatOfTheirRecordsAndRefusesAKeyThatComesTwice() {
    byte[] value = pair(0, 7)._2();
    byte[] other = pair(0, 8)._2();
    Digest flat = digest(List.of(pair(1, 7), pair(1, 8)));
    Digest grouped = groups(List.of(new Tuple2<>(1L, List.of(other, value))));
    assertThat(grouped).isEqualTo(flat);
    assertThatThrownBy(
            () ->
                groups(List.of(new Tuple2<>(1L, List.of(value)), new Tuple2<>(1L, List.of(other)))))
        .hasMessage("a key came twice in one partition");
  }

  private static Map<Long, Integer> count(Records.Keys keys) {
    Map<Long, Integer> counts = new HashMap<>();
    for (int map = 0; map < 4; map++) {
      records(map, keys).forEachRemaining(record -> counts.merge(record._1(), 1, Integer::sum));
    }
    return counts;
  }

  private static Iterator<Tuple2<Long, byte[]>> records(int map, Records.Keys keys) {
    return new Records(100, keys).call(List.of(map).iterator());
  }

  private static Tuple2<Long, byte[]> pair(long key, int value) {
    return new Tuple2<>(key, new byte[] {(byte) value, 0, 0});
  }

  private static Digest digest(List<Tuple2<Long, byte[]>> records) {
    return Digests.total(List.of(new Digests.OfPairs(true).call(records.iterator()).next()));
  }

  private static Digest groups(List<Tuple2<Long, Iterable<byte[]>>> groups) {
    return Digests.total(List.of(new Digests.OfGroups(true).call(groups.iterator()).next()));
  }
}
