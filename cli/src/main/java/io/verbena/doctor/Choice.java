package io.verbena.doctor;

import io.verbena.conf.TransportKind;
import io.verbena.memory.PoolForecast;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * By which transport executors on this host would read others.
 *
 * @param transport its name; empty when none works
 * @param how what it would use
 * @param passed better ones that are out, each with the reason
 */
record Choice(String transport, String how, List<Passed> passed) {
  /** A transport that is asked for and does not work. */
  record Passed(String transport, String reason) {}

  /** For executors of the same host. */
  static Choice sameHost(Job job, RdmaCheck rdma) {
    return choose(job, rdma, true);
  }

  /** For executors of other hosts, of which nothing is known here. */
  static Choice otherHosts(Job job, RdmaCheck rdma) {
    return choose(job, rdma, false);
  }

  private static Choice choose(Job job, RdmaCheck rdma, boolean same) {
    List<Passed> passed = new ArrayList<>();
    for (TransportKind kind : job.rdma().transports()) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      switch (kind) {
        case SHM -> {
          PoolForecast.Spot spot = job.spot();
          if (same && spot != null) {
            return new Choice(name, "regions in " + spot.folder(), passed);
          } else if (same) {
            passed.add(new Passed(name, "no backing has room for a region"));
          }
        }
        case VERBS -> {
          if (!rdma.used().isEmpty()) {
            return new Choice(name, rdma.used(), passed);
          }
          passed.add(new Passed(name, reason(rdma)));
        }
        case NETTY -> {
          return new Choice(name, "Spark's own block transfer", passed);
        }
      }
    }
    return new Choice("", "", passed);
  }

  private static String reason(RdmaCheck rdma) {
    Finding worst =
        rdma.failure()
            .orElseGet(
                () ->
                    rdma.findings().stream()
                        .filter(finding -> finding.level() == Level.WARN)
                        .findFirst()
                        .orElseThrow());
    return worst.subject() + ": " + worst.seen();
  }

  /** One line; {@code whom} is what is read. */
  String text(String whom) {
    StringBuilder line = new StringBuilder(whom).append(": ");
    line.append(transport.isEmpty() ? "nothing works" : transport + " (" + how + ")");
    passed.forEach(
        each ->
            line.append("\n  not ").append(each.transport()).append(": ").append(each.reason()));
    return line.toString();
  }
}
