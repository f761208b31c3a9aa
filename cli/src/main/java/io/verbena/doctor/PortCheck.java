package io.verbena.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One port of an RDMA device: the findings about it, and whether it can be used. */
final class PortCheck {
  static final String PORT = "rdma.port";
  static final String GID = "rdma.gid";
  static final String ADDRESS = "rdma.address";
  static final String MTU = "rdma.mtu";

  /** With less than this a RoCE packet carries 2 KiB or less of payload, not 4. */
  private static final int WANTED_MTU = 4200;

  private final Host host;
  private final RdmaPort port;
  private final List<Finding> findings = new ArrayList<>();

  PortCheck(Host host, RdmaPort port) {
    this.host = host;
    this.port = port;
    state();
    if (isUsable()) {
      address();
    }
    if (isUsable() && port.isRoce()) {
      gids();
      mtu();
    } else if (isUsable() && port.isInfiniBand() && !port.gids().isEmpty()) {
      add(GID, Level.OK, port.gids().get(0).value(), "", "");
    }
  }

  RdmaPort port() {
    return port;
  }

  List<Finding> findings() {
    return findings;
  }

  boolean isUsable() {
    return findings.stream().noneMatch(finding -> finding.level() == Level.FAIL);
  }

  private void add(String check, Level level, String seen, String needed, String mend) {
    findings.add(new Finding(check, port.name(), level, seen, needed, mend));
  }

  private void state() {
    String seen =
        "%s, %s, %s, link layer %s"
            .formatted(port.kind(), port.state(), port.rate(), port.linkLayer());
    if (!port.connects()) {
      add(
          PORT,
          Level.FAIL,
          seen + ", node type " + port.nodeType(),
          "a device with reliable connections (node type CA or RNIC)",
          "leave it out: --conf spark.shuffle.rdma.transports=shm,netty");
    } else if (!port.isActive()) {
      add(PORT, Level.FAIL, seen + ", " + port.physicalState(), "state ACTIVE", bringUp());
    } else {
      add(PORT, Level.OK, seen, "", "");
    }
  }

  private String bringUp() {
    if (port.isInfiniBand()) {
      return port.physicalState().equals("LinkUp")
          ? "systemctl start opensm (one subnet manager in the fabric)"
          : "connect the cable, then: ibportstate -D 0 " + port.number() + " enable";
    }
    return port.interfaces().isEmpty()
        ? "connect the cable"
        : "ip link set dev " + port.interfaces().get(0) + " up; connect the cable if it stays down";
  }

  private void address() {
    List<String> found = new ArrayList<>();
    for (String name : port.interfaces()) {
      host.addresses().apply(name).forEach(address -> found.add(address + " on " + name));
    }
    if (!found.isEmpty()) {
      add(ADDRESS, Level.OK, String.join(", ", found), "", "");
      return;
    }
    String needed = "an IP address on the port's network interface: connections are made by it";
    if (port.interfaces().isEmpty()) {
      add(
          ADDRESS,
          Level.FAIL,
          "no network interface",
          needed,
          port.isInfiniBand() ? "modprobe ib_ipoib, then ip address add" : "ip link");
      return;
    }
    String name = port.interfaces().get(0);
    add(
        ADDRESS,
        Level.FAIL,
        "none on " + String.join(", ", port.interfaces()),
        needed,
        "ip address add ADDRESS/PREFIX dev " + name + "; ip link set dev " + name + " up");
  }

  private void gids() {
    String seen =
        port.gids().stream()
            .map(gid -> gid.value() + " (" + gid.type() + ", index " + gid.index() + ")")
            .collect(Collectors.joining(", "));
    TreeSet<String> types = new TreeSet<>();
    port.gids().forEach(gid -> types.add(gid.type()));
    if (types.contains("RoCE v2")) {
      add(GID, Level.OK, seen, "", "");
    } else if (types.isEmpty()) {
      add(
          GID,
          Level.FAIL,
          "none",
          "a GID of type RoCE v2",
          "ip link set dev "
              + port.interfaces().get(0)
              + " down; ip link set dev "
              + port.interfaces().get(0)
              + " up");
    } else {
      add(
          GID,
          Level.WARN,
          seen,
          "a GID of type RoCE v2: v1 does not pass routers, and both sides have to use the same",
          "cma_roce_mode -d " + port.device() + " -p " + port.number() + " -m 2");
    }
  }

  private void mtu() {
    String name = port.interfaces().get(0);
    OptionalLong mtu = host.files().number("/sys/class/net/" + name + "/mtu");
    if (mtu.isEmpty()) {
      return;
    }
    String seen = name + " has " + mtu.getAsLong();
    if (mtu.getAsLong() >= WANTED_MTU) {
      add(MTU, Level.OK, seen, "", "");
    } else {
      add(
          MTU,
          Level.WARN,
          seen + ": packets of at most " + payload(mtu.getAsLong()) + " bytes",
          WANTED_MTU + " or more, on all hosts and switches, for packets of 4096 bytes",
          "ip link set dev " + name + " mtu 9000");
    }
  }

  /** The largest RDMA MTU that fits with its headers, as the kernel rounds it. */
  private static long payload(long mtu) {
    return Math.max(256, Math.min(4096, Long.highestOneBit(Math.max(1, mtu - 72))));
  }
}
