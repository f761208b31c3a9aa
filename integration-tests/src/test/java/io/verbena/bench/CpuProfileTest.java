package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where samples of CPU time are counted. */
final class CpuProfileTest {
  private static final String TASK = "Executor task launch worker for task 1.0 in stage 2.0";

  private static CpuUse ofTask(String... frames) {
    return CpuUse.of(TASK, List.of(frames));
  }

  @Test
  void theInnermostFrameThatSaysAnythingDecides() {
    assertThat(ofTask("io/verbena/spark/MapOutputWriter.write", "net/jpountz/lz4/LZ4.x", "LZ4_x"))
        .isEqualTo(CpuUse.COMPRESSION);
    assertThat(ofTask("org/apache/spark/storage/A.write", "java/io/BufferedOutputStream.write"))
        .isEqualTo(CpuUse.SHUFFLE);
    assertThat(ofTask("io/verbena/fetch/FetchTask.read", "sun/nio/ch/FileDispatcherImpl.pread0"))
        .isEqualTo(CpuUse.FILES);
    assertThat(ofTask("org/apache/spark/scheduler/Task.run", "java/lang/Long.valueOf"))
        .isEqualTo(CpuUse.TASKS);
  }

  @Test
  void aClassMayBeSomethingElseThanItsPackage() {
    assertThat(ofTask("io/verbena/spark/MapOutputWriter.write", "io/verbena/bench/work/Records.x"))
        .isEqualTo(CpuUse.JOB);
    assertThat(ofTask("org/apache/spark/sql/execution/UnsafeRowSerializerInstance.x"))
        .isEqualTo(CpuUse.SERIALIZATION);
    assertThat(ofTask("org/apache/spark/sql/execution/SortExec.x")).isEqualTo(CpuUse.JOB);
  }

  @Test
  void threadsThatRunNoTasksAreCountedByTheirName() {
    List<String> frames = List.of("io/verbena/A.b");
    assertThat(CpuUse.of("GC Thread#0 tid=7]", frames)).isEqualTo(CpuUse.COLLECTOR);
    assertThat(CpuUse.of("C2 CompilerThre tid=7]", frames)).isEqualTo(CpuUse.COMPILER);
    assertThat(CpuUse.of("dispatcher-Executor tid=7]", frames)).isEqualTo(CpuUse.OTHER);
  }

  @Test
  void samplesBecomeSecondsOfARun() {
    String task = "[" + TASK + " (TID 3) tid=9]";
    CpuProfile profile =
        CpuProfile.of(
            List.of(
                task + ";java/util/zip/CRC32C.update 30",
                task + ";java/util/zip/CRC32C.update;java/nio/Bits.x 20",
                "[G1 Service tid=4];clock_nanosleep 7"),
            0.002 / 4);
    assertThat(profile.of(CpuUse.CHECKSUM)).isEqualTo(0.025, Offset.offset(1e-9));
    assertThat(profile.of(CpuUse.COLLECTOR)).isEqualTo(0.0035, Offset.offset(1e-9));
    assertThat(profile.of(CpuUse.JOB)).isZero();
    assertThat(profile.total()).isEqualTo(0.0285, Offset.offset(1e-9));
  }

  /** A JVM that computes checksums in a thread named as Spark names those of tasks. */
  static final class Busy {
    private Busy() {}

    public static void main(String[] args) throws IOException {
      Thread task = new Thread(Busy::compute, TASK);
      task.setDaemon(true);
      task.start();
      System.out.println("began");
      System.in.read();
    }

    private static void compute() {
      byte[] bytes = new byte[1 << 20];
      CRC32C crc = new CRC32C();
      while (crc.getValue() >= 0) {
        crc.update(bytes);
      }
    }
  }

  @Test
  void anotherJvmIsSampled(@TempDir Path folder) throws IOException, InterruptedException {
    List<String> command = JavaCommand.base();
    command.addAll(Arrays.asList(CpuProfiler.JVM_OPTIONS.split(" ")));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Busy.class.getName()));
    Process busy =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      assertThat(busy.inputReader().readLine()).isEqualTo("began");
      CpuProfiler profiler = CpuProfiler.in(folder);
      profiler.start(busy.pid());
      double before = ProcCpu.tickSeconds(busy.pid());
      while (ProcCpu.tickSeconds(busy.pid()) - before < 0.5) {
        Thread.sleep(10);
      }
      List<String> stacks = profiler.stop(busy.pid(), folder.resolve("stacks.collapsed"));
      CpuProfile profile = CpuProfile.of(stacks, CpuProfiler.SECONDS_OF_SAMPLE);
      // Half a second was used, nearly all of it for checksums.
      assertThat(profile.of(CpuUse.CHECKSUM)).isBetween(0.2, 5.0);
      assertThat(profile.of(CpuUse.CHECKSUM)).isGreaterThan(0.5 * profile.total());
    } finally {
      busy.destroyForcibly();
      assertThat(busy.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
