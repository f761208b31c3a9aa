package io.verbena.fetch;

/**
 * The task's thread was interrupted while it waited for bytes: the task is being killed. No map
 * output is at fault, so this is no {@link FetchException}. The thread's interrupt is set.
 */
public final class FetchInterruptedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FetchInterruptedException(InterruptedException cause) {
    super("interrupted while waiting for shuffle bytes", cause);
    Thread.currentThread().interrupt();
  }
}
