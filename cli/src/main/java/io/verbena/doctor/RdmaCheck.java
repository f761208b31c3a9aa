package io.verbena.doctor;

import io.verbena.conf.TransportKind;
import io.verbena.host.HostFiles;
import io.verbena.host.LockedMemory;
import io.verbena.host.RdmaDevices;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Whether executors on this host could use an RDMA device. */
final class RdmaCheck {
  static final String DEVICE = "rdma.device";
  static final String LIBRARIES = "rdma.libraries";
  static final String PERMISSION = "rdma.permission";
  static final String LOCKED = "rdma.lockedMemory";
  static final String READ = "rdma.read";

  static final String PROVIDERS = "rdma.providers";

  private static final String DEVICE_FILES = RdmaDevices.FILES;
  private static final String FOR_CONTAINERS = "for a container: --device=/dev/infiniband";

  private final Host host;
  private final Job job;
  private final List<Finding> findings = new ArrayList<>();
  private String used = "";

  RdmaCheck(Host host, Job job) {
    this.host = host;
    this.job = job;
    if (!job.wants(TransportKind.VERBS)) {
      findings.add(
          Finding.ok(
              DEVICE, "RDMA", "not looked at: spark.shuffle.rdma.transports leaves verbs out"));
      return;
    }
    List<RdmaPort> ports = RdmaPort.all(host.files());
    if (ports.isEmpty()) {
      noDevice();
      return;
    }
    ports(ports);
    libraries(ports);
    permission(ports);
    lockedMemory();
    if (failure().isEmpty()) {
      read();
    }
  }

  List<Finding> findings() {
    return findings;
  }

  /** What executors would use; empty when {@code verbs} does not work. */
  String used() {
    return used;
  }

  /** Why it does not work; empty when it does. */
  Optional<Finding> failure() {
    return findings.stream().filter(finding -> finding.level() == Level.FAIL).findFirst();
  }

  private void add(
      String check, String subject, Level level, String seen, String needed, String mend) {
    findings.add(new Finding(check, subject, level, seen, needed, mend));
  }

  private void noDevice() {
    String wanted = job.rdma().verbsDevice();
    boolean needed = !wanted.isEmpty() || !job.wants(TransportKind.NETTY);
    add(
        DEVICE,
        "RDMA devices",
        needed ? Level.FAIL : Level.WARN,
        "none: " + RdmaDevices.DEVICES + " is empty",
        wanted.isEmpty() ? "a device, to read executors on other hosts one-sidedly" : wanted,
        "load the driver of the network card, or make a software device: modprobe rdma_rxe; rdma"
            + " link add rxe0 type rxe netdev eth0");
  }

  private void ports(List<RdmaPort> all) {
    String wanted = job.rdma().verbsDevice();
    List<PortCheck> checks = wanted(all).stream().map(port -> new PortCheck(host, port)).toList();
    if (checks.isEmpty()) {
      TreeSet<String> names = new TreeSet<>(all.stream().map(RdmaPort::device).toList());
      add(
          DEVICE,
          "RDMA devices",
          Level.FAIL,
          String.join(", ", names),
          wanted,
          "--conf spark.shuffle.rdma.verbs.device=" + names.first());
    }
    boolean usable = checks.stream().anyMatch(PortCheck::isUsable);
    for (PortCheck check : checks) {
      // A free port of a card is nothing to mend while another works.
      boolean spare = usable && !check.isUsable();
      for (Finding finding : check.findings()) {
        findings.add(spare ? finding.withLevel(Level.OK) : finding);
      }
    }
  }

  private void libraries(List<RdmaPort> ports) {
    SharedLibraries libraries = new SharedLibraries(host);
    List<String> missing = libraries.missing("libibverbs.so.1", "librdmacm.so.1");
    if (missing.isEmpty()) {
      findings.add(
          Finding.ok(LIBRARIES, "libibverbs, librdmacm", libraries.found("libibverbs.so.1")));
      providers(libraries, ports);
      return;
    }
    add(
        LIBRARIES,
        "libibverbs, librdmacm",
        Level.FAIL,
        "not found: " + String.join(", ", missing),
        "rdma-core 28 or later",
        host.isRedHat()
            ? "dnf install libibverbs librdmacm"
            : "apt-get install libibverbs1 librdmacm1 ibverbs-providers");
  }

