package io.verbena.spark;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.conf.RdmaConf;
import io.verbena.store.StoreStats;
import io.verbena.table.Entry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

class BlockEncodingTest {
  private final AtomicLong poolBytes = new AtomicLong();
  private final AtomicBoolean severalHosts = new AtomicBoolean();
  private boolean byNetty;

  private BlockEncoding encoding(boolean encrypt, String... pairs) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      settings.put(pairs[i], pairs[i + 1]);
    }
    SparkConf conf = new SparkConf(false);
    settings.forEach(conf::set);
    conf.set("spark.io.encryption.enabled", Boolean.toString(encrypt));
    return new BlockEncoding(
        conf,
        RdmaConf.read(settings),
        new SerializerManager(
            new JavaSerializer(conf), conf, encrypt ? Option.apply(new byte[16]) : Option.empty()),
        () -> new StoreStats(poolBytes.get(), 0, 0, Map.of(), 0, 1000, "tmpfs", 0, 0, 0),
        byNetty,
        severalHosts::get);
  }

  @ParameterizedTest
  @CsvSource({
    // mode, leave, read by netty, several hosts, compressed, what is said at the start
    "auto, true, true, false, false, 'when 75 % of the pool are in use, or there are executors on'",
    "auto, true, true, true, true, compressed: there are executors on several hosts",
    "auto, true, false, true, false, when 75 % of the pool are in use",
    "auto, false, true, true, false, not compressed: spark.shuffle.compress=false",
    "never, true, true, true, false, 'not compressed, as set'",
    "always, true, false, false, true, 'compressed, as set'",
  })
  void autoCompressesWhereOtherHostsAreReadByNetty(
      String mode, String leave, boolean netty, boolean several, boolean compressed, String said) {
    byNetty = netty;
    severalHosts.set(several);
    BlockEncoding encoding =
        encoding(false, "spark.shuffle.rdma.compress", mode, "spark.shuffle.compress", leave);

    assertThat(encoding.choice()).contains(said);
    assertThat(encoding.flagsOfNextRun()).isEqualTo(compressed ? Entry.COMPRESSED : 0);
  }

  @Test
  void autoFollowsWhenTheFirstExecutorOnAnotherHostComes() {
    byNetty = true;
    BlockEncoding encoding = encoding(false);
    assertThat(encoding.flagsOfNextRun()).isZero();
    severalHosts.set(true);
    assertThat(encoding.flagsOfNextRun()).isEqualTo(Entry.COMPRESSED);
  }

  @ParameterizedTest
  @CsvSource({
    // mode, leave, bytes of 1000 in the pool, compressed
    "auto, true, 749, false",
    "auto, true, 750, true",
    "auto, false, 1000, false",
    "always, true, 0, true",
    "never, true, 1000, false",
  })
  void compressesAsModeAndLeaveAndPoolSay(
      String mode, String leave, long bytes, boolean compressed) {
    poolBytes.set(bytes);
    BlockEncoding encoding =
        encoding(false, "spark.shuffle.rdma.compress", mode, "spark.shuffle.compress", leave);

    assertThat(encoding.flagsOfNextRun()).isEqualTo(compressed ? Entry.COMPRESSED : 0);
  }

  @Test
  void autoCompressesWhereEveryByteTakesTheNetwork() {
    assertThat(encoding(false, "spark.shuffle.rdma.transports", "netty").flagsOfNextRun())
        .isEqualTo(Entry.COMPRESSED);
  }

  @Test
  void encryptionIsNeverSkipped() {
    assertThat(encoding(true, "spark.shuffle.rdma.compress", "never").flagsOfNextRun())
        .isEqualTo(Entry.ENCRYPTED);
  }

  @Test
  void aPoolWithoutMemoryCompresses() {
    StoreStats diskOnly = new StoreStats(0, 0, 0, Map.of(), 0, 0, "disk", 0, 0, 0);

    assertThat(BlockEncoding.isPoolFillingUp(diskOnly, 75)).isTrue();
    assertThat(BlockEncoding.isPoolFillingUp(diskOnly, 100)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Entry.COMPRESSED, Entry.ENCRYPTED, Entry.COMPRESSED | Entry.ENCRYPTED})
  void decodingByTheFlagsGivesTheBytesBack(int flags) throws IOException {
    BlockEncoding encoding = encoding(true);
    byte[] bytes = new byte[100_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i / 100);
    }
    ByteArrayOutputStream raw = new ByteArrayOutputStream();

    try (OutputStream out = encoding.encode(raw, flags)) {
      out.write(bytes);
    }

    byte[] decoded =
        encoding
            .decode(
                new ByteArrayInputStream(raw.toByteArray()),
                (flags & Entry.COMPRESSED) != 0,
                (flags & Entry.ENCRYPTED) != 0)
            .readAllBytes();
    assertThat(decoded).isEqualTo(bytes);
    if ((flags & Entry.COMPRESSED) != 0) {
      assertThat(raw.size()).isLessThan(bytes.length / 2);
    }
    if ((flags & Entry.ENCRYPTED) != 0) {
      assertThat(raw.toString(ISO_8859_1)).doesNotContain(new String(bytes, 0, 200, ISO_8859_1));
    }
  }
}
