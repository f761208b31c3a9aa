package io.verbena.transport.verbs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The calls into one RDMA device and its connection manager. Objects are named by handles; a closed
 * handle gives an {@link IOException}. Nothing waits longer than it is told to.
 *
 * <p>Threads: any, except that {@link #nextEvent} belongs to one thread, {@link Completions#poll}
 * and {@link #awaitCompletion} to another.
 */
public interface Fabric extends AutoCloseable {
  /** Peers may READ. */
  int REMOTE_READ = 1 << 2;

  /** The device may write. */
  int LOCAL_WRITE = 1;

  /** Peers may write: what READ responses of iWARP need. */
  int REMOTE_WRITE = 1 << 1;

  /** Names of the host's devices. */
  List<String> devices() throws IOException;

  /** Most bytes that this process may lock in memory; -1 for no limit. */
  long lockedMemoryLimit() throws IOException;

  /** Makes a connection id. */
  long newId() throws IOException;

  /** Ends an id and its queue pair, if it has one. Idempotent. */
  void destroyId(long id);

  /** Binds an id to an address; the name of the device that has it, null when none has. */
  String bind(long id, InetAddress address) throws IOException;

  /** Opens the device that an id is bound to; all queue pairs are made on it. Call it once. */
  DeviceInfo open(long id) throws IOException;

  /** Listens on a bound id; gives the port. */
  int listen(long id) throws IOException;

  /** Begins to resolve an address; an event tells the end. */
  void resolveAddress(long id, InetAddress from, InetSocketAddress to, int timeoutMillis)
      throws IOException;

  /** Begins to resolve the route; an event tells the end. */
  void resolveRoute(long id, int timeoutMillis) throws IOException;

  /** Makes a completion queue, watched by {@link #awaitCompletion}. */
  long newCompletionQueue(int entries) throws IOException;

  /** Makes a reliable connected queue pair for an id; gives its handle. */
  long newQueuePair(long id, long completionQueue, int sends, int receives) throws IOException;

  /** Begins to connect; an event tells the end. */
  void connect(long id, byte[] privateData, int readDepth) throws IOException;

  /** Accepts a connection request with all remote access off. */
  void accept(long id, byte[] privateData, int readDepth) throws IOException;

  /** Declines a connection request. */
  void reject(long id, byte[] privateData) throws IOException;

  /** Lets the peer of a connected queue pair READ, or do nothing at all. */
  void allowRemoteRead(long queuePair, boolean allow) throws IOException;

  /** Ends the connection: what is posted completes as flushed. */
  void disconnect(long id, long queuePair);

  /** Address of the other side. */
  String peerOf(long id);

  /** Takes the next event; false when none came in time. */
  boolean nextEvent(FabricEvent into, int timeoutMillis) throws IOException;

  /** Registers memory: the device reads and writes it until it is {@link #deregister}ed. */
  MemoryKeys register(long address, long length, int access) throws IOException;

  /** Ends a registration. Idempotent. */
  void deregister(MemoryKeys keys) throws IOException;

  /** Work requests for one queue pair at a time. */
  WorkRequests newWorkRequests(int capacity);

  /** Posts a receive. */
  void postReceive(long queuePair, long wrId, long address, int length, int localKey)
      throws IOException;

  /** Posts a send, signalled. */
  void postSend(long queuePair, long wrId, long address, int length, int localKey)
      throws IOException;

  /** Completions of one queue. */
  Completions newCompletions(long completionQueue, int capacity);

  /** Lets the next completion of a queue end {@link #awaitCompletion}. */
  void requestNotice(long completionQueue) throws IOException;

  /** Waits for a completion in a queue that notice was requested of; false when none came. */
  boolean awaitCompletion(int timeoutMillis) throws IOException;

  /** Text of a completion's status. */
  String statusText(int status);

  /** Ends everything. Idempotent. */
  @Override
  void close();

  /**
   * Keys of registered memory.
   *
   * @param handle names the registration
   * @param local key for work requests of this process
   * @param remote key for READs of peers
   */
  record MemoryKeys(long handle, int local, int remote) {}

  /**
   * RDMA READs that are posted together.
   *
   * <p>Threads: one at a time.
   */
  interface WorkRequests extends AutoCloseable {
    /** Most requests of one {@link #post}. */
    int capacity();

    /** Fills in a READ; the queue pair's order is that of the indexes. */
    void read(
        int index,
        long wrId,
        long remoteAddress,
        int remoteKey,
        long localAddress,
        int localKey,
        int length,
        boolean fence,
        boolean signal);

    /** Posts the first requests. After a failure some may have been posted. */
    void post(long queuePair, int count) throws IOException;

    @Override
    void close();
  }

  /**
   * Completions of one queue as they are found.
   *
   * <p>Threads: the poller's.
   */
  interface Completions extends AutoCloseable {
    /** Takes completions; gives how many, 0 for none. */
    int poll() throws IOException;

    long wrId(int index);

    /** 0 for success. */
    int status(int index);

    int vendorError(int index);

    /** Bytes received. */
    int length(int index);

    @Override
    void close();
  }
}
