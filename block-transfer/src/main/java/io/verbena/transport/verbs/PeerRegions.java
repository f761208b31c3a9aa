package io.verbena.transport.verbs;

import io.verbena.table.ControlReader;
import java.util.Arrays;

/**
 * What is known of a peer's regions: where they lie and with which key. Region records never
 * change, so what is known stays right.
 *
 * <p>Threads: any may look up; {@link #add} by one at a time.
 */
final class PeerRegions {
  private static final byte UNKNOWN = 0;
  private static final byte READABLE = 1;
  private static final byte NO_KEY = 2;

  /** Replaced when it grows; entries are written before their state. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(long[] addresses, long[] lengths, int[] keys, byte[] states) {
    Known(int size) {
      this(new long[size], new long[size], new int[size], new byte[size]);
    }
  }

  private volatile Known known = new Known(0);

  /** Regions from 0 that are known. */
  int count() {
    return known.states().length;
  }

  boolean has(int region) {
    return region >= 0 && region < count() && known.states()[region] != UNKNOWN;
  }

  /** Whether the region was registered with a device when it was made. */
  boolean readable(int region) {
    return known.states()[region] == READABLE;
  }

  long address(int region) {
    return known.addresses()[region];
  }

  long length(int region) {
    return known.lengths()[region];
  }

  int key(int region) {
    return known.keys()[region];
  }

  /** Adds the next region. */
  void add(ControlReader.Region record) {
    Known old = known;
    int id = record.id();
    Known more =
        new Known(
            Arrays.copyOf(old.addresses(), id + 1),
            Arrays.copyOf(old.lengths(), id + 1),
            Arrays.copyOf(old.keys(), id + 1),
            Arrays.copyOf(old.states(), id + 1));
    more.addresses()[id] = record.remoteAddress();
    more.lengths()[id] = record.length();
    more.keys()[id] = record.remoteKey();
    more.states()[id] = record.remote() ? READABLE : NO_KEY;
    known = more;
  }
}
