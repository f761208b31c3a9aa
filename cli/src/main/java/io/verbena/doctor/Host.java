package io.verbena.doctor;

import io.verbena.host.HostFiles;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What can be seen of a host.
 *
 * @param files its files
 * @param env variables of this process
 * @param properties system properties of this JVM
 * @param addresses addresses of a network interface that is up, by its name; none when it is not
 * @param opened whether this JVM lets the jar's classes into {@code sun.nio.ch}
 * @param trial tries the RDMA device
 */
public record Host(
    HostFiles files,
    Map<String, String> env,
    Map<String, String> properties,
    Function<String, List<String>> addresses,
    boolean opened,
    Trial trial) {
  /** The host that this process runs on. */
  public static Host live() {
    Map<String, String> properties =
        System.getProperties().stringPropertyNames().stream()
            .collect(Collectors.toMap(name -> name, System::getProperty));
    return new Host(
        HostFiles.thisHost(),
        System.getenv(),
        properties,
        NetworkInterfaces::addresses,
        Object.class.getModule().isOpen("sun.nio.ch", Host.class.getModule()),
        new LiveTrial());
  }

  String property(String name) {
    return properties.getOrDefault(name, "");
  }

  /** The kernel's release, such as {@code 6.8.0-45-generic}. */
  String kernel() {
    return files.text("/proc/sys/kernel/osrelease").orElse("unknown");
  }

  String name() {
    return files.text("/proc/sys/kernel/hostname").orElse("this host");
  }

  /** Whether this process is in a container, as far as can be seen. */
  boolean isContainer() {
    return isKubernetes()
        || files.exists("/.dockerenv")
        || files.exists("/run/.containerenv")
        || files.lines("/proc/self/cgroup").stream()
            .anyMatch(line -> line.contains("docker") || line.contains("containerd"));
  }

  boolean isKubernetes() {
    return env.containsKey("KUBERNETES_SERVICE_HOST");
  }

  /** Whether packages are installed with {@code dnf}. */
  boolean isRedHat() {
    return files.lines("/etc/os-release").stream()
        .anyMatch(line -> line.startsWith("ID") && line.matches(".*(rhel|fedora|centos|suse).*"));
  }
}
