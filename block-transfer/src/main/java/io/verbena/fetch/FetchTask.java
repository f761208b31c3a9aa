package io.verbena.fetch;

import static io.verbena.log.LogKey.NEXT_TRANSPORT;
import static io.verbena.log.LogKey.REASON;
import static io.verbena.log.LogKey.SHUFFLE_ID;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * One reduce task's reading. What comes by itself (asynchronous sources) is asked for first and
 * handed out first; own blocks and synchronous peers keep the task busy meanwhile.
 *
 * <p>Threads: the task's.
 */
final class FetchTask implements SegmentIterator {
  private static final KeyedLogger LOG = KeyedLogger.of(FetchTask.class);

  /** What is logged once, though each task of a stage meets it. */
  private record RegistryFall(int shuffleId) {}

  private final int shuffleId;
  private final List<PeerBlocks> wanted;
  private final FetchLimits limits;
  private final FetchObserver observer;
  private final FetchClient client;
  private final Arrivals arrivals = new Arrivals();
  private final Budget budget;
  private final CRC32C crc = new CRC32C();

  private final List<BlockSource> sources = new ArrayList<>();
  private final Map<Peer, ServiceSource> services = new HashMap<>();
  // Asked in turn by next(), one after the other.
  private final ArrayDeque<BlockSource> synchronous = new ArrayDeque<>();
  // Asynchronous ones that have more to ask for, and those that wait until something is consumed.
  private final ArrayDeque<BlockSource> asking = new ArrayDeque<>();
  private final Set<BlockSource> later = new HashSet<>();
  // Asynchronous ones whose next block may have come.
  private final ArrayDeque<BlockSource> ready = new ArrayDeque<>();

  // Why nothing more is asked for at the moment, although something is left; null otherwise.
  private BlockSource.Ask heldBack;
  private BlockSource active;
  private Segment current;
  private boolean started;
  private boolean closed;

  FetchTask(
      FetchClient client,
      int shuffleId,
      List<PeerBlocks> wanted,
      FetchLimits limits,
      FetchObserver observer) {
    this.client = client;
    this.shuffleId = shuffleId;
    this.wanted = wanted;
    this.limits = limits;
    this.observer = observer;
    this.budget = new Budget(limits);
  }

  @Override
  public FetchedSegment next() throws FetchException {
    if (closed) {
      throw new IllegalStateException("the iterator is closed");
    }
    if (current != null) {
      current.close();
      current = null;
    }
    if (!started) {
      started = true;
      start();
    }
    current = find();
    if (current != null) {
      delivered(current);
    }
    return current;
  }

  private void start() throws FetchException {
    List<String> ids = new ArrayList<>();
    for (PeerBlocks each : wanted) {
      if (!each.peer().executorId().equals(client.selfId())) {
        ids.add(each.peer().executorId());
      }
    }
    Map<String, RemoteShuffle> found = lookup(ids);
    try {
      start(found);
    } finally {
      found.values().forEach(remote -> remotes().release(remote.link()));
    }
  }

  private void start(Map<String, RemoteShuffle> found) throws FetchException {
    List<PeerBlocks> shuffled = new ArrayList<>(wanted);
    // Reducers that start together would otherwise all read the same executor first.
    Collections.shuffle(shuffled, ThreadLocalRandom.current());
    List<PeerBlocks> served = new ArrayList<>();
    for (PeerBlocks each : shuffled) {
      if (each.blocks().isEmpty()) {
        continue;
      }
      if (each.peer().executorId().equals(client.selfId())) {
        add(new LocalSource(this, each.peer(), each.blocks(), client.store()));
      } else if (!addOneSided(each, found.get(each.peer().executorId()))) {
        served.add(each);
      }
    }
    for (PeerBlocks each : served) {
      serve(each);
    }
  }

