package io.verbena.migration;

import io.verbena.store.ShuffleStore;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Map outputs on their way into a store, each by one transfer at a time: their run files have the
 * same names.
 *
 * <p>Threads: any.
 */
public final class Arrivals {
  private record MapOutputId(int shuffleId, long mapId) {}

  private final ShuffleStore store;
  private final Set<MapOutputId> underway = ConcurrentHashMap.newKeySet();

  /** Into a store, which stays open as long as anything arrives. */
  public Arrivals(ShuffleStore store) {
    this.store = store;
  }

  /**
   * Begins a transfer. The caller closes it.
   *
   * @throws IOException when another transfer of this map output has not ended
   */
  public ArrivingMapOutput begin(int shuffleId, long mapId) throws IOException {
    MapOutputId id = new MapOutputId(shuffleId, mapId);
    if (!underway.add(id)) {
      throw new IOException(
          "map %d of shuffle %d is on its way here by another transfer; try again when that has ended"
              .formatted(mapId, shuffleId));
    }
    return new ArrivingMapOutput(store, shuffleId, mapId, () -> underway.remove(id));
  }
}
