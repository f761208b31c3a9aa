package io.verbena.ping;

import io.verbena.conf.RdmaConf;
import io.verbena.conf.TransportKind;
import io.verbena.store.RemoteAccess;
import io.verbena.transport.verbs.VerbsSettings;
import io.verbena.transport.verbs.VerbsTransport;
import io.verbena.transport.verbs.VerbsUnavailableException;
import java.util.List;

/**
 * This process's RDMA device, opened as an executor would.
 *
 * @param transport null without one
 * @param text the device, or why there is none
 */
record VerbsEnd(VerbsTransport transport, String text) implements AutoCloseable {
  /**
   * Opens the device.
   *
   * @param host address of this host as the job's executors have it; their device is preferred
   */
  static VerbsEnd open(String host, RdmaConf conf, byte[] secret) {
    if (!conf.transports().contains(TransportKind.VERBS)) {
      return none("left out by spark.shuffle.rdma.transports");
    }
    try {
      VerbsTransport transport =
          VerbsTransport.open(
              new VerbsSettings(
                  host,
                  conf.verbsDevice(),
                  conf.verbsAddress(),
                  conf.verbsQueueDepth(),
                  conf.verbsConnectTimeout(),
                  conf.verbsIdleTimeout(),
                  conf.verbsSpin(),
                  secret,
                  List.of()));
      return new VerbsEnd(transport, transport.device().toString());
    } catch (VerbsUnavailableException e) {
      return none(e.getMessage());
    }
  }

  static VerbsEnd none(String reason) {
    return new VerbsEnd(null, reason);
  }

  RemoteAccess remote() {
    return transport == null ? RemoteAccess.NONE : transport;
  }

  /** Where others connect to. */
  List<String> addresses() {
    return remote().addresses();
  }

  @Override
  public void close() {
    if (transport != null) {
      transport.close();
    }
  }
}
