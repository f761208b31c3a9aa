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
  private final Migration migration;

  CurrentBlockResolver(SparkConf conf, BlockSource source, Migration migration) {
    super(conf, (BlockManager) null);
    this.source = source;
    this.migration = migration;
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

  @Override
  public List<ShuffleBlockInfo> getStoredShuffles() {
    return Migration.listOf(migration.stored());
  }

  @Override
  public List<Tuple2<BlockId, ManagedBuffer>> getMigrationBlocks(ShuffleBlockInfo info) {
    return Migration.listOf(migration.blocks(info));
  }

  @Override
  public StreamCallbackWithID putShuffleBlockAsStream(BlockId id, SerializerManager serializers) {
    // Bytes are kept as they come: encrypted ones stay so.
    return migration.receive(id);
  }

  /** Not in every supported version, so without an override mark. */
  @SuppressWarnings("MissingOverride")
  public void addShuffleToSkip(int shuffleId) {
    migration.skip(shuffleId);
  }
}