  private Map<String, RemoteShuffle> lookup(List<String> ids) throws FetchException {
    if (ids.isEmpty()) {
      return Map.of();
    }
    try {
      return remotes().acquire(shuffleId, ids);
    } catch (IOException e) {
      if (client.service() != null) {
        if (remotes().told().first(new RegistryFall(shuffleId))) {
          LOG.warn(
              "The registry on the driver was not reached, shuffle {} is read by netty; if the"
                  + " driver is only slow, raise spark.shuffle.rdma.registry.timeout",
              SHUFFLE_ID.is(shuffleId),
              NEXT_TRANSPORT.also(ServiceSource.TRANSPORT),
              REASON.also(e.getMessage()),
              e);
        }
        counters().fall("registry", ServiceSource.TRANSPORT, String.valueOf(e.getMessage()));
        return Map.of();
      }
      for (PeerBlocks each : wanted) {
        if (!each.blocks().isEmpty() && ids.contains(each.peer().executorId())) {
          throw new FetchException(
              each.peer(), shuffleId, each.blocks().get(0), "none", "the registry: " + e, e);
        }
      }
      return Map.of();
    }
  }

  private boolean addOneSided(PeerBlocks each, RemoteShuffle remote) {
    if (remote == null) {
      return false;
    }
    PeerLink.Route route = remote.link().route();
    if (route == null) {
      return false;
    }
    remotes().retain(remote.link());
    add(new OneSidedSource(this, each.peer(), each.blocks(), remote, route));
    return true;
  }

  private void serve(PeerBlocks each) throws FetchException {
    if (client.service() == null) {
      throw new FetchException(
          each.peer(),
          shuffleId,
          each.blocks().get(0),
          "none",
          "the registry does not know that it holds a part of the shuffle, or no transport reaches"
              + " it, and no block service is in use",
          null);
    }
    ServiceSource source =
        new ServiceSource(this, client.service(), each.peer(), each.blocks(), each.bytes());
    services.put(each.peer(), source);
    counters().chosen(each.peer().executorId(), ServiceSource.TRANSPORT);
    add(source);
  }

  /** Lets the block service fetch some of a peer's blocks. */
  void serve(Peer peer, List<BlockId> blocks) throws FetchException {
    ServiceSource known = services.get(peer);
    if (known != null) {
      known.add(blocks);
      place(known);
      return;
    }
    long bytes = 0;
    for (PeerBlocks each : wanted) {
      if (each.peer().equals(peer)) {
        bytes = each.bytes() / Math.max(1, each.blocks().size()) * blocks.size();
      }
    }
    serve(new PeerBlocks(peer, blocks, bytes));
  }

  boolean hasService() {
    return client.service() != null;
  }

  private void add(BlockSource source) {
    sources.add(source);
    place(source);
  }

  /** Files a source under what it is now: a fall may have made it another kind. */
  void place(BlockSource source) {
    synchronous.remove(source);
    asking.remove(source);
    later.remove(source);
    ready.remove(source);
    if (source.synchronous()) {
      synchronous.add(source);
    } else {
      asking.add(source);
      if (source.ready()) {
        ready.add(source);
      }
    }
  }

  private Segment find() throws FetchException {
    while (true) {
      drain();
      if (active != null && active.midBlock()) {
        Segment segment = rest();
        if (segment != null) {
          return segment;
        }
        continue;
      }
      ask();
      BlockSource source = ready.peek();
      if (source == null) {
        source = synchronous.peek();
      }
      if (source == null) {
        if (asking.isEmpty() && later.isEmpty() && allFinished()) {
          return null;
        }
        awaitArrival(null);
        continue;
      }
      active = source;
      Segment segment = source.next();
      if (segment != null) {
        return segment;
      }
      if (source == ready.peek()) {
        ready.poll();
      } else if (source.finished()) {
        synchronous.remove(source);
      }
    }
  }

  /** The next segment of a block that was begun: it comes before anything else. */
  private Segment rest() throws FetchException {
    if (!active.synchronous() && !active.ready()) {
      if (!active.outstanding()) {
        active.request(true);
      }
      if (!active.ready()) {
        awaitArrival(active);
      }
    }
    Segment segment = active.next();
    if (segment == null && active.finished()) {
      throw new IllegalStateException("a source ended in the middle of a block");
    }
    return segment;
  }

