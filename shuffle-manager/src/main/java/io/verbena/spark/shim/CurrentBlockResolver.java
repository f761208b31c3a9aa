package io.verbena.spark.shim;

import org.apache.spark.SparkConf;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.network.shuffle.MergedBlockMeta;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleBlockInfo;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.ShuffleMergedBlockId;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;

/** For Spark 4.0 and later. The block manager is looked up when it is needed. */
final class CurrentBlockResolver extends IndexShuffleBlockResolver implements SequenceReturns {
  private final BlockSource source;

  CurrentBlockResolver(SparkConf conf, BlockSource source) {
    super(conf, (BlockManager) null);
    this.source = source;
  }

  @Override
  public ManagedBuffer getBlockData(BlockId id, Option<String[]> directories) {
    return BlockResolvers.block(source, id, directories);
  }

  /** No files that an external service could delete. */
  @Override
  public List<BlockId> getBlocksForShuffle(int shuffleId, long mapId) {
    return List$.MODULE$.empty();
  }

  @Override
  public List<ManagedBuffer> getMergedBlockData(
      ShuffleMergedBlockId id, Option<String[]> directories) {
    throw BlockResolvers.noMergedBlocks(id);
  }

  @Override
  public MergedBlockMeta getMergedBlockMeta(ShuffleMergedBlockId id, Option<String[]> directories) {
    throw BlockResolvers.noMergedBlocks(id);
  }

  /** Nothing that could migrate; readers of a decommissioned executor's outputs recompute them. */
  @Override
  public List<ShuffleBlockInfo> getStoredShuffles() {
    return List$.MODULE$.empty();
  }

  @Override
  public List<Tuple2<BlockId, ManagedBuffer>> getMigrationBlocks(ShuffleBlockInfo info) {
    return List$.MODULE$.empty();
  }

  @Override
  public StreamCallbackWithID putShuffleBlockAsStream(BlockId id, SerializerManager serializers) {
    throw BlockResolvers.noMigratedBlocks(id);
  }

  /** Not in every supported version, so without an override mark. */
  @SuppressWarnings("MissingOverride")
  public void addShuffleToSkip(int shuffleId) {}
}
