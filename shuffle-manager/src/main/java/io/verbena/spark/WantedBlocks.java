package io.verbena.spark;

import io.verbena.fetch.BlockId;
import io.verbena.fetch.FetchException;
import io.verbena.fetch.Peer;
import io.verbena.fetch.PeerBlocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;

/** What a reduce task wants and where Spark's map output tracker says it is. */
final class WantedBlocks {
  private final int shuffleId;
  private final Map<String, BlockManagerId> locations = new HashMap<>();
  private final List<PeerBlocks> peers = new ArrayList<>();

  /** Takes over what {@code MapOutputTracker.getMapSizesByExecutorId} answered. */
  WantedBlocks(
      int shuffleId,
      Iterator<
              Tuple2<BlockManagerId, Seq<Tuple3<org.apache.spark.storage.BlockId, Object, Object>>>>
          sizes) {
    this.shuffleId = shuffleId;
    while (sizes.hasNext()) {
      var entry = sizes.next();
      add(entry._1(), entry._2().iterator());
    }
  }

  private void add(
      BlockManagerId location,
      Iterator<Tuple3<org.apache.spark.storage.BlockId, Object, Object>> entries) {
    List<BlockId> blocks = new ArrayList<>();
    long bytes = 0;
    while (entries.hasNext()) {
      var entry = entries.next();
      ShuffleBlockId id = (ShuffleBlockId) entry._1();
      blocks.add(new BlockId(id.mapId(), (Integer) entry._3(), id.reduceId()));
      bytes += (Long) entry._2();
    }
    if (!blocks.isEmpty()) {
      Peer peer = new Peer(location.executorId(), location.host(), location.port());
      locations.put(peer.executorId(), location);
      peers.add(new PeerBlocks(peer, blocks, bytes));
    }
  }

  List<PeerBlocks> peers() {
    return peers;
  }

  /**
   * Spark's form of a fetch failure. Making it marks the task as failed, so throw it at once, and
   * make it on the task's thread.
   */
  FetchFailedException failure(FetchException e) {
    BlockId block = e.block();
    return new FetchFailedException(
        locations.get(e.peer().executorId()),
        shuffleId,
        block.mapId(),
        block.mapIndex(),
        block.partition(),
        e.getMessage(),
        e);
  }
}
