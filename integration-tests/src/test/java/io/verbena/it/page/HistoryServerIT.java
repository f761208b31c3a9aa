package io.verbena.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.it.OnDemand;
import io.verbena.it.SharedCluster;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.Await;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.HistoryServer;
import io.verbena.it.cluster.JavaHome;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHomes;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.cluster.WarmUp;
import io.verbena.it.cluster.WebPage;
import io.verbena.it.matrix.Loading;
import io.verbena.it.matrix.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Spark's own pages of an application on Verbena, in History Servers that do not have its jar and
 * in those that have it.
 */
final class HistoryServerIT {
  static final List<Target> TARGETS = Target.ALL;

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String FIRST_PAGE = "/jobs/";
  private static final List<String> PAGES =
      List.of(
          FIRST_PAGE,
          "/jobs/job/?id=0",
          "/stages/",
          "/stages/stage/?id=0&attempt=0",
          "/storage/",
          "/environment/",
          "/executors/",
          "/SQL/",
          "/SQL/execution/?id=0");

  /** What the pages' scripts ask for. */
  private static final List<String> ANSWERS =
      List.of("", "/jobs", "/stages", "/allexecutors", "/environment", "/sql", "/logs");

  @TempDir private Path folder;
  private Path logs;

  @BeforeEach
  void makeFolder() throws Exception {
    logs = Files.createDirectory(folder.resolve("events"));
  }

  @Test
  @ExtendWith(SharedCluster.class)
  void withoutTheJarAllOfSparksOwnPagesAreThere(StandaloneCluster cluster) throws Exception {
    String appId = run(cluster, Loading.JARS);
    assertPages(cluster, appId, List.of(), false);
  }

  @OnDemand
  @ParameterizedTest
  @FieldSource("TARGETS")
  void sparksOwnPagesAreThereOnEachVersion(Target target) throws Exception {
    Optional<JavaHome> java = JavaHome.find(target.java());
    assumeThat(java).as("a JDK %d in %s", target.java(), JavaHome.folder()).isPresent();
    ClusterSpec spec =
        ClusterSpec.builder()
            .home(SparkHomes.provide(target.spark(), target.scala()))
            .java(java.get())
            .build();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec)) {
      String appId = run(cluster, Loading.of(target));
      assertPages(cluster, appId, List.of(), false);
      assertPages(cluster, appId, List.of(ProjectJars.verbena()), !target.isLine3());
    }
  }

  /** Shuffles of RDDs and of SQL. */
  private String run(StandaloneCluster cluster, Loading loading) throws Exception {
    AppSpec.Builder app =
        AppSpec.builder(ProjectJars.applications(), WarmUp.class.getName())
            .quickStart()
            .driverMemory("512m")
            .executorMemory("512m")
            .conf("spark.shuffle.manager", AppSpec.VERBENA_MANAGER)
            .conf("spark.eventLog.enabled", "true")
            .conf("spark.eventLog.dir", logs.toUri().toString());
    loading.apply(app);
    return cluster.submit(app.build()).orThrow().appId().orElseThrow();
  }

  private void assertPages(
      StandaloneCluster cluster, String appId, List<Path> jars, boolean pageOfOurs)
      throws Exception {
    HistoryServer.Spec spec =
        new HistoryServer.Spec(cluster.spec().home(), cluster.spec().java(), jars, 0);
    try (HistoryServer server =
        HistoryServer.start(spec, folder.resolve("history-" + jars.size()), logs, LIMIT)) {
      String application = server.url(appId);
      Await.until(
          "the pages of " + appId,
          LIMIT,
          () -> WebPage.at(application + FIRST_PAGE).filter(WebPage::found).isPresent());
      assertThat(found(server.url() + "/")).contains("History Server");
      assertThat(found(server.url() + "/api/v1/applications")).contains(appId);
      for (String page : PAGES) {
        assertThat(found(application + page).contains("RDMA Shuffle"))
            .as("tab of ours on %s", page)
            .isEqualTo(pageOfOurs);
      }
      for (String answer : ANSWERS) {
        assertThat(found(server.url() + "/api/v1/applications/" + appId + answer)).isNotEmpty();
      }
      // Spark leads from a page that it does not have to its first one.
      assertThat(found(application + ShownPage.PATH).contains("RDMA Shuffle"))
          .as("page of ours")
          .isEqualTo(pageOfOurs);
      assertThat(server.log()).doesNotContain(" ERROR ").doesNotContain("Exception");
    }
  }

  private static String found(String url) {
    WebPage page = WebPage.at(url).orElseThrow(() -> new AssertionError("no answer by " + url));
    assertThat(page.status()).as("%s says %s", url, page.text()).isEqualTo(200);
    return page.text();
  }
}
