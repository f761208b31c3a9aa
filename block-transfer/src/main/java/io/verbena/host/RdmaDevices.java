package io.verbena.host;

import java.util.List;

/**
 * RDMA devices as the kernel shows them, and the files by which programs use them.
 *
 * @param names of all devices
 * @param withoutFile those that this process has no file of in {@code /dev/infiniband}
 */
public record RdmaDevices(List<String> names, List<String> withoutFile) {
  /** Has an entry for each device. */
  public static final String DEVICES = "/sys/class/infiniband";

  /** Holds the files of devices. */
  public static final String FILES = "/dev/infiniband";

  private static final String VERBS = "/sys/class/infiniband_verbs";
  private static final String FILE = "uverbs";

  /** Looks at a host. */
  public static RdmaDevices of(HostFiles host) {
    List<String> names = host.names(DEVICES);
    return new RdmaDevices(names, names.stream().filter(name -> !hasFile(host, name)).toList());
  }

  /** A device whose file is not told has one when there is any: old kernels tell none. */
  private static boolean hasFile(HostFiles host, String device) {
    List<String> its =
        host.names(VERBS).stream().filter(file -> deviceOf(host, file).equals(device)).toList();
    return its.isEmpty()
        ? host.names(FILES).stream().anyMatch(RdmaDevices::isFile)
        : its.stream().anyMatch(file -> host.exists(FILES + "/" + file));
  }

  /** Whether a name in {@link #FILES} is one of a device. */
  public static boolean isFile(String name) {
    return name.startsWith(FILE);
  }

  /** The device that a file in {@link #FILES} is of; empty when that is not told. */
  public static String deviceOf(HostFiles host, String file) {
    return host.text(VERBS + "/" + file + "/ibdev").orElse("");
  }
}
