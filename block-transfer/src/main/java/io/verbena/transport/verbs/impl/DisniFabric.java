package io.verbena.transport.verbs.impl;

import static io.verbena.log.LogKey.ERROR;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.verbena.log.KeyedLogger;
import io.verbena.transport.verbs.DeviceInfo;
import io.verbena.transport.verbs.Fabric;
import io.verbena.transport.verbs.FabricEvent;
import io.verbena.transport.verbs.FabricEvent.Kind;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/**
 * The fabric over DiSNI's native methods, and ours where DiSNI has none. DiSNI's objects around
 * those methods are not used: their work requests are lists of a fixed length, their events lose
 * status and private data, and they log each call.
 *
 * <p>Threads: see {@link Fabric}.
 */
public final class DisniFabric implements Fabric {
  private static final KeyedLogger LOG = KeyedLogger.of(DisniFabric.class);

  private static final short TCP_PORT_SPACE = 0x0106;
  private static final int BACKLOG = 1024;
  private static final int RETRIES = 7;

  /** 4.096 us * 2^16: 0.27 s for an answer, at most four times that long. */
  private static final int ACK_TIMEOUT = 16;

  private static final int INLINE_BYTES = 0;
  private static final int MAX_DEPTH = 128;

  private final NativeDispatcher disni = VerbsNative.dispatcher();
  private volatile long channel;
  private final ByteBuffer event =
      ByteBuffer.allocateDirect(VerbsNative.EVENT_SIZE).order(ByteOrder.nativeOrder());
  private final Set<Long> queues = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<Long, Long> queuePairs = new ConcurrentHashMap<>();
  private volatile long context;
  private long domain;
  private volatile long completionChannel;
  private boolean closed;

  /** Made by reflection. */
  public DisniFabric() {}

  /** Begins with the first id: without devices there may be no connection manager either. */
  private synchronized long channel() throws IOException {
    if (closed) {
      throw new IOException("the RDMA device is closed");
    }
    if (channel == 0) {
      channel = disni._createEventChannel();
    }
    return channel;
  }

  @Override
  public List<String> devices() throws IOException {
    return List.of(VerbsNative.deviceNames());
  }

  @Override
  public long lockedMemoryLimit() throws IOException {
    return VerbsNative.lockedMemoryLimit();
  }

  @Override
  public long newId() throws IOException {
    return disni._createId(channel(), TCP_PORT_SPACE);
  }

  @Override
  public void destroyId(long id) {
    if (queuePairs.remove(id) != null) {
      checked("destroy a queue pair", () -> disni._destroyQP(id));
    }
    checked("destroy a connection id", () -> disni._destroyCmId(id));
  }

