package io.verbena.fetch;

import io.verbena.table.TableReader;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Peers and their parts of shuffles that this process has looked up. A peer's connections are
 * closed once no cached shuffle and no task uses it: they keep the memory of a dead peer alive.
 *
 * <p>Threads: any.
 */
final class RemoteShuffles {
  private final PeerDirectory registry;
  private final List<Transport> transports;
  private final boolean hasService;
  private final FetchCounters counters;
  private final Told told = new Told();
  private final Map<String, PeerLink> links = new HashMap<>();
  private final Map<Integer, Map<String, RemoteShuffle>> shuffles = new HashMap<>();

  RemoteShuffles(
      PeerDirectory registry,
      List<Transport> transports,
      boolean hasService,
      FetchCounters counters) {
    this.registry = registry;
    this.transports = List.copyOf(transports);
    this.hasService = hasService;
    this.counters = counters;
  }

  /**
   * The parts of a shuffle on some executors; those that the registry does not know are missing.
   * The caller releases the links of all.
   */
  Map<String, RemoteShuffle> acquire(int shuffleId, List<String> executorIds) throws IOException {
    Map<String, RemoteShuffle> result = new HashMap<>();
    List<String> unknown = new ArrayList<>();
    synchronized (this) {
      Map<String, RemoteShuffle> cached = shuffles.getOrDefault(shuffleId, Map.of());
      for (String executorId : executorIds) {
        RemoteShuffle known = cached.get(executorId);
        if (known == null) {
          unknown.add(executorId);
        } else {
          known.link().users++;
          result.put(executorId, known);
        }
      }
    }
    if (!unknown.isEmpty()) {
      try {
        registry
            .lookup(shuffleId, unknown)
            .forEach((executorId, found) -> result.put(executorId, put(executorId, found)));
      } catch (IOException | RuntimeException e) {
        result.values().forEach(known -> release(known.link()));
        throw e;
      }
    }
    return result;
  }

  /**
   * Looks a part up again because its generation is over; null when the registry knows no newer
   * one. The caller releases its link.
   */
  RemoteShuffle renew(String executorId, RemoteShuffle stale) throws IOException {
    int shuffleId = stale.found().shuffle().shuffleId();
    synchronized (this) {
      Map<String, RemoteShuffle> cached = shuffles.get(shuffleId);
      RemoteShuffle known = cached == null ? null : cached.get(executorId);
      if (known != null && known.table() == stale.table()) {
        cached.remove(executorId);
        release(known.link());
      } else if (known != null) {
        known.link().users++;
        return known;
      }
    }
    PeerDirectory.Found found = registry.lookup(shuffleId, List.of(executorId)).get(executorId);
    if (found == null || found.shuffle().equals(stale.found().shuffle())) {
      return null;
    }
    return put(executorId, found);
  }

  private synchronized RemoteShuffle put(String executorId, PeerDirectory.Found found) {
    Map<String, RemoteShuffle> cached =
        shuffles.computeIfAbsent(found.shuffle().shuffleId(), id -> new HashMap<>());
    RemoteShuffle known = cached.get(executorId);
    if (known == null || !known.found().shuffle().equals(found.shuffle())) {
      PeerLink link = links.get(executorId);
      if (link == null || !link.leadsTo(found.store())) {
        link = new PeerLink(executorId, found, transports, hasService, counters, told);
        links.put(executorId, link);
      }
      link.users++;
      RemoteShuffle old = known;
      known = new RemoteShuffle(found, new TableReader(found.shuffle()), link, new Sighting());
      cached.put(executorId, known);
      if (old != null) {
        release(old.link());
      }
    }
    known.link().users++;
    return known;
  }

  /** What the log has been told of peers and shuffles. */
  Told told() {
    return told;
  }

  synchronized void retain(PeerLink link) {
    link.users++;
  }

  /** Ends one use of a link. */
  synchronized void release(PeerLink link) {
    if (--link.users == 0) {
      links.values().remove(link);
      link.close();
    }
  }

  synchronized void forget(int shuffleId) {
    Map<String, RemoteShuffle> cached = shuffles.remove(shuffleId);
    if (cached != null) {
      cached.values().forEach(known -> release(known.link()));
    }
  }

  synchronized void close() {
    shuffles.clear();
    links.values().forEach(PeerLink::close);
    links.clear();
  }
}
