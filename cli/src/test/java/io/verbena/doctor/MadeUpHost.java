package io.verbena.doctor;

import io.verbena.host.FileSystems;
import io.verbena.host.HostFiles;
import io.verbena.host.Space;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A host that is made of files in a folder. Begins as one on which nothing is wrong and that has no
 * RDMA device.
 */
final class MadeUpHost implements FileSystems {
  static final long GIB = 1L << 30;
  static final long MIB = 1L << 20;

  private static final String TABLE = "ports/1/gid_attrs/";

  private final Path root;
  private final Map<String, Space> spaces = new HashMap<>();
  private final Set<String> closed = new HashSet<>();
  private final Set<String> readOnly = new HashSet<>();
  private final Map<String, String> env = new HashMap<>();
  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, List<String>> addresses = new HashMap<>();
  private Trial trial = (name, rdma) -> "what the trial found";

  MadeUpHost(Path root) {
    this.root = root;
    kernel("6.1.0-13-amd64");
    file("/proc/sys/kernel/hostname", "node7");
    file("/proc/meminfo", "MemTotal:       268435456 kB", "MemAvailable:   201326592 kB");
    file("/proc/self/mounts", "/dev/vda / ext4 rw 0 0", "tmpfs /dev/shm tmpfs rw 0 0");
    file("/proc/self/status", "Uid:\t1000", "CapEff:\t0000000000000000");
    file("/proc/self/uid_map", "         0          0 4294967295");
    file("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152");
    file("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "always [advise] never deny force");
    file("/usr/lib64/libibverbs.so.1");
    file("/usr/lib64/librdmacm.so.1");
    file("/usr/lib64/libibverbs/libmlx5-rdmav34.so");
    file("/usr/lib64/libibverbs/librxe-rdmav34.so");
    lockedMemory("unlimited");
    space("/dev/shm", "tmpfs", 64 * GIB, 64 * GIB);
    space("/tmp", "ext4", 500 * GIB, 100 * GIB);
    property("java.specification.version", "17");
    property("java.io.tmpdir", "/tmp");
    property("user.home", "/home/spark");
    property("user.dir", "/home/spark");
    property("user.name", "spark");
  }

  MadeUpHost file(String path, String... lines) {
    try {
      Path file = root.resolve(path.substring(1));
      Files.createDirectories(file.getParent());
      Files.write(file, List.of(lines));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  MadeUpHost kernel(String release) {
    return file("/proc/sys/kernel/osrelease", release);
  }

  MadeUpHost lockedMemory(String soft) {
    return file(
        "/proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     ",
        "Max locked memory         %-20s %-20s bytes     ".formatted(soft, soft));
  }

  MadeUpHost space(String folder, String type, long total, long usable) {
    spaces.put(folder, new Space(type, total, usable, type.equals("hugetlbfs") ? 2 * MIB : 4096));
    return this;
  }

  MadeUpHost env(String name, String value) {
    env.put(name, value);
    return this;
  }

  MadeUpHost property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  MadeUpHost addresses(String network, String... of) {
    addresses.put(network, List.of(of));
    return this;
  }

  MadeUpHost closed(String file) {
    closed.add(file);
    return this;
  }

  MadeUpHost readOnly(String folder) {
    readOnly.add(folder);
    return this;
  }

  MadeUpHost trial(Trial outcome) {
    trial = outcome;
    return this;
  }

  /** A device with one port that is up, and its files in {@code /dev}. */
  MadeUpHost device(String name, String nodeType, String linkLayer) {
    return port(name, "node_type", nodeType)
        .port(name, "ports/1/state", "4: ACTIVE")
        .port(name, "ports/1/phys_state", "5: LinkUp")
        .port(name, "ports/1/link_layer", linkLayer)
        .port(name, "ports/1/rate", "100 Gb/sec (4X EDR)")
        .port(name, "ports/1/gids/0", "0000:0000:0000:0000:0000:0000:0000:0000")
        .file("/dev/infiniband/rdma_cm")
        .file("/dev/infiniband/uverbs0");
  }

  MadeUpHost port(String device, String file, String... lines) {
    return file("/sys/class/infiniband/" + device + "/" + file, lines);
  }

  MadeUpHost gid(String device, int index, String value, String type, String network) {
    return port(device, "ports/1/gids/" + index, value)
        .port(device, TABLE + "types/" + index, type)
        .port(device, TABLE + "ndevs/" + index, network);
  }

  /** A RoCE device on a network interface with an address. */
  MadeUpHost roce(String name, String network) {
    return device(name, "1: CA", "Ethernet")
        .gid(name, 0, "fe80:0000:0000:0000:0a00:27ff:fe11:2233", "IB/RoCE v1", network)
        .gid(name, 1, "0000:0000:0000:0000:0000:ffff:0a63:0001", "RoCE v2", network)
        .file("/sys/class/net/" + network + "/mtu", "9000")
        .addresses(network, "10.99.0.1");
  }

  Host host() {
    return new Host(
        new HostFiles(root, this),
        env,
        properties,
        name -> addresses.getOrDefault(name, List.of()),
        true,
        trial);
  }

  Report look(String... settings) {
    Map<String, String> all = new HashMap<>();
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      all.put(parts[0], parts[1]);
    }
    if (!all.isEmpty()) {
      all.putIfAbsent("spark.shuffle.manager", "io.verbena.spark.RdmaShuffleManager");
    }
    return Doctor.look(host(), all);
  }

  private String path(Path file) {
    return "/" + root.relativize(file);
  }

  @Override
  public Space space(Path folder) throws IOException {
    Space space = spaces.get(path(folder));
    if (space == null) {
      throw new NoSuchFileException(path(folder));
    }
    return space;
  }

  @Override
  public boolean isWritable(Path folder) {
    return spaces.containsKey(path(folder)) && !readOnly.contains(path(folder));
  }

  @Override
  public void open(Path file) throws IOException {
    if (closed.contains(path(file))) {
      throw new AccessDeniedException(path(file));
    }
    if (!Files.exists(file)) {
      throw new NoSuchFileException(path(file));
    }
  }
}
