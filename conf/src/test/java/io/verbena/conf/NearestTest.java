package io.verbena.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  private static final List<String> KEYS =
      RdmaOptions.all().stream()
          .map(option -> option.key().substring(RdmaOptions.PREFIX.length()))
          .toList();

  @ParameterizedTest
  @CsvSource({
    "transport, transports",
    "pool.regionsize, pool.regionSize",
    "pool.region.size, pool.regionSize",
    "regionSize, pool.regionSize",
    "pool.limits, pool.limit",
    "receive.limt, receive.limit",
    "pool.chunkSize, chunkSize",
    "chunk.size, chunkSize",
    "compression, compress",
    "pool.compressThreshold, compress.poolThreshold",
    "fetchTimeout, fetch.timeout",
    "boundsCheck, boundsChecks",
    "mode, shm.mode"
  })
  void aMistypedKeyIsNearToTheOneThatWasMeant(String mistyped, String meant) {
    assertThat(Nearest.of(mistyped, KEYS)).isEqualTo(meant);
  }

  @Test
  void aKnownWordIsNearestToItself() {
    for (String key : KEYS) {
      assertThat(Nearest.of(key, KEYS)).isEqualTo(key);
      assertThat(Nearest.distance(key, key)).isZero();
    }
  }

  @Test
  void ofSeveralEquallyNearWordsTheFirstIsTaken() {
    assertThat(Nearest.of("ab", List.of("ac", "ad"))).isEqualTo("ac");
  }

  @ParameterizedTest
  @CsvSource({"kitten, sitting, 3", "'', abc, 3", "abc, '', 3", "ABC, abc, 0", "x.y, z.y, 1"})
  void distanceCountsEditsInEitherCase(String word, String candidate, int edits) {
    assertThat(Nearest.distance(word, candidate)).isEqualTo(edits);
  }
}
