package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Falls from one backing to the next on real mounts: the test runs a process in a mount namespace
 * of its own. Needs root, or user namespaces that may mount.
 */
class BackingFallTest {
  private static final int MAPS = 12;

  @TempDir Path root;

  /** Opens a store on {@code memory}, writes some maps, reads them back and prints figures. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws Exception {
      StoreFixture fixture = new StoreFixture(Path.of(arguments[0]));
      fixture.backings = List.of(arguments[1].split(",", -1));
      fixture.regionSize = Integer.parseInt(arguments[2]) * StoreFixture.MIB;
      int fillAfter = Integer.parseInt(arguments[3]);
      try (ShuffleStore store = fixture.open()) {
        Random random = new Random(5);
        List<byte[][]> maps = new ArrayList<>();
        for (int map = 0; map < MAPS; map++) {
          if (map == fillAfter) {
            fill(fixture.memory.get(0).resolve("filler"));
          }
          byte[][] blocks = new byte[20][];
          for (int partition = 0; partition < blocks.length; partition++) {
            blocks[partition] = StoreFixture.bytes(random, 20_000);
          }
          StoreFixture.write(store, 1, map, blocks);
          maps.add(blocks);
        }
        check(store, maps);
        System.out.println(store.stats());
        System.out.println(store.poolChoice());
        System.out.println("directories " + store.descriptor().directories());
      }
      Files.deleteIfExists(fixture.memory.get(0).resolve("filler"));
      System.out.println("left " + StoreFixture.files(fixture.memory.get(0)));
    }

    private static void check(ShuffleStore store, List<byte[][]> maps) throws IOException {
      try (ShuffleLease lease = store.lease(1).orElseThrow()) {
        for (int map = 0; map < maps.size(); map++) {
          for (int partition = 0; partition < 20; partition++) {
            assertThat(StoreFixture.block(lease, map, partition))
                .isEqualTo(maps.get(map)[partition]);
          }
        }
      }
      System.out.println("all read back");
    }

    private static void fill(Path file) throws IOException {
      try (var out = Files.newOutputStream(file)) {
        for (; ; ) {
          out.write(new byte[4096]);
        }
      } catch (IOException e) {
        System.out.println("filled: " + e.getMessage());
      }
    }
  }

  private String run(String mount, String backings, int regionMib, int fillAfter)
      throws IOException, InterruptedException {
    List<String> unshare =
        isRoot() ? List.of("unshare", "--mount") : List.of("unshare", "--mount", "--map-root-user");
    assumeThat(works(unshare)).as("unshare may make mount namespaces here").isTrue();
    Path memory = Files.createDirectories(root.resolve("memory"));
    List<String> before = new ArrayList<>(unshare);
    before.addAll(
        List.of("sh", "-c", "mount " + mount + " none " + memory + " && exec \"$0\" \"$@\""));
    try (ChildJvm child =
        new ChildJvm(before, Writer.class, "" + root, backings, "" + regionMib, "" + fillAfter)) {
      String output = child.until("");
      assertThat(child.waitForEnd()).as(output).isZero();
      return output;
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static boolean works(List<String> unshare) throws InterruptedException {
    List<String> command = new ArrayList<>(unshare);
    command.addAll(List.of("mount", "-t", "tmpfs", "none", "/mnt"));
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void tmpfsThatHoldsNoRegionIsPassedOver() throws Exception {
    String output = run("-t tmpfs -o size=900k", "tmpfs,disk", 1, -1);
    assertThat(output)
        .contains("not using tmpfs at " + root.resolve("memory"))
        .contains("900 KiB free, 1 MiB are needed: mount it larger")
        .contains("all read back")
        .contains("backing=disk")
        .contains("runsOnDisk=0")
        .contains("left []");
  }

  @Test
  void readOnlyTmpfsIsPassedOver() throws Exception {
    String output = run("-t tmpfs -o size=9m,ro", "tmpfs,disk", 1, -1);
    assertThat(output)
        .contains("not using tmpfs at " + root.resolve("memory"))
        .contains("Read-only file system")
        .contains("all read back")
        .contains("backing=disk");
  }

  @Test
  void tmpfsThatIsFullAfterSomeRegionsIsLeftForTheNextBacking() throws Exception {
    String output = run("-t tmpfs -o size=3m", "tmpfs,disk", 1, -1);
    assertThat(output)
        .containsOnlyOnce("no more regions on tmpfs at ")
        .contains("all read back")
        .contains("backing=disk")
        .contains("runsOnDisk=0")
        .contains("left []");
  }

  @Test
  void tmpfsThatOthersFillIsLeftWhileARegionIsWritten() throws Exception {
    String output = run("-t tmpfs -o size=40m", "tmpfs,disk", 16, 3);
    assertThat(output)
        .contains("filled: No space left on device")
        .containsOnlyOnce("no more regions on tmpfs at ")
        .contains("all read back")
        .contains("backing=disk")
        .contains("left []");
  }

  @Test
  void fullTmpfsWithoutAnotherBackingSendsRunsToFiles() throws Exception {
    String output = run("-t tmpfs -o size=40m", "tmpfs", 16, 3);
    assertThat(output)
        .contains("map outputs without room go to files")
        .contains("all read back")
        .contains("backing=tmpfs")
        .containsPattern("runsOnDisk=[1-9]")
        .contains("left []");
  }

  @Test
  void hugePagesAreWrittenThroughTheirMapping() throws Exception {
    assumeThat(isRoot()).as("root, who alone may reserve huge pages and mount them").isTrue();
    try (HugePages pages = HugePages.reserve(8)) {
      assumeThat(pages.missing()).as("huge pages that the kernel could not reserve").isZero();
      String output = run("-t hugetlbfs -o pagesize=2M", "hugetlbfs,disk", 8, -1);
      assertThat(output)
          .contains("all read back")
          .contains("backing=hugetlbfs")
          .contains("runsOnDisk=0")
          .contains("left []");
    }
  }

  @Test
  void hugetlbfsThatHoldsNoRegionIsPassedOver() throws Exception {
    assumeThat(isRoot()).as("root, who alone may mount hugetlbfs").isTrue();
    String output = run("-t hugetlbfs -o pagesize=2M,size=2M", "hugetlbfs,disk", 8, -1);
    assertThat(output)
        .contains("hugetlbfs at " + root.resolve("memory"))
        .contains("all read back")
        .contains("backing=disk")
        .contains("left []");
  }

  /**
   * Huge pages of 2 MiB that the test has the kernel reserve, and their number as it was before.
   */
  private record HugePages(long before, long missing) implements AutoCloseable {
    private static final Path NUMBER =
        Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages");

    static HugePages reserve(int pages) throws IOException {
      if (!Files.isWritable(NUMBER)) {
        return new HugePages(0, pages);
      }
      long before = number();
      Files.writeString(NUMBER, Long.toString(before + pages));
      return new HugePages(before, before + pages - number());
    }

    private static long number() throws IOException {
      return Long.parseLong(Files.readString(NUMBER).strip());
    }

    @Override
    public void close() throws IOException {
      if (Files.isWritable(NUMBER)) {
        Files.writeString(NUMBER, Long.toString(before));
      }
    }
  }
}
