package io.verbena.conf;

import static io.verbena.conf.Confs.problemOf;
import static io.verbena.conf.Confs.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every setting: its default, both sides of each limit, and what is said of a wrong value. */
class RdmaConfTest {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  @Test
  void aConfigurationWithoutOurKeysHasAllDefaults() {
    RdmaConf conf = read("spark.app.name", "regroup", "spark.shuffle.compress", "true");

    assertThat(conf.transports())
        .containsExactly(TransportKind.SHM, TransportKind.VERBS, TransportKind.NETTY);
    assertThat(conf.shmMode()).isEqualTo(ShmMode.AUTO);
    assertThat(conf.verbsDevice()).isEmpty();
    assertThat(conf.verbsAddress()).isEmpty();
    assertThat(conf.verbsQueueDepth()).isEqualTo(128);
    assertThat(conf.verbsConnectTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(conf.verbsIdleTimeout()).isEqualTo(Duration.ofMinutes(10));
    assertThat(conf.verbsSpin()).isEqualTo(Duration.ofNanos(20_000));
    assertThat(conf.poolLimit()).isEmpty();
    assertThat(conf.poolRegionSize()).isEqualTo(256 * MIB);
    assertThat(conf.poolBackings())
        .containsExactly(BackingKind.HUGETLBFS, BackingKind.TMPFS, BackingKind.DISK);
    assertThat(conf.poolDirectories()).isEmpty();
    assertThat(conf.poolPrefault()).isTrue();
    assertThat(conf.chunkSize()).isEqualTo(256 * KIB);
    assertThat(conf.compress()).isEqualTo(CompressMode.AUTO);
    assertThat(conf.compressPoolThreshold()).isEqualTo(75);
    assertThat(conf.fetchTimeout()).isEqualTo(Duration.ofSeconds(60));
    assertThat(conf.registryTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(conf.receiveLimit()).isEqualTo(64 * MIB);
    assertThat(conf.boundsChecks()).isTrue();
    assertThat(conf).hasToString("RdmaConf{}");
  }

  @Test
  void valuesAreTakenOnceAndLaterChangesOfTheMapAreNotSeen() {
    Map<String, String> sparkConf = new HashMap<>();
    sparkConf.put(RdmaOptions.COMPRESS.key(), "never");
    RdmaConf conf = RdmaConf.read(sparkConf);
    sparkConf.put(RdmaOptions.COMPRESS.key(), "always");

    assertThat(conf.compress()).isEqualTo(CompressMode.NEVER);
    assertThat(conf).hasToString("RdmaConf{spark.shuffle.rdma.compress=never}");
  }

  @Test
  void listsCannotBeChanged() {
    RdmaConf conf = read(RdmaOptions.POOL_DIRECTORIES, "/a", RdmaOptions.TRANSPORTS, "netty,shm");

    for (List<?> list : List.of(conf.transports(), conf.poolBackings(), conf.poolDirectories())) {
      assertThatThrownBy(() -> list.remove(0)).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Nested
  class Transports {
    @Test
    void keepTheirOrder() {
      assertThat(read(RdmaOptions.TRANSPORTS, "netty, SHM").transports())
          .containsExactly(TransportKind.NETTY, TransportKind.SHM);
    }

    @Test
    void mayBeOneAlone() {
      assertThat(read(RdmaOptions.TRANSPORTS, "netty").transports())
          .containsExactly(TransportKind.NETTY);
    }

    @Test
    void whenUnknownAreRefusedWithTheNearestName() {
      assertThat(problemOf(RdmaOptions.TRANSPORTS, "shm,nety"))
          .isEqualTo(
              "spark.shuffle.rdma.transports=shm,nety: unknown name \"nety\"; allowed: one or more"
                  + " of shm, verbs, netty, each at most once, best first, with commas between"
                  + " (default: shm,verbs,netty); the nearest is netty");
    }

    @Test
    void whenNamedTwiceAreRefused() {
      assertThat(problemOf(RdmaOptions.TRANSPORTS, "shm,netty,Shm"))
          .contains("=shm,netty,Shm: shm is named twice; ")
          .endsWith("; name it once");
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "shm,", ",shm", "shm,,netty"})
    void withAStrayCommaAreRefused(String value) {
      assertThat(problemOf(RdmaOptions.TRANSPORTS, value))
          .contains(": a name is missing beside a comma; ")
          .endsWith("; drop the comma");
    }
  }

  @Nested
  class Verbs {
    @ParameterizedTest
    @ValueSource(strings = {"mlx5_0", "rxe0", "irdma-roce.1"})
    void devicesHaveNames(String name) {
      assertThat(read(RdmaOptions.VERBS_DEVICE, name).verbsDevice()).isEqualTo(name);
    }

    @Test
    void aPathIsNoDevice() {
      assertThat(problemOf(RdmaOptions.VERBS_DEVICE, "/dev/infiniband"))
          .isEqualTo(
              "spark.shuffle.rdma.verbs.device=/dev/infiniband: not the name of a device, such as"
                  + " mlx5_0; allowed: the name of a device, such as mlx5_0, or nothing (default:"
                  + " nothing); give one, or leave the key out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "fd00::1", "::ffff:10.1.2.3"})
    void addressesAreNumbers(String address) {
      assertThat(read(RdmaOptions.VERBS_ADDRESS, address).verbsAddress()).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-1", "10.1.2", "eth0:"})
    void namesAreNoAddresses(String address) {
      assertThat(problemOf(RdmaOptions.VERBS_ADDRESS, address))
          .contains("=" + address + ": not an address of this host in numbers; ");
    }

    @Test
    void queuesHaveADepthBetweenTheLimits() {
      assertThat(read(RdmaOptions.VERBS_QUEUE_DEPTH, "8").verbsQueueDepth()).isEqualTo(8);
      assertThat(read(RdmaOptions.VERBS_QUEUE_DEPTH, "4096").verbsQueueDepth()).isEqualTo(4096);
      assertThat(problemOf(RdmaOptions.VERBS_QUEUE_DEPTH, "7"))
          .contains("=7: too small; ")
          .endsWith("; use 8 or more");
      assertThat(problemOf(RdmaOptions.VERBS_QUEUE_DEPTH, "4097"))
          .contains("=4097: too large; ")
          .endsWith("; use 4096 or less");
      assertThat(problemOf(RdmaOptions.VERBS_QUEUE_DEPTH, "-9"))
          .contains("=-9: not a whole number; ");
    }

    @Test
    void timesHaveLimits() {
      assertThat(problemOf(RdmaOptions.VERBS_CONNECT_TIMEOUT, "6min"))
          .contains(": too long; allowed: a time from 1s to 5min");
      assertThat(problemOf(RdmaOptions.VERBS_IDLE_TIMEOUT, "500ms"))
          .contains(": too short; allowed: a time from 1s to ");
      assertThat(problemOf(RdmaOptions.VERBS_SPIN, "11ms"))
          .contains(": too long; allowed: a time from 1us to 10ms");
    }
  }

  @Nested
  class PoolBackings {
    @Test
    void keepTheirOrder() {
      assertThat(read(RdmaOptions.POOL_BACKINGS, "disk,tmpfs").poolBackings())
          .containsExactly(BackingKind.DISK, BackingKind.TMPFS);
    }

    @Test
    void whenUnknownAreRefusedWithTheNearestName() {
      assertThat(problemOf(RdmaOptions.POOL_BACKINGS, "hugetlb"))
          .isEqualTo(
              "spark.shuffle.rdma.pool.backings=hugetlb: unknown name \"hugetlb\"; allowed: one or"
                  + " more of hugetlbfs, tmpfs, disk, each at most once, best first, with commas"
                  + " between (default: hugetlbfs,tmpfs,disk); the nearest is hugetlbfs");
    }

    @Test
    void whenNamedTwiceAreRefused() {
      assertThat(problemOf(RdmaOptions.POOL_BACKINGS, "disk,disk"))
          .contains(": disk is named twice; ");
    }
  }

  @Nested
  class PoolDirectories {
    @Test
    void keepTheirOrderAndAreNormalised() {
      assertThat(read(RdmaOptions.POOL_DIRECTORIES, "/mnt/huge/../b/, /dev/shm").poolDirectories())
          .containsExactly(Path.of("/mnt/b"), Path.of("/dev/shm"));
    }

    @Test
    void mayBeNone() {
      assertThat(read(RdmaOptions.POOL_DIRECTORIES, "").poolDirectories()).isEmpty();
    }

    @Test
    void whenRelativeAreRefused() {
      assertThat(problemOf(RdmaOptions.POOL_DIRECTORIES, "/a,dev/shm"))
          .isEqualTo(
              "spark.shuffle.rdma.pool.directories=/a,dev/shm: \"dev/shm\" is not an absolute path;"
                  + " allowed: absolute paths, each at most once, with commas between, or nothing"
                  + " (default: nothing); start it with /");
    }

    @Test
    void whenNamedTwiceAreRefused() {
      assertThat(problemOf(RdmaOptions.POOL_DIRECTORIES, "/a/b,/a/./b"))
          .contains(": /a/b is named twice; ")
          .endsWith("; name it once");
    }

    @Test
    void withAStrayCommaAreRefused() {
      assertThat(problemOf(RdmaOptions.POOL_DIRECTORIES, "/a,,/b"))
          .contains(": a directory is missing beside a comma; ")
          .endsWith("; drop the comma");
    }

    @Test
    void thatNoFileSystemCanNameAreRefused() {
      assertThat(problemOf(RdmaOptions.POOL_DIRECTORIES, "/a\0b"))
          .contains(": not a path: Nul character not allowed; ")
          .endsWith("; name a directory");
    }
  }

  @Nested
  class PoolLimit {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "AUTO"})
    void isDerivedOnRequest(String value) {
      assertThat(read(RdmaOptions.POOL_LIMIT, value).poolLimit()).isEmpty();
    }

    @Test
    void mayBeOneRegion() {
      assertThat(read(RdmaOptions.POOL_LIMIT, "256m").poolLimit()).hasValue(256 * MIB);
    }

    @Test
    void mayBeAnySizeAbove() {
      assertThat(read(RdmaOptions.POOL_LIMIT, "1000000001").poolLimit()).hasValue(1_000_000_001L);
      assertThat(read(RdmaOptions.POOL_LIMIT, "" + Long.MAX_VALUE).poolLimit())
          .isEqualTo(OptionalLong.of(Long.MAX_VALUE));
    }

    @Test
    void belowTheSmallestRegionIsRefused() {
      assertThat(problemOf(RdmaOptions.POOL_LIMIT, "1023k"))
          .isEqualTo(
              "spark.shuffle.rdma.pool.limit=1023k: too small; allowed: auto, or a size of at least"
                  + " 1m, and at least one region (spark.shuffle.rdma.pool.regionSize) (default:"
                  + " auto); use 1m or more");
    }

    @Test
    void withoutAUnitIsBytesAndSaysSo() {
      assertThat(problemOf(RdmaOptions.POOL_LIMIT, "512"))
          .endsWith("; use 1m or more; a number without a unit counts bytes");
    }

    @ParameterizedTest
    @CsvSource({
      "-1g, a size cannot be negative",
      "1.5g, a size cannot have a fraction",
      "automatic, not a size",
      "10s, 'unknown unit \"s\" of a size'",
      "9999999999g, a larger number than can be counted"
    })
    void inWrongNotationIsRefused(String value, String fault) {
      assertThat(problemOf(RdmaOptions.POOL_LIMIT, value)).contains(": " + fault + "; ");
    }
  }

  @Nested
  class PoolRegionSize {
    @Test
    void takesBothLimits() {
      assertThat(
              read(RdmaOptions.POOL_REGION_SIZE, "1m", RdmaOptions.CHUNK_SIZE, "64k")
                  .poolRegionSize())
          .isEqualTo(MIB);
      assertThat(read(RdmaOptions.POOL_REGION_SIZE, "1g").poolRegionSize()).isEqualTo(GIB);
    }

    @ParameterizedTest
    @CsvSource({
      "512k, too small, use 1m or more",
      "0, too small, use 1m or more; a number without a unit counts bytes",
      "2g, too large, use 1g or less",
      "1073741825, too large, use 1g or less",
      "300m, not a power of two, use 256m or 512m",
      "1023m, not a power of two, use 512m or 1g",
      "1025k, not a power of two, use 1m or 2m"
    })
    void outsideTheRangeIsRefused(String value, String fault, String remedy) {
      assertThat(problemOf(RdmaOptions.POOL_REGION_SIZE, value))
          .isEqualTo(
              "spark.shuffle.rdma.pool.regionSize="
                  + value
                  + ": "
                  + fault
                  + "; allowed: a power of two from 1m to 1g (default: 256m); "
                  + remedy);
    }
  }

  @Nested
  class ChunkSize {
    @Test
    void takesBothLimits() {
      assertThat(read(RdmaOptions.CHUNK_SIZE, "64k").chunkSize()).isEqualTo(64 * KIB);
      assertThat(read(RdmaOptions.CHUNK_SIZE, "16m").chunkSize()).isEqualTo(16 * MIB);
    }

    @ParameterizedTest
    @CsvSource({
      "32k, too small, use 64k or more",
      "1, too small, use 64k or more; a number without a unit counts bytes",
      "32m, too large, use 16m or less",
      "100k, not a power of two, use 64k or 128k"
    })
    void outsideTheRangeIsRefused(String value, String fault, String remedy) {
      assertThat(problemOf(RdmaOptions.CHUNK_SIZE, value))
          .isEqualTo(
              "spark.shuffle.rdma.chunkSize="
                  + value
                  + ": "
                  + fault
                  + "; allowed: a power of two from 64k to 16m, and at most 1/16 of"
                  + " spark.shuffle.rdma.pool.regionSize (default: 256k); "
                  + remedy);
    }
  }

  @Nested
  class ReceiveLimit {
    @Test
    void takesItsLeastValue() {
      assertThat(
              read(RdmaOptions.RECEIVE_LIMIT, "128k", RdmaOptions.CHUNK_SIZE, "64k").receiveLimit())
          .isEqualTo(128 * KIB);
    }

    @Test
    void belowItIsRefused() {
      assertThat(problemOf(RdmaOptions.RECEIVE_LIMIT, "127k"))
          .isEqualTo(
              "spark.shuffle.rdma.receive.limit=127k: too small; allowed: a size of at least 128k,"
                  + " and at least 2 times spark.shuffle.rdma.chunkSize (default: 64m); use 128k or"
                  + " more");
    }
  }

  @Nested
  class Timeouts {
    @Test
    void ofFetchesTakeBothLimits() {
      assertThat(read(RdmaOptions.FETCH_TIMEOUT, "1000").fetchTimeout())
          .isEqualTo(Duration.ofSeconds(1));
      assertThat(read(RdmaOptions.FETCH_TIMEOUT, "60m").fetchTimeout())
          .isEqualTo(Duration.ofHours(1));
    }

    @Test
    void keepTheirMicroseconds() {
      assertThat(read(RdmaOptions.FETCH_TIMEOUT, "1500001us").fetchTimeout())
          .isEqualTo(Duration.ofNanos(1_500_001_000L));
    }

    @ParameterizedTest
    @CsvSource({
      "999ms, too short, use 1s or more",
      "999999us, too short, use 1s or more",
      "60, too short, use 1s or more; a number without a unit counts milliseconds",
      "3600001, too long, use 1h or less",
      "2h, too long, use 1h or less"
    })
    void ofFetchesOutsideTheRangeAreRefused(String value, String fault, String remedy) {
      assertThat(problemOf(RdmaOptions.FETCH_TIMEOUT, value))
          .isEqualTo(
              "spark.shuffle.rdma.fetch.timeout="
                  + value
                  + ": "
                  + fault
                  + "; allowed: a time from 1s to 1h (default: 60s); "
                  + remedy);
    }

    @Test
    void ofTheRegistryTakeBothLimits() {
      assertThat(read(RdmaOptions.REGISTRY_TIMEOUT, "1s").registryTimeout())
          .isEqualTo(Duration.ofSeconds(1));
      assertThat(read(RdmaOptions.REGISTRY_TIMEOUT, "10min").registryTimeout())
          .isEqualTo(Duration.ofMinutes(10));
    }

    @ParameterizedTest
    @CsvSource({"0s, too short, use 1s or more", "601s, too long, use 10min or less"})
    void ofTheRegistryOutsideTheRangeAreRefused(String value, String fault, String remedy) {
      assertThat(problemOf(RdmaOptions.REGISTRY_TIMEOUT, value))
          .isEqualTo(
              "spark.shuffle.rdma.registry.timeout="
                  + value
                  + ": "
                  + fault
                  + "; allowed: a time from 1s to 10min (default: 30s); "
                  + remedy);
    }

    @ParameterizedTest
    @CsvSource({
      "-1s, a time cannot be negative",
      "1.5s, a time cannot have a fraction",
      "1g, 'unknown unit \"g\" of a time'",
      "999999999999d, a larger number than can be counted"
    })
    void inWrongNotationAreRefused(String value, String fault) {
      assertThat(problemOf(RdmaOptions.FETCH_TIMEOUT, value)).contains(": " + fault + "; ");
      assertThat(problemOf(RdmaOptions.REGISTRY_TIMEOUT, value)).contains(": " + fault + "; ");
    }
  }

  @Nested
  class Names {
    @ParameterizedTest
    @CsvSource({"auto, AUTO", "always, ALWAYS", "Never, NEVER"})
    void ofCompressionAreReadInEitherCase(String value, CompressMode mode) {
      assertThat(read(RdmaOptions.COMPRESS, value).compress()).isEqualTo(mode);
    }

    @ParameterizedTest
    @CsvSource({"auto, AUTO", "MAPPED, MAPPED", "read, READ"})
    void ofSharedMemoryModesAreReadInEitherCase(String value, ShmMode mode) {
      assertThat(read(RdmaOptions.SHM_MODE, value).shmMode()).isEqualTo(mode);
    }

    @Test
    void thatAreUnknownAreRefusedWithTheNearest() {
      assertThat(problemOf(RdmaOptions.COMPRESS, "true"))
          .isEqualTo(
              "spark.shuffle.rdma.compress=true: unknown name \"true\"; allowed: one of auto,"
                  + " always, never, and not always when spark.shuffle.compress is false (default:"
                  + " auto); the nearest is auto");
      assertThat(problemOf(RdmaOptions.SHM_MODE, "map"))
          .isEqualTo(
              "spark.shuffle.rdma.shm.mode=map: unknown name \"map\"; allowed: one of auto, mapped,"
                  + " read (default: auto); the nearest is mapped");
    }

    @Test
    void areNotLists() {
      assertThat(problemOf(RdmaOptions.COMPRESS, "auto,never"))
          .contains(": unknown name \"auto,never\"; ");
    }
  }

  @Nested
  class CompressPoolThreshold {
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "100, 100", "007, 7"})
    void takesWholePercents(String value, int percent) {
      assertThat(read(RdmaOptions.COMPRESS_POOL_THRESHOLD, value).compressPoolThreshold())
          .isEqualTo(percent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"101", "2147483648", "99999999999999999999"})
    void aboveAHundredIsRefused(String value) {
      assertThat(problemOf(RdmaOptions.COMPRESS_POOL_THRESHOLD, value))
          .isEqualTo(
              "spark.shuffle.rdma.compress.poolThreshold="
                  + value
                  + ": too large; allowed: a whole number from 0 to 100 (default: 75); use 100 or"
                  + " less");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "0.75", "75%", "many", "+5"})
    void inWrongNotationIsRefused(String value) {
      assertThat(problemOf(RdmaOptions.COMPRESS_POOL_THRESHOLD, value))
          .contains(": not a whole number; ")
          .endsWith("; write percent as digits alone, such as 75");
    }
  }

  @Nested
  class Booleans {
    @ParameterizedTest
    @CsvSource({"true, true", "TRUE, true", "false, false", "False, false"})
    void areReadInEitherCase(String value, boolean expected) {
      assertThat(read(RdmaOptions.POOL_PREFAULT, value).poolPrefault()).isEqualTo(expected);
      assertThat(read(RdmaOptions.BOUNDS_CHECKS, value).boundsChecks()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "1", "on", "tru", "t"})
    void inWrongNotationAreRefused(String value) {
      for (ConfOption<?> option : List.of(RdmaOptions.POOL_PREFAULT, RdmaOptions.BOUNDS_CHECKS)) {
        assertThat(problemOf(option, value))
            .isEqualTo(
                option.key()
                    + "="
                    + value
                    + ": not a boolean; allowed: true or false (default: true); write true or"
                    + " false");
      }
    }
  }
}
