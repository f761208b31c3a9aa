package io.verbena.bench;

import io.verbena.bench.work.Digest;
import io.verbena.bench.work.Size;
import io.verbena.bench.work.Workload;
import io.verbena.it.cluster.AppHandle;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ExecutorProcess;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.StandaloneCluster;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The runner's hold on one side's application. */
final class JobDriver implements AutoCloseable {
  private static final int EXECUTORS = 2;
  private static final Duration START_LIMIT = Duration.ofMinutes(10);
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Long, since four million blocks may take long on a busy machine. */
  private static final Duration RUN_LIMIT = Duration.ofMinutes(40);

  private static final Duration END_LIMIT = Duration.ofMinutes(1);

  private final JobSide side;
  private final AppHandle app;
  private final Socket socket;
  private final StandaloneCluster cluster;
  private final BufferedReader answers;
  private final BufferedWriter commands;
  private final String appId;
  private final List<ExecutorProcess> executors;

  private JobDriver(JobSide side, AppHandle app, Socket socket, StandaloneCluster cluster)
      throws IOException, InterruptedException {
    this.side = side;
    this.app = app;
    this.socket = socket;
    this.cluster = cluster;
    this.answers =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8));
    this.appId = ask(String.class, "app");
    this.executors = cluster.awaitExecutors(appId, EXECUTORS, START_LIMIT);
  }

  /** An application that was submitted and has not reported yet. */
  record Submitted(JobSide side, AppHandle app, ServerSocket door, StandaloneCluster cluster)
      implements AutoCloseable {
    /** Waits for the driver to report and for all executors. */
    JobDriver await() throws IOException, InterruptedException {
      Socket socket = accept();
      socket.setSoTimeout(Math.toIntExact(RUN_LIMIT.toMillis()));
      return new JobDriver(side, app, socket, cluster);
    }

    /** A driver that has ended will not report. */
    private Socket accept() throws IOException {
      door.setSoTimeout(Math.toIntExact(LOOK.toMillis()));
      long start = System.nanoTime();
      while (app.isAlive() && System.nanoTime() - start < START_LIMIT.toNanos()) {
        try {
          return door.accept();
        } catch (SocketTimeoutException e) {
          // Look again.
        }
      }
      throw failure(
          side,
          app,
          app.isAlive()
              ? "the driver did not report within " + START_LIMIT.toSeconds() + " s"
              : "the driver ended before it reported");
    }

    @Override
    public void close() throws IOException {
      door.close();
    }
  }

  /** Submits the application; it ends with the cluster at the latest. */
  static Submitted submit(
      StandaloneCluster cluster, JobSide side, String executorMemory, Map<String, String> conf)
      throws IOException {
    ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    AppSpec.Builder spec =
        AppSpec.builder(ProjectJars.applications(), JobApp.class.getName())
            .args(Integer.toString(door.getLocalPort()), BenchFiles.data().toString())
            .executorMemory(executorMemory)
            .conf("spark.executor.cores", "1")
            .conf("spark.cores.max", Integer.toString(EXECUTORS))
            .conf("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .conf(side.conf())
            .conf(conf);
    if (side == JobSide.VERBENA) {
      spec.onVerbena();
    }
    return new Submitted(side, cluster.submitAsync(spec.build()), door, cluster);
  }

  /** The driver's log goes with the cluster, so what is said names a copy. */
  private static BenchException failure(JobSide side, AppHandle app, String what)
      throws IOException {
    Path log = Files.createDirectories(BenchFiles.logs()).resolve("driver-" + side + ".log");
    Files.copy(app.logFile(), log, StandardCopyOption.REPLACE_EXISTING);
    return new BenchException("%s: %s; its log is %s".formatted(side.title(), what, log));
  }

  /** Runs a workload once; nothing of it is left afterwards. */
  Measured run(Workload workload, Size size, boolean allBytes) throws IOException {
    ask(Boolean.class, "prepare");
    for (ExecutorProcess executor : executors) {
      ProcMemory.resetPeak(executor.pid());
    }
    Measured.ProcessCpu start = cpu();
    JobRun run =
        ask(
            JobRun.class,
            "run",
            workload.title(),
            size.maps(),
            size.reduces(),
            size.records(),
            allBytes);
    Measured.ProcessCpu used = cpu().minus(start);
    long resident = 0;
    for (ExecutorProcess executor : executors) {
      resident += ProcMemory.peak(executor.pid());
    }
    List<ExecutorFigures> figures = List.of(ask(ExecutorFigures[].class, "figures"));
    // What the comparison of results costs is no part of the run.
    Digest digest = ask(Digest.class, "digest");
    Measured.ProcessCpu beforeClean = cpu();
    ask(Boolean.class, "clean");
    return new Measured(run, digest, used.plus(cpu().minus(beforeClean)), resident, figures);
  }

  void startProfile(CpuProfiler profiler) throws IOException {
    for (ExecutorProcess executor : executors) {
      profiler.start(executor.pid());
    }
  }

  /** Ends it; stacks are written to files of that name, one an executor, and returned. */
  List<String> stopProfile(CpuProfiler profiler, String name) throws IOException {
    List<String> stacks = new ArrayList<>();
    for (int i = 0; i < executors.size(); i++) {
      Path file = BenchFiles.profiles().resolve("%s-%d.collapsed".formatted(name, i));
      stacks.addAll(profiler.stop(executors.get(i).pid(), file));
    }
    return stacks;
  }

  private Measured.ProcessCpu cpu() throws IOException {
    double ofExecutors = 0;
    for (ExecutorProcess executor : executors) {
      ofExecutors += ProcCpu.tickSeconds(executor.pid());
    }
    double ofCluster = ProcCpu.tickSeconds(cluster.masterPid());
    for (long worker : cluster.workerPids()) {
      ofCluster += ProcCpu.tickSeconds(worker);
    }
    return new Measured.ProcessCpu(ofExecutors, ProcCpu.tickSeconds(app.pid()), ofCluster);
  }

  private <T> T ask(Class<T> type, Object... words) throws IOException {
    StringBuilder command = new StringBuilder();
    for (Object word : words) {
      command.append(command.isEmpty() ? "" : " ").append(word);
    }
    commands.write(command.toString());
    commands.newLine();
    commands.flush();
    String answer = answers.readLine();
    if (answer == null || !answer.startsWith(ChildLoop.OK)) {
      throw failure(side, app, "\"" + command + "\" got " + answer);
    }
    return Json.parse(answer.substring(ChildLoop.OK.length()), type);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    app.close();
  }

  /** Waits until the executors of a closed application have ended too. */
  void awaitEnd() throws InterruptedException {
    cluster.awaitExecutorsGone(appId, END_LIMIT);
  }
}
