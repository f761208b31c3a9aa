package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/** What Spark's block transfer service is given, and how long it holds a shuffle's memory. */
class OfferedBlockTest {
  // Spark's ids of the first shuffle and of the first task, which is a map task.
  private static final int SHUFFLE = 0;
  private static final long MAP = 0;

  @TempDir Path folder;
  private JavaSparkContext context;
  private RdmaShuffleManager manager;
  // Spark removes the shuffle when nobody holds it.
  private JavaPairRDD<Integer, String> shuffled;

  @BeforeEach
  void shuffle() {
    context = new LocalSpark(folder).start();
    shuffled = LocalSpark.shuffled(context);
    shuffled.count();
    manager = (RdmaShuffleManager) SparkEnv.get().shuffleManager();
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private ManagedBuffer askFor(BlockId id) {
    return manager.shuffleBlockResolver().getBlockData(id, Option.empty());
  }

  private long poolBytes() {
    return manager.engineFigures().store().poolBytes();
  }

  @Test
  void aRequestOfWhichABlockIsMissingKeepsNoMemory() {
    ManagedBuffer first = askFor(new ShuffleBlockId(SHUFFLE, MAP, 0));
    assertThatThrownBy(() -> askFor(new ShuffleBlockId(SHUFFLE, 77, 0)))
        .hasMessageContaining("map 77 of shuffle 0 was not published here");
    assertThat(poolBytes()).isPositive();

    // The service releases nothing of a request that failed.
    manager.unregisterShuffle(SHUFFLE);

    assertThat(poolBytes()).isZero();
    assertThatThrownBy(first::convertToNetty)
        .isInstanceOf(IOException.class)
        .hasMessage("nothing of shuffle 0 is here");
  }

  @Test
  void aBlockOnItsWayKeepsItsMemoryUntilTheBufferIsReleased() throws IOException {
    ManagedBuffer block = askFor(new ShuffleBlockId(SHUFFLE, MAP, 0));
    ByteBuffer before = block.nioByteBuffer();
    // As the encoder for SSL does it: what it converted is released, the block is not.
    ByteBuf sent = (ByteBuf) block.convertToNettyForSsl();

    manager.unregisterShuffle(SHUFFLE);

    assertThat(poolBytes()).isPositive();
    assertThat(sent.nioBuffer()).isEqualTo(before);
    assertThat(before.remaining()).isEqualTo((int) block.size());
    sent.release();
    assertThat(poolBytes()).isZero();
  }
}
