package io.verbena.memory;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Makes regions on a thread of its own, one after the other: no interrupt of a task reaches the
 * channels that this takes.
 */
final class RegionMaker {
  private static final KeyedLogger LOG = KeyedLogger.of(RegionMaker.class);

  private static final long END_SECONDS = 10;

  /** Receives what became of a request, on the maker's thread. */
  interface Result {
    /** One of the two is null. */
    void done(Region region, IOException failure);
  }

  private final int maxRegions;
  private final Pool.RegionListener listener;
  private final ExecutorService thread;

  // The thread's alone.
  private int made;

  RegionMaker(int maxRegions, Pool.RegionListener listener) {
    this.maxRegions = maxRegions;
    this.listener = listener;
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread made = new Thread(task, "verbena-pool");
              made.setDaemon(true);
              return made;
            });
  }

  /** Makes a region in the first of some places that can hold it, later. */
  void request(Iterable<Place> places, int size, Result result) {
    thread.execute(() -> tell(result, places, size));
  }

  private void tell(Result result, Iterable<Place> places, int size) {
    IOException failure = new IOException("there is no place for regions");
    for (Place place : places) {
      try {
        result.done(make(place, size), null);
        return;
      } catch (IOException e) {
        failure = e;
      } catch (RuntimeException | Error e) {
        failure = new IOException("cannot make a region in " + place.path(), e);
      }
    }
    result.done(null, failure);
  }

  private Region make(Place place, int size) throws IOException {
    if (made == maxRegions) {
      throw new IOException(
          "the pool has made all of its " + maxRegions + " regions: make regions larger");
    }
    Region region = Region.create(made, place, place.path().resolve("region-" + made), size);
    listener.added(made, place.index(), place.backing(), region.pageSize(), region.memory());
    made++;
    return region;
  }

  /** Ends the thread; whether it ended in time, so that nothing is made any more. */
  boolean end() {
    thread.shutdown();
    try {
      if (thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
      LOG.warn(
          "the pool's thread did not end within {} s, its files stay; the next executor on this"
              + " host removes them",
          END_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
