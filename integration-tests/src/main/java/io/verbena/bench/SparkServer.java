package io.verbena.bench;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkEnv$;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/**
 * Main class of the process that serves blocks Spark's way: an executor's environment with Spark's
 * own block manager, transfer service and shuffle file resolver, registered with the reading
 * process as its driver. Runs no tasks.
 */
final class SparkServer {
  static final String EXECUTOR_ID = "1";

  private final SparkEnv env;

  private SparkServer(SparkEnv env) {
    this.env = env;
  }

  /** Arguments: the driver's port, the application's id, a folder for shuffle files. */
  public static void main(String[] args) throws IOException {
    SparkConf conf =
        SparkPeer.conf(args[2])
            .set("spark.driver.host", SparkPeer.HOST)
            .set("spark.driver.port", args[0])
            .set("spark.app.id", args[1]);
    SparkEnv env =
        SparkEnv$.MODULE$.createExecutorEnv(
            conf, EXECUTOR_ID, SparkPeer.HOST, SparkPeer.HOST, 1, Option.empty(), false);
    env.initializeShuffleManager();
    env.blockManager().initialize(args[1]);
    SparkServer server = new SparkServer(env);
    ChildLoop.run(server::handle);
    // Spark's threads are no daemons throughout.
    System.exit(0);
  }

  private Object handle(String[] words) throws IOException {
    return switch (words[0]) {
      case "port" -> port();
      case "write" ->
          write(
              Integer.parseInt(words[1]),
              new FetchShape(
                  Integer.parseInt(words[2]),
                  Integer.parseInt(words[3]),
                  Integer.parseInt(words[4])));
      default -> throw new IllegalArgumentException("unknown command: " + words[0]);
    };
  }

  private int port() {
    BlockManagerId id = env.blockManager().blockManagerId();
    return id.port();
  }

  /** Writes map outputs as Spark's sort shuffle leaves them: a data file and an index file each. */
  private long write(int shuffle, FetchShape shape) throws IOException {
    IndexShuffleBlockResolver resolver =
        (IndexShuffleBlockResolver) env.shuffleManager().shuffleBlockResolver();
    byte[] block = new byte[shape.blockSize()];
    long[] lengths = new long[shape.partitions()];
    Arrays.fill(lengths, block.length);
    for (int map = 0; map < shape.maps(); map++) {
      File temporary = resolver.createTempFile(resolver.getDataFile(shuffle, map));
      try (OutputStream out =
          new BufferedOutputStream(new FileOutputStream(temporary), 1024 * 1024)) {
        for (int partition = 0; partition < shape.partitions(); partition++) {
          BlockData.fill(block, shuffle, map, partition);
          out.write(block);
        }
      }
      resolver.writeMetadataFileAndCommit(shuffle, map, lengths, new long[0], temporary);
    }
    return shape.bytes();
  }
}
