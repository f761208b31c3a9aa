package io.verbena.transport.shm;

import static io.verbena.log.LogKey.EXECUTOR_ID;

import io.verbena.log.KeyedLogger;
import io.verbena.memory.PeerMapping;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.Control;
import io.verbena.table.ControlReader;
import io.verbena.transport.Connection;
import io.verbena.transport.OutOfRegionException;
import io.verbena.transport.Read;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Copies out of one peer's files, on the posting thread.
 *
 * <p>Mappings and files go when the connection is closed and the last {@link #post} has returned:
 * whoever comes last frees them. Those of regions that their owner gives back go within a minute:
 * the memory is the owner's until nobody has it mapped or open.
 */
final class ShmConnection implements Connection {
  private static final KeyedLogger LOG = KeyedLogger.of(ShmConnection.class);

  private static final int CLOSED = 1 << 31;
  private static final int LETTING_GO = 1 << 30;
  private static final long LOOK_SECONDS = 30;
  private static final int LOOKS = 100;
  private static final long PAUSE_NANOS = 1_000_000;

  private final String executorId;
  private final List<String> directories;
  private final PeerMapping control;
  private final ShmTransport.Mode mode;
  private final Consumer<ShmConnection> onClose;
  private final AtomicReferenceArray<PeerRegion> regions =
      new AtomicReferenceArray<>(Control.MAX_REGIONS);
  // Posts that run now, and the bits CLOSED and LETTING_GO.
  private final AtomicInteger users = new AtomicInteger();
  private final AtomicBoolean looking = new AtomicBoolean();

  ShmConnection(
      String executorId,
      List<String> directories,
      PeerMapping control,
      ShmTransport.Mode mode,
      Consumer<ShmConnection> onClose) {
    this.executorId = executorId;
    this.directories = directories;
    this.control = control;
    this.mode = mode;
    this.onClose = onClose;
  }

  @Override
  public boolean synchronous() {
    return true;
  }

  @Override
  public void post(List<Read> reads) throws IOException {
    if (users.incrementAndGet() < 0) {
      leave();
      throw new IOException("the shm connection to executor " + executorId + " is closed");
    }
    while ((users.get() & LETTING_GO) != 0) {
      Thread.onSpinWait(); // for a look at a few thousand words
    }
    try {
      for (int i = 0; i < reads.size(); i++) {
        Read read = reads.get(i);
        IOException failure = null;
        try {
          execute(read);
        } catch (IOException e) {
          failure = e;
        }
        read.completion().done(failure);
      }
    } finally {
      leave();
    }
  }

  private void execute(Read read) throws IOException {
    if (read.region() == CONTROL) {
      copyControl(read);
    } else {
      region(read).copy(read);
    }
    // The copy must not move behind the next one: it may be the generation that judges it.
    VarHandle.acquireFence();
  }

  private void copyControl(Read read) throws OutOfRegionException {
    checkRange(read, Control.size());
    if (read.length() == Long.BYTES && (read.offset() & (Long.BYTES - 1)) == 0) {
      read.into().putLong(read.intoOffset(), control.view().getLongAcquire(read.offset()));
    } else {
      read.into().putView(read.intoOffset(), control.view(), read.offset(), read.length());
    }
  }

  private PeerRegion region(Read read) throws IOException {
    int id = read.region();
    if (id < 0 || id >= Control.MAX_REGIONS) {
      throw new OutOfRegionException(
          "region " + id + " of executor " + executorId + ": ids end at " + Control.MAX_REGIONS);
    }
    PeerRegion region = regions.get(id);
    if (region == null) {
      region = open(id);
    }
    checkRange(read, region.length());
    return region;
  }

  private PeerRegion open(int id) throws IOException {
    synchronized (regions) {
      PeerRegion known = regions.get(id);
      if (known != null) {
        return known;
      }
      Optional<ControlReader.Region> found = ControlReader.region(control.view(), id);
      if (found.isEmpty()) {
        throw new OutOfRegionException("executor " + executorId + " has no region " + id);
      }
      checkThere(id);
      ControlReader.Region record = found.get();
      if (record.directory() < 0 || record.directory() >= directories.size()) {
        throw new OutOfRegionException(
            "region "
                + id
                + " of executor "
                + executorId
                + " lies in directory "
                + record.directory()
                + " of "
                + directories.size());
      }
      Path path = Path.of(directories.get(record.directory()), StoreDescriptor.regionFile(id));
      PeerRegion region;
      try {
        region = PeerRegion.open(path, record, mode);
      } catch (IOException e) {
        checkThere(id); // it may have gone meanwhile
        throw e;
      }
      regions.set(id, region);
      lookLater();
      return region;
    }
  }

  private void checkThere(int id) throws OutOfRegionException {
    if (ControlReader.retired(control.view(), id)) {
      throw new OutOfRegionException("executor " + executorId + " has given back region " + id);
    }
  }

  private void lookLater() {
    if (looking.compareAndSet(false, true)) {
      CompletableFuture.delayedExecutor(LOOK_SECONDS, TimeUnit.SECONDS)
          .execute(
              () -> {
                looking.set(false);
                try {
                  if (letGo()) {
                    lookLater();
                  }
                } catch (RuntimeException e) {
                  LOG.warn(
                      "Regions of executor {} stay open until this executor ends; please report it",
                      EXECUTOR_ID.is(executorId),
                      e);
                }
              });
    }
  }

  /**
   * Closes regions that their owner gives back, in a moment when nobody reads.
   *
   * @return whether there are others to look at later
   */
  boolean letGo() {
    for (int attempt = 0; !users.compareAndSet(0, LETTING_GO); attempt++) {
      if (users.get() < 0 || attempt == LOOKS) {
        return users.get() >= 0;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    List<PeerRegion> gone = new ArrayList<>();
    boolean others = false;
    for (int id = 0; id < Control.MAX_REGIONS; id++) {
      PeerRegion region = regions.get(id);
      if (region != null && ControlReader.retired(control.view(), id)) {
        regions.set(id, null);
        gone.add(region);
      } else {
        others |= region != null;
      }
    }
    // From here on nobody finds them.
    if (users.updateAndGet(n -> n & ~LETTING_GO) == CLOSED) {
      free();
    }
    gone.forEach(PeerRegion::close);
    return others;
  }

  private void checkRange(Read read, int length) throws OutOfRegionException {
    OutOfRegionException failure = read.outside(executorId, length);
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() {
    int before = users.getAndUpdate(n -> n | CLOSED);
    // Whoever lets regions go at this moment frees the others as well.
    if (before >= 0) {
      onClose.accept(this);
      if (before == 0) {
        free();
      }
    }
  }

  private void leave() {
    if (users.decrementAndGet() == CLOSED) {
      free();
    }
  }

  /** Runs when closed and unused; a late post may run it again, so its parts are idempotent. */
  private void free() {
    synchronized (regions) {
      for (int i = 0; i < regions.length(); i++) {
        PeerRegion region = regions.getAndSet(i, null);
        if (region != null) {
          region.close();
        }
      }
      control.close();
    }
  }
}
