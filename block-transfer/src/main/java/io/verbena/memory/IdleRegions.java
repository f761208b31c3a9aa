package io.verbena.memory;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** Regions of which nobody owns anything, and since when. Threads: guarded by the regions' lock. */
final class IdleRegions {
  private final IdentityHashMap<Region, Long> since = new IdentityHashMap<>();

  /** Something of the region was given back. */
  void freed(Region region) {
    if (region.space().free() == region.space().frontier()) {
      since.put(region, System.nanoTime());
    }
  }

  /** Something of the region was taken. */
  void taken(Region region) {
    if (!since.isEmpty()) {
      since.remove(region);
    }
  }

  void forget(Region region) {
    since.remove(region);
  }

  /** Those of some regions that are idle for so long, in order. */
  List<Region> idleFor(long nanos, List<Region> of) {
    long now = System.nanoTime();
    List<Region> idle = new ArrayList<>();
    for (Region region : of) {
      Long begin = since.get(region);
      if (begin != null && now - begin >= nanos) {
        idle.add(region);
      }
    }
    return idle;
  }

  int count() {
    return since.size();
  }
}
