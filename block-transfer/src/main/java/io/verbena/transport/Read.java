package io.verbena.transport;

import io.verbena.memory.MemoryView;
import java.util.Objects;

/**
 * One READ: bytes of a peer's region into a local slice.
 *
 * @param region the peer's region id, or {@link Connection#CONTROL}
 * @param offset bytes from the start of the region
 * @param length bytes, more than 0
 * @param into receives the bytes
 * @param intoOffset where in {@code into}
 * @param completion told of the end
 * @param ordered whether it must not see older memory than those before it in the list; a network
 *     adapter begins it when all of them have come
 */
public record Read(
    int region,
    int offset,
    int length,
    MemoryView into,
    int intoOffset,
    Completion completion,
    boolean ordered) {

  /** An ordered READ. */
  public Read(
      int region, int offset, int length, MemoryView into, int intoOffset, Completion completion) {
    this(region, offset, length, into, intoOffset, completion, true);
  }

  /** Refuses a slice outside {@code into}, so that no connection has to. */
  public Read {
    if (length <= 0) {
      throw new IllegalArgumentException("length=" + length + ", expected more than 0");
    }
    Objects.checkFromIndexSize(intoOffset, length, into.capacity());
    Objects.requireNonNull(completion, "completion");
  }

  /**
   * Why this READ names bytes that its region does not have; null when it has them.
   *
   * @param regionLength bytes of the region
   */
  public OutOfRegionException outside(String executorId, long regionLength) {
    if (offset >= 0 && (long) offset + length <= regionLength) {
      return null;
    }
    return new OutOfRegionException(
        "READ of "
            + length
            + " bytes at "
            + Integer.toUnsignedLong(offset)
            + " of region "
            + region
            + " of executor "
            + executorId
            + ", which has "
            + regionLength
            + " bytes");
  }

  /** Learns how a READ ended. */
  @FunctionalInterface
  public interface Completion {
    /**
     * Called exactly once.
     *
     * @param failure null after success; {@link OutOfRegionException} when the region has no such
     *     bytes; anything else means that the connection is broken
     */
    void done(java.io.IOException failure);
  }
}
