package io.verbena.spark;

import static io.verbena.log.LogKey.BACKING;
import static io.verbena.log.LogKey.EXECUTOR_ID;
import static io.verbena.log.LogKey.HOST;
import static io.verbena.log.LogKey.PATH;
import static io.verbena.log.LogKey.POOL_LIMIT;
import static io.verbena.log.LogKey.RDMA_DEVICE;
import static io.verbena.log.LogKey.REASON;
import static io.verbena.log.LogKey.TRANSPORT;

import io.verbena.log.KeyedLogger;
import io.verbena.memory.PoolChoice;
import java.util.ArrayList;
import java.util.List;

/** The one line in which an executor says what it has chosen, and why. */
final class StartLine {
  private static final KeyedLogger LOG = KeyedLogger.of(StartLine.class);

  private StartLine() {}

  /**
   * Logs it.
   *
   * @param transports names, best first
   * @param compression when map outputs are compressed
   */
  static void log(
      String executorId,
      String host,
      PoolChoice pool,
      List<String> transports,
      VerbsSetup verbs,
      String compression) {
    List<String> reasons = new ArrayList<>(pool.reasons());
    if (!verbs.text().isEmpty()) {
      reasons.add(verbs.text());
    }
    reasons.add(compression);
    LOG.info(
        "Executor {} on {} keeps map outputs on {}{} and reads those of others by {}: {}",
        EXECUTOR_ID.is(executorId),
        HOST.is(host),
        BACKING.is(pool.backing()),
        pool.path() == null ? "" : " at " + pool.path(),
        TRANSPORT.is(String.join(", ", transports)),
        REASON.is(String.join("; ", reasons)),
        PATH.also(pool.path() == null ? "" : pool.path()),
        POOL_LIMIT.also(pool.limit()),
        RDMA_DEVICE.also(verbs.device()));
  }
}
