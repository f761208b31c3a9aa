package io.verbena.transport.verbs;

/** Waiting for threads. */
final class Threads {
  private Threads() {}

  /** Waits for a thread's end, at most so long; an interrupt is kept for later. */
  static void join(Thread thread, long millis) {
    boolean interrupted = false;
    long end = System.nanoTime() + millis * 1_000_000;
    while (thread.isAlive()) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        break;
      }
      try {
        thread.join(left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
