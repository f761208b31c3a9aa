package io.verbena.memory;

import static io.verbena.log.LogKey.POOL_LIMIT;

import io.verbena.log.KeyedLogger;

/**
 * Says when the pool's limit is reached: once, and again when meanwhile a quarter of the limit was
 * given back. A pool that stays full has each piece of each run find it so.
 *
 * <p>Threads: guarded by the regions' lock.
 */
final class LimitNotice {
  private static final KeyedLogger LOG = KeyedLogger.of(LimitNotice.class);

  private static final int PARTS = 4;

  private final long limit;
  private boolean said;
  private long usedThen;

  LimitNotice(long limit) {
    this.limit = limit;
  }

  /** Run data found no room below the limit, of which so many bytes are in use. */
  void reached(long used) {
    if (said) {
      return;
    }
    said = true;
    usedThen = used;
    LOG.info(
        "The pool's limit of {} is reached: until shuffles are removed, further map outputs go to"
            + " files in Spark's local directories, which costs writing and reading them there. For"
            + " more room raise spark.shuffle.rdma.pool.limit (and the memory overhead), or set"
            + " spark.shuffle.rdma.compress=always",
        Sizes.text(limit),
        POOL_LIMIT.also(limit));
  }

  /** So many bytes are still in use after some were given back. */
  void freed(long used) {
    if (said && used <= usedThen - limit / PARTS) {
      said = false;
    }
  }
}
