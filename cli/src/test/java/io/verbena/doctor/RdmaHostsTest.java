package io.verbena.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Hosts with and without RDMA devices of all kinds. */
class RdmaHostsTest extends DoctorFixture {
  private void infiniBand() {
    host.device("mlx5_0", "1: CA", "InfiniBand")
        .port("mlx5_0", "ports/1/gids/0", "fe80:0000:0000:0000:506b:4b03:00aa:bbcc")
        .port("mlx5_0", "ports/1/gid_attrs/types/0", "IB/RoCE v1")
        .port("mlx5_0", "device/net/ib0/mtu", "2044")
        .addresses("ib0", "10.1.0.7");
  }

  @Test
  void infiniBandHostIsWell() {
    infiniBand();
    Report report = host.look();
    assertAllWell(report);
    assertThat(worst(report, "rdma.port").seen())
        .isEqualTo("InfiniBand, ACTIVE, 100 Gb/sec (4X EDR), link layer InfiniBand");
    assertThat(worst(report, "rdma.address").seen()).isEqualTo("10.1.0.7 on ib0");
    assertThat(worst(report, "rdma.gid").seen()).startsWith("fe80:");
    assertThat(report.sameHost().transport()).isEqualTo("shm");
    assertThat(report.otherHosts().transport()).isEqualTo("verbs");
    assertThat(report.otherHosts().how()).isEqualTo("what the trial found");
  }

  @Test
  void infiniBandPortThatWaitsForASubnetManagerIsToldSo() {
    infiniBand();
    host.port("mlx5_0", "ports/1/state", "2: INIT");
    Report report = host.look();
    assertFinding(report, "rdma.port", Level.FAIL, "INIT", "ACTIVE", "systemctl start opensm");
    assertNoVerbs(report, "mlx5_0 port 1: InfiniBand, INIT");
    assertThat(report.exitCode()).isEqualTo(2);
  }

  @Test
  void infiniBandPortWithoutACableIsToldSo() {
    infiniBand();
    host.port("mlx5_0", "ports/1/state", "1: DOWN")
        .port("mlx5_0", "ports/1/phys_state", "2: Polling");
    assertFinding(
        host.look(), "rdma.port", Level.FAIL, "DOWN", "ACTIVE", "ibportstate -D 0 1 enable");
  }

  @Test
  void infiniBandWithoutIpAddressIsToldSo() {
    infiniBand();
    host.addresses("ib0");
    assertFinding(
        host.look(),
        "rdma.address",
        Level.FAIL,
        "none on ib0",
        "an IP address",
        "ip address add ADDRESS/PREFIX dev ib0");
  }

  @Test
  void roceHostIsWell() {
    Report report = host.roce("mlx5_0", "eth2").look();
    assertAllWell(report);
    assertThat(worst(report, "rdma.gid").seen())
        .contains("0000:0000:0000:0000:0000:ffff:0a63:0001 (RoCE v2, index 1)")
        .contains("(IB/RoCE v1, index 0)");
    assertThat(report.otherHosts().transport()).isEqualTo("verbs");
  }

  @Test
  void rocePortWithGidsOfVersion1AloneIsWarnedOf() {
    host.roce("mlx4_0", "eth2")
        .gid("mlx4_0", 1, "0000:0000:0000:0000:0000:ffff:0a63:0001", "IB/RoCE v1", "eth2");
    Report report = host.look();
    assertFinding(
        report,
        "rdma.gid",
        Level.WARN,
        "(IB/RoCE v1, index 1)",
        "RoCE v2: v1 does not pass routers",
        "cma_roce_mode -d mlx4_0 -p 1 -m 2");
    assertThat(report.exitCode()).isEqualTo(1);
    assertThat(report.otherHosts().transport()).isEqualTo("verbs");
  }

  @Test
  void rocePortWithoutGidFails() {
    host.device("mlx5_0", "1: CA", "Ethernet")
        .port("mlx5_0", "device/net/eth2/mtu", "9000")
        .addresses("eth2", "10.99.0.1");
    Report report = host.look();
    assertFinding(report, "rdma.gid", Level.FAIL, "none", "RoCE v2", "ip link set dev eth2 down");
    assertNoVerbs(report, "mlx5_0 port 1: none");
  }

