package io.verbena.transport.verbs;

import java.util.ArrayList;
import java.util.List;

/**
 * The queue pairs of one device, by the number that their work requests carry. A number is not
 * given again soon, so a late completion of a queue pair that is gone finds nobody.
 *
 * <p>Threads: any; looking up takes no lock.
 */
final class Endpoints {
  private static final int NUMBER_BITS = 31;

  /** One side of a queue pair. */
  interface Endpoint {
    /**
     * A work request has ended.
     *
     * @param low what {@link #low} gave of its id
     * @param status 0 for success
     */
    void completed(int low, int status, int vendorError);

    /** The device is gone. */
    void lost(String reason);
  }

  private record Entry(int number, Endpoint endpoint) {}

  // Replaced when it grows; a power of two of places.
  private volatile Entry[] table = new Entry[64];
  private int lastNumber;
  private int live;

  /** Gives an endpoint its number. */
  synchronized int add(Endpoint endpoint) {
    if (2 * (live + 1) > table.length) {
      grow();
    }
    Entry[] now = table;
    do {
      lastNumber = (lastNumber + 1) & ((1 << NUMBER_BITS) - 1);
    } while (now[lastNumber & (now.length - 1)] != null);
    Entry[] next = now.clone();
    next[lastNumber & (now.length - 1)] = new Entry(lastNumber, endpoint);
    table = next;
    live++;
    return lastNumber;
  }

  private void grow() {
    Entry[] more = new Entry[2 * table.length];
    for (Entry entry : table) {
      if (entry != null) {
        more[entry.number() & (more.length - 1)] = entry;
      }
    }
    table = more;
  }

  synchronized void remove(int number) {
    Entry[] next = table.clone();
    int place = number & (next.length - 1);
    if (next[place] != null && next[place].number() == number) {
      next[place] = null;
      table = next;
      live--;
    }
  }

  /** The endpoint of a work request; null when it is gone. */
  Endpoint find(long wrId) {
    int number = (int) (wrId >>> 32);
    Entry[] now = table;
    Entry entry = now[number & (now.length - 1)];
    return entry == null || entry.number() != number ? null : entry.endpoint();
  }

  List<Endpoint> all() {
    List<Endpoint> all = new ArrayList<>();
    for (Entry entry : table) {
      if (entry != null) {
        all.add(entry.endpoint());
      }
    }
    return all;
  }

  /** Id of a work request of an endpoint. */
  static long wrId(int number, int low) {
    return ((long) number << 32) | (low & 0xffffffffL);
  }

  /** The endpoint's own part of an id. */
  static int low(long wrId) {
    return (int) wrId;
  }
}
