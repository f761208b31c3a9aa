package io.verbena.doctor;

import io.verbena.host.HostFiles;
import io.verbena.host.RdmaDevices;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A port of an RDMA device, as {@code /sys/class/infiniband} shows it.
 *
 * @param device name of the device
 * @param number of the port
 * @param nodeType such as {@code CA} and, for iWARP, {@code RNIC}
 * @param state such as {@code ACTIVE}
 * @param physicalState such as {@code LinkUp}
 * @param linkLayer {@code InfiniBand} or {@code Ethernet}
 * @param rate such as {@code 100 Gb/sec (4X EDR)}
 * @param gids its GIDs
 * @param interfaces names of its network interfaces
 * @param software whether it is a software device
 * @param driver the kernel's driver of the card; empty when that is not told
 */
record RdmaPort(
    String device,
    String number,
    String nodeType,
    String state,
    String physicalState,
    String linkLayer,
    String rate,
    List<Gid> gids,
    List<String> interfaces,
    boolean software,
    String driver) {
  private static final String DEVICES = RdmaDevices.DEVICES;

  private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

  /**
   * A GID.
   *
   * @param type such as {@code RoCE v2}
   */
  record Gid(String index, String value, String type) {}

  /** All ports of all devices. */
  static List<RdmaPort> all(HostFiles files) {
    List<RdmaPort> all = new ArrayList<>();
    for (String device : files.names(DEVICES)) {
      String folder = DEVICES + "/" + device;
      for (String number : files.names(folder + "/ports")) {
        all.add(port(files, device, folder, number));
      }
    }
    return all;
  }

  private static RdmaPort port(HostFiles files, String device, String folder, String number) {
    String port = folder + "/ports/" + number;
    return new RdmaPort(
        device,
        number,
        meaning(files, folder + "/node_type"),
        meaning(files, port + "/state"),
        meaning(files, port + "/phys_state"),
        files.text(port + "/link_layer").orElse("unknown"),
        files.text(port + "/rate").orElse("unknown"),
        gids(files, port),
        interfaces(files, folder, port),
        files.exists(folder + "/parent"),
        files.field(folder + "/device/uevent", "DRIVER=").orElse(""));
  }

  /** {@code 4: ACTIVE} to {@code ACTIVE}. */
  private static String meaning(HostFiles files, String path) {
    return files.text(path).orElse("unknown").replaceFirst("^[0-9]+: ", "");
  }

  private static List<Gid> gids(HostFiles files, String port) {
    List<Gid> gids = new ArrayList<>();
    for (String index : files.names(port + "/gids")) {
      String value = files.text(port + "/gids/" + index).orElse(NO_GID);
      // An empty place has a value of zeros and no type.
      if (!value.equals(NO_GID)) {
        String type = files.text(port + "/gid_attrs/types/" + index).orElse("unknown");
        gids.add(new Gid(index, value, type));
      }
    }
    return gids;
  }

  private static List<String> interfaces(HostFiles files, String folder, String port) {
    Set<String> names = new LinkedHashSet<>();
    for (String index : files.names(port + "/gid_attrs/ndevs")) {
      files.text(port + "/gid_attrs/ndevs/" + index).ifPresent(names::add);
    }
    files.text(folder + "/parent").ifPresent(names::add);
    if (names.isEmpty()) {
      names.addAll(files.names(folder + "/device/net"));
    }
    return List.copyOf(names);
  }

  boolean isActive() {
    return state.equals("ACTIVE");
  }

  boolean isIwarp() {
    return nodeType.equals("RNIC");
  }

  boolean isInfiniBand() {
    return linkLayer.equals("InfiniBand");
  }

  boolean isRoce() {
    return !isIwarp() && !isInfiniBand();
  }

  /** Whether it has reliable connected queue pairs; devices of clouds and usNIC have none. */
  boolean connects() {
    return isIwarp() || nodeType.equals("CA");
  }

  /** The library that libibverbs needs for it, by its short name; empty when that is not known. */
  String provider() {
    if (software) {
      return isIwarp() ? "siw" : "rxe";
    }
    return driver.startsWith("mlx") ? driver.replace("_core", "") : "";
  }

  String kind() {
    if (isIwarp()) {
      return "iWARP";
    }
    return isInfiniBand() ? "InfiniBand" : software ? "Soft-RoCE" : "RoCE";
  }

  /** Such as {@code mlx5_0 port 1}. */
  String name() {
    return device + " port " + number;
  }
}
