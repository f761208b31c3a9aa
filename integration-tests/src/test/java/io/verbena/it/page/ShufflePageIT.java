package io.verbena.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.it.OnDemand;
import io.verbena.it.SharedCluster;
import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.Await;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.HistoryServer;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHomes;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.demo.ShuffleReport;
import io.verbena.it.jobs.GatedJob;
import io.verbena.it.jobs.Gates;
import io.verbena.it.jobs.Job;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of an application that runs, of one that has ended, and of a large one. */
final class ShufflePageIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Pattern UI = Pattern.compile("started service 'SparkUI' on port (\\d+)");
  private static final Job.Load LOAD = new Job.Load(40_000, 1_000, 2, 2);

  /** Screenshots stay here, to be looked at. */
  private static final Path PICTURES = ProjectJars.module().resolve("target/screenshots");

  private static final int BLUE = 0x3b82d6;
  private static final int ORANGE = 0xe08a1e;
  private static final int GREEN = 0x2a9d6f;

  @TempDir Path folder;
  private Path logs;

  @BeforeEach
  void makeFolder() throws Exception {
    logs = Files.createDirectory(folder.resolve("events"));
  }

  private HistoryServer history(StandaloneCluster cluster) throws Exception {
    HistoryServer.Spec spec =
        new HistoryServer.Spec(
            cluster.spec().home(), cluster.spec().java(), List.of(ProjectJars.verbena()), 0);
    return HistoryServer.start(spec, folder.resolve("history"), logs, LIMIT);
  }

  private static ShownPage page(HistoryServer server, String appId, String path)
      throws InterruptedException {
    String url = server.url(appId) + path;
    return Await.value("the page " + url, LIMIT, () -> ShownPage.at(url));
  }

  @Test
  @ExtendWith(SharedCluster.class)
  void thePageOfAnApplicationIsThereWhileItRunsAndAfterwards(StandaloneCluster cluster)
      throws Exception {
    look(cluster);
  }

  @OnDemand
  @ParameterizedTest
  @ValueSource(strings = {"4.0.2", "4.2.0"})
  void thePageIsThereOnOtherVersionsOfSpark(String version) throws Exception {
    ClusterSpec spec = ClusterSpec.builder().home(SparkHomes.provide(version, "2.13")).build();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec)) {
      look(cluster);
    }
  }

  private void look(StandaloneCluster cluster) throws Exception {
    Gates gates = new Gates(Files.createDirectory(folder.resolve("gates")));
    try (AppHandle app = cluster.submitAsync(application(folder.resolve("gates")))) {
      String appId = app.awaitAppId(LIMIT);
      String url = "http://127.0.0.1:" + app.awaitLog(UI, LIMIT) + ShownPage.PATH;
      gates.open("0-map-0", "0-map-1", "0-between", "0-reduce-0", "0-reduce-1");
      gates.open("0-reducing-0", "0-reducing-1");
      gates.awaitSomebodyAt("1-map-0");
      ShownPage live =
          Await.value(
              "figures of two executors at " + url,
              LIMIT,
              () -> ShownPage.at(url).filter(ShufflePageIT::isOfTwo));
      assertThat(live.executors()).extracting(row -> row.get("State")).containsOnly("running");
      assertThat(live.matrix()).containsExactly("reads \\ from 0 1", "0 local shm", "1 shm local");

      gates.open("1-map-0", "1-map-1", "1-between", "1-reduce-0", "1-reduce-1");
      gates.open("1-reducing-0", "1-reducing-1");
      String log = app.waitFor(LIMIT).orThrow().log();

      SimulatedLog.write(logs, cluster.spec().home().sparkVersion());
      try (HistoryServer server = history(cluster)) {
        ShownPage page = page(server, appId, ShownPage.PATH);
        assertSame(page, ShuffleReport.lastIn(log).orElseThrow());
        assertThat(page.executors()).extracting(row -> row.get("State")).containsOnly("ended");
        assertThat(page.matrix()).isEqualTo(live.matrix());
        ShownPage large = page(server, SimulatedLog.APP_ID, ShownPage.PATH);
        assertThat(large.executors()).hasSize(SimulatedLog.EXECUTORS);
        assertThat(large.html()).hasSizeLessThan(1_000_000);
        assertSeenByABrowser(server.url() + "/history/", appId);
      }
    }
  }

  private static boolean isOfTwo(ShownPage page) {
    try {
      // Both have read of one another.
      return page.executors().size() == 2 && !page.matrix().toString().contains("\u2013");
    } catch (Exception e) {
      throw new IllegalStateException(page.html(), e);
    }
  }

  private AppSpec application(Path gates) {
    return AppSpec.builder(ProjectJars.testApplications(), GatedJob.class.getName())
        .addJar(ProjectJars.applications())
        .quickStart()
        .driverMemory("512m")
        .executorMemory("512m")
        .onVerbena()
        .conf("spark.shuffle.rdma.pool.regionSize", "16m")
        .conf("spark.ui.enabled", "true")
        .conf("spark.ui.port", "0")
        .conf("spark.eventLog.enabled", "true")
        .conf("spark.eventLog.dir", logs.toUri().toString())
        .args(gates.toString(), LOAD.toString(), "2")
        .build();
  }

  private static void assertSame(ShownPage page, ShuffleReport report) throws Exception {
    List<Map<String, String>> rows = page.executors();
    assertThat(rows).hasSameSizeAs(report.executors());
    for (ShuffleReport.Executor executor : report.executors()) {
      assertThat(rows)
          .filteredOn(row -> row.get("Executor").equals(executor.executor()))
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row)
                    .containsEntry("Host", executor.host())
                    .containsEntry("Pool", "" + executor.poolBytes())
                    .containsEntry("Runs in pool", "" + executor.runsInPool())
                    .containsEntry("Runs on disk", "" + executor.runsOnDisk())
                    .containsEntry("Read by local", "" + executor.localBytes())
                    .containsEntry("Falls", "0");
                executor
                    .readBytes()
                    .forEach(
                        (name, bytes) ->
                            assertThat(row).containsEntry("Read by " + name, "" + bytes));
              });
    }
  }

  private void assertSeenByABrowser(String history, String appId) throws Exception {
    var found = Chromium.find(folder);
    // Last, so that all else has been looked at where the test counts as skipped.
    assumeThat(found).as("chromium on the path (apt-get install chromium)").isPresent();
    Chromium browser = found.get();
    String large = history + SimulatedLog.APP_ID + ShownPage.PATH;
    assertThat(browser.document(large).split("<td>ended</td>", -1))
        .as("parts between rows' states")
        .hasSize(SimulatedLog.EXECUTORS + 1);
    BufferedImage two =
        browser.screenshot(
            history + appId + ShownPage.PATH, 1400, 1000, PICTURES.resolve("page-2.png"));
    assertThat(pixels(two, GREEN)).as("green for shm").isGreaterThan(100);
    BufferedImage many = browser.screenshot(large, 1400, 2000, PICTURES.resolve("page-200.png"));
    // Cells of at least 3 x 3 points: 36,000 pairs on two hosts, of which 7,200 have the bad one.
    assertThat(pixels(many, BLUE)).as("blue for verbs").isGreaterThan(28_800 * 9);
    assertThat(pixels(many, ORANGE)).as("orange for netty").isGreaterThan(7_200 * 9);
  }

  private static int pixels(BufferedImage image, int color) {
    int count = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        if ((image.getRGB(x, y) & 0xffffff) == color) {
          count++;
        }
      }
    }
    return count;
  }
}
