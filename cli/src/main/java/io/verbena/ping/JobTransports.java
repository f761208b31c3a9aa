package io.verbena.ping;

import io.verbena.conf.RdmaConf;
import io.verbena.conf.TransportKind;
import io.verbena.transport.Transport;
import io.verbena.transport.shm.ShmTransport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The one-sided transports that an executor with these settings would have, best first. */
final class JobTransports implements AutoCloseable {
  static final String NETTY = name(TransportKind.NETTY);

  private final List<String> wanted;
  private final List<Transport> opened = new ArrayList<>();
  private final Map<String, String> missing = new LinkedHashMap<>();

  private JobTransports(List<String> wanted) {
    this.wanted = wanted;
  }

  /**
   * Opens them.
   *
   * @param host address of this host, as an executor would have it
   */
  static JobTransports open(RdmaConf conf, String host, byte[] secret) {
    JobTransports transports =
        new JobTransports(conf.transports().stream().map(JobTransports::name).toList());
    for (TransportKind kind : conf.transports()) {
      if (kind == TransportKind.SHM) {
        transports.opened.add(new ShmTransport(ShmTransport.Mode.valueOf(conf.shmMode().name())));
      } else if (kind == TransportKind.VERBS) {
        VerbsEnd verbs = VerbsEnd.open(host, conf, secret);
        if (verbs.transport() == null) {
          transports.missing.put(name(kind), "here: " + verbs.text());
        } else {
          transports.opened.add(verbs.transport());
        }
      }
    }
    return transports;
  }

  private static String name(TransportKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** Names of all that the job allows, best first. */
  List<String> wanted() {
    return wanted;
  }

  /** Those that are usable on this host, best first. */
  List<Transport> opened() {
    return opened;
  }

  /** Why others are not, by name. */
  Map<String, String> missing() {
    return missing;
  }

  /** Idempotent. */
  @Override
  public void close() {
    opened.forEach(Transport::close);
  }
}