  @Test
  void rocePortThatIsDownIsToldHowToBringItUp() {
    host.roce("mlx5_0", "eth2").port("mlx5_0", "ports/1/state", "1: DOWN");
    Report report = host.look();
    assertFinding(
        report, "rdma.port", Level.FAIL, "RoCE, DOWN", "ACTIVE", "ip link set dev eth2 up");
    assertNoVerbs(report, "DOWN");
  }

  @Test
  void freePortOfACardIsNothingToMendWhileAnotherWorks() {
    host.roce("mlx5_0", "eth2").device("mlx5_1", "1: CA", "Ethernet");
    host.port("mlx5_1", "ports/1/state", "1: DOWN");
    Report report = host.look();
    assertAllWell(report);
    assertThat(report.otherHosts().transport()).isEqualTo("verbs");
  }

  @Test
  void freePortThatTheJobAsksForIsAFailure() {
    host.roce("mlx5_0", "eth2").device("mlx5_1", "1: CA", "Ethernet");
    host.port("mlx5_1", "ports/1/state", "1: DOWN");
    Report report = host.look("spark.shuffle.rdma.verbs.device=mlx5_1");
    assertFinding(report, "rdma.port", Level.FAIL, "DOWN", "ACTIVE", "connect the cable");
  }

  @Test
  void deviceThatTheHostDoesNotHaveIsAFailure() {
    Report report = host.roce("mlx5_0", "eth2").look("spark.shuffle.rdma.verbs.device=mlx5_7");
    assertFinding(
        report,
        "rdma.device",
        Level.FAIL,
        "mlx5_0",
        "mlx5_7",
        "--conf spark.shuffle.rdma.verbs.device=mlx5_0");
    assertNoVerbs(report, "mlx5_0");
  }

  @Test
  void smallMtuIsWarnedOf() {
    host.roce("mlx5_0", "eth2").file("/sys/class/net/eth2/mtu", "1500");
    assertFinding(
        host.look(),
        "rdma.mtu",
        Level.WARN,
        "eth2 has 1500: packets of at most 1024 bytes",
        "4200 or more",
        "ip link set dev eth2 mtu 9000");
  }

  @Test
  void iwarpHostIsWellWithoutAnyGidOfRoce() {
    host.device("cxgb4_0", "4: RNIC", "Ethernet")
        .port("cxgb4_0", "device/net/eth3/mtu", "1500")
        .addresses("eth3", "10.2.0.3");
    Report report = host.look();
    assertAllWell(report);
    assertThat(worst(report, "rdma.port").seen()).startsWith("iWARP, ACTIVE");
    assertThat(report.otherHosts().transport()).isEqualTo("verbs");
  }

  @Test
  void softRoceHostIsWellAndCalledSo() {
    Report report = host.roce("rxe0", "eth0").port("rxe0", "parent", "eth0").look();
    assertAllWell(report);
    assertThat(worst(report, "rdma.port").seen()).startsWith("Soft-RoCE, ACTIVE");
  }

  @Test
  void deviceWithoutReliableConnectionsIsLeftOut() {
    host.device("efa_0", "7: unspecified", "Unspecified");
    Report report = host.look();
    assertFinding(
        report,
        "rdma.port",
        Level.FAIL,
        "node type unspecified",
        "reliable connections",
        "--conf spark.shuffle.rdma.transports=shm,netty");
  }

  @Test
  void hostWithoutDeviceIsWarnedAndToldHowToGetOne() {
    Report report = host.look();
    assertFinding(
        report,
        "rdma.device",
        Level.WARN,
        "/sys/class/infiniband is empty",
        "a device",
        "rdma link add rxe0 type rxe netdev eth0");
    assertThat(report.exitCode()).isEqualTo(1);
    assertNoVerbs(report, "none: /sys/class/infiniband is empty");
  }

  @Test
  void hostWithoutDeviceIsWellWhenTheJobWantsNone() {
    Report report = host.look("spark.shuffle.rdma.transports=shm,netty");
    assertAllWell(report);
    assertThat(report.otherHosts().transport()).isEqualTo("netty");
    assertThat(report.otherHosts().passed()).isEmpty();
  }

