package io.verbena.doctor;

import io.verbena.conf.TransportKind;
import io.verbena.memory.Backing;
import io.verbena.memory.PoolForecast;
import io.verbena.memory.PoolForecast.Spot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where regions would lie, how much they may take, and what the kernel makes of it. */
final class PoolCheck implements Check {
  static final String BACKING = "pool.backing";
  static final String LIMIT = "pool.limit";
  static final String HUGE_PAGES = "pool.hugePages";
  static final String CONTAINER = "pool.container";
  static final String PINS = "pool.pins";

  private static final String COLLAPSE_SINCE = "6.1";
  private static final String THP = "/sys/kernel/mm/transparent_hugepage/";
  private static final Pattern RELEASE = Pattern.compile("([0-9]+)\\.([0-9]+).*");

  @Override
  public List<Finding> look(Host host, Job job) {
    List<Finding> findings = new ArrayList<>();
    for (Spot spot : job.pool().spots()) {
      findings.add(spot(host, job, spot));
    }
    findings.add(hugePages(host, job));
    findings.add(limit(host, job));
    findings.add(container(job));
    if (job.wants(TransportKind.VERBS) && job.spot() != null) {
      findings.add(pins(host, job.spot()));
    }
    return findings;
  }

  private static Finding spot(Host host, Job job, Spot spot) {
    String subject = spot.backing().optionName() + " at " + spot.folder();
    if (spot.usable()) {
      String seen =
          spot.backing() == Backing.HUGETLBFS
              ? "huge pages of " + Bytes.text(spot.space().blockSize())
              : Bytes.text(spot.space().usable()) + " free of " + Bytes.text(spot.space().total());
      return Finding.ok(BACKING, subject, seen);
    }
    Spot used = job.spot();
    // Most hosts mount hugetlbfs and reserve no pages for it: that is a choice, no fault.
    boolean optional = spot.backing() == Backing.HUGETLBFS && used != null;
    Level level = used == null ? Level.FAIL : optional ? Level.OK : Level.WARN;
    return new Finding(
        BACKING,
        subject,
        level,
        spot.problem(),
        level == Level.OK ? "" : "room for a region of " + Bytes.text(job.rdma().poolRegionSize()),
        level == Level.OK ? "" : makeRoom(host, job, spot));
  }

  /** What has room for the pool that is asked for, and at least for four regions. */
  private static String makeRoom(Host host, Job job, Spot spot) {
    long region = job.rdma().poolRegionSize();
    return makeRoom(
        host, spot, Math.max(spot.sizeFor(job.rdma().poolLimit().orElse(0), region), 4 * region));
  }

  /** What gives a folder's file system that size in all. */
  private static String makeRoom(Host host, Spot spot, long bytes) {
    String size = Bytes.option(bytes);
    return switch (spot.backing()) {
      case HUGETLBFS -> {
        long page = spot.space() == null ? 2 << 20 : spot.space().blockSize();
        yield "sysctl vm.nr_hugepages=" + (bytes + page - 1) / page;
      }
      case TMPFS -> {
        if (host.isKubernetes()) {
          yield "mount an emptyDir with medium: Memory and sizeLimit: "
              + size.replace("g", "Gi").replace("m", "Mi")
              + " at "
              + spot.folder();
        }
        yield host.isContainer()
            ? "docker run --shm-size=" + size
            : "mount -o remount,size=" + size + " " + spot.folder();
      }
      case DISK -> "free space there, or --conf spark.local.dir=/path/with/space";
    };
  }

  private static Finding hugePages(Host host, Job job) {
    String kernel = host.kernel();
    String enabled = bracketed(host.files().text(THP + "shmem_enabled").orElse(""));
    OptionalLong size = host.files().number(THP + "hpage_pmd_size");
    String subject = "transparent huge pages in shared memory";
    Spot spot = job.spot();
    if (spot == null || spot.backing() != Backing.TMPFS) {
      return Finding.ok(HUGE_PAGES, subject, "not needed: regions would not lie on tmpfs");
    }
    if (size.isEmpty()) {
      return new Finding(
          HUGE_PAGES,
          subject,
          Level.WARN,
          "this kernel has none",
          "a kernel with CONFIG_TRANSPARENT_HUGEPAGE; regions have 4 KiB pages otherwise",
          "install a kernel with them, or reserve huge pages: sysctl vm.nr_hugepages=N");
    }
    boolean always = List.of("always", "within_size", "force").contains(enabled);
    if (enabled.equals("deny")) {
      return new Finding(
          HUGE_PAGES,
          subject,
          Level.WARN,
          "shmem_enabled is deny",
          "anything else; regions have 4 KiB pages otherwise",
          "echo advise > " + THP + "shmem_enabled");
    }
    if (atLeast(kernel, 6, 1) || always) {
      return Finding.ok(HUGE_PAGES, subject, "shmem_enabled is " + enabled + ", kernel " + kernel);
    }
    return new Finding(
        HUGE_PAGES,
        subject,
        Level.WARN,
        "shmem_enabled is " + enabled + ", kernel " + kernel,
        "kernel " + COLLAPSE_SINCE + " or later; regions have 4 KiB pages otherwise",
        "echo always > " + THP + "shmem_enabled");
  }

