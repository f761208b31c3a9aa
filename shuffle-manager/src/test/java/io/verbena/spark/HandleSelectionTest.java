package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HandleSelectionTest {
  @Test
  void bytesAreMovedOnlyWhereSerializerAndAggregationAllowIt() {
    assertThat(RdmaShuffleHandle.canMoveBytes(true, false, 200)).isTrue();
    assertThat(RdmaShuffleHandle.canMoveBytes(false, false, 200)).isFalse();
    assertThat(RdmaShuffleHandle.canMoveBytes(true, true, 200)).isFalse();
  }

  @Test
  void bytesAreMovedForAsManyPartitionsAsAPointerNames() {
    assertThat(RdmaShuffleHandle.canMoveBytes(true, false, 1 << 24)).isTrue();
    assertThat(RdmaShuffleHandle.canMoveBytes(true, false, (1 << 24) + 1)).isFalse();
  }
}
