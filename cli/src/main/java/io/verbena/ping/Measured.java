package io.verbena.ping;

import java.util.List;

/**
 * What one way between the hosts gave.
 *
 * @param name transport, or {@code tcp}
 * @param reason why it is out; empty when it works
 * @param setupNanos times of connecting, first one first
 * @param samples one a size
 */
record Measured(String name, String reason, List<Long> setupNanos, List<Sample> samples) {
  static Measured out(String name, String reason) {
    return new Measured(name, reason, List.of(), List.of());
  }

  boolean works() {
    return reason.isEmpty();
  }

  double firstSetupMicros() {
    return setupNanos.get(0) / 1e3;
  }

  double medianSetupMicros() {
    return setupNanos.stream().sorted().toList().get(setupNanos.size() / 2) / 1e3;
  }
}
