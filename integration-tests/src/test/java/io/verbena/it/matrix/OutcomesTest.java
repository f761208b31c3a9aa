package io.verbena.it.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.apps.acceptance.Setting;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutcomesTest {
  private static final Target TARGET = Target.ALL.get(0);
  private static final List<Setting> ZSTD = List.of(Setting.ZSTD);
  private static final List<String> CASES = Setting.ZSTD.caseNames();
  private static final String OWN = lines("sort");
  private static final String OURS = lines(AppSpec.VERBENA_MANAGER);
  private static final String REPORT = report("\"shm\":9", "");

  @TempDir private Path folder;

  private static String lines(String manager) {
    return CASES.stream()
        .map(name -> manager + "|ZSTD|" + name + "|ok|7 records\n")
        .collect(Collectors.joining());
  }

  private static String report(String bytes, String falls) {
    return "INFO Shuffle report: {\"version\":1,\"executors\":[{\"executor\":\"0\",\"readBytes\":{"
        + bytes
        + "},\"falls\":{"
        + falls
        + "}}]}\n";
  }

  private Row judged(int exitCode, String stdout, String log) throws IOException {
    Path logFile = Files.writeString(folder.resolve("driver.log"), log);
    Path stderr = Files.writeString(folder.resolve("stderr"), "the last words\n");
    Outcomes outcomes = new Outcomes();
    outcomes.begin();
    outcomes.judge(
        new AppResult(exitCode, stdout, stderr, stderr, logFile, Duration.ZERO), ZSTD, ZSTD);
    return outcomes.end(TARGET, Loading.JARS, 1.5);
  }

  @Test
  void equalResultsAreRight() throws IOException {
    Row row = judged(0, OWN + OURS, REPORT);
    assertThat(row.problems()).isEmpty();
    assertThat(row.passed()).isEqualTo(CASES.size());
    assertThat(row.transports()).containsExactly("shm");
  }

  @Test
  void resultThatIsNotSparksOwnIsNamedWithBoth() throws IOException {
    Row row = judged(0, OWN + OURS.replaceFirst("7 records", "6 records"), REPORT);
    assertThat(row.problems())
        .containsExactly(
            "ZSTD, " + CASES.get(0) + ": 6 records; with Spark's own shuffle: 7 records");
    assertThat(row.passed()).isEqualTo(CASES.size() - 1);
  }

  @Test
  void failedCaseAndMissingCaseAreNamed() throws IOException {
    String failed = OURS.replaceFirst("ok\\|7 records", "failed|it broke");
    String missing = failed.substring(0, failed.lastIndexOf(AppSpec.VERBENA_MANAGER));
    assertThat(judged(0, OWN + missing, REPORT).problems())
        .containsExactly(
            "ZSTD, " + CASES.get(0) + ": it broke",
            "ZSTD, " + CASES.get(CASES.size() - 1) + ": no result");
  }

  @Test
  void sparksOwnFailureIsNoExcuse() throws IOException {
    String failed = OWN.replaceFirst("ok\\|7 records", "failed|it broke");
    assertThat(judged(0, failed + OURS, REPORT).problems())
        .containsExactly(
            "Spark's own shuffle, ZSTD, " + CASES.get(0) + ": it broke",
            "ZSTD, " + CASES.get(0) + ": 7 records; with Spark's own shuffle: nothing");
  }

  @Test
  void fallToAnotherTransportIsAProblem() throws IOException {
    Row row = judged(0, OWN + OURS, report("\"shm\":9,\"netty\":1", "\"shm->netty: why\":2"));
    assertThat(row.problems()).containsExactly("ZSTD: executor 0 fell shm->netty: why");
    assertThat(row.falls()).isEqualTo(2);
    assertThat(row.transports()).containsExactlyInAnyOrder("shm", "netty");
  }

  @Test
  void applicationThatReportsNothingOrEndsEarlyIsAProblem() throws IOException {
    assertThat(judged(1, OWN + OURS, "").problems())
        .containsExactly(
            "the application ended with exit code 1\nthe last words",
            "0 shuffle reports in the driver's log, not 1",
            "executors have read nothing of one another");
  }
}
