package io.verbena.fetch;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What the log has been told already. Links to peers and knowledge of shuffles come and go, with a
 * stream's micro-batches several times a second; an operator wants a fall once.
 *
 * <p>Threads: any.
 */
final class Told {
  /** Facts at most; the oldest is forgotten first. */
  static final int MAX_FACTS = 4_096;

  private final Set<Object> facts = new LinkedHashSet<>();

  /** Whether this is new. */
  synchronized boolean first(Object fact) {
    boolean isNew = facts.add(fact);
    if (facts.size() > MAX_FACTS) {
      facts.remove(facts.iterator().next());
    }
    return isNew;
  }
}
