package io.verbena.fetch;

import io.verbena.transport.Transport;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Receive buffers of one process. Reading ahead stops one buffer short of the limit, which is left
 * for location rows; the buffer without which a task could not go on is always given, so no task
 * ever waits for another's buffer. One reader alone therefore stays within the limit, or within two
 * buffers if the limit is less; each further one adds two at most.
 *
 * <p>Threads: any.
 */
final class ReceiveBuffers {
  private final int room;
  private final int limit;
  private final List<Transport> transports;
  private final ArrayDeque<ReceiveBuffer> idle = new ArrayDeque<>();
  private int given;
  private int most;

  /**
   * Makes a stock.
   *
   * @param limitBytes bytes of all buffers that reading ahead may take
   * @param room bytes of data in one buffer
   * @param transports told of each buffer
   */
  ReceiveBuffers(long limitBytes, int room, List<Transport> transports) {
    this.room = room;
    this.transports = List.copyOf(transports);
    this.limit = (int) Math.min(Integer.MAX_VALUE, limitBytes / room);
  }

  /** Bytes of data in one buffer. */
  int room() {
    return room;
  }

  /** Most buffers that reading ahead may take. */
  int limit() {
    return limit;
  }

  /** Bytes of data in so many buffers. */
  long bytes(int buffers) {
    return (long) buffers * room;
  }

  /** A buffer for reading ahead; null when the limit is used up. */
  ReceiveBuffer tryTake() {
    synchronized (this) {
      if (given >= limit - 1) {
        return null;
      }
    }
    return take();
  }

  /** A buffer that a task cannot go on without. */
  ReceiveBuffer take() {
    synchronized (this) {
      given++;
      most = Math.max(most, given);
      ReceiveBuffer buffer = idle.pollFirst();
      if (buffer != null) {
        return buffer;
      }
    }
    try {
      return new ReceiveBuffer(room, transports);
    } catch (OutOfMemoryError e) {
      synchronized (this) {
        given--;
      }
      throw e;
    }
  }

  /** Takes a buffer back that nobody writes into any more. */
  void give(ReceiveBuffer buffer) {
    synchronized (this) {
      given--;
      if (given + idle.size() < Math.max(1, limit)) {
        idle.addFirst(buffer);
        return;
      }
    }
    buffer.discard();
  }

  /** Buffers that are out. */
  synchronized int given() {
    return given;
  }

  /** Most buffers that were out at a time. */
  synchronized int most() {
    return most;
  }
}
