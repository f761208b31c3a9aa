package io.verbena.conf;

import static io.verbena.conf.Confs.conf;
import static io.verbena.conf.Confs.messageOf;
import static io.verbena.conf.Confs.problemsOf;
import static io.verbena.conf.Confs.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told when several things are wrong, or the fault lies between two settings. */
class InvalidConfExceptionTest {

  @Test
  void allProblemsAreToldTogetherInTheOrderOfTheOptions() {
    String message =
        messageOf(
            conf(
                RdmaOptions.BOUNDS_CHECKS,
                "maybe",
                RdmaOptions.TRANSPORTS,
                "tcp",
                RdmaOptions.PREFIX + "zeal",
                "1",
                RdmaOptions.PREFIX + "chunksize",
                "2m",
                RdmaOptions.POOL_LIMIT,
                "64m",
                RdmaOptions.FETCH_TIMEOUT,
                "2h"));

    assertThat(message.lines())
        .satisfiesExactly(
            line ->
                assertThat(line).isEqualTo("6 problems in the configuration of the RDMA shuffle:"),
            line -> assertThat(line).startsWith("  spark.shuffle.rdma.transports=tcp: "),
            line -> assertThat(line).startsWith("  spark.shuffle.rdma.fetch.timeout=2h: "),
            line -> assertThat(line).startsWith("  spark.shuffle.rdma.boundsChecks=maybe: "),
            line -> assertThat(line).startsWith("  spark.shuffle.rdma.chunksize=2m: unknown key"),
            line -> assertThat(line).startsWith("  spark.shuffle.rdma.zeal=1: unknown key"),
            line -> assertThat(line).startsWith("  spark.shuffle.rdma.pool.limit=64m: less than"));
  }

  @Test
  void oneProblemIsCountedInTheSingular() {
    assertThat(messageOf(conf(RdmaOptions.BOUNDS_CHECKS, "2")))
        .startsWith("1 problem in the configuration of the RDMA shuffle:\n  spark");
  }

  @Test
  void anUnknownKeyIsRefusedWithTheNearestKnownOne() {
    assertThat(problemsOf(conf(RdmaOptions.PREFIX + "pool.regionsize", "1g")))
        .containsExactly(
            "spark.shuffle.rdma.pool.regionsize=1g: unknown key; the nearest known key is"
                + " spark.shuffle.rdma.pool.regionSize; rename it or remove it");
  }

  @Test
  void aKeyThatIsThePrefixAloneIsRefused() {
    assertThat(problemsOf(conf(RdmaOptions.PREFIX, "1"))).hasSize(1);
  }

  @Test
  void keysOfOthersAreIgnoredHoweverNear() {
    read(
        "spark.shuffle.rdmapool.limit", "x",
        "spark.shuffle.rdma", "x",
        "spark.shuffle.io.mode", "x",
        "my.spark.shuffle.rdma.key", "x");
  }

  @Test
  void aLimitBelowOneRegionIsRefusedWithBothValues() {
    assertThat(
            problemsOf(conf(RdmaOptions.POOL_LIMIT, "64m", RdmaOptions.POOL_REGION_SIZE, "128m")))
        .containsExactly(
            "spark.shuffle.rdma.pool.limit=64m: less than one region,"
                + " spark.shuffle.rdma.pool.regionSize=128m; allowed: auto, or a size of at least"
                + " 1m, and at least one region (spark.shuffle.rdma.pool.regionSize) (default:"
                + " auto); raise it to 128m or more, or lower"
                + " spark.shuffle.rdma.pool.regionSize");
    assertThat(problemsOf(conf(RdmaOptions.POOL_LIMIT, "268435455"))).hasSize(1);
    assertThat(
            read(RdmaOptions.POOL_LIMIT, "128m", RdmaOptions.POOL_REGION_SIZE, "128m").poolLimit())
        .hasValue(128L << 20);
  }

