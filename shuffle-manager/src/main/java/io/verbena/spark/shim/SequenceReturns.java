package io.verbena.spark.shim;

import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.shuffle.ShuffleBlockInfo;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleMergedBlockId;
import scala.Option;
import scala.collection.Seq;

/**
 * The return types that these methods have under Scala 2.12. A resolver that implements this beside
 * Spark's own interface and returns an immutable list gets both bridges from the compiler.
 */
interface SequenceReturns {
  Seq<ManagedBuffer> getMergedBlockData(ShuffleMergedBlockId id, Option<String[]> directories);

  Seq<BlockId> getBlocksForShuffle(int shuffleId, long mapId);

  Seq<ShuffleBlockInfo> getStoredShuffles();
}
