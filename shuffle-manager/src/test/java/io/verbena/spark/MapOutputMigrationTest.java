package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.handler.stream.ChunkedStream;
import io.verbena.spark.shim.Migration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleBlockInfo;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.storage.ShuffleDataBlockId;
import org.apache.spark.storage.ShuffleIndexBlockId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What Spark's decommissioning asks of the resolver, in one process: a map output leaves, its
 * shuffle is dropped here, and it comes back as from another executor.
 */
class MapOutputMigrationTest {
  @TempDir static Path folder;
  private static JavaSparkContext context;
  private static RdmaShuffleManager manager;

  // Spark removes the shuffle when nobody holds it.
  private JavaPairRDD<Integer, String> shuffled;
  private int shuffle;
  private long map;
  private ShuffleIndexBlockId id;

  @BeforeAll
  static void start() {
    // What migrates stays encrypted.
    context = new LocalSpark(folder).with("spark.io.encryption.enabled", "true").start();
    manager = (RdmaShuffleManager) SparkEnv.get().shuffleManager();
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  @BeforeEach
  void shuffle() {
    shuffled = LocalSpark.shuffled(context);
    shuffled.count();
    shuffle = ((ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head()).shuffleId();
    assertThat(stored()).hasSize(4).allMatch(info -> info.shuffleId() == shuffle);
    map = stored().get(0).mapId();
    id = new ShuffleIndexBlockId(shuffle, map, 0);
  }

  @AfterEach
  void nothingIsLeft() {
    manager.unregisterShuffle(shuffle);
    assertThat(poolBytes()).isZero();
  }

  private IndexShuffleBlockResolver resolver() {
    return manager.shuffleBlockResolver();
  }

  private List<ShuffleBlockInfo> stored() {
    return CollectionConverters.asJava(resolver().getStoredShuffles());
  }

  private List<Tuple2<BlockId, ManagedBuffer>> blocks(long mapId) {
    return CollectionConverters.asJava(
        resolver().getMigrationBlocks(new ShuffleBlockInfo(shuffle, mapId)));
  }

  private ManagedBuffer leaving() {
    List<Tuple2<BlockId, ManagedBuffer>> blocks = blocks(map);
    assertThat(blocks).hasSize(1);
    // Spark's driver looks at no other block to change a map output's location.
    assertThat(blocks.get(0)._1()).isEqualTo(id);
    return blocks.get(0)._2();
  }

  private byte[] leave() throws IOException {
    byte[] bytes = leaving().nioByteBuffer().array();
    manager.unregisterShuffle(shuffle);
    assertThat(poolBytes()).isZero();
    return bytes;
  }

  private StreamCallbackWithID arrive(byte[] bytes) throws IOException {
    StreamCallbackWithID arriving = resolver().putShuffleBlockAsStream(id, null);
    assertThat(arriving.getID()).isEqualTo(id.name());
    int half = bytes.length / 2;
    arriving.onData(id.name(), ByteBuffer.wrap(bytes, 0, half));
    arriving.onData(id.name(), ByteBuffer.wrap(bytes, half, bytes.length - half));
    return arriving;
  }

  private ByteBuffer block(int partition) throws IOException {
    return resolver()
        .getBlockData(new ShuffleBlockId(shuffle, map, partition), Option.empty())
        .nioByteBuffer();
  }

  private long poolBytes() {
    return manager.engineFigures().store().poolBytes();
  }

  private static byte[] read(ManagedBuffer buffer) throws IOException {
    try (var stream = buffer.createInputStream()) {
      return stream.readAllBytes();
    }
  }

  /** A connection that takes little at a time, and often nothing. */
  private static final class SlowConnection implements WritableByteChannel {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private int writes;

    @Override
    public int write(ByteBuffer from) {
      int part = writes++ % 3 == 0 ? 0 : Math.min(from.remaining(), 777);
      for (int i = 0; i < part; i++) {
        sent.write(from.get());
      }
      return part;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void allFormsOfAMapOutputAreTheSame() throws Exception {
    ManagedBuffer buffer = leaving();
    byte[] bytes = read(buffer);
    assertThat(bytes).hasSize((int) buffer.size());
    assertThat(buffer.nioByteBuffer().array()).isEqualTo(bytes);

    FileRegion region = (FileRegion) buffer.convertToNetty();
    assertThat(region.count()).isEqualTo(bytes.length);
    SlowConnection connection = new SlowConnection();
    while (region.transferred() < region.count()) {
      region.transferTo(connection, region.transferred());
    }
    assertThat(connection.sent.toByteArray()).isEqualTo(bytes);
    assertThat(region.release()).isTrue();

    ChunkedStream chunks = (ChunkedStream) buffer.convertToNettyForSsl();
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    while (!chunks.isEndOfInput()) {
      ByteBuf chunk = chunks.readChunk(UnpooledByteBufAllocator.DEFAULT);
      chunk.readBytes(sent, chunk.readableBytes());
      chunk.release();
    }
    chunks.close();
    assertThat(sent.toByteArray()).isEqualTo(bytes);

    manager.unregisterShuffle(shuffle);
    assertThat(poolBytes()).as("every lease has ended").isZero();
  }

  @Test
  void aBufferHoldsMemoryOnlyWhileItIsSent() throws IOException {
    ManagedBuffer buffer = leaving();
    FileRegion region = (FileRegion) buffer.convertToNetty();
    manager.unregisterShuffle(shuffle);
    assertThat(poolBytes()).isPositive();
    region.release();
    assertThat(poolBytes()).isZero();

    assertThatThrownBy(buffer::convertToNetty)
        .isInstanceOf(IOException.class)
        .hasMessage("nothing of shuffle " + shuffle + " is here");
    assertThat(blocks(map)).as("Spark then skips it").isEmpty();
    assertThat(stored()).isEmpty();
  }

  @Test
  void whatComesIsReadAndTheDriverToldOfIt() throws IOException {
    ByteBuffer before = block(1);
    byte[] bytes = leave();

    arrive(bytes).onComplete(id.name());

    assertThat(block(1)).isEqualTo(before);
    assertThat(stored()).containsExactly(new ShuffleBlockInfo(shuffle, map));
    arrive(bytes).onComplete(id.name());
    assertThat(stored()).as("a second time").containsExactly(new ShuffleBlockInfo(shuffle, map));
    manager.unregisterShuffle(shuffle);
    assertThat(poolBytes()).isZero();
  }

  @Test
  void damageIsToldAtTheEndAndLeavesNothing() throws IOException {
    byte[] wrong = leave();
    wrong[100]++;
    StreamCallbackWithID arriving = arrive(wrong);

    assertThatThrownBy(() -> arriving.onComplete(id.name()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            id.name() + " was not taken over: what came is no whole map output: ");
    arriving.onFailure(id.name(), new IOException("as Spark does it"));
    assertThat(poolBytes()).isZero();
    assertThat(stored()).isEmpty();
  }

  @Test
  void aConnectionThatEndsLeavesNothingAndAnotherMayFollow() throws IOException {
    byte[] bytes = leave();
    StreamCallbackWithID first = arrive(bytes);
    assertThatThrownBy(() -> arrive(bytes))
        .hasMessageContaining(
            id.name() + " is not taken over: map " + map + " of shuffle " + shuffle);
    first.onFailure(id.name(), new IOException("connection closed"));
    assertThat(poolBytes()).isZero();

    arrive(bytes).onComplete(id.name());

    assertThat(stored()).hasSize(1);
  }

  @Test
  void aShuffleThatSparkHasRemovedIsDroppedWithoutAFault() throws IOException {
    byte[] bytes = leave();
    ((MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker()).unregisterShuffle(shuffle);

    arrive(bytes).onComplete(id.name());

    assertThat(stored()).isEmpty();
    assertThat(poolBytes()).isZero();
  }

  @Test
  void otherBlocksAreRefused() {
    assertThatThrownBy(
            () -> resolver().putShuffleBlockAsStream(new ShuffleDataBlockId(shuffle, map, 0), null))
        .hasMessage(
            "shuffle_" + shuffle + "_" + map + "_0.data is no map output of this shuffle manager");
  }

  @Test
  void nothingIsTakenBeyondTheLimitForMigratedShuffles() throws IOException {
    SparkConf conf = new SparkConf(false).set(MapOutputMigration.MAX_DISK_SIZE_KEY, "1k");
    Migration limited = new MapOutputMigration(conf, Optional::empty, manager::startEngine, null);

    assertThatThrownBy(() -> limited.receive(id))
        .hasMessageMatching(
            id.name()
                + " is not taken over: map outputs take \\d+ bytes here, "
                + MapOutputMigration.MAX_DISK_SIZE_KEY
                + "=1024");
    manager.unregisterShuffle(shuffle);
    limited.receive(id).onFailure(id.name(), new IOException("as long as there is less"));
  }

  @Test
  void aShuffleThatSparkMarksStays() {
    resolver().addShuffleToSkip(shuffle);
    assertThat(stored()).isEmpty();
  }
}
