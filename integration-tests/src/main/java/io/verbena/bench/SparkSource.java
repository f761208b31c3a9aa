package io.verbena.bench;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockFetcherIterator;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.util.SystemClock;
import scala.Option;
import scala.Tuple2;
import scala.Tuple3;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Blocks through Spark's own {@link ShuffleBlockFetcherIterator} with Spark's defaults. Whether it
 * reads files or asks the block transfer service it decides by the peer's host name: the same name
 * as ours means files.
 */
final class SparkSource implements BlockSource {
  private static final long MAX_BYTES_IN_FLIGHT = 48L << 20;
  private static final long MAX_REQUEST_TO_MEMORY = 200L << 20;
  private static final int MAX_ATTEMPTS_ON_NETTY_OOM = 10;

  private final SparkEnv env;
  private final BlockManagerId peer;
  private final boolean checksum;

  private SparkSource(SparkEnv env, BlockManagerId peer, boolean checksum) {
    this.env = env;
    this.peer = peer;
    this.checksum = checksum;
  }

  /** Through the block transfer service, over loopback. */
  static SparkSource network(SparkEnv env, int port, boolean checksum) {
    return new SparkSource(env, peer("localhost", port), checksum);
  }

  /** From the peer's files, as {@code spark.shuffle.readHostLocalDisk} has it. */
  static SparkSource hostLocal(SparkEnv env, int port, boolean checksum) {
    return new SparkSource(env, peer(SparkPeer.HOST, port), checksum);
  }

  private static BlockManagerId peer(String host, int port) {
    return BlockManagerId.apply(SparkServer.EXECUTOR_ID, host, port, Option.empty());
  }

  @Override
  public void read(int shuffle, FetchShape shape, int partition, Sink sink) throws IOException {
    TaskContextImpl task = TaskContext$.MODULE$.empty();
    ShuffleBlockFetcherIterator blocks = iterator(task, wanted(shuffle, shape, partition));
    while (blocks.hasNext()) {
      Tuple2<BlockId, InputStream> next = blocks.next();
      ShuffleBlockId id = (ShuffleBlockId) next._1();
      try (InputStream in = next._2()) {
        sink.accept(id.mapId(), id.reduceId(), in);
      }
    }
    task.markTaskCompleted(Option.empty());
  }

  private List<Tuple3<BlockId, Object, Object>> wanted(
      int shuffle, FetchShape shape, int partition) {
    List<Tuple3<BlockId, Object, Object>> blocks = new ArrayList<>(shape.maps());
    for (int map = 0; map < shape.maps(); map++) {
      blocks.add(
          new Tuple3<>(new ShuffleBlockId(shuffle, map, partition), (long) shape.blockSize(), map));
    }
    return blocks;
  }

  private ShuffleBlockFetcherIterator iterator(
      TaskContextImpl task, List<Tuple3<BlockId, Object, Object>> blocks) {
    scala.collection.Seq<Tuple3<BlockId, Object, Object>> seq =
        CollectionConverters.asScala(blocks).toSeq();
    return new ShuffleBlockFetcherIterator(
        task,
        env.blockManager().blockStoreClient(),
        env.blockManager(),
        env.mapOutputTracker(),
        CollectionConverters.asScala(Arrays.asList(new Tuple2<>(peer, seq)).iterator()),
        (id, stream) -> stream,
        MAX_BYTES_IN_FLIGHT,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        MAX_REQUEST_TO_MEMORY,
        MAX_ATTEMPTS_ON_NETTY_OOM,
        true,
        false,
        checksum,
        "ADLER32",
        new TempShuffleReadMetrics(),
        false,
        new SystemClock());
  }

  @Override
  public void close() {}
}
