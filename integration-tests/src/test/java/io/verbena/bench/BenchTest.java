package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.work.Size;
import io.verbena.bench.work.Workload;
import io.verbena.bench.work.Workloads;
import io.verbena.it.cluster.ProjectJars;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class BenchTest {
  private final StringWriter errors = new StringWriter();

  private int run(String... args) {
    return Bench.commandLine().setErr(new PrintWriter(errors)).execute(args);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fetch", "job", "heap", "micro", "scale"})
  void unknownOptionOfACommandEndsWithUsageAndCode64(String command) {
    assertThat(run(command, "--nope")).isEqualTo(64);
    assertThat(errors.toString()).contains("'--nope'").contains("Usage: bench " + command);
  }

  @Test
  void noCommandEndsWithUsageAndCode64() {
    assertThat(run()).isEqualTo(64);
    assertThat(errors.toString()).contains("say what to measure").contains("Usage: bench");
  }

  @Test
  void wrongValueEndsWithTheAllowedOnesAndCode64() {
    assertThat(run("fetch", "--sides", "carrier-pigeon")).isEqualTo(64);
    assertThat(errors.toString()).contains("carrier-pigeon").contains("NETTY");
  }

  @Test
  void unknownWorkloadEndsWithAllNamesAndCode64() {
    assertThat(run("job", "partition", "nope")).isEqualTo(64);
    assertThat(errors.toString()).contains("unknown workload \"nope\"").contains("sql-repartition");
  }

  @ParameterizedTest
  @CsvSource({
    "--pairs=0, from 1 to 1000",
    "--pairs=1001, from 1 to 1000",
    "--warm-up=-1, at least 0",
    "--scale=0.0, a number above 0",
    "--scale=NaN, a number above 0",
    "--reduces=0, at least 1",
    "--tmpfs=/proc, no folder on a tmpfs"
  })
  void valueOutOfRangeEndsWithWhatIsAllowedAndCode64(String option, String allowed) {
    assertThat(run("job", option)).isEqualTo(64);
    assertThat(errors.toString()).contains(option + ": " + allowed).contains("Usage: bench job");
  }

  @Test
  void folderOfASideThatDoesNotRunIsNotLookedAt() {
    JobOptions options = options("--sides=VERBENA,SPARK", "--tmpfs=/proc");
    assertThat(options.sides).containsExactly(JobSide.VERBENA, JobSide.SPARK);
  }

  @Test
  void withoutNamesAllWorkloadsRunAndQuickOnesASet() {
    assertThat(options("--sides=SPARK").workloads).isEqualTo(Workloads.all());
    JobOptions quick = options("--sides=SPARK", "--quick", "--pairs=7");
    assertThat(quick.workloads).hasSizeBetween(3, 6);
    assertThat(quick.pairs).isEqualTo(2);
    assertThat(options("--sides=SPARK", "--quick", "wide").workloads)
        .containsExactly(Workloads.of("wide"));
  }

  @Test
  void quickRunsAgainstOneOpponentUnlessSidesAreNamed() {
    assertThat(options("--quick").sides).containsExactly(JobSide.VERBENA, JobSide.SPARK);
    assertThat(options("--quick", "--sides=spark,verbena,spark").sides)
        .containsExactly(JobSide.SPARK, JobSide.VERBENA);
  }

  @Test
  void freshRunsAreNotWarmedUp() {
    assertThat(options("--sides=SPARK", "--fresh", "--warm-up=3").warmUp).isZero();
  }

  @Test
  void sizesAreScaledAndTakeOtherNumbersOfReduces() {
    JobOptions options = options("--sides=SPARK", "--scale=0.5", "--reduces=3,7");
    assertThat(options.sizes(Workloads.of("partition")))
        .containsExactly(new Size(8, 3, 2_000_000), new Size(8, 7, 2_000_000));
  }

  @Test
  void helpOfTheScriptNamesAllWorkloads() throws IOException {
    String script = Files.readString(ProjectJars.module().resolve("../bin/bench"));
    for (Workload workload : Workloads.all()) {
      assertThat(script).contains(" " + workload.title());
    }
  }

  private static JobOptions options(String... args) {
    Holder holder = new Holder();
    new CommandLine(holder).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(args);
    holder.options.conclude();
    return holder.options;
  }

  @Command
  private static final class Holder {
    @Mixin private JobOptions options = new JobOptions();
  }
}
