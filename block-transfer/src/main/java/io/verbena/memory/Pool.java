package io.verbena.memory;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executor's registered memory: regions, and who owns which extents of them. Grows region by
 * region up to a limit; space that was used before is used again first.
 *
 * <p>Threads: all methods from any thread. Regions are made on a thread of the pool, while callers
 * wait with a deadline.
 *
 * <p>Whoever uses memory of the pool, as extents or views, holds the pool meanwhile: mappings end
 * when the pool is closed and nobody holds it.
 */
public final class Pool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Pool.class);

  /** Extents for run data are at most this part of a region. */
  public static final int EXTENTS_PER_REGION = 16;

  private static final long REGION_DEADLINE_SECONDS = 60;

  /** Learns of regions, on the pool's thread, before any extent of them is handed out. */
  @FunctionalInterface
  public interface RegionListener {
    /** A region was made. */
    void added(int id, int directory, long length, Backing backing, int pageSize);
  }

  private final PoolSettings settings;
  private final int maxRegions;
  private final Places places;
  private final long limit;
  private final ExecutorService maker;
  private final StagingBuffers staging;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Region> regions = new ArrayList<>();
  private final List<Region> forRuns = new ArrayList<>();
  private final List<Region> overflow = new ArrayList<>();
  private RegionListener listener = (id, directory, length, backing, pageSize) -> {};
  private int place;
  private long changes;
  private boolean making;
  private boolean makingOverflow;
  private IOException overflowFailure;
  private long used;
  private long usedByTables;
  private long highWater;
  private int holds;
  private boolean closed;
  private boolean unmapped;

  private Pool(PoolSettings settings, int maxRegions, Places places, long limit) {
    this.settings = settings;
    this.maxRegions = maxRegions;
    this.places = places;
    this.limit = limit;
    this.staging = new StagingBuffers();
    this.maker =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "verbena-pool");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Removes what dead processes left, makes this executor's directories and derives the limit. Call
   * it on a thread that nobody interrupts: it opens lock files.
   *
   * @param maxRegions most regions that the pool may ever make
   */
  public static Pool open(PoolSettings settings, int maxRegions) throws IOException {
    Places places = Places.open(settings);
    try {
      return new Pool(settings, maxRegions, places, limit(settings, places));
    } catch (IOException | RuntimeException e) {
      places.close();
      throw e;
    }
  }

  private static long limit(PoolSettings settings, Places places) throws IOException {
    if (settings.limit() > 0) {
      LOG.info("pool limit {} as set", PoolLimit.mib(settings.limit()));
      return settings.limit();
    }
    long free = 0;
    for (Place candidate : places.forRuns()) {
      if (!candidate.reservesWhole()) {
        free = Files.getFileStore(candidate.path()).getUsableSpace();
        break;
      }
    }
    PoolLimit derived = PoolLimit.derive(PoolLimit.machine(settings.memoryHint(), free));
    LOG.info("pool limit {}: {}", PoolLimit.mib(derived.bytes()), derived.reasons());
    return derived.bytes();
  }

  /** Absolute paths of this executor's directories; regions name them by index. */
  public List<Path> directories() {
    return places.all().stream().map(Place::path).toList();
  }

  /**
   * Makes a file of zeros in the first directory and maps it for as long as the pool's regions are
   * mapped. Call it on a thread that nobody interrupts.
   */
  public MemoryView createFile(String name, int size) throws IOException {
    Path path = places.all().get(0).path().resolve(name);
    places.all().get(0).checkRoom(size);
    var mapping = Region.map(path, size);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      writeZeros(channel, size);
    }
    return MemoryView.of(mapping);
  }

  private static void writeZeros(FileChannel channel, int size) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(Math.min(size, 1 << 16));
    for (long at = 0; at < size; ) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), size - at));
      at += channel.write(zeros, at);
    }
  }

  /** Begins to make regions and to tell the listener of them. Call it once, before allocating. */
  public void start(RegionListener regionListener) {
    lock.lock();
    try {
      listener = regionListener;
      if (settings.prefault() && mayMakeRegion(FreeSpace.UNIT)) {
        requestRegion();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Most bytes of an extent for run data. */
  public int maxExtent() {
    return settings.regionSize() / EXTENTS_PER_REGION;
  }

  /** Bytes of a region. */
  public int regionSize() {
    return settings.regionSize();
  }

  /** Buffers in which runs are put together. */
  public StagingBuffers staging() {
    return staging;
  }

  /**
   * Takes an extent and writes bytes into it.
   *
   * @return the extent, or null when the pool is full: neither bytes nor pool are changed then
   * @throws IOException when the thread was interrupted
   */
  public Extent store(ByteBuffer bytes) throws IOException {
    int position = bytes.position();
    for (; ; ) {
      Extent extent = allocate(bytes.remaining(), false);
      if (extent == null) {
        return null;
      }
      try {
        extent.write(0, bytes);
        return extent;
      } catch (ClosedByInterruptException e) {
        free(extent, false);
        throw e;
      } catch (IOException e) {
        bytes.position(position);
        giveUp(extent, false, e);
      }
    }
  }

  /**
   * Takes a zeroed extent for a table: out of the regions for run data, and where these have no
   * room out of one on disk beyond the limit.
   *
   * @param length bytes, at most a region
   * @throws IOException when the disk has no room either, or the thread was interrupted
   */
  public Extent allocateTable(int length) throws IOException {
    for (; ; ) {
      Extent extent = allocate(length, true);
      try {
        zero(extent);
        return extent;
      } catch (ClosedByInterruptException e) {
        free(extent, true);
        throw e;
      } catch (IOException e) {
        boolean last = overflow.contains(extent.region());
        giveUp(extent, true, e);
        if (last) {
          throw e;
        }
      }
    }
  }

  private static void zero(Extent extent) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(Math.min(extent.length(), 1 << 16));
    for (int at = 0; at < extent.length(); at += zeros.limit()) {
      zeros.clear().limit(Math.min(zeros.capacity(), extent.length() - at));
      extent.write(at, zeros);
    }
  }

  private Extent allocate(int length, boolean table) throws IOException {
    if (length <= 0 || length > settings.regionSize()) {
      throw new IllegalArgumentException(
          "length=" + length + ": an extent has 1 to " + settings.regionSize() + " bytes");
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(REGION_DEADLINE_SECONDS);
    int units = FreeSpace.units(length);
    lock.lock();
    try {
      for (; ; ) {
        checkOpen();
        Extent extent = take(units, length, table);
        if (extent != null) {
          return extent;
        }
        if (mayMakeRegion((long) units * FreeSpace.UNIT)) {
          requestRegion();
        } else if (table) {
          requestOverflow();
        } else {
          return null;
        }
        awaitChange(deadline);
        if (table && overflowFailure != null) {
          IOException failure = overflowFailure;
          overflowFailure = null;
          throw new IOException("no room for the location table: " + failure.getMessage(), failure);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private Extent take(int units, int length, boolean table) {
    Extent extent = takeFrom(forRuns, units, length, limit - reservedForRuns());
    if (extent == null && table && !mayMakeRegion((long) units * FreeSpace.UNIT)) {
      extent = takeFrom(overflow, units, length, Long.MAX_VALUE);
    }
    if (extent != null) {
      used += (long) units * FreeSpace.UNIT;
      usedByTables += table ? (long) units * FreeSpace.UNIT : 0;
      highWater = Math.max(highWater, reserved());
      prepareNext();
    }
    return extent;
  }

  private static Extent takeFrom(List<Region> from, int units, int length, long room) {
    for (Region region : from) {
      int offset = region.space().takeHole(units);
      if (offset >= 0) {
        return new Extent(region, offset * FreeSpace.UNIT, length);
      }
    }
    for (Region region : from) {
      int growth = region.space().growthFor(units);
      boolean fits = region.place().reservesWhole() || (long) growth * FreeSpace.UNIT <= room;
      if (growth >= 0 && fits) {
        return new Extent(region, region.space().takeAtFrontier(units) * FreeSpace.UNIT, length);
      }
    }
    return null;
  }

  private boolean mayMakeRegion(long bytes) {
    if (place >= places.forRuns().size() || regions.size() >= maxRegions) {
      return false;
    }
    boolean whole = places.forRuns().get(place).reservesWhole();
    return (whole ? settings.regionSize() : bytes) <= limit - reservedForRuns();
  }

  private void prepareNext() {
    if (settings.prefault() && !forRuns.isEmpty()) {
      Region newest = forRuns.get(forRuns.size() - 1);
      if (newest.space().untouched() < newest.size() / FreeSpace.UNIT / 4
          && mayMakeRegion(settings.regionSize())) {
        requestRegion();
      }
    }
  }

  private void requestRegion() {
    if (!making) {
      making = true;
      Place where = places.forRuns().get(place);
      maker.execute(() -> makeRegion(where));
    }
  }

  private void makeRegion(Place where) {
    Region region = null;
    IOException failure = null;
    try {
      region = newRegion(where);
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      failure = new IOException(e);
    }
    lock.lock();
    try {
      making = false;
      if (region == null) {
        fall(where, failure);
      } else {
        forRuns.add(region);
      }
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  private void requestOverflow() {
    if (!makingOverflow) {
      makingOverflow = true;
      maker.execute(this::makeOverflow);
    }
  }

  private void makeOverflow() {
    IOException failure = new IOException("no local directory can hold regions");
    Region region = null;
    for (Place where : places.all()) {
      if (where.backing() == Backing.DISK && region == null) {
        try {
          region = newRegion(where);
        } catch (IOException e) {
          failure.addSuppressed(e);
        }
      }
    }
    lock.lock();
    try {
      makingOverflow = false;
      if (region == null) {
        overflowFailure = failure;
      } else {
        LOG.info("location tables overflow to {}", region.path());
        overflow.add(region);
      }
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /** Makes a region; on the maker's thread, which alone adds to {@code regions}. */
  private Region newRegion(Place where) throws IOException {
    int id;
    RegionListener told;
    lock.lock();
    try {
      id = regions.size();
      told = listener;
      if (closed) {
        throw new IOException("the pool is closed");
      }
      if (id >= maxRegions) {
        throw new IOException("the pool has made all of its " + maxRegions + " regions");
      }
    } finally {
      lock.unlock();
    }
    Region region =
        Region.create(id, where, where.path().resolve("region-" + id), settings.regionSize());
    told.added(id, where.index(), region.size(), where.backing(), where.pageSize());
    lock.lock();
    try {
      regions.add(region);
    } finally {
      lock.unlock();
    }
    return region;
  }

  /** An extent's backing was full when it was written: nobody gets these bytes again. */
  private void giveUp(Extent extent, boolean table, IOException cause) {
    lock.lock();
    try {
      account(extent, table);
      Region region = extent.region();
      region.space().seal();
      if (forRuns.contains(region)) {
        fall(region.place(), cause);
      }
    } finally {
      lock.unlock();
    }
  }

  private void fall(Place from, IOException cause) {
    if (closed || place >= places.forRuns().size() || !places.forRuns().get(place).equals(from)) {
      return;
    }
    place++;
    String next =
        place < places.forRuns().size()
            ? places.forRuns().get(place).backing().optionName()
                + " at "
                + places.forRuns().get(place).path()
            : "files of runs";
    LOG.warn(
        "no more regions on {} at {}, next is {}: {}",
        from.backing().optionName(),
        from.path(),
        next,
        cause.toString());
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
      if (changes == seen) {
        throw new IOException(
            "no region was made within "
                + REGION_DEADLINE_SECONDS
                + " s; is the disk or"
                + " machine overloaded?");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a region");
    }
  }

  /** Gives an extent of run data ({@code table} false) or of a table back. */
  public void free(Extent extent, boolean table) {
    lock.lock();
    try {
      account(extent, table);
      extent
          .region()
          .space()
          .release(extent.offset() / FreeSpace.UNIT, FreeSpace.units(extent.length()));
    } finally {
      lock.unlock();
    }
  }

  /** Gives all extents of a list back and empties it. */
  public void free(ExtentList extents, boolean table) {
    lock.lock();
    try {
      for (int i = 0; i < extents.size(); i++) {
        free(
            new Extent(regions.get(extents.region(i)), extents.offset(i), extents.length(i)),
            table);
      }
      extents.clear();
    } finally {
      lock.unlock();
    }
  }

  private void account(Extent extent, boolean table) {
    long bytes = (long) FreeSpace.units(extent.length()) * FreeSpace.UNIT;
    used -= bytes;
    usedByTables -= table ? bytes : 0;
  }

  /** The memory of a region; the caller holds the pool. */
  public MemoryView memory(int region) {
    return region(region).memory();
  }

  /** The file of a region. */
  public Path file(int region) {
    return region(region).path();
  }

  private Region region(int id) {
    lock.lock();
    try {
      return regions.get(id);
    } finally {
      lock.unlock();
    }
  }

  private long reservedForRuns() {
    return sum(forRuns);
  }

  private long reserved() {
    return sum(regions);
  }

  private static long sum(List<Region> all) {
    long bytes = 0;
    for (Region region : all) {
      bytes += region.reserved();
    }
    return bytes;
  }

  /** Figures for statistics. */
  public PoolStats stats() {
    lock.lock();
    try {
      return new PoolStats(
          used,
          usedByTables,
          reserved(),
          highWater,
          limit,
          forRuns.isEmpty()
              ? "none"
              : forRuns.get(forRuns.size() - 1).place().backing().optionName());
    } finally {
      lock.unlock();
    }
  }

  /** Keeps the memory mapped until {@link #release}. */
  public void hold() {
    lock.lock();
    try {
      checkOpen();
      holds++;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a hold. */
  public void release() {
    lock.lock();
    try {
      holds--;
      unmapIfUnused();
    } finally {
      lock.unlock();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the pool of " + settings.name() + " is closed");
    }
  }

  private void unmapIfUnused() {
    if (closed && holds == 0 && !unmapped && maker.isTerminated()) {
      unmapped = true;
      regions.forEach(Region::unmap);
    }
  }

  /**
   * Removes all files. Memory stays mapped while somebody holds the pool, and to the end of the
   * process if the pool's thread does not end in time. Idempotent.
   */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      signalChange();
    } finally {
      lock.unlock();
    }
    endMaker();
    lock.lock();
    try {
      for (Region region : regions) {
        region.closeChannels();
      }
      unmapIfUnused();
    } finally {
      lock.unlock();
      staging.close();
      places.close();
    }
  }

  private void endMaker() {
    maker.shutdown();
    try {
      if (!maker.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("the pool's thread did not end within 10 s; its memory stays mapped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