  @Test
  void aChunkAboveASixteenthOfARegionIsRefusedWithBothValues() {
    assertThat(problemsOf(conf(RdmaOptions.CHUNK_SIZE, "8m", RdmaOptions.POOL_REGION_SIZE, "64m")))
        .containsExactly(
            "spark.shuffle.rdma.chunkSize=8m: more than 1/16 of"
                + " spark.shuffle.rdma.pool.regionSize=64m; allowed: a power of two from 64k to"
                + " 16m, and at most 1/16 of spark.shuffle.rdma.pool.regionSize (default: 256k);"
                + " lower it to 4m or less, or raise spark.shuffle.rdma.pool.regionSize");
    assertThat(read(RdmaOptions.CHUNK_SIZE, "4m", RdmaOptions.POOL_REGION_SIZE, "64m").chunkSize())
        .isEqualTo(4L << 20);
  }

  @Test
  void aConflictWithADefaultSaysThatItIsTheDefault() {
    assertThat(problemsOf(conf(RdmaOptions.POOL_REGION_SIZE, "2m")))
        .singleElement()
        .asString()
        .startsWith(
            "spark.shuffle.rdma.chunkSize=256k (default): more than 1/16 of"
                + " spark.shuffle.rdma.pool.regionSize=2m; ")
        .endsWith("; lower it to 128k or less, or raise spark.shuffle.rdma.pool.regionSize");
  }

  @Test
  void aReceiveLimitBelowTwoChunksIsRefusedWithBothValues() {
    assertThat(problemsOf(conf(RdmaOptions.RECEIVE_LIMIT, "31m", RdmaOptions.CHUNK_SIZE, "16m")))
        .containsExactly(
            "spark.shuffle.rdma.receive.limit=31m: less than 2 times"
                + " spark.shuffle.rdma.chunkSize=16m; allowed: a size of at least 128k, and at"
                + " least 2 times spark.shuffle.rdma.chunkSize (default: 64m); raise it to 32m or"
                + " more, or lower spark.shuffle.rdma.chunkSize");
    assertThat(read(RdmaOptions.RECEIVE_LIMIT, "32m", RdmaOptions.CHUNK_SIZE, "16m").receiveLimit())
        .isEqualTo(32L << 20);
  }

  @Test
  void compressingAlwaysIsRefusedWhereSparkForbidsIt() {
    assertThat(problemsOf(conf(RdmaOptions.COMPRESS, "always", "spark.shuffle.compress", "False")))
        .containsExactly(
            "spark.shuffle.rdma.compress=always: spark.shuffle.compress=false forbids it; allowed:"
                + " one of auto, always, never, and not always when spark.shuffle.compress is false"
                + " (default: auto); set spark.shuffle.compress=true, or choose auto or never");
    read(RdmaOptions.COMPRESS, "always", "spark.shuffle.compress", "true");
    read(RdmaOptions.COMPRESS, "always");
    read(RdmaOptions.COMPRESS, "auto", "spark.shuffle.compress", "false");
    read(RdmaOptions.COMPRESS, "never", "spark.shuffle.compress", "false");
  }

  @Test
  void aSettingWithAFaultOfItsOwnIsNotComparedWithOthers() {
    List<Map<String, String>> halfBroken =
        List.of(
            conf(RdmaOptions.POOL_REGION_SIZE, "1x", RdmaOptions.CHUNK_SIZE, "16m"),
            conf(RdmaOptions.POOL_REGION_SIZE, "1x", RdmaOptions.POOL_LIMIT, "1m"),
            conf(RdmaOptions.POOL_REGION_SIZE, "32m", RdmaOptions.CHUNK_SIZE, "1x"),
            conf(RdmaOptions.POOL_LIMIT, "1x"),
            conf(RdmaOptions.RECEIVE_LIMIT, "1x"),
            conf(RdmaOptions.COMPRESS, "1x", "spark.shuffle.compress", "false"));
    for (Map<String, String> conf : halfBroken) {
      assertThat(problemsOf(conf)).singleElement().asString().contains("=1x: ");
    }
  }

  @Test
  void theExceptionCanBeSentFromAnExecutorToTheDriver() throws IOException {
    InvalidConfException refused =
        catchThrowableOfType(
            InvalidConfException.class, () -> read(RdmaOptions.BOUNDS_CHECKS, "2"));
    assertThat(refused).isInstanceOf(IllegalArgumentException.class);
    try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
      out.writeObject(refused);
    }
  }
}