  /** libibverbs finds a device only with a driver library for it, which is a package by itself. */
  private void providers(SharedLibraries libraries, List<RdmaPort> ports) {
    List<String> found = libraries.providers();
    TreeSet<String> without = new TreeSet<>();
    for (RdmaPort port : wanted(ports)) {
      boolean has = port.provider().isEmpty() ? !found.isEmpty() : found.contains(port.provider());
      if (!has) {
        without.add(
            port.device() + (port.provider().isEmpty() ? "" : " (" + port.provider() + ")"));
      }
    }
    String seen = found.isEmpty() ? "none" : String.join(", ", found);
    if (without.isEmpty()) {
      findings.add(Finding.ok(PROVIDERS, "drivers of libibverbs", seen));
      return;
    }
    add(
        PROVIDERS,
        "drivers of libibverbs",
        Level.FAIL,
        seen,
        "one for " + String.join(", ", without) + ": libibverbs does not see the device otherwise",
        host.isRedHat() ? "dnf install libibverbs" : "apt-get install ibverbs-providers");
  }

  /** Ports of the device that the job asks for, or all. */
  private List<RdmaPort> wanted(List<RdmaPort> ports) {
    String device = job.rdma().verbsDevice();
    return ports.stream().filter(port -> device.isEmpty() || device.equals(port.device())).toList();
  }

  private void permission(List<RdmaPort> ports) {
    HostFiles files = host.files();
    List<String> names = files.names(DEVICE_FILES);
    if (!names.contains("rdma_cm")) {
      permission(Level.FAIL, "rdma_cm is missing", "modprobe rdma_ucm; " + FOR_CONTAINERS);
      return;
    }
    List<String> used = new ArrayList<>(List.of("rdma_cm"));
    names.stream().filter(name -> isOfADevice(name, ports)).forEach(used::add);
    List<String> missing = RdmaDevices.of(files).withoutFile();
    List<String> devices = wanted(ports).stream().map(RdmaPort::device).distinct().toList();
    if (used.size() == 1 || missing.containsAll(devices)) {
      permission(
          Level.FAIL,
          "no file of " + String.join(", ", devices),
          "modprobe ib_uverbs; " + FOR_CONTAINERS);
      return;
    }
    for (String name : used) {
      String file = DEVICE_FILES + "/" + name;
      try {
        files.open(file);
      } catch (IOException e) {
        permission(
            Level.FAIL,
            name + " cannot be opened by user " + host.property("user.name") + ": " + e,
            "chmod 666 " + file + ", best by a udev rule; " + FOR_CONTAINERS);
        return;
      }
    }
    permission(Level.OK, String.join(", ", used) + " can be opened", "");
  }

  /** Those of devices that are left out by the settings do not matter. */
  private boolean isOfADevice(String name, List<RdmaPort> ports) {
    String device = RdmaDevices.deviceOf(host.files(), name);
    return RdmaDevices.isFile(name)
        && (device.isEmpty()
            || wanted(ports).stream().anyMatch(port -> port.device().equals(device)));
  }

  private void permission(Level level, String seen, String mend) {
    String needed = level == Level.OK ? "" : "rdma_cm and uverbs*, open for the executors' user";
    add(PERMISSION, DEVICE_FILES, level, seen, needed, mend);
  }

  private void lockedMemory() {
    LockedMemory locked = LockedMemory.of(host.files());
    long buffers = job.rdma().receiveLimit();
    long all = job.pool().limit() + buffers;
    long least = job.rdma().poolRegionSize() + buffers;
    String limit = locked.limit().isEmpty() ? "no limit" : Bytes.text(locked.limit().getAsLong());
    if (locked.allows(Math.max(all, least))) {
      String seen = locked.exempt() ? limit + ", and this user is not held to it" : limit;
      findings.add(Finding.ok(LOCKED, "limit of locked memory", seen));
      return;
    }
    boolean some = locked.allows(least);
    add(
        LOCKED,
        "limit of locked memory",
        some ? Level.WARN : Level.FAIL,
        limit,
        Bytes.text(Math.max(all, least))
            + ": the pool ("
            + Bytes.text(job.pool().limit())
            + ") and receive buffers ("
            + Bytes.text(buffers)
            + ")"
            + (some ? "; regions beyond the limit are read by netty" : ""),
        "ulimit -l unlimited; in the worker's systemd unit: LimitMEMLOCK=infinity; for a container:"
            + " --ulimit memlock=-1");
  }

  private void read() {
    if (!host.opened()) {
      used = "not tried";
      return;
    }
    try {
      used = host.trial().run(host.env().getOrDefault("SPARK_LOCAL_IP", ""), job.rdma());
      findings.add(Finding.ok(READ, "READ through the device", used));
    } catch (IOException e) {
      add(
          READ,
          "READ through the device",
          Level.FAIL,
          String.valueOf(e.getMessage()),
          "a READ of this process's own memory",
          "what the message says; kernel messages may tell more: dmesg | tail");
    }
  }
}