  private void ask() throws FetchException {
    while (!asking.isEmpty()) {
      BlockSource source = asking.peek();
      BlockSource.Ask answer = source.request(false);
      if (answer == BlockSource.Ask.NO_BUDGET || answer == BlockSource.Ask.NO_BUFFER) {
        heldBack = answer;
        return;
      }
      asking.remove(source);
      switch (answer) {
        case ASKED -> asking.add(source);
        case LATER -> later.add(source);
        default -> {
          if (!source.synchronous() && source.ready() && !source.finished()) {
            arrived(source);
          }
        }
      }
    }
    heldBack = later.isEmpty() ? null : BlockSource.Ask.LATER;
  }

  /**
   * Whether nothing is left. That nothing is outstanding does not say so: the last of it may have
   * come just now, and wait among the arrivals.
   */
  private boolean allFinished() {
    for (BlockSource source : sources) {
      if (!source.finished()) {
        return false;
      }
    }
    return true;
  }

  private void drain() {
    for (Arrivals.Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
      next.arrive();
    }
  }

  /**
   * Waits for something to come.
   *
   * @param waiting the source that the task cannot go on without; null for any
   */
  void awaitArrival(BlockSource waiting) throws FetchException {
    long begin = System.nanoTime();
    Arrivals.Arrival next = arrivals.await(Arrivals.nanos(limits.timeout()));
    long nanos = System.nanoTime() - begin;
    waited(nanos);
    if (heldBack != null) {
      (heldBack == BlockSource.Ask.NO_BUFFER
              ? counters().bufferWaitNanos
              : counters().inFlightWaitNanos)
          .add(nanos);
    }
    if (next != null) {
      next.arrive();
      return;
    }
    if (waiting != null) {
      waiting.timedOut();
      return;
    }
    for (BlockSource source : List.copyOf(sources)) {
      if (source.outstanding()) {
        source.timedOut();
        return;
      }
    }
    throw new IllegalStateException("nothing is in flight, and not all was fetched");
  }

  /** Something of an asynchronous source has come. */
  void arrived(BlockSource source) {
    if (!ready.contains(source)) {
      ready.add(source);
    }
  }

  /** Something of a source was consumed: it may ask for more. */
  void consumed(BlockSource source) {
    if (later.remove(source)) {
      asking.add(source);
    }
  }

  private void delivered(Segment segment) {
    boolean local = segment.transport().equals(LocalSource.TRANSPORT);
    if (local) {
      counters().localBytes.add(segment.length());
      observer.local(segment.length());
    } else {
      counters().remoteBytes(segment.transport(), segment.length());
      observer.remote(segment.length(), segment.transport());
    }
    if (segment.lastOfBlock()) {
      if (local) {
        counters().localBlocks.increment();
      } else {
        counters().remoteBlock(segment.transport());
      }
      observer.block(segment.block().mapId(), local);
    }
  }

  /** Whether bytes match a checksum; leaves position and limit as they are. */
  boolean matches(ByteBuffer bytes, int expected) {
    int position = bytes.position();
    crc.reset();
    crc.update(bytes);
    bytes.position(position);
    return (int) crc.getValue() == expected;
  }

  void waited(long nanos) {
    counters().waitNanos.add(nanos);
    observer.waited(nanos);
  }

  int shuffleId() {
    return shuffleId;
  }

  FetchLimits limits() {
    return limits;
  }

  Budget budget() {
    return budget;
  }

  Arrivals arrivals() {
    return arrivals;
  }

  ReceiveBuffers buffers() {
    return client.buffers();
  }

  OwnMemory ownMemory() {
    return client.ownMemory();
  }

  RemoteShuffles remotes() {
    return client.remotes();
  }

  FetchCounters counters() {
    return client.counters();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (current != null) {
      current.close();
      current = null;
    }
    arrivals.close();
    sources.forEach(BlockSource::close);
  }
}
