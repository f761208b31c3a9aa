package io.verbena.transport.verbs;

import io.verbena.memory.MemoryView;
import io.verbena.store.StoreDescriptor;
import io.verbena.transport.Connection;
import io.verbena.transport.OutOfRegionException;
import io.verbena.transport.Read;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue pair that reads one executor's memory.
 *
 * <p>Memory that a READ was posted into belongs to the queue pair until the READ has completed or
 * the queue pair is gone; only then is its completion called.
 *
 * <p>Threads: any post; completions come on the poller's thread, events on the event thread.
 */
final class ReadChannel extends Channel {
  private static final int MESSAGE = 1 << 31;
  private static final int SENT = MESSAGE | 1;
  // Completions beside those of READs: one receive, one send.
  private static final int MESSAGES = 2;
  private static final int SCRATCH_SIZE = 4096;
  private static final int BATCH = 64;
  private static final long FLUSH_NANOS = 2_000_000_000L;

  private final String peer;
  private final Steps steps;
  private final ReadQueue queue;
  private final Fabric.WorkRequests work;

  private volatile Handshake.Ready control;
  private volatile boolean connecting = true;

  // Guarded by this.
  private IOException broken;
  private long brokenAt;
  private boolean retired;
  private boolean stopped;
  private boolean torn;
  private long lastUse = System.nanoTime();

  // The poller's.
  private final List<Read> done = new ArrayList<>();

  private ReadChannel(VerbsDevice device, String executorId, InetSocketAddress to) {
    super(device, 0, device.queueDepth() + MESSAGES);
    this.peer = "executor " + executorId + " at " + Addresses.text(to);
    this.steps = new Steps(peer, device.settings());
    this.queue = new ReadQueue(device.queueDepth(), device.info().maxMessage());
    this.work = fabric.newWorkRequests(Math.min(device.queueDepth(), BATCH));
  }

  /** Connects, with a deadline. */
  static ReadChannel open(
      VerbsDevice device, String executorId, StoreDescriptor store, InetSocketAddress to)
      throws IOException {
    ReadChannel channel = new ReadChannel(device, executorId, to);
    device.add(channel);
    try {
      device.checkOpen();
      channel.connect(store, to);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    } finally {
      channel.connecting = false;
    }
  }

  private void connect(StoreDescriptor store, InetSocketAddress to) throws IOException {
    long deadline = System.nanoTime() + device.settings().connectTimeout().toNanos();
    makeId();
    fabric.resolveAddress(id(), device.address(), to, millisUntil(deadline));
    steps.await(FabricEvent.Kind.ADDRESS_RESOLVED, deadline);
    fabric.resolveRoute(id(), millisUntil(deadline));
    steps.await(FabricEvent.Kind.ROUTE_RESOLVED, deadline);
    makeQueuePair(device.queueDepth(), SCRATCH_SIZE, MESSAGE);
    Handshake.Request request =
        new Handshake.Request(store.nonceHigh(), store.nonceLow(), Handshake.newChallenge());
    fabric.connect(id(), Handshake.encode(request), device.info().readsOut());
    steps.await(FabricEvent.Kind.ESTABLISHED, deadline);
    prove(request, deadline);
  }

  private void prove(Handshake.Request request, long deadline) throws IOException {
    byte[] secret = device.settings().secret();
    Handshake.Answer owner = Handshake.answer(steps.answer());
    if (!Handshake.proves(
        owner.proof(), secret, Handshake.Role.OWNER, request, owner.challenge())) {
      throw new IOException(
          peer + " does not know the secret of this application: it belongs to another one");
    }
    if (!device.info().iwarp()) {
      fabric.allowRemoteRead(queuePair(), false);
    }
    Handshake.putProof(
        memory().view(),
        ChannelMemory.OUT,
        Handshake.proof(secret, Handshake.Role.READER, request, owner.challenge()));
    send(SENT, Handshake.PROOF_MESSAGE_SIZE);
    steps.awaitMessage(deadline);
    control = Handshake.takeReady(memory().view(), ChannelMemory.IN);
  }

  private static int millisUntil(long deadline) {
    return (int) Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
  }

  @Override
  public void event(FabricEvent event) {
    switch (event.kind()) {
      case REJECTED -> fail(peer + " refused: " + Handshake.refusalText(event.privateData()));
      case FAILED -> fail("cannot connect to " + peer + ": " + event);
      case DISCONNECTED -> fail(peer + " ended the connection: it has probably ended itself");
      default -> steps.reached(event);
    }
  }

  String peer() {
    return peer;
  }

  Handshake.Ready control() {
    return control;
  }

  MemoryView scratch() {
    return memory().view().slice(ChannelMemory.SCRATCH, SCRATCH_SIZE);
  }

  /** Reads a part of the control area into the scratch memory, and waits for it. */
  void readControl(int offset, int length) throws IOException {
    Waits.Latch latch = new Waits.Latch();
    Read read =
        new Read(Connection.CONTROL, offset, length, memory().view(), ChannelMemory.SCRATCH, latch);
    synchronized (this) {
      checkUsable();
      queue.add(read, control.address() + offset, control.key(), memory().key(), false, true);
    }
    pump();
    if (!latch.await(System.nanoTime() + device.settings().connectTimeout().toNanos())) {
      fail(
          "no answer to a READ from %s within %d ms"
              .formatted(peer, device.settings().connectTimeout().toMillis()));
      throw new IOException(broken.getMessage());
    }
    if (latch.failure() != null) {
      throw latch.failure();
    }
  }

  private void checkUsable() throws IOException {
    if (broken != null) {
      throw new IOException(broken.getMessage());
    }
  }

