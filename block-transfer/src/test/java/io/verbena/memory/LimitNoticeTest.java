package io.verbena.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.log.CapturedLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That map outputs go to files because the pool is full is said, and not for each of them. */
class LimitNoticeTest {
  private static final int REGION = 1 << 20;
  private static final int REGIONS = 4;

  @TempDir Path folder;
  private CapturedLog log;
  private Pool pool;

  @BeforeEach
  void capture() {
    log = new CapturedLog();
  }

  @AfterEach
  void close() throws IOException {
    log.close();
    pool.close();
  }

  private void open(int maxRegions) throws IOException {
    pool =
        Pool.open(
            new PoolSettings(
                "app-1",
                UUID.randomUUID(),
                (long) REGIONS * REGION,
                0,
                REGION,
                List.of(Backing.TMPFS),
                List.of(Files.createDirectories(folder.resolve("memory"))),
                List.of(Files.createDirectories(folder.resolve("local"))),
                false,
                false));
    pool.start(maxRegions, (id, directory, backing, pageSize, memory) -> {});
  }

  /** Takes all that there is, and meets the limit a few times. */
  private List<Extent> fill() throws IOException {
    List<Extent> taken = new ArrayList<>();
    for (Extent extent = store(); extent != null; extent = store()) {
      taken.add(extent);
    }
    assertThat(store()).isNull();
    return taken;
  }

  private Extent store() throws IOException {
    return pool.store(ByteBuffer.allocate(pool.maxExtent()));
  }

  private void free(List<Extent> extents) {
    ExtentList list = new ExtentList();
    extents.forEach(list::add);
    pool.free(list, false);
  }

  private List<String> said() {
    return log.lines("pool's limit");
  }

  @Test
  void reachedLimitIsSaidOnceWithTheSettingAndWhatFollows() throws IOException {
    open(64);
    assertThat(fill().size()).isEqualTo(REGIONS * Pool.EXTENTS_PER_REGION);
    assertThat(said())
        .singleElement()
        .asString()
        .contains("INFO", "The pool's limit of 4 MiB is reached", "go to files")
        .contains("raise spark.shuffle.rdma.pool.limit");
  }

  @Test
  void limitThatIsReachedAgainIsSaidAgainOnlyAfterAGoodPartWasFree() throws IOException {
    open(64);
    List<Extent> taken = fill();
    free(taken.subList(0, Pool.EXTENTS_PER_REGION - 1));
    fill();
    assertThat(said()).hasSize(1);
    free(taken.subList(Pool.EXTENTS_PER_REGION, 2 * Pool.EXTENTS_PER_REGION));
    fill();
    assertThat(said()).hasSize(2);
  }

  @Test
  void endOfAllRegionsIsNotTakenForTheLimit() throws IOException {
    open(3);
    assertThat(fill().size()).isLessThan(REGIONS * Pool.EXTENTS_PER_REGION);
    assertThat(said()).isEmpty();
  }
}
