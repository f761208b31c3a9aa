package io.verbena.it.demo;

import io.verbena.it.cluster.Await;
import io.verbena.it.cluster.HistoryServer;
import io.verbena.it.cluster.JavaHome;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.WebPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Shows an application that has ended in Spark's History Server. */
final class History {
  /** As Spark's own default, which people may have forwarded. */
  private static final int PORT = 18080;

  private static final Duration LIMIT = Duration.ofHours(1);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private History() {}

  /**
   * Shows it for an hour at most, or until this process is ended.
   *
   * @param folder an existing one for the server's output
   * @param logs with the event log
   */
  static void show(SparkHome home, Path folder, Path logs, String appId, PrintWriter out)
      throws IOException, InterruptedException {
    HistoryServer.Spec spec =
        new HistoryServer.Spec(home, JavaHome.current(), List.of(ProjectJars.verbena()), PORT);
    try (HistoryServer server =
        HistoryServer.start(spec, folder.resolve("history"), logs, START_LIMIT)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "history-shutdown"));
      String url = server.url(appId) + "/rdma-shuffle/";
      Await.until(
          "the page " + url, START_LIMIT, () -> WebPage.at(url).filter(WebPage::found).isPresent());
      out.println();
      out.println("The page \"RDMA Shuffle\" of the run on Verbena, until Ctrl-C or for an hour:");
      out.println("  " + url);
      out.flush();
      server.awaitEnd(LIMIT);
    }
  }
}