  /**
   * Posts READs whose regions are known and whose ranges lie in them.
   *
   * @param wrong the failures of those that are left out; null when there are none
   * @param last index of the last one that is posted
   * @throws IOException when it is broken, or memory is not registered; nothing was posted then
   */
  void post(List<Read> reads, OutOfRegionException[] wrong, int last, PeerRegions regions)
      throws IOException {
    synchronized (this) {
      checkUsable();
      lastUse = System.nanoTime();
      for (int i = 0; i <= last; i++) {
        localKey(reads.get(i));
      }
      boolean begun = false;
      for (int i = 0; i <= last; i++) {
        if (wrong != null && wrong[i] != null) {
          continue;
        }
        Read read = reads.get(i);
        int key = localKey(read);
        boolean fence = begun && read.ordered();
        if (read.region() == Connection.CONTROL) {
          queue.add(read, control.address() + read.offset(), control.key(), key, fence, i == last);
        } else {
          long address = regions.address(read.region()) + read.offset();
          queue.add(read, address, regions.key(read.region()), key, fence, i == last);
        }
        begun = true;
      }
    }
    pump();
  }

  private int localKey(Read read) throws IOException {
    return device.memory().localKey(read.into(), read.intoOffset(), read.length());
  }

  /** Posts what fits. */
  private void pump() {
    IOException failure = null;
    synchronized (this) {
      try {
        while (broken == null && !torn) {
          int count = queue.fill(work, wrId(0));
          if (count == 0) {
            return;
          }
          work.post(queuePair(), count);
          device.posted(count);
        }
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      fail("cannot post READs from " + peer + ": " + failure.getMessage());
    }
  }

  @Override
  public void completed(int low, int status, int vendorError) {
    if ((low & MESSAGE) != 0) {
      message(low, status, vendorError);
      return;
    }
    Read last;
    IOException failure = null;
    synchronized (this) {
      if (torn) {
        return;
      }
      last = queue.complete(low, done);
      if (status != 0) {
        if (broken == null) {
          breakDown(describe(low, last, status, vendorError));
        }
        failure = broken;
        notifyAll();
      }
    }
    if (status == 0) {
      pump();
    } else {
      end();
    }
    for (int i = 0; i < done.size(); i++) {
      done.get(i).completion().done(null);
    }
    done.clear();
    if (last != null) {
      last.completion().done(failure);
    }
  }

  private void message(int low, int status, int vendorError) {
    if (status == WorkStatus.FLUSHED && connecting) {
      // Refused or broken: an event says which.
      return;
    }
    if (status != 0) {
      fail(describe(low, null, status, vendorError));
    } else if (low == MESSAGE) {
      steps.messageCame();
    }
  }

  private String describe(int low, Read read, int status, int vendorError) {
    String what =
        (low & MESSAGE) != 0
            ? "a message of the handshake"
            : "work request "
                + low
                + (read == null
                    ? ", a part of a READ"
                    : ", a READ of %d bytes at %d of region %d"
                        .formatted(
                            read.length(), Integer.toUnsignedLong(read.offset()), read.region()));
    return "%s with %s failed: %s (status %d, vendor error %d): %s"
        .formatted(
            what, peer, fabric.statusText(status), status, vendorError, WorkStatus.advice(status));
  }

  private synchronized void breakDown(String reason) {
    if (broken == null) {
      broken = new IOException(reason);
      brokenAt = System.nanoTime();
      steps.broken(broken);
      notifyAll();
    }
  }

  @Override
  public void lost(String reason) {
    fail(peer + " cannot be read any more: " + reason);
  }

  /** The connection is of no use any more: what is posted is flushed, what waits fails. */
  private void fail(String reason) {
    breakDown(reason);
    end();
  }

  private void end() {
    List<Read> dropped = new ArrayList<>();
    IOException failure;
    synchronized (this) {
      failure = broken;
      queue.dropWaiting(dropped);
      if (!torn && !stopped && queuePair() != 0) {
        stopped = true;
        disconnect();
      }
    }
    dropped.forEach(read -> read.completion().done(failure));
  }

  /** Whether nobody has used it for so long, so that no post gets through any more. */
  private synchronized boolean retire(long now) {
    if (broken == null
        && queue.idle()
        && control != null
        && now - lastUse > device.settings().idleTimeout().toNanos()) {
      retired = true;
      breakDown("the connection to " + peer + " was closed because nobody used it");
      return true;
    }
    return false;
  }

  /** Called several times a second. */
  void round(long now) {
    if (connecting) {
      return;
    }
    boolean over;
    synchronized (this) {
      // What is not flushed by then will never be.
      over = broken != null && now - brokenAt > FLUSH_NANOS;
    }
    if (over || retire(now)) {
      tearDown();
    }
  }

  /** Whether it was closed because nobody used it. */
  synchronized boolean retired() {
    return retired;
  }

  /** Ends it; READs in flight complete with a failure. Waits for them a little. Idempotent. */
  @Override
  public void close() {
    fail("the verbs connection to " + peer + " is closed");
    boolean mayWait = !device.poller().isPollerThread() && !device.events().isLoopThread();
    synchronized (this) {
      if (mayWait) {
        long deadline = System.nanoTime() + FLUSH_NANOS;
        Waits.until(this, () -> torn || queue.outstanding() == 0, deadline);
      }
    }
    tearDown();
  }

  private void tearDown() {
    List<Read> dropped = new ArrayList<>();
    IOException failure;
    synchronized (this) {
      if (torn) {
        return;
      }
      torn = true;
      failure = broken;
      release();
      queue.dropAll(dropped);
      work.close();
      notifyAll();
    }
    device.remove(this);
    dropped.forEach(read -> read.completion().done(failure));
  }
}
