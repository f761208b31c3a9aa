package io.verbena.transport.verbs;

import io.verbena.host.HostFiles;
import io.verbena.host.RdmaDevices;
import java.util.List;

/** Says what a host lacks whose RDMA devices the libraries do not find or cannot use. */
final class NoDevice {
  private static final String CONNECTION_MANAGER = RdmaDevices.FILES + "/rdma_cm";
  private static final String FILES_REMEDY =
      "modprobe ib_uverbs, for a container --device=" + RdmaDevices.FILES;

  private NoDevice() {}

  /** Why libibverbs lists no device. */
  static String reason(HostFiles host) {
    RdmaDevices devices = RdmaDevices.of(host);
    if (devices.names().isEmpty()) {
      return "this host has no RDMA device ("
          + RdmaDevices.DEVICES
          + " is empty): if it has such a network card, load its driver";
    }
    String names = String.join(", ", devices.names());
    if (devices.withoutFile().equals(devices.names())) {
      return "this host has RDMA devices (%s), but %s has no file of theirs: %s"
          .formatted(names, RdmaDevices.FILES, FILES_REMEDY);
    }
    return ("libibverbs has no driver for the RDMA devices of this host (%s): install rdma-core's"
            + " drivers (Debian: ibverbs-providers, Red Hat: libibverbs)")
        .formatted(names);
  }

  /**
   * What may be behind a call that failed though libibverbs lists devices; empty when nothing is
   * seen.
   *
   * @param wanted the device that is asked for; empty for any
   */
  static String hint(HostFiles host, String wanted) {
    if (!host.exists(CONNECTION_MANAGER)) {
      return "; %s is missing: modprobe rdma_ucm, for a container --device=%s"
          .formatted(CONNECTION_MANAGER, RdmaDevices.FILES);
    }
    List<String> unreachable =
        RdmaDevices.of(host).withoutFile().stream()
            .filter(name -> wanted.isEmpty() || wanted.equals(name))
            .toList();
    return unreachable.isEmpty()
        ? ""
        : "; %s has no file of %s: %s"
            .formatted(RdmaDevices.FILES, String.join(", ", unreachable), FILES_REMEDY);
  }
}
