package io.verbena.log;

import java.util.Locale;

/**
 * Names of values in log lines. Spark 4's own names are used wherever it has one, so that one query
 * finds lines of both; {@code docs/operations.md} lists them all.
 */
public enum LogKey {
  /** Executor that the line is about. */
  EXECUTOR_ID(true),
  /** Its host. */
  HOST(true),
  /** Address of the other end of a connection. */
  HOST_PORT(true),
  /** Shuffle. */
  SHUFFLE_ID(true),
  /** Map output. */
  MAP_ID(true),
  /** Spark's name of a block. */
  BLOCK_ID(true),
  /** Why, as text. */
  REASON(true),
  /** Error of the operating system. */
  ERROR(true),
  /** What an RDMA device reported. */
  EVENT(true),
  /** File or folder. */
  PATH(true),
  /** Bytes that the line is about. */
  NUM_BYTES(true),
  /** Transport, of which a comma-separated list at start. */
  TRANSPORT(false),
  /** Transport that is used instead. */
  NEXT_TRANSPORT(false),
  /** RDMA device. */
  RDMA_DEVICE(false),
  /** Kind of memory or disk that holds regions. */
  BACKING(false),
  /** Limit of the pool, bytes. */
  POOL_LIMIT(false);

  private final boolean ofSpark;

  LogKey(boolean ofSpark) {
    this.ofSpark = ofSpark;
  }

  /** Whether Spark 4 has a key of this name. */
  public boolean ofSpark() {
    return ofSpark;
  }

  /** The name in a log, written as Spark writes its own. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A value for a placeholder of the line's text. */
  public Keyed is(Object value) {
    return new Keyed(this, value, true);
  }

  /** A value beside the line's text. */
  public Keyed also(Object value) {
    return new Keyed(this, value, false);
  }
}
