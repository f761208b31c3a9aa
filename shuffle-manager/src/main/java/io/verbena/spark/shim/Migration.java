package io.verbena.spark.shim;

import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.shuffle.ShuffleBlockInfo;
import org.apache.spark.storage.BlockId;
import scala.Tuple2;
import scala.collection.immutable.List$;

/** Map outputs that leave an executor that is decommissioned, and those that come to another. */
public interface Migration {
  /** The map outputs of this executor that are to migrate. */
  List<ShuffleBlockInfo> stored();

  /**
   * The blocks to upload for a map output, in this order; none when it is not here any more. The
   * buffers hold nothing until they are sent.
   */
  List<Tuple2<BlockId, ManagedBuffer>> blocks(ShuffleBlockInfo mapOutput);

  /**
   * Begins to receive a block.
   *
   * @throws IllegalStateException when it cannot be taken; the message says why
   */
  StreamCallbackWithID receive(BlockId id);

  /** Lets a shuffle stay where it is. Not asked for before Spark 4.0. */
  void skip(int shuffleId);

  /** A list as Spark wants it: its converters differ between Scala 2.12 and 2.13. */
  static <T> scala.collection.immutable.List<T> listOf(List<T> elements) {
    scala.collection.immutable.List<T> list = List$.MODULE$.empty();
    for (int i = elements.size() - 1; i >= 0; i--) {
      list = list.$colon$colon(elements.get(i));
    }
    return list;
  }
}