  private static Finding limit(Host host, Job job) {
    PoolForecast pool = job.pool();
    String seen = Bytes.text(pool.limit()) + " an executor (" + pool.reasons() + ")";
    Spot spot = job.spot();
    if (pool.limit() < job.rdma().poolRegionSize()) {
      return new Finding(
          LIMIT,
          "pool",
          Level.WARN,
          seen,
          "at least one region of " + Bytes.text(job.rdma().poolRegionSize()),
          "--conf spark.executor.memoryOverhead=2g, or --conf spark.shuffle.rdma.pool.limit=1g");
    }
    if (spot == null || spot.backing() != Backing.TMPFS) {
      return Finding.ok(LIMIT, "pool", seen);
    }
    long region = job.rdma().poolRegionSize();
    long room = PoolForecast.room(spot.backing(), pool.limit(), region);
    if (spot.space().usable() < room) {
      return new Finding(
          LIMIT,
          "pool",
          Level.WARN,
          seen,
          "%s free at %s, which has %s: the limit and a region more, for each executor of the host;"
                  .formatted(Bytes.text(room), spot.folder(), Bytes.text(spot.space().usable()))
              + " the rest goes to disk",
          makeRoom(host, spot, spot.sizeFor(pool.limit(), region)));
    }
    return Finding.ok(LIMIT, "pool", seen);
  }

  /** Memory of tmpfs and huge pages counts against the container that writes it. */
  private static Finding container(Job job) {
    long limit = job.pool().container();
    String subject = "memory limit of this control group";
    if (limit == 0) {
      return Finding.ok(CONTAINER, subject, "none");
    }
    long heap = job.memory().heap();
    long pool = job.pool().limit();
    long buffers = job.rdma().receiveLimit();
    long needed = heap + pool + buffers;
    if (needed <= limit) {
      return Finding.ok(CONTAINER, subject, Bytes.text(limit));
    }
    long fits = Math.max(0, limit - heap - buffers);
    String lower =
        fits >= job.rdma().poolRegionSize()
            ? "--conf spark.shuffle.rdma.pool.limit=" + (fits >> 20) + "m, or "
            : "";
    return new Finding(
        CONTAINER,
        subject,
        Level.FAIL,
        Bytes.text(limit),
        "%s: heap (%s), pool (%s) and receive buffers (%s)"
            .formatted(Bytes.text(needed), Bytes.text(heap), Bytes.text(pool), Bytes.text(buffers)),
        lower + "give the container " + Bytes.option(needed));
  }

  /**
   * Registered memory is pinned for long. Kernels since 6.5 refuse that for writing on files whose
   * changes they have to track, which are all but those of tmpfs and hugetlbfs.
   */
  private static Finding pins(Host host, Spot spot) {
    String kernel = host.kernel();
    String subject = "pinning of registered memory";
    if (spot.backing() != Backing.DISK) {
      return Finding.ok(
          PINS, subject, spot.backing().optionName() + " may be pinned, kernel " + kernel);
    }
    String rule =
        atLeast(kernel, 6, 5)
            ? ", which refuses long-term pins for writing there; regions are pinned for reading"
            : "";
    return new Finding(
        PINS,
        subject,
        Level.WARN,
        "regions would lie on disk, kernel " + kernel + rule,
        "tmpfs or hugetlbfs: pinned page cache can neither be written back for good nor reclaimed,"
            + " and a file system with DAX refuses",
        "--conf spark.shuffle.rdma.pool.backings=tmpfs,disk, with room in /dev/shm");
  }

  private static boolean atLeast(String kernel, int major, int minor) {
    Matcher matcher = RELEASE.matcher(kernel);
    if (!matcher.matches()) {
      return false;
    }
    int theirs = Integer.parseInt(matcher.group(1));
    return theirs > major || (theirs == major && Integer.parseInt(matcher.group(2)) >= minor);
  }

  /** The chosen one of {@code always [madvise] never}. */
  private static String bracketed(String choices) {
    int from = choices.indexOf('[');
    int to = choices.indexOf(']');
    return from < 0 || to < from ? "unknown" : choices.substring(from + 1, to);
  }
}
