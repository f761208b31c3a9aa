package io.verbena.bench;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The runner's hold on one side's application, which lives through all rounds. */
final class JobDriver implements AutoCloseable {
  private static final int EXECUTORS = 2;
  private static final Duration START_LIMIT = Duration.ofMinutes(10);
  private static final Duration RUN_LIMIT = Duration.ofMinutes(10);

  private final JobSide side;
  private final AppHandle app;
  private final Socket socket;
  private final BufferedReader answers;
  private final BufferedWriter commands;
  private final List<ExecutorProcess> executors;

  private JobDriver(JobSide side, AppHandle app, Socket socket, StandaloneCluster cluster)
      throws IOException, InterruptedException {
    this.side = side;
    this.app = app;
    this.socket = socket;
    this.answers =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8));
    this.executors = cluster.awaitExecutors(ask(String.class, "app"), EXECUTORS, START_LIMIT);
  }

  /** A run with what its executors' processes used meanwhile. */
  record Measured(JobRun run, double executorCpuSeconds) {}

  /** An application that was submitted and has not reported yet. */
  record Submitted(JobSide side, AppHandle app, ServerSocket door, StandaloneCluster cluster) {
    /** Waits for the driver to report and for all executors. */
    JobDriver await() throws IOException, InterruptedException {
      try (door) {
        door.setSoTimeout(Math.toIntExact(START_LIMIT.toMillis()));
        Socket socket = door.accept();
        socket.setSoTimeout(Math.toIntExact(RUN_LIMIT.toMillis()));
        return new JobDriver(side, app, socket, cluster);
      }
    }
  }

  /** Submits the application; it ends with the cluster at the latest. */
  static Submitted submit(
      StandaloneCluster cluster, JobSide side, String executorMemory, Map<String, String> conf)
      throws IOException {
    ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    AppSpec.Builder spec =
        AppSpec.builder(ProjectJars.applications(), JobApp.class.getName())
            .args(Integer.toString(door.getLocalPort()))
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

  Measured run(JobLoad load, int reduces, long records, boolean allBytes) throws IOException {
    double cpu = executorCpu();
    JobRun run = ask(JobRun.class, "run", load, reduces, records, allBytes);
    return new Measured(run, executorCpu() - cpu);
  }

  private double executorCpu() throws IOException {
    double sum = 0;
    for (ExecutorProcess executor : executors) {
      sum += ProcCpu.tickSeconds(executor.pid());
    }
    return sum;
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
      throw new BenchException(
          side.title() + " to \"" + command + "\": " + answer + "; its log is " + app.logFile());
    }
    return Json.parse(answer.substring(ChildLoop.OK.length()), type);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    app.close();
  }
}
