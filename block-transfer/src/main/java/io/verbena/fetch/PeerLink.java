package io.verbena.fetch;

import static io.verbena.log.LogKey.EXECUTOR_ID;
import static io.verbena.log.LogKey.NEXT_TRANSPORT;
import static io.verbena.log.LogKey.REASON;
import static io.verbena.log.LogKey.TRANSPORT;

import io.verbena.log.KeyedLogger;
import io.verbena.store.StoreDescriptor;
import io.verbena.transport.Connection;
import io.verbena.transport.Transport;
import io.verbena.transport.UnreachableException;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy's state for one peer: the transport in use, and those that it left. Left for good: a
 * transport that failed once for a peer would make each task wait for its deadlines again.
 *
 * <p>Threads: any.
 */
final class PeerLink {
  private static final KeyedLogger LOG = KeyedLogger.of(PeerLink.class);

  /** A transport's connection to the peer. */
  record Route(int index, String name, Connection connection, ReadMeter meter) {}

  /** What is logged once, though a process may be left more often: a new link tries again. */
  private record Fall(long nonceHigh, long nonceLow, String from, FallKind kind) {}

  private final String executorId;
  private final StoreDescriptor store;
  private final boolean sameHost;
  private final List<Transport> transports;
  private final String last;
  private final FetchCounters counters;
  private final Told told;
  private final List<Route> opened = new ArrayList<>();
  private Route route;
  private String chosen;
  private int next;
  private boolean closed;
  // Held by caches and tasks; guarded by PeerLinks.
  int users;

  PeerLink(
      String executorId,
      PeerDirectory.Found found,
      List<Transport> transports,
      boolean hasService,
      FetchCounters counters,
      Told told) {
    this.executorId = executorId;
    this.store = found.store();
    this.sameHost = found.sameHost();
    this.transports = transports;
    this.last = hasService ? ServiceSource.TRANSPORT : "none";
    this.counters = counters;
    this.told = told;
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
        if (transport.isForOneHost() && !sameHost) {
          pass(transport.name(), e.getMessage());
        } else {
          leave(FallKind.UNREACHABLE, e.getMessage());
        }
      }
    }
    tell(route == null ? last : route.name());
    return route;
  }

  private void tell(String transport) {
    if (!closed && !transport.equals(chosen)) {
      chosen = transport;
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

  /** Goes on from the transport that is next; gives the name of the one after it. */
  private String advance(FallKind kind) {
    counters.meter(transports.get(next).name()).left(kind);
    next++;
    return next < transports.size() ? transports.get(next).name() : last;
  }

  private boolean isNews(String from, FallKind kind) {
    return told.first(new Fall(store.nonceHigh(), store.nonceLow(), from, kind));
  }

  /** A transport does not reach the peer, as was to be expected: no fall, and nothing to mend. */
  private void pass(String from, String reason) {
    String to = advance(FallKind.UNREACHABLE);
    if (isNews(from, FallKind.UNREACHABLE)) {
      LOG.info(
          "Executor {} is on another host, out of reach of {}, next is {}: {}",
          EXECUTOR_ID.is(executorId),
          TRANSPORT.is(from),
          NEXT_TRANSPORT.is(to),
          REASON.is(reason));
    }
  }

  private void leave(FallKind kind, String reason) {
    String from = transports.get(next).name();
    String to = advance(kind);
    counters.fall(from, to, reason);
    if (!isNews(from, kind)) {
      LOG.debug("Executor {} is again not read by {} but by {}: {}", executorId, from, to, reason);
      return;
    }
    LOG.warn(
        "Executor {} is not read by {} but by {}: {}; the job goes on, \"doctor\" of this jar on"
            + " both hosts shows what each transport lacks",
        EXECUTOR_ID.is(executorId),
        TRANSPORT.is(from),
        NEXT_TRANSPORT.is(to),
        REASON.is(reason));
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
