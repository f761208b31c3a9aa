package io.verbena.spark;

import org.apache.spark.network.buffer.ManagedBuffer;

/**
 * A buffer that holds nothing before it is converted to what Netty sends, so that there is nothing
 * to count: not everybody in Spark releases a buffer that he has sent, or that he does not send.
 */
abstract class UncountedBuffer extends ManagedBuffer {
  @Override
  public final ManagedBuffer retain() {
    return this;
  }

  @Override
  public final ManagedBuffer release() {
    return this;
  }
}
