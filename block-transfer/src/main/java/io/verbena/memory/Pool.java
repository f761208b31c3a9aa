package io.verbena.memory;

import static io.verbena.log.LogKey.PATH;

import io.verbena.host.HostFiles;
import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The executor's registered memory: regions, and who owns which extents of them. Grows region by
 * region up to a limit; space that was used before is used again first.
 *
 * <p>Threads: all methods from any thread. Regions are made on a thread of the pool, while callers
 * wait with a deadline.
 *
 * <p>Whoever uses memory of the pool, as extents or views, holds the pool meanwhile: mappings end
 * when nobody holds the pool and it is closed, or a region was idle and given back.
 */
public final class Pool implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(Pool.class);

  /** Extents for run data are at most this part of a region. */
  public static final int EXTENTS_PER_REGION = 16;

  /** Bytes of the largest block of a table: what fits one mapping, with room for its last page. */
  public static final int MAX_TABLE_BLOCK = Integer.MAX_VALUE - (1 << 16) + 1;

  private static final int ZEROS = 1 << 16;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Learns of regions, on the pool's thread, before any extent of them is handed out. */
  @FunctionalInterface
  public interface RegionListener {
    /** A region was made; ids count from 0. */
    void added(int id, int directory, Backing backing, int pageSize, MemoryView memory);

    /**
     * A region that nobody owns anything of is given back: others are to let go of it now. Its
     * memory goes afterwards. On a thread that nobody interrupts.
     */
    default void leaves(int id, MemoryView memory) {}
  }

  private final PoolSettings settings;
  private final Places places;
  private final long limit;
  private final PoolChoice choice;
  private final long idleNanos;

  // Set before anybody allocates.
  private RegionListener listener;
  private volatile Regions regions;
  private final AtomicBoolean looking = new AtomicBoolean();

  // Guarded by this.
  private int holds;
  private boolean closed;
  private List<Region> unmappable = List.of();
  private final List<Region> leaving = new ArrayList<>();

  private Pool(PoolSettings settings, Places places, PoolLimit limit, long idleNanos) {
    this.idleNanos = idleNanos;
    this.settings = settings;
    this.places = places;
    this.limit = limit.bytes();
    this.choice = choice(places, limit);
  }

  /**
   * Removes what dead processes left, makes this executor's directories and derives the limit. Call
   * it on a thread that nobody interrupts: it opens lock files.
   */
  public static Pool open(PoolSettings settings) throws IOException {
    return open(settings, IDLE_NANOS);
  }

  /** For tests: with another time after which regions are given back. */
  static Pool open(PoolSettings settings, long idleNanos) throws IOException {
    Places places = Places.open(settings);
    try {
      return new Pool(settings, places, limit(settings, places), idleNanos);
    } catch (IOException | RuntimeException e) {
      places.close();
      throw e;
    }
  }

  private static PoolLimit limit(PoolSettings settings, Places places) throws IOException {
    if (settings.limit() > 0) {
      return new PoolLimit(settings.limit(), "as set");
    }
    long free = 0;
    for (Place candidate : places.forRuns()) {
      if (!candidate.isHugetlbfs()) {
        free = Files.getFileStore(candidate.path()).getUsableSpace();
        break;
      }
    }
    return PoolLimit.derive(machine(settings, free));
  }

  private static PoolChoice choice(Places places, PoolLimit limit) {
    List<String> reasons = new ArrayList<>();
    reasons.add("pool limit " + Sizes.text(limit.bytes()) + ": " + limit.reasons());
    reasons.addAll(places.passed());
    if (places.forRuns().isEmpty()) {
      return new PoolChoice("none", null, limit.bytes(), reasons);
    }
    Place first = places.forRuns().get(0);
    if (first.backing() == Backing.TMPFS && !NativeMemory.available()) {
      reasons.add("no huge pages for the pool: " + NativeMemory.whyNot());
    }
    return new PoolChoice(first.backing().optionName(), first.path(), limit.bytes(), reasons);
  }

  /** What was chosen when this pool was opened. */
  public PoolChoice choice() {
    return choice;
  }

  private static PoolLimit.Machine machine(PoolSettings settings, long free) {
    return PoolLimit.machine(
        HostFiles.thisHost(), settings.memoryHint(), free, Runtime.getRuntime().maxMemory());
  }

  /** Absolute paths of this executor's directories; regions name them by index. */
  public List<Path> directories() {
    return places.all().stream().map(Place::path).toList();
  }

  /**
   * Makes a file of zeros in the first directory and maps it to the end of the process. Call it on
   * a thread that nobody interrupts.
   */
  public MemoryView createFile(String name, int size) throws IOException {
    Place first = places.all().get(0);
    first.checkRoom(size);
    Path path = first.path().resolve(name);
    MemoryView view = MemoryView.of(Region.map(path, size).bytes());
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocate(ZEROS);
      for (int at = 0; at < size; ) {
        zeros.clear().limit(Math.min(ZEROS, size - at));
        at += channel.write(zeros, at);
      }
    }
    return view;
  }

  /**
   * Begins to make regions. Call it once, before anything is allocated.
   *
   * @param maxRegions most regions that the pool may ever make
   */
  public void start(int maxRegions, RegionListener listener) {
    this.listener = listener;
    regions = new Regions(settings, places, limit, maxRegions, listener);
  }

  private void lookForIdle() {
    if (regions.hasIdle() && looking.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(idleNanos, TimeUnit.NANOSECONDS)
          .execute(
              () -> {
                looking.set(false);
                try {
                  giveBack(idleNanos);
                  lookForIdle();
                } catch (RuntimeException e) {
                  LOG.warn(
                      "idle regions of {} stay in memory until it ends; please report it",
                      settings.name(),
                      e);
                }
              });
    }
  }

  /**
   * Gives regions back that nobody owns anything of for so long, all but one: their files are
   * removed at once, and their memory as soon as nobody holds the pool. The pool does it by itself
   * for those idle for a minute. Never on a thread that may be interrupted.
   */
  public void giveBack(long idleNanos) {
    List<Region> gone = regions.takeIdle(idleNanos);
    for (Region region : gone) {
      listener.leaves(region.id(), region.memory());
      try {
        region.closeChannels();
        Files.deleteIfExists(region.path());
      } catch (IOException e) {
        LOG.warn(
            "cannot remove {}, which nobody needs; delete it when the application has ended",
            PATH.is(region.path()),
            e);
      }
    }
    synchronized (this) {
      leaving.addAll(gone);
      unmapIfUnused();
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

  /**
   * Takes an extent for run data and writes bytes into it.
   *
   * @return the extent, or null when the pool is full: the bytes' position is as it was then
   * @throws IOException when the thread was interrupted
   */
  public Extent store(ByteBuffer bytes) throws IOException {
    int position = bytes.position();
    for (; ; ) {
      Extent extent = regions.allocate(bytes.remaining(), false);
      if (extent == null) {
        return null;
      }
      try {
        extent.write(0, bytes);
        return extent;
      } catch (ClosedByInterruptException e) {
        regions.free(extent, false);
        throw e;
      } catch (IOException e) {
        bytes.position(position);
        regions.giveUp(extent, false, e);
      }
    }
  }

  /**
   * Takes a zeroed extent for a table: out of the regions for run data, and where these have no
   * room, or the extent is larger than one of them, out of one on disk beyond the limit.
   *
   * @param length bytes, at most {@link #MAX_TABLE_BLOCK}
   * @throws IOException when the disk has no room either, or the thread was interrupted
   */
  public Extent allocateTable(int length) throws IOException {
    if (length <= 0 || length > MAX_TABLE_BLOCK) {
      throw new IllegalArgumentException(
          "length=" + length + ": a table's block has 1 to " + MAX_TABLE_BLOCK + " bytes");
    }
    for (; ; ) {
      Extent extent = regions.allocate(length, true);
      try {
        zero(extent);
        return extent;
      } catch (ClosedByInterruptException e) {
        regions.free(extent, true);
        throw e;
      } catch (IOException e) {
        regions.giveUp(extent, true, e);
        if (regions.isOverflow(extent)) {
          throw e;
        }
      }
    }
  }

  private static void zero(Extent extent) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(Math.min(extent.length(), ZEROS));
    for (int at = 0; at < extent.length(); at += zeros.limit()) {
      zeros.clear().limit(Math.min(zeros.capacity(), extent.length() - at));
      extent.write(at, zeros);
    }
  }

  /** Gives the extents of a list back, run data or a table's blocks, and empties the list. */
  public void free(ExtentList extents, boolean table) {
    if (extents.size() > 0) {
      regions.free(extents, table);
      lookForIdle();
    }
  }

  /** The memory of a region; the caller holds the pool. */
  public MemoryView memory(int region) {
    return regions.get(region).memory();
  }

  /** Whether the first bytes of a region are in huge pages: then its memory is the quick way. */
  public boolean hasHugePages(int region, int to) {
    return regions.get(region).hasHugePages(to);
  }

  /** The file of a region. */
  public Path file(int region) {
    return regions.get(region).path();
  }

  /** Figures for statistics. */
  public PoolStats stats() {
    return regions.stats();
  }

  /**
   * Keeps the memory mapped until {@link #release}.
   *
   * @throws IllegalStateException when the pool is closed
   */
  public synchronized void hold() {
    if (closed) {
      throw new IllegalStateException("the pool of " + settings.name() + " is closed");
    }
    holds++;
  }

  /** Ends a hold. */
  public synchronized void release() {
    holds--;
    unmapIfUnused();
  }

  private void unmapIfUnused() {
    if (holds > 0) {
      return;
    }
    if (!leaving.isEmpty()) {
      leaving.forEach(Region::unmap);
      regions.left(leaving);
      leaving.clear();
    }
    if (closed) {
      unmappable.forEach(Region::unmap);
      unmappable = List.of();
    }
  }

  /**
   * Removes all files. Memory stays mapped while somebody holds the pool, and to the end of the
   * process if the pool's thread does not end in time. Idempotent.
   */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    try {
      List<Region> made = regions == null ? List.of() : regions.close();
      synchronized (this) {
        unmappable = made == null ? List.of() : made;
        unmapIfUnused();
      }
    } finally {
      places.close();
    }
  }
}
