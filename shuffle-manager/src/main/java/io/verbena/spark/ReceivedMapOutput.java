package io.verbena.spark;

import static io.verbena.log.LogKey.BLOCK_ID;
import static io.verbena.log.LogKey.NUM_BYTES;
import static io.verbena.log.LogKey.REASON;

import io.verbena.log.KeyedLogger;
import io.verbena.migration.ArrivingMapOutput;
import io.verbena.migration.ArrivingMapOutput.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.storage.BlockId;

/**
 * A map output that another executor uploads to this one. What is wrong with it is told to the
 * sender when the last byte has come: an exception before would end the connection without a word,
 * and other transfers with it.
 *
 * <p>Threads: the connection's.
 */
final class ReceivedMapOutput implements StreamCallbackWithID {
  private static final KeyedLogger LOG = KeyedLogger.of(ReceivedMapOutput.class);

  /** Tells the driver where the map output is. */
  @FunctionalInterface
  interface Report {
    void isHere(BlockId id, long bytes);
  }

  private final BlockId id;
  private final ArrivingMapOutput output;
  private final Report report;
  private Exception fault;
  private long bytes;

  /** Takes {@code output} over. */
  ReceivedMapOutput(BlockId id, ArrivingMapOutput output, Report report) {
    this.id = id;
    this.output = output;
    this.report = report;
  }

  @Override
  public String getID() {
    return id.name();
  }

  @Override
  public void onData(String streamId, ByteBuffer from) {
    bytes += from.remaining();
    if (fault == null) {
      try {
        output.accept(from);
      } catch (IOException | RuntimeException e) {
        fault = e;
        output.close();
      }
    }
    from.position(from.limit());
  }

  /** Readers find the map output before the driver sends them here. */
  @Override
  public void onComplete(String streamId) throws IOException {
    if (fault != null) {
      throw new IOException(id + " was not taken over: " + fault.getMessage(), fault);
    }
    Outcome outcome = output.finish();
    LOG.debug("{}: {} after {} bytes", id, outcome, bytes);
    if (outcome != Outcome.SHUFFLE_GONE) {
      report.isHere(id, bytes);
    }
  }

  /** Also called when {@link #onComplete} has failed. */
  @Override
  public void onFailure(String streamId, Throwable cause) {
    LOG.warn(
        "{} was not taken over, its sender tries again or it is computed again: {} after {} bytes;"
            + " if it repeats, check memory and network of both hosts",
        BLOCK_ID.is(id),
        REASON.is(cause.toString()),
        NUM_BYTES.is(bytes));
    output.close();
  }
}
