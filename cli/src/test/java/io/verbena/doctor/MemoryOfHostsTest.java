package io.verbena.doctor;

import static io.verbena.doctor.MadeUpHost.GIB;
import static io.verbena.doctor.MadeUpHost.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts with enough and with too little memory for the pool. */
class MemoryOfHostsTest extends DoctorFixture {
  private static final String NO_DEVICE = "spark.shuffle.rdma.transports=shm,netty";

  @Test
  void containerWithTheUsual64MibOfSharedMemoryIsToldToTakeMore() {
    host.space("/dev/shm", "tmpfs", 64 * MIB, 64 * MIB).file("/.dockerenv");
    Report report = host.look(NO_DEVICE);
    assertFinding(
        report,
        "pool.backing",
        Level.WARN,
        "/dev/shm has 64 MiB free, 256 MiB are needed",
        "room for a region of 256 MiB",
        "docker run --shm-size=1g");
    assertThat(report.sameHost().transport()).isEqualTo("shm");
    assertThat(report.sameHost().how()).isEqualTo("regions in /tmp");
  }

  @Test
  void smallSharedMemoryOfAHostIsMountedAnewWithTheSizeOfThePool() {
    host.space("/dev/shm", "tmpfs", 64 * MIB, 64 * MIB);
    assertThat(
            worst(host.look(NO_DEVICE, "spark.shuffle.rdma.pool.limit=3g"), "pool.backing").mend())
        .isEqualTo("mount -o remount,size=3584m /dev/shm");
  }

