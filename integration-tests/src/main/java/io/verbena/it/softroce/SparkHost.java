package io.verbena.it.softroce;

import io.verbena.it.cluster.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkSubmit;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import scala.Option;

/**
 * One host of a standalone Spark cluster in a virtual machine, where the start of a JVM is dear.
 * Master, workers and driver of host a are one process, the worker of host b another; executors are
 * processes of their own, as in every cluster. Environment: what {@code bin/soft-roce} sets, and
 * {@code SPARK_HOME}.
 *
 * <p>Arguments: {@code driver WORKERS FOLDER ARGUMENTS…} starts a master and so many workers, and
 * submits with these arguments of {@code spark-submit}; {@code worker FOLDER} starts a worker of
 * the other host's master. Executors' logs and working directories lie below the folder.
 */
public final class SparkHost {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int CORES = 1;
  private static final int MEMORY_MIB = 1024;

  private SparkHost() {}

  public static void main(String[] args) throws Exception {
    if (args[0].equals("driver")) {
      drive(
          Integer.parseInt(args[1]), Path.of(args[2]), Arrays.asList(args).subList(3, args.length));
      System.exit(0); // The endpoints' threads would go on.
    }
    worker(awaitMaster(), Path.of(args[1]), 1).awaitTermination();
  }

  private static void drive(int workers, Path folder, List<String> submitted) throws IOException {
    int port =
        Master.startRpcEnvAndEndpoint(address(), 0, 0, new SparkConf())._1().address().port();
    String master = "spark://%s:%d".formatted(address(), port);
    IntStream.range(0, workers).forEach(i -> worker(master, folder, i + 2));
    tellMaster(master);
    List<String> arguments =
        new ArrayList<>(List.of("--master", master, "--conf", "spark.driver.host=" + address()));
    arguments.addAll(submitted);
    SparkSubmit.main(arguments.toArray(String[]::new));
  }

  /** In one process each worker needs a number. */
  private static RpcEnv worker(String master, Path folder, int number) {
    return Worker.startRpcEnvAndEndpoint(
        address(),
        0,
        0,
        CORES,
        MEMORY_MIB,
        new String[] {master},
        folder.resolve(System.getenv("SOFT_ROCE_MACHINE") + number).toString(),
        Option.apply(number),
        new SparkConf(),
        Option.empty());
  }

  private static String address() {
    return System.getenv("SOFT_ROCE_ADDRESS");
  }

  private static void tellMaster(String master) throws IOException {
    Path unfinished = Files.writeString(shared("master.unfinished"), master);
    Files.move(unfinished, shared("master"), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String awaitMaster() throws IOException, InterruptedException {
    Await.until("the other host's master", LIMIT, () -> Files.exists(shared("master")));
    return Files.readString(shared("master"));
  }

  private static Path shared(String name) {
    return Path.of(System.getenv("SOFT_ROCE_SHARED"), name);
  }
}
