package io.verbena.spark;

import static io.verbena.log.LogKey.MAP_ID;
import static io.verbena.log.LogKey.REASON;
import static io.verbena.log.LogKey.SHUFFLE_ID;

import io.verbena.log.KeyedLogger;
import io.verbena.spark.shim.Migration;
import io.verbena.store.ShuffleLease;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.shuffle.ShuffleBlockInfo;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.ShuffleDataBlockId;
import org.apache.spark.storage.ShuffleIndexBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * What Spark asks for when an executor is decommissioned: which map outputs are here, their bytes,
 * and to take those of others. A map output travels as one block under the name of Spark's index
 * file: it is the one that makes the driver change the map output's location.
 *
 * <p>Threads: any.
 */
final class MapOutputMigration implements Migration {
  private static final KeyedLogger LOG = KeyedLogger.of(MapOutputMigration.class);

  static final String MAX_DISK_SIZE_KEY = "spark.storage.decommission.shuffleBlocks.maxDiskSize";

  // Spark's own files carry no reduce partition either.
  private static final int NO_PARTITION = 0;

  private final Supplier<Optional<ExecutorEngine>> running;
  private final Supplier<ExecutorEngine> started;
  private final Leases leases;
  private final long mostBytes;
  private final Set<Integer> skipped = ConcurrentHashMap.newKeySet();

  /**
   * Does nothing yet.
   *
   * @param running the engine, if one was started
   * @param started starts the engine if need be
   */
  MapOutputMigration(
      SparkConf conf,
      Supplier<Optional<ExecutorEngine>> running,
      Supplier<ExecutorEngine> started,
      Leases leases) {
    this.running = running;
    this.started = started;
    this.leases = leases;
    this.mostBytes =
        conf.contains(MAX_DISK_SIZE_KEY) ? conf.getSizeAsBytes(MAX_DISK_SIZE_KEY) : Long.MAX_VALUE;
  }

  @Override
  public List<ShuffleBlockInfo> stored() {
    List<ShuffleBlockInfo> found = new ArrayList<>();
    running.get().map(ExecutorEngine::store).ifPresent(store -> addAll(store, found));
    return found;
  }

  private void addAll(ShuffleStore store, List<ShuffleBlockInfo> found) {
    for (int shuffleId : store.shuffleIds()) {
      Optional<ShuffleLease> held =
          skipped.contains(shuffleId) ? Optional.empty() : store.lease(shuffleId);
      held.ifPresent(
          lease -> {
            try (lease) {
              for (long mapId : lease.mapIds()) {
                found.add(new ShuffleBlockInfo(shuffleId, mapId));
              }
            }
          });
    }
  }

  @Override
  public List<Tuple2<BlockId, ManagedBuffer>> blocks(ShuffleBlockInfo mapOutput) {
    int shuffleId = mapOutput.shuffleId();
    long mapId = mapOutput.mapId();
    try {
      return List.of(
          new Tuple2<>(
              new ShuffleIndexBlockId(shuffleId, mapId, NO_PARTITION),
              new MigratedMapOutput(shuffleId, mapId, leases)));
    } catch (IOException e) {
      // As when its shuffle was removed, which is no fault; Spark says that it skips it.
      LOG.info(
          "Map {} of shuffle {} does not migrate: {}",
          MAP_ID.is(mapId),
          SHUFFLE_ID.is(shuffleId),
          REASON.is(e.getMessage()));
      return List.of();
    }
  }

  @Override
  public StreamCallbackWithID receive(BlockId id) {
    if (!(id instanceof ShuffleIndexBlockId mapOutput)) {
      throw new IllegalStateException(id + " is no map output of this shuffle manager");
    }
    ExecutorEngine engine = started.get();
    checkRoom(id, engine.store().stats());
    try {
      return new ReceivedMapOutput(
          id,
          engine.arrivals().begin(mapOutput.shuffleId(), mapOutput.mapId()),
          MapOutputMigration::report);
    } catch (IOException e) {
      throw new IllegalStateException(id + " is not taken over: " + e.getMessage(), e);
    }
  }

  /** As Spark does it, with all bytes of map outputs here, in memory and on disk. */
  private void checkRoom(BlockId id, StoreStats stats) {
    long stored = stats.poolBytes() - stats.tableBytes() + stats.diskBytes();
    if (stored > mostBytes) {
      throw new IllegalStateException(
          "%s is not taken over: map outputs take %d bytes here, %s=%d"
              .formatted(id, stored, MAX_DISK_SIZE_KEY, mostBytes));
    }
  }

  /**
   * Tells the driver, which changes the location when it hears of an index; listeners hear of data
   * and then of an index, as when Spark's own files move.
   */
  private static void report(BlockId id, long bytes) {
    ShuffleIndexBlockId index = (ShuffleIndexBlockId) id;
    reportOne(new ShuffleDataBlockId(index.shuffleId(), index.mapId(), index.reduceId()), bytes);
    reportOne(index, 0);
  }

  private static void reportOne(BlockId id, long bytes) {
    BlockStatus status = new BlockStatus(StorageLevel.DISK_ONLY(), 0, bytes);
    SparkEnv.get().blockManager().reportBlockStatus(id, status, 0);
  }

  @Override
  public void skip(int shuffleId) {
    skipped.add(shuffleId);
  }

  /** A shuffle has ended; its id may come back. */
  void forget(int shuffleId) {
    skipped.remove(shuffleId);
  }
}
