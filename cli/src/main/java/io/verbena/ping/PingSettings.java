package io.verbena.ping;

import io.verbena.conf.RdmaConf;
import java.time.Duration;
import java.util.List;

/**
 * How to try another host.
 *
 * @param target where {@code serve} listens
 * @param conf the job's settings
 * @param secret what both sides know
 * @param version of this jar
 * @param sizes bytes of READs, one after the other
 * @param depth READs posted at a time where bandwidth is measured
 * @param time how long each is measured
 * @param limit longest wait for anything that the other side does
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
public record PingSettings(
    HostPort target,
    RdmaConf conf,
    byte[] secret,
    String version,
    List<Integer> sizes,
    int depth,
    Duration time,
    Duration limit) {
  /** Most bytes of a READ here. */
  public static final int MAX_SIZE = 16 << 20;

  /** Most READs posted at a time here. */
  public static final int MAX_DEPTH = 256;

  /** Most bytes of memory that is read into. */
  public static final int MAX_MEMORY = 256 << 20;

  /** Longest measurement of one size, and longest wait: serve waits longer for a word. */
  public static final Duration MAX_TIME = Duration.ofSeconds(30);

  /**
   * Refuses what makes no sense.
   *
   * @throws IllegalArgumentException with the value and what is allowed
   */
  public PingSettings {
    check("depth", depth, 1, MAX_DEPTH);
    for (int size : sizes) {
      check("size", size, 1, MAX_SIZE);
      check("size times depth", (long) size * depth, 1, MAX_MEMORY);
    }
    check("milliseconds of a measurement", time.toMillis(), 1, MAX_TIME.toMillis());
    check("milliseconds of a wait", limit.toMillis(), 1, MAX_TIME.toMillis());
  }

  private static void check(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %d: from %d to %d is allowed".formatted(what, value, least, most));
    }
  }

  /** Tells everything but the secret. */
  @Override
  public String toString() {
    return "PingSettings[target=" + target + ", sizes=" + sizes + ", depth=" + depth + "]";
  }
}
