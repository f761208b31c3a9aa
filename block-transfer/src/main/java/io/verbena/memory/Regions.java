package io.verbena.memory;

import static io.verbena.log.LogKey.BACKING;
import static io.verbena.log.LogKey.NUM_BYTES;
import static io.verbena.log.LogKey.PATH;
import static io.verbena.log.LogKey.REASON;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The regions of a pool and who owns what of them. Holes of all regions are used before any region
 * takes more from its backing; when no region has room, a new one is made in the current place, and
 * a place that fails is left for the next one for good. A region that nobody needs for a while is
 * given back, file and memory.
 *
 * <p>Threads: any. One lock guards everything; nobody does input or output while holding it.
 */
final class Regions {
  private static final KeyedLogger LOG = KeyedLogger.of(Regions.class);

  private static final long DEADLINE_SECONDS = 60;

  /** Of the regions that can ever be made, the part that only tables may use: one in 16. */
  private static final int TABLES_SHARE = 16;

  private final PoolSettings settings;
  private final Places places;
  private final int maxRunRegions;
  private final long limit;
  private final RegionMaker maker;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long changes;

  // Region ids are indexes; null where a region was given back.
  private final List<Region> all = new ArrayList<>();
  private final List<Region> forRuns = new ArrayList<>();
  private final List<Region> overflow = new ArrayList<>();
  // Out of use, but their memory is not given back yet.
  private final List<Region> leaving = new ArrayList<>();
  private final IdleRegions idle = new IdleRegions();
  private final LimitNotice limitNotice;
  private int place;
  private boolean making;
  private boolean makingOverflow;
  private IOException overflowFailure;
  private long used;
  private long usedByTables;
  private long highWater;
  private boolean closed;

  Regions(
      PoolSettings settings,
      Places places,
      long limit,
      int maxRegions,
      Pool.RegionListener listener) {
    this.settings = settings;
    this.places = places;
    this.limit = limit;
    this.limitNotice = new LimitNotice(limit);
    this.maxRunRegions = maxRegions - Math.max(1, maxRegions / TABLES_SHARE);
    this.maker = new RegionMaker(maxRegions, listener);
    if (settings.prefault()) {
      prepareFirst();
    }
  }

