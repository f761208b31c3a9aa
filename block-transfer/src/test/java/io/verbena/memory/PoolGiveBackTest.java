package io.verbena.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions that nobody needs any more go back to the operating system. */
class PoolGiveBackTest {
  private static final int REGION = 1 << 20;

  @TempDir Path folder;
  private final List<Integer> left = new CopyOnWriteArrayList<>();
  private final CountDownLatch twoLeft = new CountDownLatch(2);
  private Pool pool;

  @BeforeEach
  void open() throws IOException {
    open(TimeUnit.HOURS.toNanos(1));
  }

  private void open(long idleNanos) throws IOException {
    pool =
        Pool.open(
            new PoolSettings(
                "app-1",
                UUID.randomUUID(),
                4L * REGION,
                0,
                REGION,
                List.of(Backing.TMPFS),
                List.of(Files.createDirectories(folder.resolve("memory"))),
                List.of(Files.createDirectories(folder.resolve("local"))),
                false,
                false),
            idleNanos);
    pool.start(
        64,
        new Pool.RegionListener() {
          @Override
          public void added(
              int id, int directory, Backing backing, int pageSize, MemoryView memory) {}

          @Override
          public void leaves(int id, MemoryView memory) {
            // A network adapter has it pinned until now.
            assertThat(memory.getByte(REGION - 1)).isZero();
            left.add(id);
            twoLeft.countDown();
          }
        });
  }

  @AfterEach
  void close() throws IOException {
    pool.close();
    assertThat(mapped()).isZero();
  }

  private ExtentList fill(int regions) throws IOException {
    ExtentList taken = new ExtentList();
    for (int i = 0; i < regions * Pool.EXTENTS_PER_REGION; i++) {
      Extent extent = pool.store(ByteBuffer.allocate(pool.maxExtent()));
      assertThat(extent).as("extent %d", i).isNotNull();
      taken.add(extent);
    }
    return taken;
  }

  private long files() throws IOException {
    try (var found = Files.walk(folder)) {
      return found.filter(path -> path.getFileName().toString().startsWith("region-")).count();
    }
  }

  /** Regions that this process has mapped, their files removed or not. */
  private long mapped() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines
          .filter(line -> line.contains(folder + "/") && line.contains("/region-"))
          .map(line -> line.replaceAll(".*/(region-\\d+).*", "$1"))
          .distinct()
          .count();
    }
  }

  @Test
  void idleRegionsAreRemovedAndUnmappedButOne() throws IOException {
    ExtentList taken = fill(3);
    assertThat(files()).isEqualTo(3);
    pool.free(taken, false);

    pool.giveBack(0);

    assertThat(left).containsExactly(1, 2);
    assertThat(files()).isEqualTo(1);
    assertThat(mapped()).isEqualTo(1);
    assertThat(pool.stats().reserved()).isEqualTo(REGION);
    assertThatThrownBy(() -> pool.memory(2)).hasMessage("region=2 was given back");
    // The kept one first, then new ones, up to the limit.
    pool.free(fill(4), false);
    assertThat(files()).isEqualTo(4);
  }

  @Test
  void thePoolLooksForIdleRegionsByItself() throws Exception {
    pool.close();
    open(1);

    pool.free(fill(3), false);

    assertThat(twoLeft.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(left).containsExactly(1, 2);
  }

  @Test
  void memoryStaysMappedAndCountedWhileThePoolIsHeld() throws IOException {
    ExtentList taken = fill(4);
    pool.free(taken, false);
    pool.hold();

    pool.giveBack(0);

    assertThat(files()).isEqualTo(1);
    assertThat(mapped()).isEqualTo(4);
    assertThat(pool.stats().reserved()).isEqualTo(4L * REGION);
    ExtentList kept = fill(1);
    assertThat(pool.store(ByteBuffer.allocate(1))).as("more than the limit").isNull();
    pool.release();
    assertThat(mapped()).isEqualTo(1);
    assertThat(pool.store(ByteBuffer.allocate(1))).isNotNull();
    pool.free(kept, false);
  }

  @Test
  void regionsInUseOrIdleForAShortTimeStay() throws IOException {
    ExtentList taken = fill(1);
    ExtentList others = fill(2);
    pool.free(others, false);
    pool.giveBack(60_000_000_000L);
    assertThat(left).isEmpty();
    assertThat(files()).isEqualTo(3);
    pool.giveBack(0);
    assertThat(left).containsExactly(2);
    assertThat(files()).isEqualTo(2);
    pool.free(taken, false);
  }

  @Test
  void halfOfAllRegionsThatCanEverBeMadeStay() throws IOException {
    for (int round = 0; round < 20; round++) {
      pool.free(fill(4), false);
      pool.giveBack(0);
    }
    assertThat(files()).isEqualTo(4);
    assertThat(left).hasSizeBetween(20, 32);
  }
}
