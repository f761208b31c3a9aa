package io.verbena.transport.verbs;

import io.verbena.transport.Read;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Waiting with a deadline; an interrupt is kept for later. */
final class Waits {
  private Waits() {}

  /** Waits on a monitor that the caller holds; false when the deadline came first. */
  static boolean until(Object monitor, BooleanSupplier condition, long deadline) {
    boolean interrupted = false;
    try {
      while (!condition.getAsBoolean()) {
        long millis = (deadline - System.nanoTime() + 999_999) / 1_000_000;
        if (millis <= 0) {
          return false;
        }
        try {
          monitor.wait(millis);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The end of one READ. */
  static final class Latch implements Read.Completion {
    private boolean ended;
    private IOException failure;

    @Override
    public synchronized void done(IOException cause) {
      ended = true;
      failure = cause;
      notifyAll();
    }

    synchronized boolean await(long deadline) {
      return until(this, () -> ended, deadline);
    }

    synchronized IOException failure() {
      return failure;
    }
  }
}
