package io.verbena.transport.verbs;

import io.verbena.transport.Read;
import java.util.Arrays;
import java.util.List;

/**
 * READs of one queue pair: those that wait and those that are posted. Cuts READs into work requests
 * of at most one message, never has more posted than the queue pair holds, and asks for a
 * completion of the last request of a list and of one in a few, so that there is always one to
 * come.
 *
 * <p>Nothing is allocated once its arrays are as large as what waits at most.
 *
 * <p>Threads: the caller locks.
 */
final class ReadQueue {
  /** Bits of a sequence number. */
  static final int SEQUENCE_MASK = 0x7fffffff;

  private static final int FENCE = 1;
  private static final int END_OF_LIST = 2;

  private final int depth;
  private final int maxMessage;
  private final int signalEvery;

  // Posted: a ring from the oldest to the next sequence number. A READ stands at its last request.
  private final Read[] posted;
  private int oldest;
  private int next;
  private int unsignalled;

  // Waiting: a ring of READs with where they read from.
  private Read[] waiting = new Read[16];
  private long[] remoteAddresses = new long[16];
  private int[] remoteKeys = new int[16];
  private int[] localKeys = new int[16];
  private byte[] marks = new byte[16];
  private int first;
  private int count;
  // Bytes of the first waiting READ that are posted already.
  private int cut;

  /**
   * Makes a queue.
   *
   * @param depth most work requests posted
   * @param maxMessage most bytes of one
   */
  ReadQueue(int depth, long maxMessage) {
    if (depth < 1 || maxMessage < 1) {
      throw new IllegalArgumentException("depth=" + depth + " maxMessage=" + maxMessage);
    }
    this.depth = depth;
    this.maxMessage = (int) Math.min(Integer.MAX_VALUE, maxMessage);
    this.signalEvery = Math.max(1, depth / 4);
    this.posted = new Read[Integer.highestOneBit(Math.max(1, depth * 2 - 1))];
  }

  /** Work requests that are posted and have not completed. */
  int outstanding() {
    return (next - oldest) & SEQUENCE_MASK;
  }

  /** READs that are not posted, or only in part. */
  int waiting() {
    return count;
  }

  boolean idle() {
    return count == 0 && outstanding() == 0;
  }

  /**
   * Lets a READ wait for its turn.
   *
   * @param fence whether all before it must have completed when it begins
   * @param endOfList whether a completion must tell its end
   */
  void add(
      Read read,
      long remoteAddress,
      int remoteKey,
      int localKey,
      boolean fence,
      boolean endOfList) {
    if (count == waiting.length) {
      grow();
    }
    int at = (first + count) & (waiting.length - 1);
    waiting[at] = read;
    remoteAddresses[at] = remoteAddress;
    remoteKeys[at] = remoteKey;
    localKeys[at] = localKey;
    marks[at] = (byte) ((fence ? FENCE : 0) | (endOfList ? END_OF_LIST : 0));
    count++;
  }

  private void grow() {
    int size = waiting.length;
    Read[] reads = Arrays.copyOf(waiting, 2 * size);
    long[] addresses = Arrays.copyOf(remoteAddresses, 2 * size);
    int[] keys = Arrays.copyOf(remoteKeys, 2 * size);
    int[] locals = Arrays.copyOf(localKeys, 2 * size);
    byte[] flags = Arrays.copyOf(marks, 2 * size);
    for (int i = 0; i < size; i++) {
      int from = (first + i) & (size - 1);
      reads[i] = waiting[from];
      addresses[i] = remoteAddresses[from];
      keys[i] = remoteKeys[from];
      locals[i] = localKeys[from];
      flags[i] = marks[from];
    }
    Arrays.fill(reads, size, 2 * size, null);
    waiting = reads;
    remoteAddresses = addresses;
    remoteKeys = keys;
    localKeys = locals;
    marks = flags;
    first = 0;
  }

  /**
   * Moves READs that wait into work requests, as many as fit.
   *
   * @param wrIdBase what sequence numbers are added to
   * @return requests to post; they count as posted from now on
   */
  int fill(Fabric.WorkRequests into, long wrIdBase) {
    int filled = 0;
    while (count > 0 && filled < into.capacity() && outstanding() < depth) {
      Read read = waiting[first];
      int length = Math.min(read.length() - cut, maxMessage);
      boolean last = cut + length == read.length();
      boolean signal = signal(last);
      into.read(
          filled++,
          wrIdBase + next,
          remoteAddresses[first] + cut,
          remoteKeys[first],
          read.into().address() + read.intoOffset() + cut,
          localKeys[first],
          length,
          cut == 0 && (marks[first] & FENCE) != 0,
          signal);
      posted[slot(next)] = last ? read : null;
      next = (next + 1) & SEQUENCE_MASK;
      cut += length;
      if (last) {
        drop();
      }
    }
    return filled;
  }

  private boolean signal(boolean lastOfRead) {
    unsignalled++;
    boolean ends = lastOfRead && (marks[first] & END_OF_LIST) != 0;
    if (ends || unsignalled >= signalEvery) {
      unsignalled = 0;
      return true;
    }
    return false;
  }

  private void drop() {
    waiting[first] = null;
    first = (first + 1) & (waiting.length - 1);
    count--;
    cut = 0;
  }

  private int slot(int sequence) {
    return sequence & (posted.length - 1);
  }

  /**
   * A completion has come: all requests up to it have ended, because they end in order.
   *
   * @param before receives the READs that ended with requests before it
   * @return the READ that ended with it; null when it was only a part of one
   * @throws IllegalStateException when no such request is posted
   */
  Read complete(int sequence, List<Read> before) {
    int ended = ((sequence - oldest) & SEQUENCE_MASK) + 1;
    if (ended > outstanding()) {
      throw new IllegalStateException(
          "completion of request "
              + sequence
              + ", posted are "
              + outstanding()
              + " from "
              + oldest);
    }
    for (int i = 1; i < ended; i++) {
      Read read = takeOldest();
      if (read != null) {
        before.add(read);
      }
    }
    return takeOldest();
  }

  private Read takeOldest() {
    int slot = slot(oldest);
    Read read = posted[slot];
    posted[slot] = null;
    oldest = (oldest + 1) & SEQUENCE_MASK;
    return read;
  }

  /**
   * Gives up all READs that wait. One that is posted in part stays until its last posted request
   * has completed: its memory is still written to.
   */
  void dropWaiting(List<Read> dropped) {
    while (count > 0) {
      Read read = waiting[first];
      int lastPosted = (next - 1) & SEQUENCE_MASK;
      if (cut > 0 && outstanding() > 0) {
        posted[slot(lastPosted)] = read;
      } else {
        dropped.add(read);
      }
      drop();
    }
  }

  /** Gives up everything: no request is executed any more. */
  void dropAll(List<Read> dropped) {
    while (outstanding() > 0) {
      Read read = takeOldest();
      if (read != null) {
        dropped.add(read);
      }
    }
    dropWaiting(dropped);
  }
}
