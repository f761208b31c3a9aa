package io.verbena.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ReportTableTest {
  private static final String EXECUTOR =
      """
      {"executor":"%s","host":"127.0.0.1","localBytes":100,"localBlocks":1,\
      "readBytes":{"shm":1048576,"netty":0},"readBlocks":{"shm":12000,"netty":0},"tableReads":3,\
      "poolBytes":123,"poolHighWater":2048,"poolLimit":1073741824,"poolBacking":"tmpfs",\
      "runsInPool":8,"runsOnDisk":1,"falls":{"shm->netty: other host":2},"checksumFailures":0,\
      "rereads":4,"servingCpuSeconds":0.0125,"later":"addition"}\
      """;

  private static String log(String executors) {
    return "12:00:00.000 INFO ShuffleReport: Shuffle report: {\"version\":1,\"executors\":["
        + executors
        + "]}\n12:00:01.000 INFO ShutdownHookManager: bye\n";
  }

  @Test
  void tableHasAColumnPerExecutorAndFallsWithTheirReasons() {
    String log = log(EXECUTOR.formatted("1") + "," + EXECUTOR.formatted("0"));
    assertThat(ReportTable.draw(ShuffleReport.lastIn(log).orElseThrow()))
        .isEqualTo(
            """
            executor                                           0                     1
            host                                       127.0.0.1             127.0.0.1
            read from peers by netty                         0 B                   0 B
              blocks by netty                                  0                     0
            read from peers by shm                       1.0 MiB               1.0 MiB
              blocks by shm                               12,000                12,000
            read from itself                               100 B                 100 B
              blocks from itself                               1                     1
            location-table READs                               3                     3
            pool at end                                    123 B                 123 B
            pool at most                                 2.0 KiB               2.0 KiB
            pool limit                                   1.0 GiB               1.0 GiB
            pool backing                                   tmpfs                 tmpfs
            runs in pool                                       8                     8
            runs on disk                                       1                     1
            checksum failures                                  0                     0
            blocks read again                                  4                     4
            CPU spent on serving peers                   0.013 s               0.013 s

            Falls to another transport:
              shm->netty: other host (executor 0: 2, executor 1: 2)
            """);
  }

  @Test
  void moreExecutorsThanFitOnALineGoBelow() {
    String log =
        log(
            String.join(
                ",",
                EXECUTOR.formatted("0"),
                EXECUTOR.formatted("1"),
                EXECUTOR.formatted("2"),
                EXECUTOR.formatted("3")));
    String table = ReportTable.draw(ShuffleReport.lastIn(log).orElseThrow());
    assertThat(table.lines()).allMatch(line -> line.length() <= 100);
    assertThat(table.lines().filter(line -> line.startsWith("executor "))).hasSize(2);
  }

  @Test
  void reportWithoutExecutorsSaysSo() {
    assertThat(ReportTable.draw(ShuffleReport.lastIn(log("")).orElseThrow()))
        .isEqualTo("No executor has reported.\n");
  }

  @Test
  void logWithoutReportGivesNone() {
    assertThat(ShuffleReport.lastIn("12:00:00.000 INFO A: nothing\n")).isEmpty();
  }

  @Test
  void reportOfAnotherVersionIsRefused() {
    assertThatThrownBy(() -> ShuffleReport.parse("{\"version\":2,\"executors\":[]}"))
        .hasMessage(
            "shuffle report of version 2; only 1 is understood:"
                + " {\"version\":2,\"executors\":[]}");
    assertThatThrownBy(() -> ShuffleReport.parse("{\"version\":"))
        .hasMessage("not a shuffle report: {\"version\":");
  }
}
