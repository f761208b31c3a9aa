package io.verbena.fetch;

import io.verbena.store.StoreDescriptor;
import io.verbena.transport.Connection;
import io.verbena.transport.Transport;
import io.verbena.transport.UnreachableException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy's state for one peer: the transport in use, and those that it left. Left for good: a
 * transport that failed once for a peer would make each task wait for its deadlines again.
 *
 * <p>Threads: any.
 */
final class PeerLink {
  private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

  /** A transport's connection to the peer. */
  record Route(int index, String name, Connection connection, ReadMeter meter) {}

  private final String executorId;
  private final StoreDescriptor store;
  private final List<Transport> transports;
  private final String last;
  private final FetchCounters counters;
  private final List<Route> opened = new ArrayList<>();
  private Route route;
  private String told;
  private int next;
  private boolean closed;
  // Held by caches and tasks; guarded by PeerLinks.
  int users;

  PeerLink(
      String executorId,
      StoreDescriptor store,
      List<Transport> transports,
      boolean hasService,
      FetchCounters counters) {
    this.executorId = executorId;
    this.store = store;
    this.transports = transports;
    this.last = hasService ? ServiceSource.TRANSPORT : "none";
    this.counters = counters;
  }

  boolean leadsTo(StoreDescriptor other) {
    return store.nonceHigh() == other.nonceHigh() && store.nonceLow() == other.nonceLow();
  }

  /** The best transport that connects; null when none does. */
  synchronized Route route() {
    while (route == null && next < transports.size() && !closed) {
      Transport transport = transports.get(next);
      try {
        Connection connection = transport.connect(executorId, store);
        route = new Route(next, transport.name(), connection, counters.meter(transport.name()));
        opened.add(route);
        route.meter().connected();
      } catch (UnreachableException e) {
        leave(FallKind.UNREACHABLE, e.getMessage());
      }
    }
    tell(route == null ? last : route.name());
    return route;
  }

  private void tell(String transport) {
    if (!closed && !transport.equals(told)) {
      told = transport;
      counters.chosen(executorId, transport);
    }
  }

  /** Leaves a transport that failed and gives the next, null when there is none. */
  synchronized Route fall(Route failed, FallKind kind, String reason) {
    if (route != null && route.index() == failed.index()) {
      route = null;
      leave(kind, reason);
    }
    return route();
  }

  private void leave(FallKind kind, String reason) {
    String from = transports.get(next).name();
    next++;
    String to = next < transports.size() ? transports.get(next).name() : last;
    counters.fall(from, to, reason);
    counters.meter(from).left(kind);
    LOG.warn(
        "Executor {} is not read by {} but by {}: {}; the job goes on, \"doctor\" of this jar on"
            + " both hosts shows what each transport lacks",
        executorId,
        from,
        to,
        reason);
  }

  synchronized void close() {
    closed = true;
    route = null;
    for (Route each : opened) {
      each.connection().close();
      each.meter().disconnected();
    }
    opened.clear();
  }
}
