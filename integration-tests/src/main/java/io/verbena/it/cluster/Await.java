package io.verbena.it.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for what other processes do, always with a deadline. Polls, since files and {@code /proc}
 * tell nobody when they change.
 */
public final class Await {
  private static final long POLL_MILLIS = 20;

  private Await() {}

  /**
   * Waits until the condition holds.
   *
   * @param what the condition in words, for the error: "waited 30 s for WHAT"
   * @throws ClusterException when it does not hold within the limit
   */
  public static void until(String what, Duration limit, BooleanSupplier condition)
      throws InterruptedException {
    value(what, limit, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
  }

  /**
   * Waits until the supplier gives a value, and returns it.
   *
   * @param what the value in words, for the error: "waited 30 s for WHAT"
   * @throws ClusterException when there is none within the limit
   */
  public static <T> T value(String what, Duration limit, Supplier<Optional<T>> supplier)
      throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      Optional<T> found = supplier.get();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() - start >= limit.toNanos()) {
        throw new ClusterException(
            "waited %.1f s for %s".formatted(limit.toMillis() / 1000.0, what));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