  private void prepareFirst() {
    lock.lock();
    try {
      if (mayMake(FreeSpace.UNIT)) {
        request();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes an extent.
   *
   * @return the extent; null when the pool is full, which it never is for tables
   * @throws IOException when not even the disk holds a table, or the thread was interrupted
   */
  Extent allocate(int length, boolean table) throws IOException {
    int units = FreeSpace.units(length);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    lock.lock();
    try {
      for (; ; ) {
        if (closed) {
          throw new IllegalStateException("the pool of " + settings.name() + " is closed");
        }
        boolean mayMake = length <= settings.regionSize() && mayMake((long) units * FreeSpace.UNIT);
        Extent extent = take(units, length, table, mayMake);
        if (extent != null) {
          return extent;
        }
        if (mayMake) {
          request();
        } else if (table) {
          requestOverflow(Math.max(settings.regionSize(), units * FreeSpace.UNIT));
        } else {
          sayIfLimited();
          return null;
        }
        awaitChange(deadline);
        if (table && overflowFailure != null) {
          IOException failure = overflowFailure;
          overflowFailure = null;
          throw new IOException("no room for location tables: " + failure.getMessage(), failure);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** What else ends the making of regions is said where it happens. */
  private void sayIfLimited() {
    if (place < places.forRuns().size() && all.size() < maxRunRegions) {
      limitNotice.reached(used);
    }
  }

  private Extent take(int units, int length, boolean table, boolean mayMake) {
    Extent extent = take(forRuns, units, length, room());
    if (extent == null && table && !mayMake) {
      extent = take(overflow, units, length, Long.MAX_VALUE);
    }
    if (extent != null) {
      idle.taken(extent.region());
      used += extent.size();
      usedByTables += table ? extent.size() : 0;
      highWater = Math.max(highWater, sum(all) + sum(leaving));
      prepareNext();
    }
    return extent;
  }

  private static Extent take(List<Region> from, int units, int length, long room) {
    for (Region region : from) {
      int offset = region.space().takeHole(units);
      if (offset >= 0) {
        return new Extent(region, offset * FreeSpace.UNIT, length);
      }
    }
    for (Region region : from) {
      int growth = region.space().growthFor(units);
      if (growth >= 0 && region.growth(growth) <= room) {
        return new Extent(region, region.space().takeAtFrontier(units) * FreeSpace.UNIT, length);
      }
    }
    return null;
  }

  /** Whether a region may be made for an extent of so many bytes. */
  private boolean mayMake(long bytes) {
    if (place >= places.forRuns().size() || all.size() >= maxRunRegions) {
      return false;
    }
    Place where = places.forRuns().get(place);
    int size = settings.regionSize();
    long needed = where.reservesWhole() ? size : HugePages.atLeast(where.backing(), size, bytes);
    return needed <= room();
  }

  /** Bytes that regions may take until the limit is reached. */
  private long room() {
    return limit - sum(forRuns) - sum(leaving);
  }

  private void prepareNext() {
    if (settings.prefault() && !forRuns.isEmpty()) {
      Region newest = forRuns.get(forRuns.size() - 1);
      boolean nearlyFull = newest.space().untouched() < newest.size() / FreeSpace.UNIT / 4;
      if (nearlyFull && mayMake(settings.regionSize())) {
        request();
      }
    }
  }

  private void request() {
    if (!making) {
      making = true;
      Place where = places.forRuns().get(place);
      maker.request(
          List.of(where), settings.regionSize(), (region, failure) -> made(where, region, failure));
    }
  }

  private void made(Place where, Region region, IOException failure) {
    lock.lock();
    try {
      making = false;
      if (region == null) {
        leave(where, failure);
      } else {
        all.add(region);
        forRuns.add(region);
      }
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  private void requestOverflow(int size) {
    if (!makingOverflow) {
      makingOverflow = true;
      List<Place> disks =
          places.all().stream().filter(disk -> disk.backing() == Backing.DISK).toList();
      maker.request(disks, size, this::madeOverflow);
    }
  }

  private void madeOverflow(Region region, IOException failure) {
    lock.lock();
    try {
      makingOverflow = false;
      overflowFailure = failure;
      if (region != null) {
        LOG.info(
            "the pool has no room for {}, location tables go on in {}",
            Sizes.text(region.size()),
            PATH.is(region.path()),
            NUM_BYTES.also(region.size()));
        all.add(region);
        overflow.add(region);
      }
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  private void signalChange() {
    changes++;
    changed.signalAll();
  }

  private void awaitChange(long deadline) throws IOException {
    long seen = changes;
    long left = deadline - System.nanoTime();
    try {
      while (changes == seen && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a region");
    }
    if (changes == seen) {
      throw new IOException(
          "no region was made within "
              + DEADLINE_SECONDS
              + " s: the machine or its disk is overloaded");
    }
  }

  /** An extent's backing was full when it was written: nobody gets these bytes again. */
  void giveUp(Extent extent, boolean table, IOException cause) {
    lock.lock();
    try {
      account(extent, table);
      Region region = extent.region();
      region.space().seal();
      if (forRuns.contains(region)) {
        leave(region.place(), cause);
      }
    } finally {
      lock.unlock();
    }
  }

  boolean isOverflow(Extent extent) {
    lock.lock();
    try {
      return overflow.contains(extent.region());
    } finally {
      lock.unlock();
    }
  }

  private void leave(Place from, IOException cause) {
    List<Place> candidates = places.forRuns();
    if (closed || place >= candidates.size() || !candidates.get(place).equals(from)) {
      return;
    }
    place++;
    LOG.warn(
        "no more regions on {} at {}, {}: {}; for more room see spark.shuffle.rdma.pool.limit and"
            + " .backings",
        BACKING.is(from.backing().optionName()),
        PATH.is(from.path()),
        place < candidates.size()
            ? "next is "
                + candidates.get(place).backing().optionName()
                + " at "
                + candidates.get(place).path()
            : "map outputs without room go to files",
        REASON.is(cause.toString()));
  }

  void free(Extent extent, boolean table) {
    lock.lock();
    try {
      account(extent, table);
      extent
          .region()
          .space()
          .release(extent.offset() / FreeSpace.UNIT, FreeSpace.units(extent.length()));
      idle.freed(extent.region());
    } finally {
      lock.unlock();
    }
  }

  void free(ExtentList extents, boolean table) {
    lock.lock();
    try {
      for (int i = 0; i < extents.size(); i++) {
        Region region = all.get(extents.region(i));
        free(new Extent(region, extents.offset(i), extents.length(i)), table);
      }
      extents.clear();
    } finally {
      lock.unlock();
    }
  }

  private void account(Extent extent, boolean table) {
    used -= extent.size();
    limitNotice.freed(used);
    usedByTables -= table ? extent.size() : 0;
  }

  private static long sum(List<Region> regions) {
    long bytes = 0;
    for (Region region : regions) {
      bytes += region == null ? 0 : region.reserved();
    }
    return bytes;
  }

  Region get(int id) {
    lock.lock();
    try {
      Region region = all.get(id);
      if (region == null) {
        throw new IndexOutOfBoundsException("region=" + id + " was given back");
      }
      return region;
    } finally {
      lock.unlock();
    }
  }

  /** Whether regions are idle beyond the one that is kept for the next shuffle. */
  boolean hasIdle() {
    lock.lock();
    try {
      return !closed && idle.count() > 1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes regions out of use that are idle for so long, all but one of those for runs. Ids are not
   * used again, so when half of all are gone the rest is kept.
   */
  List<Region> takeIdle(long nanos) {
    lock.lock();
    try {
      if (closed || all.size() > maxRunRegions / 2) {
        return List.of();
      }
      List<Region> taken = idle.idleFor(nanos, forRuns);
      if (!taken.isEmpty()) {
        taken.remove(0);
      }
      taken.addAll(idle.idleFor(nanos, overflow));
      for (Region region : taken) {
        all.set(region.id(), null);
        idle.forget(region);
        overflow.remove(region);
        if (forRuns.remove(region)) {
          leaving.add(region);
        }
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** The memory of regions that left is given back. */
  void left(List<Region> gone) {
    lock.lock();
    try {
      leaving.removeAll(gone);
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  PoolStats stats() {
    lock.lock();
    try {
      String backing =
          forRuns.isEmpty()
              ? "none"
              : forRuns.get(forRuns.size() - 1).place().backing().optionName();
      long reserved = sum(all) + sum(leaving);
      return new PoolStats(used, usedByTables, reserved, byBacking(), highWater, limit, backing);
    } finally {
      lock.unlock();
    }
  }

  private Map<Backing, Long> byBacking() {
    Map<Backing, Long> bytes = new EnumMap<>(Backing.class);
    Stream.concat(all.stream(), leaving.stream())
        .filter(Objects::nonNull)
        .forEach(each -> bytes.merge(each.place().backing(), each.reserved(), Long::sum));
    return bytes;
  }

  /** Ends the making of regions; gives those that were made when no more can come, else null. */
  List<Region> close() throws IOException {
    lock.lock();
    try {
      closed = true;
      signalChange();
    } finally {
      lock.unlock();
    }
    boolean ended = maker.end();
    lock.lock();
    try {
      List<Region> made = all.stream().filter(Objects::nonNull).toList();
      for (Region region : made) {
        region.closeChannels();
      }
      return ended ? made : null;
    } finally {
      lock.unlock();
    }
  }
}
