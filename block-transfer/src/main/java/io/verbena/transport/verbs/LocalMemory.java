package io.verbena.transport.verbs;

import static io.verbena.log.LogKey.NUM_BYTES;

import io.verbena.log.KeyedLogger;
import io.verbena.memory.MemoryView;
import io.verbena.table.RemoteKey;
import io.verbena.transport.Transport.Registration;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * This process's memory that is registered with the device: what peers read, and what READs write
 * into. Each with the least access that works.
 *
 * <p>Threads: any.
 */
final class LocalMemory {
  private static final KeyedLogger LOG = KeyedLogger.of(LocalMemory.class);

  private static final int ENOMEM = 12;
  private static final int EAGAIN = 11;
  private static final int EFAULT = 14;
  private static final int EOPNOTSUPP = 95;

  private final Fabric fabric;
  private final int receiveAccess;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger count = new AtomicInteger();
  private final Map<MemoryView, Registered> byView = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<Long, Registered> byAddress = new ConcurrentSkipListMap<>();
  private final Set<Registered> exported = ConcurrentHashMap.newKeySet();

  /** One registration. */
  private final class Registered implements Registration {
    private final MemoryView view;
    private final Fabric.MemoryKeys keys;
    private boolean closed;

    Registered(MemoryView view, Fabric.MemoryKeys keys) {
      this.view = view;
      this.keys = keys;
    }

    @Override
    public synchronized void close() {
      if (closed) {
        return;
      }
      closed = true;
      byView.remove(view, this);
      byAddress.remove(view.address(), this);
      exported.remove(this);
      bytes.addAndGet(-view.capacity());
      count.decrementAndGet();
      try {
        fabric.deregister(keys);
      } catch (IOException e) {
        LOG.warn(
            "{} bytes stay registered with the RDMA device until this process ends; see the"
                + " kernel's log",
            NUM_BYTES.is(view.capacity()),
            e);
      }
    }
  }

  LocalMemory(Fabric fabric, boolean iwarp) {
    this.fabric = fabric;
    this.receiveAccess = Fabric.LOCAL_WRITE | (iwarp ? Fabric.REMOTE_WRITE : 0);
  }

  /** Registers memory that READs write into. */
  Registration receive(MemoryView view) throws IOException {
    Registered registered = register(view, receiveAccess);
    byView.put(view, registered);
    byAddress.put(view.address(), registered);
    return registered;
  }

  /** Registers memory that peers READ, until {@link #withdraw}. */
  RemoteKey export(MemoryView view) throws IOException {
    Registered registered = register(view, Fabric.REMOTE_READ);
    exported.add(registered);
    return new RemoteKey(view.address(), registered.keys.remote());
  }

  /** Ends the registrations of memory that peers READ. */
  void withdraw(MemoryView view) {
    for (Registered each : exported) {
      if (each.view == view) {
        each.close();
      }
    }
  }

  private Registered register(MemoryView view, int access) throws IOException {
    try {
      Registered registered =
          new Registered(view, fabric.register(view.address(), view.capacity(), access));
      bytes.addAndGet(view.capacity());
      count.incrementAndGet();
      return registered;
    } catch (IOException e) {
      throw new IOException(explain(e, view.capacity()), e);
    }
  }

  private String explain(IOException cause, long wanted) throws IOException {
    String what =
        "cannot register %d bytes with the RDMA device (%s)".formatted(wanted, cause.getMessage());
    int error = Errors.number(cause);
    if (error == EFAULT || error == EOPNOTSUPP) {
      return what + ": the memory's backing does not allow it, or is full; use tmpfs or hugetlbfs";
    }
    long limit = fabric.lockedMemoryLimit();
    if ((error != ENOMEM && error != EAGAIN) || limit < 0) {
      return what;
    }
    return what
        + ": the limit of locked memory is %d bytes and at least %d are needed;"
            .formatted(limit, bytes.get() + wanted)
        + " raise it with `ulimit -l unlimited` for the worker, LimitMEMLOCK=infinity in its"
        + " systemd unit or --ulimit memlock=-1 for its container";
  }

  /**
   * Local key for memory.
   *
   * @throws IOException when it is not registered
   */
  int localKey(MemoryView view, int offset, int length) throws IOException {
    Registered registered = byView.get(view);
    if (registered == null) {
      registered = around(view.address() + offset, length);
    }
    return registered.keys.local();
  }

  private Registered around(long address, int length) throws IOException {
    Map.Entry<Long, Registered> below = byAddress.floorEntry(address);
    if (below == null || address + length > below.getKey() + below.getValue().view.capacity()) {
      throw new IOException(
          "memory that a READ is to write into is not registered with the RDMA device; if its"
              + " registration failed the reason was logged");
    }
    return below.getValue();
  }

  /** Bytes of all registrations. */
  long bytes() {
    return bytes.get();
  }

  /** Number of registrations. */
  int count() {
    return count.get();
  }

  /** Ends all registrations. */
  void closeAll() {
    exported.forEach(Registered::close);
    byAddress.values().forEach(Registered::close);
  }
}
