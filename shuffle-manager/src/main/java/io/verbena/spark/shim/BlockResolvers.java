package io.verbena.spark.shim;

import org.apache.spark.SparkConf;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.ShuffleMergedBlockId;
import scala.Option;

/**
 * Makes the resolver that Spark's block transfer service asks for blocks. It is one of Spark's own
 * class, because Spark casts; its constructors differ between 3.5 and 4.0.
 */
public final class BlockResolvers {
  private BlockResolvers() {}

  /** Makes a resolver; touches nothing but the configuration. */
  public static IndexShuffleBlockResolver of(
      SparkConf conf, BlockSource source, Migration migration) {
    // Two classes, so that neither constructor is linked where it does not exist.
    return hasShortConstructor()
        ? new CurrentBlockResolver(conf, source, migration)
        : new LegacyBlockResolver(conf, source, migration);
  }

  private static boolean hasShortConstructor() {
    try {
      return IndexShuffleBlockResolver.class.getConstructor(SparkConf.class, BlockManager.class)
          != null;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  static ManagedBuffer block(BlockSource source, BlockId id, Option<String[]> directories) {
    if (directories.isDefined()) {
      throw new UnsupportedOperationException(
          id
              + " was asked for in the directories of another executor; blocks of this shuffle"
              + " manager have no index file there");
    }
    return source.block(id);
  }

  static UnsupportedOperationException noMergedBlocks(ShuffleMergedBlockId id) {
    return new UnsupportedOperationException(
        id + ": this shuffle manager has no merged blocks, spark.shuffle.push.enabled is refused");
  }
}