  @Test
  void jobThatCannotDoWithoutADeviceFailsWithoutOne() {
    Report report = host.look("spark.shuffle.rdma.transports=shm,verbs");
    assertFinding(report, "rdma.device", Level.FAIL, "none", "a device", "modprobe rdma_rxe");
    assertFinding(
        report,
        "transports",
        Level.FAIL,
        "SHM,VERBS",
        "between all executors",
        "--conf spark.shuffle.rdma.transports=shm,verbs,netty");
    assertThat(report.otherHosts().transport()).isEmpty();
    assertThat(report.exitCode()).isEqualTo(2);
  }

  @Test
  void deviceFileThatMayNotBeOpenedIsNamedWithUserAndCommand() {
    host.roce("mlx5_0", "eth2").closed("/dev/infiniband/uverbs0");
    Report report = host.look();
    assertFinding(
        report,
        "rdma.permission",
        Level.FAIL,
        "uverbs0 cannot be opened by user spark: java.nio.file.AccessDeniedException",
        "open for the executors' user",
        "chmod 666 /dev/infiniband/uverbs0");
    assertNoVerbs(report, "uverbs0 cannot be opened");
  }

  @Test
  void deviceFileOfAnotherDeviceDoesNotMatter() {
    host.roce("mlx5_0", "eth2")
        .file("/dev/infiniband/uverbs1")
        .closed("/dev/infiniband/uverbs1")
        .file("/sys/class/infiniband_verbs/uverbs1/ibdev", "mlx5_1")
        .file("/sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0");
    assertAllWell(host.look());
  }

  @Test
  void missingConnectionManagerIsToldFirst() throws IOException {
    host.roce("mlx5_0", "eth2");
    java.nio.file.Files.delete(root.resolve("dev/infiniband/rdma_cm"));
    assertFinding(
        host.look(),
        "rdma.permission",
        Level.FAIL,
        "rdma_cm is missing",
        "rdma_cm and uverbs*",
        "modprobe rdma_ucm; for a container: --device=/dev/infiniband");
  }

  @Test
  void missingLibrariesAreToldWithTheDistributionsCommand() throws IOException {
    host.roce("mlx5_0", "eth2");
    java.nio.file.Files.delete(root.resolve("usr/lib64/librdmacm.so.1"));
    assertFinding(
        host.look(),
        "rdma.libraries",
        Level.FAIL,
        "not found: librdmacm.so.1",
        "rdma-core",
        "apt-get install libibverbs1 librdmacm1 ibverbs-providers");
    host.file("/etc/os-release", "NAME=\"Rocky Linux\"", "ID=rocky", "ID_LIKE=\"rhel centos\"");
    assertThat(worst(host.look(), "rdma.libraries").mend())
        .isEqualTo("dnf install libibverbs librdmacm");
  }

  @Test
  void librariesAreFoundWhereTheLinkerIsToldToLook() throws IOException {
    host.roce("mlx5_0", "eth2")
        .file("/etc/ld.so.conf.d/rdma.conf", "# ours", "/opt/rdma/lib")
        .file("/opt/rdma/lib/libibverbs.so.1")
        .file("/opt/rdma/lib/librdmacm.so.1");
    java.nio.file.Files.delete(root.resolve("usr/lib64/librdmacm.so.1"));
    assertAllWell(host.look());
  }

  @Test
  void missingDriversOfTheLibraryAreToldWithTheDistributionsCommand() throws IOException {
    host.roce("mlx5_0", "eth2");
    java.nio.file.Files.delete(root.resolve("usr/lib64/libibverbs/libmlx5-rdmav34.so"));
    java.nio.file.Files.delete(root.resolve("usr/lib64/libibverbs/librxe-rdmav34.so"));
    Report report = host.look();
    assertFinding(
        report,
        "rdma.providers",
        Level.FAIL,
        "none",
        "one for mlx5_0: libibverbs does not see the device otherwise",
        "apt-get install ibverbs-providers");
    assertNoVerbs(report, "drivers of libibverbs: none");
    host.file("/etc/os-release", "ID=rocky", "ID_LIKE=\"rhel centos\"");
    assertThat(worst(host.look(), "rdma.providers").mend()).isEqualTo("dnf install libibverbs");
  }

