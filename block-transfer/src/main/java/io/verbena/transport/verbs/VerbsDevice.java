package io.verbena.transport.verbs;

import static io.verbena.log.LogKey.EVENT;
import static io.verbena.log.LogKey.RDMA_DEVICE;
import static io.verbena.log.LogKey.REASON;
import static io.verbena.log.LogKey.TRANSPORT;

import io.verbena.log.KeyedLogger;
import io.verbena.memory.MemoryView;
import io.verbena.table.RemoteKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The open device: its threads, completion queues, registered memory, and both kinds of queue
 * pairs, those that read and those that let others read.
 *
 * <p>Threads: any.
 */
final class VerbsDevice implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(VerbsDevice.class);

  private static final int LEAST_DEPTH = 8;

  private final Fabric fabric;
  private final DeviceInfo info;
  private final InetAddress address;
  private final long listener;
  private final int port;
  private final VerbsSettings settings;
  private final Endpoints endpoints = new Endpoints();
  private final LocalMemory memory;
  private final EventLoop events;
  private final Poller poller;
  private final Set<ReadChannel> reading = ConcurrentHashMap.newKeySet();
  private final Set<ServingChannel> serving = ConcurrentHashMap.newKeySet();
  private final LongAdder workRequests = new LongAdder();
  private volatile Served served;
  private volatile String end;
  private boolean torn;

  /** What peers may ask for. */
  record Served(long nonceHigh, long nonceLow, RemoteKey control, int length) {}

  VerbsDevice(
      Fabric fabric, DeviceInfo info, InetAddress address, long listener, VerbsSettings settings)
      throws IOException {
    this.fabric = fabric;
    this.info = info;
    this.address = address;
    this.listener = listener;
    this.settings = settings;
    this.memory = new LocalMemory(fabric, info.iwarp());
    this.port = fabric.listen(listener);
    this.events = new EventLoop(fabric, this::event, this::rounds, this::lost);
    this.poller = new Poller(fabric, endpoints, info.maxCompletions(), settings.spin(), this::lost);
    events.start();
  }

  Fabric fabric() {
    return fabric;
  }

  DeviceInfo info() {
    return info;
  }

  VerbsSettings settings() {
    return settings;
  }

  Endpoints endpoints() {
    return endpoints;
  }

  LocalMemory memory() {
    return memory;
  }

  EventLoop events() {
    return events;
  }

  Poller poller() {
    return poller;
  }

  InetAddress address() {
    return address;
  }

  InetSocketAddress listening() {
    return new InetSocketAddress(address, port);
  }

  /** READs that one queue pair may have posted. */
  int queueDepth() {
    return Math.max(LEAST_DEPTH, Math.min(settings.queueDepth(), info.maxWorkRequests() - 2));
  }

  Served served() {
    return served;
  }

  void serve(long nonceHigh, long nonceLow, MemoryView control, RemoteKey key) {
    served = new Served(nonceHigh, nonceLow, key, control.capacity());
  }

  /** Why the device cannot be used any more; null while it can. */
  String end() {
    return end;
  }

  void checkOpen() throws IOException {
    if (end != null) {
      throw new IOException(end);
    }
  }

  void add(ReadChannel channel) {
    reading.add(channel);
  }

  void remove(ReadChannel channel) {
    reading.remove(channel);
  }

  void remove(ServingChannel channel) {
    serving.remove(channel);
  }

  /** Work requests of READs were posted. */
  void posted(int count) {
    workRequests.add(count);
  }

  VerbsStats stats() {
    return new VerbsStats(
        memory.bytes(), memory.count(), reading.size(), serving.size(), workRequests.sum());
  }

  private void event(FabricEvent event) {
    switch (event.kind()) {
      case CONNECT_REQUEST -> requested(event);
      case DEVICE_REMOVED, FATAL -> lost("RDMA device " + info.name() + ": " + event);
      case OTHER -> LOG.info("RDMA device {}: {}", RDMA_DEVICE.is(info.name()), EVENT.is(event));
      default -> LOG.debug("Event {} of a connection that is gone", event);
    }
  }

  private void requested(FabricEvent event) {
    long id = event.id();
    ServingChannel channel = new ServingChannel(this, id);
    serving.add(channel);
    events.own(id, channel);
    channel.requested(event);
  }

  private void rounds() {
    long now = System.nanoTime();
    reading.forEach(channel -> channel.round(now));
    serving.forEach(channel -> channel.round(now));
  }

  /** The device cannot be used any more: everything is given up, so that it can be removed. */
  private void lost(String reason) {
    synchronized (this) {
      if (end != null) {
        return;
      }
      end = reason + "; executors are read by other transports from now on";
    }
    LOG.warn(
        "{}; the kernel's log has the cause, see dmesg",
        REASON.is(end),
        RDMA_DEVICE.also(info.name()),
        TRANSPORT.also(VerbsTransport.NAME));
    endpoints.all().forEach(endpoint -> endpoint.lost(reason));
    // Its own thread: this one is waited for.
    Thread thread = new Thread(this::tearDown, "verbena-verbs-end");
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends all connections, then the threads, then everything of the device. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      if (end == null) {
        end = "the verbs transport of this process is closed";
      }
    }
    tearDown();
  }

  private synchronized void tearDown() {
    if (torn) {
      return;
    }
    torn = true;
    events.disown(listener);
    fabric.destroyId(listener);
    List.copyOf(reading).forEach(ReadChannel::close);
    events.close();
    List.copyOf(serving).forEach(ServingChannel::close);
    poller.close();
    memory.closeAll();
    fabric.close();
  }
}
