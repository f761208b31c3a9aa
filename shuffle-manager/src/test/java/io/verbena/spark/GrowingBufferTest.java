package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GrowingBufferTest {
  @Test
  void holdsWhatWasWrittenSinceTheLastReset() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    GrowingBuffer buffer = new GrowingBuffer(2);
    for (int round = 0; round < 20; round++) {
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      buffer.reset();
      for (int i = 0; i < 50; i++) {
        byte[] bytes = new byte[random.nextInt(100)];
        random.nextBytes(bytes);
        int from = random.nextInt(bytes.length + 1);
        buffer.write(bytes, from, bytes.length - from);
        expected.write(bytes, from, bytes.length - from);
        buffer.write(i);
        expected.write(i);
      }
      assertThat(Arrays.copyOf(buffer.array(), buffer.size()))
          .as("seed %s", seed)
          .isEqualTo(expected.toByteArray());
      assertThat(buffer.capacity()).isBetween(buffer.size(), 4 * 50 * 101);
    }
  }

  @Test
  void nothingIsWrittenByNothing() {
    GrowingBuffer buffer = new GrowingBuffer(0);
    buffer.write(new byte[0], 0, 0);
    assertThat(buffer.size()).isZero();
    buffer.write(7);
    assertThat(buffer.array()[0]).isEqualTo((byte) 7);
  }
}
