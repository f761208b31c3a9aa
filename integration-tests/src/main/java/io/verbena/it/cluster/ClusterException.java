package io.verbena.it.cluster;

/**
 * A cluster, an application on it or one of their processes did not do what it was asked to: it did
 * not start, ended early, or a deadline passed. The message says which, with the log's end.
 */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClusterException(String message) {
    super(message);
  }

  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
