package io.verbena.migration;

import io.verbena.store.ShuffleStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Map outputs on their way into a store, each by one transfer at a time: their run files have the
 * same names. A transfer that stands still is dropped when the next one begins: of a host that is
 * gone the connection may stay for hours.
 *
 * <p>Threads: any.
 */
public final class Arrivals {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private record MapOutputId(int shuffleId, long mapId) {}

  private final ShuffleStore store;
  private final Duration longestPause;
  private final Map<MapOutputId, ArrivingMapOutput> underway = new ConcurrentHashMap<>();

  /** Into a store, which stays open as long as anything arrives. */
  public Arrivals(ShuffleStore store) {
    this(store, LONGEST_PAUSE);
  }

  /** For tests. */
  Arrivals(ShuffleStore store, Duration longestPause) {
    this.store = store;
    this.longestPause = longestPause;
  }

  /**
   * Begins a transfer. The caller closes it.
   *
   * @throws IOException when another transfer of this map output has not ended
   */
  public ArrivingMapOutput begin(int shuffleId, long mapId) throws IOException {
    for (ArrivingMapOutput each : underway.values()) {
      if (each.stalled(longestPause)) {
        each.close();
      }
    }
    MapOutputId id = new MapOutputId(shuffleId, mapId);
    ArrivingMapOutput arriving =
        new ArrivingMapOutput(store, shuffleId, mapId, ended -> underway.remove(id, ended));
    if (underway.putIfAbsent(id, arriving) != null) {
      throw new IOException(
          "map %d of shuffle %d is on its way here by another transfer; try again when that has ended"
              .formatted(mapId, shuffleId));
    }
    return arriving;
  }
}
