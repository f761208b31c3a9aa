package io.verbena.spark;

import io.verbena.fetch.BlockId;
import io.verbena.fetch.BlockService;
import io.verbena.fetch.Peer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.storage.ShuffleBlockId;

/**
 * Asks other executors for framed blocks through Spark's own block transfer service. Blocks are
 * asked for one by one in Spark's terms: a batch would lose the frames' bounds.
 */
final class NettyBlockService implements BlockService {
  private final BlockStoreClient client;

  NettyBlockService(BlockStoreClient client) {
    this.client = client;
  }

  @Override
  public void fetch(Peer peer, int shuffleId, List<BlockId> blocks, Listener listener) {
    Map<String, BlockId> pending = new ConcurrentHashMap<>();
    String[] names = new String[blocks.size()];
    for (int i = 0; i < names.length; i++) {
      BlockId block = blocks.get(i);
      names[i] = new ShuffleBlockId(shuffleId, block.mapId(), block.partition()).name();
      pending.put(names[i], block);
    }
    client.fetchBlocks(
        peer.host(), peer.port(), peer.executorId(), names, new Answers(pending, listener), null);
  }

  /** Passes each block on once: Spark's client may report a failure again when it gives up. */
  private static final class Answers implements BlockFetchingListener {
    private final Map<String, BlockId> pending;
    private final Listener listener;

    Answers(Map<String, BlockId> pending, Listener listener) {
      this.pending = pending;
      this.listener = listener;
    }

    @Override
    public void onBlockFetchSuccess(String name, ManagedBuffer data) {
      BlockId block = pending.remove(name);
      if (block == null) {
        return;
      }
      data.retain();
      ByteBuffer frames;
      try {
        frames = data.nioByteBuffer();
      } catch (IOException e) {
        data.release();
        listener.failed(block, e);
        return;
      }
      listener.received(block, frames, data::release);
    }

    @Override
    public void onBlockFetchFailure(String name, Throwable cause) {
      BlockId block = pending.remove(name);
      if (block != null) {
        listener.failed(
            block, cause instanceof IOException io ? io : new IOException(cause.toString(), cause));
      }
    }
  }
}
