package io.verbena.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.it.cluster.Await;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.WebPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way of the quick start: {@code bin/demo --soft-roce --ui}, as the script starts it. */
final class DemoOnSoftRoceIT {
  private static final int SOMETHING_IS_MISSING = 69;
  private static final Duration LIMIT = Duration.ofMinutes(15);

  /** How much of it is for the scheduler to say; on a busy machine one host does most. */
  private static final String BYTES = " +[0-9.]*[1-9][0-9.]* (B|KiB|MiB)";

  private static final Pattern URL = Pattern.compile("http://\\S+");

  @TempDir private Path folder;

  @Test
  void trajectoryOfTwoHostsIsReadByVerbsAloneAndThePageShowsIt() throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                ProjectJars.applications() + ":" + SparkHome.locate().path() + "/jars/*",
                Demo.class.getName(),
                "--soft-roce",
                "--ui")
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      Await.until(
          "the page's address", LIMIT, () -> !demo.isAlive() || URL.matcher(read(out)).find());
      if (!demo.isAlive() && !System.getProperty("user.name").equals("root")) {
        assumeThat(demo.exitValue()).as(read(err)).isNotEqualTo(SOMETHING_IS_MISSING);
      }
      assertThat(demo.isAlive()).as(read(out) + read(err)).isTrue();
      assertByVerbsAlone(read(out));

      Matcher url = URL.matcher(read(out));
      assertThat(url.find()).isTrue();
      String page = WebPage.at(url.group()).orElseThrow().text();
      assertThat(page).contains("RDMA Shuffle", "10.99.0.1", "10.99.0.2", "verbs");

      List<ProcessHandle> children = demo.descendants().toList();
      demo.destroy();
      assertThat(demo.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    } finally {
      demo.destroyForcibly();
    }
  }

  private static void assertByVerbsAlone(String out) {
    assertThat(out)
        .contains("Mean squared displacement")
        .containsPattern("(?m)^host +10\\.99\\.0\\.[12] +10\\.99\\.0\\.[12]$")
        .containsPattern("(?m)^read from peers by verbs" + BYTES + BYTES + "$")
        .doesNotContain("read from peers by shm", "read from peers by netty")
        .contains("Falls to another transport: none", "Results: equal");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
