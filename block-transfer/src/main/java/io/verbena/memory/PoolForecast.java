package io.verbena.memory;

import io.verbena.host.HostFiles;
import io.verbena.host.Space;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a pool's regions would lie on a host and how much it might take, without making anything.
 * The pool itself chooses by doing; this is what it will most likely find.
 *
 * @param spots where regions could lie, best first
 * @param limit the pool's limit, bytes
 * @param reasons why the limit is what it is
 * @param container the container's memory limit, bytes; 0 without one
 */
public record PoolForecast(List<Spot> spots, long limit, String reasons, long container) {
  /** What the pool's own small files take at most. */
  private static final long OWN_FILES = 1 << 20;

  /**
   * A folder that regions could lie in.
   *
   * @param space its file system; null when it cannot be looked at
   * @param problem why no region fits there, and what helps; empty when one does
   */
  public record Spot(Backing backing, Path folder, Space space, String problem) {
    /** Whether a region fits there. */
    public boolean usable() {
      return problem.isEmpty();
    }

    /**
     * Bytes that its file system must have in all, for a pool with a limit beside what others have
     * taken of it already; whole regions.
     */
    public long sizeFor(long limit, long regionSize) {
      long others = space == null ? 0 : Math.max(0, space.total() - space.usable());
      long bytes = others + room(backing, limit, regionSize);
      return (bytes + regionSize - 1) / regionSize * regionSize;
    }
  }

  /**
   * Bytes that must be free in a folder for a pool to come up to its limit there. A region is made
   * only where all of it has room, also the last one, of which the limit leaves no more than a bit.
   */
  public static long room(Backing backing, long limit, long regionSize) {
    return backing == Backing.HUGETLBFS ? limit : limit + regionSize + OWN_FILES;
  }

  /**
   * Looks at a host.
   *
   * @param heap an executor's largest heap, bytes
   */
  public static PoolForecast of(HostFiles host, PoolSettings settings, long heap) {
    List<Spot> spots = new ArrayList<>();
    for (Mounts.Candidate candidate : Mounts.candidates(host, settings)) {
      spots.add(spot(host, candidate, settings.regionSize()));
    }
    long free = 0;
    for (Spot spot : spots) {
      if (spot.usable() && spot.backing() != Backing.HUGETLBFS) {
        free = spot.space().usable();
        break;
      }
    }
    PoolLimit.Machine machine = PoolLimit.machine(host, settings.memoryHint(), free, heap);
    PoolLimit derived = PoolLimit.derive(machine);
    return settings.limit() > 0
        ? new PoolForecast(spots, settings.limit(), "as set", machine.container())
        : new PoolForecast(spots, derived.bytes(), derived.reasons(), machine.container());
  }

  private static Spot spot(HostFiles host, Mounts.Candidate candidate, int regionSize) {
    Backing backing = candidate.backing();
    Path folder = candidate.root();
    Space space = null;
    try {
      space = host.space(folder.toString());
      Place.checkRoom(host, backing, folder, regionSize);
      if (backing == Backing.HUGETLBFS) {
        Place.checkHugePages(host, folder, Math.toIntExact(space.blockSize()), regionSize);
      }
      if (!host.isWritable(folder.toString())) {
        throw new IOException(folder + " cannot be written by this user: chmod 1777 " + folder);
      }
      return new Spot(backing, folder, space, "");
    } catch (IOException e) {
      String problem = e.getMessage();
      return new Spot(
          backing, folder, space, space == null ? folder + " is not there: " + problem : problem);
    }
  }
}