  /** Ends something; what cannot be ended is logged, and the rest goes on. */
  private static void checked(String what, IntSupplier call) {
    try {
      int result = call.getAsInt();
      if (result != 0) {
        LOG.warn(
            "Cannot {}: error {}; the kernel does it when this process ends",
            what,
            ERROR.is(result));
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      // It is closed already, something of it is open, or another thread is inside.
      LOG.warn(
          "Cannot {}: {}; the kernel does it when this process ends",
          what,
          ERROR.is(e.getMessage()));
    }
  }

  @Override
  public String bind(long id, InetAddress address) throws IOException {
    VerbsNative.bind(id, address.getAddress(), scope(address), 0);
    long bound = VerbsNative.context(id);
    return bound == 0 ? null : VerbsNative.deviceName(bound);
  }

  private static int scope(InetAddress address) {
    return address instanceof Inet6Address v6 ? v6.getScopeId() : 0;
  }

  @Override
  public DeviceInfo open(long id) throws IOException {
    context = VerbsNative.context(id);
    domain = disni._allocPd(context);
    completionChannel = disni._createCompChannel(context);
    int port = VerbsNative.port(id);
    byte[] gid = VerbsNative.gid(id);
    return Devices.describe(context, port, gid, MAX_DEPTH);
  }

  @Override
  public int listen(long id) throws IOException {
    return VerbsNative.listen(id, BACKLOG);
  }

  @Override
  public void resolveAddress(long id, InetAddress from, InetSocketAddress to, int timeoutMillis)
      throws IOException {
    VerbsNative.resolveAddress(
        id,
        from.getAddress(),
        scope(from),
        to.getAddress().getAddress(),
        scope(to.getAddress()),
        to.getPort(),
        timeoutMillis);
  }

  @Override
  public void resolveRoute(long id, int timeoutMillis) throws IOException {
    disni._resolveRoute(id, timeoutMillis);
  }

  @Override
  public long newCompletionQueue(int entries) throws IOException {
    long queue = disni._createCQ(context, completionChannel, entries, 0);
    queues.add(queue);
    return queue;
  }

  @Override
  public long newQueuePair(long id, long completionQueue, int sends, int receives)
      throws IOException {
    if (VerbsNative.context(id) != context) {
      throw new IOException(
          "the connection goes through another device than " + VerbsNative.deviceName(context));
    }
    int[] caps = {sends, receives, 1, INLINE_BYTES};
    long queuePair = VerbsNative.createQp(id, domain, completionQueue, caps);
    queuePairs.put(id, queuePair);
    return queuePair;
  }

  @Override
  public void connect(long id, byte[] privateData, int readDepth) throws IOException {
    if (!VerbsNative.setAckTimeout(id, ACK_TIMEOUT)) {
      LOG.debug("The kernel keeps its own time for answers");
    }
    VerbsNative.connect(id, privateData, readDepth, RETRIES, RETRIES);
  }

  @Override
  public void accept(long id, byte[] privateData, int readDepth) throws IOException {
    VerbsNative.accept(id, privateData, readDepth);
  }

  @Override
  public void reject(long id, byte[] privateData) throws IOException {
    VerbsNative.reject(id, privateData);
  }

  @Override
  public void allowRemoteRead(long queuePair, boolean allow) throws IOException {
    VerbsNative.allowRemoteRead(queuePair, allow);
  }

  @Override
  public void disconnect(long id, long queuePair) {
    try {
      int result = disni._disconnect(id);
      if (result != 0) {
        LOG.debug("Cannot disconnect: error {}", result);
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      LOG.debug("Cannot disconnect", e);
    }
    try {
      // Also where there was no connection to end.
      VerbsNative.stopQp(queuePair);
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      LOG.debug("Cannot stop a queue pair", e);
    }
  }

  @Override
  public String peerOf(long id) {
    try {
      byte[] address = VerbsNative.peerAddress(id);
      return address == null ? "unknown" : InetAddress.getByAddress(address).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }

  @Override
  public boolean nextEvent(FabricEvent into, int timeoutMillis) throws IOException {
    if (VerbsNative.nextEvent(channel, event, timeoutMillis)) {
      connectionEvent(into);
      return true;
    }
    if (context != 0 && VerbsNative.nextAsyncEvent(context, event)) {
      int type = event.getInt(VerbsNative.EVENT_TYPE);
      into.set(Devices.asyncKind(type), VerbsNative.asyncEventName(type), 0, 0, 0, new byte[0]);
      return true;
    }
    return false;
  }

  private void connectionEvent(FabricEvent into) {
    int type = event.getInt(VerbsNative.EVENT_TYPE);
    Kind kind = Devices.connectionKind(type);
    byte[] data = new byte[event.getInt(VerbsNative.EVENT_PRIVATE_LENGTH)];
    event.get(VerbsNative.EVENT_PRIVATE_DATA, data);
    int depth =
        event.getInt(
            kind == Kind.CONNECT_REQUEST
                ? VerbsNative.EVENT_RESPONDER_RESOURCES
                : VerbsNative.EVENT_INITIATOR_DEPTH);
    into.set(
        kind,
        VerbsNative.eventName(type),
        event.getInt(VerbsNative.EVENT_STATUS),
        event.getLong(VerbsNative.EVENT_ID),
        depth,
        data);
  }

  @Override
  public MemoryKeys register(long address, long length, int access) throws IOException {
    int[] keys = new int[2];
    long handle = VerbsNative.registerMemory(domain, address, length, access, keys);
    return new MemoryKeys(handle, keys[0], keys[1]);
  }

  @Override
  public void deregister(MemoryKeys keys) throws IOException {
    try {
      disni._deregMr(keys.handle());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public WorkRequests newWorkRequests(int capacity) {
    return new ReadRequests(disni, capacity);
  }

  @Override
  public void postReceive(long queuePair, long wrId, long address, int length, int localKey)
      throws IOException {
    try (Message message = new Message(disni, wrId, address, length, localKey)) {
      message.receive(queuePair);
    }
  }

  @Override
  public void postSend(long queuePair, long wrId, long address, int length, int localKey)
      throws IOException {
    try (Message message = new Message(disni, wrId, address, length, localKey)) {
      message.send(queuePair);
    }
  }

  @Override
  public Completions newCompletions(long completionQueue, int capacity) {
    return new PolledCompletions(disni, completionQueue, capacity);
  }

  @Override
  public void requestNotice(long completionQueue) throws IOException {
    int result = disni._reqNotifyCQ(completionQueue, 0);
    if (result != 0) {
      throw new IOException("ibv_req_notify_cq: error " + result);
    }
  }

  @Override
  public boolean awaitCompletion(int timeoutMillis) throws IOException {
    return VerbsNative.awaitCompletion(completionChannel, timeoutMillis);
  }

  @Override
  public String statusText(int status) {
    return VerbsNative.statusName(status);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (long queue : queues) {
      checked("destroy a completion queue", () -> disni._destroyCQ(queue));
    }
    if (completionChannel != 0) {
      checked("destroy the completion channel", () -> disni._destroyCompChannel(completionChannel));
    }
    if (domain != 0) {
      checked("free the protection domain", () -> disni._deallocPd(domain));
    }
    if (channel != 0) {
      checked("destroy the event channel", () -> disni._destroyEventChannel(channel));
    }
  }
}