  @Test
  void driverOfAnotherDeviceDoesNotHelp() throws IOException {
    host.roce("rxe0", "eth0").port("rxe0", "parent", "eth0");
    java.nio.file.Files.delete(root.resolve("usr/lib64/libibverbs/librxe-rdmav34.so"));
    assertFinding(
        host.look(), "rdma.providers", Level.FAIL, "mlx5", "one for rxe0 (rxe)", "apt-get install");
    host.port("rxe0", "parent").file("/usr/lib64/libibverbs/librxe-rdmav34.so");
    assertAllWell(host.look());
    host.roce("rocep1s0", "eth2").port("rocep1s0", "device/uevent", "DRIVER=mlx4_core");
    assertThat(worst(host.look(), "rdma.providers").needed()).contains("one for rocep1s0 (mlx4)");
  }

  @Test
  void deviceWhoseFileTheContainerDoesNotHaveIsNamed() throws IOException {
    host.roce("mlx5_0", "eth2")
        .file("/sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0")
        .file("/sys/class/infiniband_verbs/uverbs1/ibdev", "mlx5_1");
    java.nio.file.Files.delete(root.resolve("dev/infiniband/uverbs0"));
    // The one of another container's device does not help.
    host.file("/dev/infiniband/uverbs1");
    Report report = host.look();
    assertFinding(
        report,
        "rdma.permission",
        Level.FAIL,
        "no file of mlx5_0",
        "rdma_cm and uverbs*",
        "modprobe ib_uverbs; for a container: --device=/dev/infiniband");
    assertNoVerbs(report, "/dev/infiniband: no file of mlx5_0");
  }

  @Test
  void limitOfLockedMemoryBelowARegionFails() {
    host.roce("mlx5_0", "eth2").lockedMemory("8388608");
    Report report = host.look();
    assertFinding(
        report,
        "rdma.lockedMemory",
        Level.FAIL,
        "8 MiB",
        "the pool (32 GiB) and receive buffers (64 MiB)",
        "LimitMEMLOCK=infinity");
    assertNoVerbs(report, "limit of locked memory: 8 MiB");
  }

  @Test
  void limitOfLockedMemoryBelowThePoolIsWarnedOf() {
    host.roce("mlx5_0", "eth2").lockedMemory("1073741824");
    Report report = host.look("spark.shuffle.rdma.pool.limit=4g");
    assertFinding(
        report,
        "rdma.lockedMemory",
        Level.WARN,
        "1 GiB",
        "4.1 GiB: the pool (4 GiB)",
        "ulimit -l unlimited");
    assertThat(report.otherHosts().transport()).isEqualTo("verbs");
  }

  @Test
  void userWhoMayLockAnythingIsNotHeldToTheLimit() {
    host.roce("mlx5_0", "eth2")
        .lockedMemory("8388608")
        .file("/proc/self/status", "CapEff:\t000001ffffffffff");
    assertAllWell(host.look());
    // As root of a user namespace, whose capabilities do not count here.
    host.file("/proc/self/uid_map", "         0       1000          1");
    assertThat(worst(host.look(), "rdma.lockedMemory").level()).isEqualTo(Level.FAIL);
  }

  @Test
  void limitOfLockedMemoryDoesNotMatterWithoutADevice() {
    Report report = host.lockedMemory("8388608").look("spark.shuffle.rdma.transports=shm,netty");
    assertAllWell(report);
  }

  @Test
  void deviceThatCannotBeReadThroughIsAFailureWithTheReasonOfTheTrial() {
    host.roce("mlx5_0", "eth2")
        .trial(
            (name, rdma) -> {
              throw new IOException("no address of this host belongs to RDMA device mlx5_0");
            });
    Report report = host.look();
    assertFinding(
        report,
        "rdma.read",
        Level.FAIL,
        "no address of this host belongs",
        "a READ of this process's own memory",
        "dmesg");
    assertNoVerbs(report, "READ through the device: no address");
  }
}
