package io.verbena.it.softroce;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.ScriptRun;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tests in virtual machines rely on. Each test boots machines: some seconds. */
final class SoftRoceIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;

  @Test
  void outputExitCodeAndFilesComeBackAndNothingElseIsWritten() throws Exception {
    Path results = folder.resolve("results");
    String script =
        """
        echo to standard output
        echo to standard error >&2
        rdma link show >%s/link
        su verbena -c 'ulimit -l' >%1$s/locked
        touch %s/elsewhere
        exit 7
        """
            .formatted(results, folder);
    ScriptRun ended =
        SoftRoce.boot(folder, LIMIT, "run", "--out", results.toString(), "bash", "-c", script);
    assertThat(ended.out()).isEqualTo("to standard output\n");
    assertThat(ended.err()).startsWith("to standard error\n");
    assertThat(ended.code()).isEqualTo(7);
    assertThat(results.resolve("link")).content().contains("rxe0/1 state ACTIVE");
    assertThat(results.resolve("locked")).hasContent("8192");
    assertThat(folder.resolve("elsewhere")).doesNotExist();
  }

  @Test
  void twoMachinesReadEachOthersMemory() throws Exception {
    String bandwidth = "ib_read_bw -R -F -n 10 -s 65536";
    // The server may not listen yet.
    String client =
        "for i in $(seq 20); do %s verbena-a && exit 0; sleep 1; done; exit 1".formatted(bandwidth);
    ScriptRun ended =
        SoftRoce.boot(
            folder, LIMIT, "pair", "sh", "-c", "exec " + bandwidth, "--", "sh", "-c", client);
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out())
        .containsPattern("a:  65536 +10 ")
        .containsPattern("b:  65536 +10 ")
        .contains("b:  GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:99:00:02");
  }

  @Test
  void failureOnOneMachineEndsTheOther() throws Exception {
    ScriptRun ended =
        SoftRoce.boot(folder, LIMIT, "pair", "sleep", "600", "--", "sh", "-c", "exit 5");
    assertThat(ended.code()).isEqualTo(5);
    assertThat(ended.err()).doesNotContain("deadline");
  }

  @Test
  void hangingCommandIsEndedAtTheDeadlineAndNoMachineIsLeft() throws Exception {
    Path results = folder.resolve("results");
    ScriptRun ended =
        SoftRoce.boot(
            folder, Duration.ofSeconds(12), "run", "--out", results.toString(), "sleep", "600");
    assertThat(ended.code()).isEqualTo(124);
    assertThat(ended.err()).contains("deadline of 12 s");
    // QEMU's command line names the folder.
    assertThat(
            ProcessHandle.allProcesses()
                .filter(it -> it.info().commandLine().orElse("").contains(results.toString())))
        .isEmpty();
  }
}
