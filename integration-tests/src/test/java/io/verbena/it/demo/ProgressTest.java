package io.verbena.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final StringWriter out = new StringWriter();

  private String show(boolean terminal) {
    Progress progress = new Progress(new PrintWriter(out, true), terminal);
    progress.show(
        "20:00:00.000 INFO TaskSetManager: Finished task 0.0 in stage 2.0 (TID 9) in 40 ms on"
            + " 127.0.0.1 (executor 1) (3/8)");
    progress.show("20:00:00.100 WARN TaskSetManager: Lost task 1.0 in stage 2.0 (TID 8): why");
    progress.show(
        "20:00:01.000 INFO DAGScheduler: ShuffleMapStage 2 (mapToPair at A.java:7) finished in"
            + " 700 ms");
    progress.show("20:00:01.000 INFO Other: something else");
    return out.toString();
  }

  @Test
  void finishedStagesAndLossesGetALineEach() {
    assertThat(show(false).lines())
        .containsExactly(
            "  Lost task 1.0 in stage 2.0 (TID 8): why",
            "  stage 2 done in 700 ms: mapToPair at A.java:7");
  }

  @Test
  void terminalAlsoShowsTasksOfTheRunningStage() {
    assertThat(show(true)).startsWith("\r").contains("  stage 2.0: 3 of 8 tasks\r");
  }
}
