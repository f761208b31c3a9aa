package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.work.Digest;
import io.verbena.bench.work.Size;
import io.verbena.bench.work.Workload;
import io.verbena.bench.work.Workloads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of the results of a round, and of the figures of its processes. */
final class JobResultTest {
  private static final int TOUCHED = 256 << 20;
  private static final Digest FIRST = new Digest(1_000, 42, false);

  private static void check(String title, Digest digest, Digest first) {
    Workload workload = Workloads.of(title);
    JobRow row = new JobRow(title, new Size(8, 64, 1_000));
    JobCommand.check(row, JobSide.VERBENA, workload, digest, first);
  }

  @Test
  void resultsThatDifferEndTheRunAndNameSideAndWorkload() {
    assertThatCode(() -> check("partition", FIRST, FIRST)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("partition", new Digest(1_000, 43, false), FIRST))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("Verbena, partition, 64 reduces")
        .hasMessageContaining("sum=43")
        .hasMessageContaining("sum=42");
  }

  @Test
  void sidesThatAgreeOnAWrongNumberEndTheRun() {
    Digest few = new Digest(999, 42, false);
    assertThatThrownBy(() -> check("partition", few, few))
        .hasMessageContaining("expected 1000 records");
    assertThatCode(() -> check("mlprep", few, few)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("mlprep", few, FIRST)).isInstanceOf(BenchException.class);
  }

  @Test
  void onlyASortMustBeSorted() {
    Digest sorted = new Digest(1_000, 42, true);
    assertThatCode(() -> check("sort", sorted, FIRST)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("sort", FIRST, sorted)).isInstanceOf(BenchException.class);
  }

  @Test
  void countersAreThoseOfTheRunAndGaugesThoseOfItsEnd() {
    ExecutorFigures before = figures("0", 5, 100);
    ExecutorFigures after = figures("0", 7, 130);
    ExecutorFigures replaced = figures("1", 3, 20);
    List<ExecutorFigures> run = ExecutorFigures.since(List.of(after, replaced), List.of(before));
    Measured measured =
        new Measured(
            new JobRun(1, TaskTotals.NONE), FIRST, new Measured.ProcessCpu(1, 2, 3), 0, run);
    assertThat(measured.figure("pool.bytes")).isEqualTo(7 + 3);
    assertThat(measured.figure("read.shm.bytes")).isEqualTo(30 + 20);
    assertThat(measured.figure("nope")).isZero();
    assertThat(measured.cpu().total()).isEqualTo(6);
  }

  private static ExecutorFigures figures(String executor, double gauge, double counter) {
    return new ExecutorFigures(
        executor, Map.of("pool.bytes", gauge), Map.of("read.shm.bytes", counter));
  }

  @Test
  void figuresSurviveTheWayThroughJson() {
    ExecutorFigures sent = figures("0", 1.5, 2);
    assertThat(Json.parse(Json.line(sent), ExecutorFigures.class)).isEqualTo(sent);
    JobRow row = new JobRow("sort", new Size(8, 64, 1_000));
    assertThat(Json.line(row)).contains("\"comparisons\":[]").contains("\"workload\":\"sort\"");
  }

  @Test
  void peakOfResidentMemoryGrowsWithWhatIsTouched() throws IOException {
    long pid = ProcessHandle.current().pid();
    assumeTrue(ProcMemory.resetPeak(pid), "the kernel does not let peaks begin anew here");
    long before = ProcMemory.peak(pid);
    ByteBuffer memory = ByteBuffer.allocateDirect(TOUCHED); // zeroed, and so touched
    assertThat(ProcMemory.peak(pid) - before).isGreaterThan(TOUCHED / 2);
    assertThat(memory.get(TOUCHED - 1)).isZero();
    assertThat(ProcMemory.resetPeak(Long.MAX_VALUE)).isFalse();
  }
}
