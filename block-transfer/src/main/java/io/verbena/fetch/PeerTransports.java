package io.verbena.fetch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The transport that was chosen last for each peer. It stays when the connection is closed: pages
 * and reports are read when a job is over.
 *
 * <p>Threads: any.
 */
final class PeerTransports {
  /** Peers at most; the one whose choice is the oldest goes first. */
  static final int MAX_PEERS = 4_096;

  private final Map<String, String> transportOf = new LinkedHashMap<>();
  private Map<String, String> snapshot = Map.of();
  private boolean changed;

  synchronized void put(String executorId, String transport) {
    if (transport.equals(transportOf.get(executorId))) {
      return;
    }
    changed = true;
    transportOf.remove(executorId);
    transportOf.put(executorId, transport);
    if (transportOf.size() > MAX_PEERS) {
      transportOf.remove(transportOf.keySet().iterator().next());
    }
  }

  /** Peers by transport, as {@link IdRanges}. Made only when something has changed. */
  synchronized Map<String, String> byTransport() {
    if (changed) {
      changed = false;
      Map<String, List<String>> peers = new TreeMap<>();
      transportOf.forEach(
          (id, transport) -> peers.computeIfAbsent(transport, t -> new ArrayList<>()).add(id));
      Map<String, String> texts = new TreeMap<>();
      peers.forEach((transport, ids) -> texts.put(transport, IdRanges.text(ids)));
      snapshot = Map.copyOf(texts);
    }
    return snapshot;
  }
}