  @Test
  void smallSharedMemoryOfAPodIsMadeLargerByAVolume() {
    host.space("/dev/shm", "tmpfs", 64 * MIB, 64 * MIB).env("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    assertThat(worst(host.look(NO_DEVICE), "pool.backing").mend())
        .isEqualTo("mount an emptyDir with medium: Memory and sizeLimit: 1Gi at /dev/shm");
    assertThat(
            worst(host.look(NO_DEVICE, "spark.shuffle.rdma.pool.limit=4g"), "pool.backing").mend())
        .contains("sizeLimit: 4608Mi at");
  }

  @Test
  void poolThatSharedMemoryCannotHoldIsWarnedOf() {
    host.space("/dev/shm", "tmpfs", 2 * GIB, 2 * GIB);
    assertFinding(
        host.look(NO_DEVICE, "spark.shuffle.rdma.pool.limit=4g"),
        "pool.limit",
        Level.WARN,
        "4 GiB an executor (as set)",
        "4.3 GiB free at /dev/shm, which has 2 GiB: the limit and a region more",
        "mount -o remount,size=4608m /dev/shm");
  }

  @Test
  void sharedMemoryOfThePoolsLimitLeavesNoRoomForItsLastRegion() {
    String limit = "spark.shuffle.rdma.pool.limit=4g";
    host.space("/dev/shm", "tmpfs", 4 * GIB, 4 * GIB);
    assertThat(worst(host.look(NO_DEVICE, limit), "pool.limit").level()).isEqualTo(Level.WARN);
    host.space("/dev/shm", "tmpfs", 8 * GIB, 4 * GIB + 256 * MIB);
    assertThat(worst(host.look(NO_DEVICE, limit), "pool.limit").level()).isEqualTo(Level.WARN);
    host.space("/dev/shm", "tmpfs", 8 * GIB, 4 * GIB + 257 * MIB);
    assertThat(worst(host.look(NO_DEVICE, limit), "pool.limit").level()).isEqualTo(Level.OK);
  }

  @Test
  void whatOthersHaveTakenOfSharedMemoryComesOnTop() {
    host.space("/dev/shm", "tmpfs", 8 * GIB, 2 * GIB);
    assertThat(worst(host.look(NO_DEVICE, "spark.shuffle.rdma.pool.limit=4g"), "pool.limit").mend())
        .isEqualTo("mount -o remount,size=10752m /dev/shm");
  }

  @ParameterizedTest
  @CsvSource({"4607, WARN", "4608, OK"})
  void sizeThatTheDoctorProposesIsOneThatItAccepts(long mebibytes, Level level) {
    // With one mebibyte of others.
    host.space("/dev/shm", "tmpfs", mebibytes * MIB, (mebibytes - 1) * MIB);
    assertThat(
            worst(host.look(NO_DEVICE, "spark.shuffle.rdma.pool.limit=4350m"), "pool.limit")
                .level())
        .isEqualTo(level);
  }

  @Test
  void hostWhereNoBackingHasRoomFails() {
    host.space("/dev/shm", "tmpfs", 64 * MIB, 64 * MIB).space("/tmp", "ext4", 10 * GIB, 100 * MIB);
    Report report = host.look(NO_DEVICE);
    assertFinding(
        report, "pool.backing", Level.FAIL, "free, 256 MiB are needed", "room for a region", "");
    assertThat(report.sameHost().transport()).isEqualTo("netty");
    assertThat(report.sameHost().passed())
        .containsExactly(new Choice.Passed("shm", "no backing has room for a region"));
  }

  @Test
  void directoryThatTheUserMayNotWriteIsNamed() {
    host.readOnly("/dev/shm");
    assertFinding(
        host.look(NO_DEVICE),
        "pool.backing",
        Level.WARN,
        "/dev/shm cannot be written by this user",
        "",
        "mount");
  }

  @Test
  void mountOfHugePagesWithoutPagesIsNoFault() {
    hugePages("0");
    Report report = host.look(NO_DEVICE);
    assertAllWell(report);
    assertThat(report.text("test")).contains("/dev/hugepages has 0 free huge pages");
    assertThat(report.sameHost().how()).isEqualTo("regions in /dev/shm");
  }

  @Test
  void reservedHugePagesAreUsed() {
    hugePages("512");
    Report report = host.look(NO_DEVICE);
    assertAllWell(report);
    assertThat(report.sameHost().how()).isEqualTo("regions in /dev/hugepages");
  }

  @Test
  void jobThatInsistsOnHugePagesIsToldHowManyToReserve() {
    hugePages("0");
    assertFinding(
        host.look(NO_DEVICE, "spark.shuffle.rdma.pool.backings=hugetlbfs"),
        "pool.backing",
        Level.FAIL,
        "0 free huge pages, a region needs 128",
        "",
        "sysctl vm.nr_hugepages=512");
  }

  private void hugePages(String free) {
    host.file(
            "/proc/self/mounts",
            "tmpfs /dev/shm tmpfs rw 0 0",
            "hugetlbfs /dev/hugepages hugetlbfs rw,pagesize=2M 0 0")
        .space("/dev/hugepages", "hugetlbfs", 0, 0)
        .file("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", free);
  }

  @ParameterizedTest
  @CsvSource({
    "/sys/fs/cgroup/memory.max, 0::/",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes, 4:memory:/",
    "/sys/fs/cgroup/kubepods/pod7/memory.max, 0::/kubepods/pod7",
    "/sys/fs/cgroup/memory/kubepods/pod7/memory.limit_in_bytes, 4:memory:/kubepods/pod7"
  })
  void containerThatCannotHoldThePoolFails(String file, String group) {
    host.file(file, Long.toString(4 * GIB)).file("/proc/self/cgroup", group);
    assertFinding(
        host.look(NO_DEVICE, "spark.executor.memory=2g", "spark.shuffle.rdma.pool.limit=3g"),
        "pool.container",
        Level.FAIL,
        "4 GiB",
        "5.1 GiB: heap (2 GiB), pool (3 GiB) and receive buffers (64 MiB)",
        "--conf spark.shuffle.rdma.pool.limit=1984m, or give the container 5184m");
  }

  @Test
  void derivedPoolFitsIntoTheContainer() {
    host.file("/sys/fs/cgroup/memory.max", Long.toString(4 * GIB));
    Report report = host.look(NO_DEVICE, "spark.executor.memory=2g");
    assertAllWell(report);
    assertThat(worst(report, "pool.limit").seen())
        .startsWith("1 GiB an executor (half of what the container allows beside the heap");
  }

  @Test
  void containerThatTheHeapFillsLeavesNoRoomForAPool() {
    host.file("/sys/fs/cgroup/memory.max", Long.toString(4 * GIB));
    Report report = host.look(NO_DEVICE, "spark.executor.memory=4g");
    assertFinding(
        report,
        "pool.limit",
        Level.WARN,
        "0 B an executor",
        "at least one region of 256 MiB",
        "--conf spark.executor.memoryOverhead=2g");
    assertFinding(
        report, "pool.container", Level.FAIL, "4 GiB", "4.1 GiB", "give the container 4160m");
  }

  @Test
  void versionTwoWithoutALimitHasNone() {
    host.file("/sys/fs/cgroup/memory.max", "max");
    assertThat(worst(host.look(NO_DEVICE), "pool.container").seen()).isEqualTo("none");
  }

  @Test
  void kernelThatDeniesHugePagesIsWarnedOf() {
    host.file(
        "/sys/kernel/mm/transparent_hugepage/shmem_enabled",
        "always within_size advise never [deny] force");
    assertFinding(
        host.look(NO_DEVICE),
        "pool.hugePages",
        Level.WARN,
        "shmem_enabled is deny",
        "4 KiB pages",
        "echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled");
  }

  @ParameterizedTest
  @CsvSource({
    "5.14.0-362.el9.x86_64, WARN",
    "6.0.19, WARN",
    "6.1.0-13-amd64, OK",
    "6.10.3, OK",
    "10.0.0, OK"
  })
  void hugePagesOnRequestNeedANewKernel(String kernel, Level level) {
    Report report = host.kernel(kernel).look(NO_DEVICE);
    assertThat(worst(report, "pool.hugePages").level()).isEqualTo(level);
    if (level == Level.WARN) {
      assertThat(worst(report, "pool.hugePages").mend())
          .isEqualTo("echo always > /sys/kernel/mm/transparent_hugepage/shmem_enabled");
    }
  }

  @Test
  void oldKernelThatAlwaysGivesHugePagesIsWell() {
    host.kernel("5.14.0")
        .file("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "[always] advise never");
    assertAllWell(host.look(NO_DEVICE));
  }

  @Test
  void kernelWithoutHugePagesIsWarnedOf() throws Exception {
    Files.delete(root.resolve("sys/kernel/mm/transparent_hugepage/hpage_pmd_size"));
    assertFinding(
        host.look(NO_DEVICE),
        "pool.hugePages",
        Level.WARN,
        "this kernel has none",
        "CONFIG_TRANSPARENT_HUGEPAGE",
        "sysctl vm.nr_hugepages");
  }

  @ParameterizedTest
  @CsvSource({"6.8.0-45-generic, true", "6.1.0-13-amd64, false"})
  void regionsOnDiskAreWarnedOfWhereTheyWouldBePinned(String kernel, boolean refuses) {
    host.kernel(kernel).roce("mlx5_0", "eth2");
    Report report = host.look("spark.shuffle.rdma.pool.backings=disk");
    assertFinding(
        report,
        "pool.pins",
        Level.WARN,
        "regions would lie on disk, kernel " + kernel,
        "tmpfs or hugetlbfs",
        "--conf spark.shuffle.rdma.pool.backings=tmpfs,disk");
    assertThat(worst(report, "pool.pins").seen().contains("refuses long-term pins for writing"))
        .isEqualTo(refuses);
  }

  @Test
  void memoryOfTmpfsMayBePinnedOnAnyKernel() {
    Report report = host.kernel("6.8.0").roce("mlx5_0", "eth2").look();
    assertAllWell(report);
    assertThat(worst(report, "pool.pins").seen()).isEqualTo("tmpfs may be pinned, kernel 6.8.0");
  }
}
