package io.verbena.bench;

import io.verbena.bench.work.Digest;
import io.verbena.bench.work.Size;
import io.verbena.bench.work.WorkContext;
import io.verbena.bench.work.Workload;
import io.verbena.bench.work.Workloads;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * The application of the job benchmark: runs a workload when the runner asks for it, over a socket.
 * A run is a sequence of commands, so that the runner can look at the processes between them:
 * {@code prepare}, {@code run}, {@code figures}, {@code digest}, {@code clean}.
 */
public final class JobApp {
  private final SparkSession session;
  private final JavaSparkContext context;
  private final Path data;
  private final TaskListener listener = new TaskListener();
  private List<ExecutorFigures> before = List.of();
  private int firstShuffle;
  private Path scratch;
  private Supplier<Digest> result;

  private JobApp(SparkSession session, Path data) {
    this.session = session;
    this.context = JavaSparkContext.fromSparkContext(session.sparkContext());
    this.data = data;
    session.sparkContext().addSparkListener(listener);
  }

  /** Arguments: the runner's port on loopback, the folder with workloads' data. */
  public static void main(String[] args) throws IOException {
    try (SparkSession session = SparkSession.builder().appName("bench job").getOrCreate();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        PrintStream out =
            new PrintStream(socket.getOutputStream(), false, StandardCharsets.UTF_8)) {
      JobApp app = new JobApp(session, Path.of(args[1]));
      ChildLoop.run(app::handle, socket.getInputStream(), out);
    }
  }

  private Object handle(String[] words) throws IOException, TimeoutException {
    return switch (words[0]) {
      case "app" -> session.sparkContext().applicationId();
      case "prepare" -> prepare();
      case "run" ->
          run(
              Workloads.of(words[1]),
              new Size(
                  Integer.parseInt(words[2]), Integer.parseInt(words[3]), Long.parseLong(words[4])),
              Boolean.parseBoolean(words[5]));
      case "figures" -> ExecutorFigures.since(ExecutorFigures.collect(context), before);
      case "digest" -> digest();
      case "clean" -> clean();
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    };
  }

  private boolean prepare() throws TimeoutException {
    before = ExecutorFigures.collect(context);
    firstShuffle = session.sparkContext().newShuffleId();
    settle();
    return true;
  }

  private JobRun run(Workload workload, Size size, boolean allBytes)
      throws IOException, TimeoutException {
    scratch = Files.createTempDirectory("bench-output-");
    WorkContext run = new WorkContext(session, context, size, allBytes, data, scratch);
    long start = System.nanoTime();
    result = workload.run(run);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new JobRun(seconds, settle());
  }

  private Digest digest() throws IOException {
    Digest digest = result.get();
    BenchFiles.deleteAll(scratch);
    return digest;
  }

  /** Removes all shuffles now rather than when the driver's collector finds them. */
  private boolean clean() {
    SparkContext sc = session.sparkContext();
    int end = sc.newShuffleId();
    for (int shuffle = firstShuffle + 1; shuffle < end; shuffle++) {
      sc.cleaner().get().doCleanupShuffle(shuffle, true);
    }
    return true;
  }

  private TaskTotals settle() throws TimeoutException {
    session.sparkContext().listenerBus().waitUntilEmpty();
    return listener.take();
  }
}
