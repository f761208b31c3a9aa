package io.verbena.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.reflect.ClassTag$;

/**
 * The application of the job benchmark: lives through all rounds and runs a load when the runner
 * asks for it, over a socket.
 */
public final class JobApp {
  private final SparkSession session;
  private final JavaSparkContext context;
  private final TaskListener listener = new TaskListener();

  private JobApp(SparkSession session) {
    this.session = session;
    this.context = JavaSparkContext.fromSparkContext(session.sparkContext());
    session.sparkContext().addSparkListener(listener);
  }

  /** Argument: the runner's port on loopback. */
  public static void main(String[] args) throws IOException {
    try (SparkSession session = SparkSession.builder().appName("bench job").getOrCreate();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        PrintStream out =
            new PrintStream(socket.getOutputStream(), false, StandardCharsets.UTF_8)) {
      JobApp app = new JobApp(session);
      ChildLoop.run(app::handle, socket.getInputStream(), out);
    }
  }

  private Object handle(String[] words) throws InterruptedException, TimeoutException {
    return switch (words[0]) {
      case "app" -> session.sparkContext().applicationId();
      case "run" ->
          run(
              JobLoad.valueOf(words[1]),
              Integer.parseInt(words[2]),
              Long.parseLong(words[3]),
              Boolean.parseBoolean(words[4]));
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    };
  }

  private JobRun run(JobLoad load, int reduces, long records, boolean allBytes)
      throws InterruptedException, TimeoutException {
    SparkContext sc = session.sparkContext();
    int firstShuffle = sc.newShuffleId();
    settle(sc);
    long start = System.nanoTime();
    JobDigest.Total digest = JobDigest.total(digests(load, reduces, records, allBytes));
    double seconds = (System.nanoTime() - start) / 1e9;
    TaskTotals totals = settle(sc);
    List<ExecutorFigures> executors = ExecutorFigures.collect(context);
    // Now rather than when the driver's collector finds it: every round starts alike.
    int endShuffle = sc.newShuffleId();
    for (int shuffle = firstShuffle + 1; shuffle < endShuffle; shuffle++) {
      sc.cleaner().get().doCleanupShuffle(shuffle, true);
    }
    return new JobRun(seconds, totals, digest, executors);
  }

  private TaskTotals settle(SparkContext sc) throws TimeoutException {
    sc.listenerBus().waitUntilEmpty();
    return listener.take();
  }

  private List<long[]> digests(JobLoad load, int reduces, long records, boolean allBytes) {
    return switch (load) {
      case PARTITION ->
          records(records)
              .partitionBy(new HashPartitioner(reduces))
              .mapPartitions(pairs -> new JobDigest.OfPairs(allBytes).call(pairs))
              .collect();
      case SORT ->
          records(records)
              .repartitionAndSortWithinPartitions(new HashPartitioner(reduces))
              .mapPartitions(pairs -> new JobDigest.OfPairs(allBytes).call(pairs))
              .collect();
      case SQL_REPARTITION -> {
        Dataset<Row> rows =
            session
                .range(0, records, 1, JobLoad.MAPS)
                .selectExpr("id", "xxhash64(id) as key", "id * 0.25D as value");
        JavaRDD<InternalRow> shuffled =
            new JavaRDD<>(
                rows.repartition(reduces, rows.col("key")).queryExecution().toRdd(),
                ClassTag$.MODULE$.apply(InternalRow.class));
        yield shuffled.mapPartitions(new JobDigest.OfRows()).collect();
      }
    };
  }

  private JavaPairRDD<Long, byte[]> records(long count) {
    List<Integer> maps = IntStream.range(0, JobLoad.MAPS).boxed().toList();
    return context
        .parallelize(maps, JobLoad.MAPS)
        .mapPartitionsToPair(new JobRecords(count / JobLoad.MAPS));
  }
}
