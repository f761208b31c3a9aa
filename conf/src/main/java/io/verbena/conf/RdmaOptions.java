package io.verbena.conf;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Every setting of the shuffle. What an option means is said once, in its text here; {@code
 * docs/configuration.md} is generated from it, and {@link RdmaConf} has a typed method for each.
 */
public final class RdmaOptions {

  /** What all keys begin with. An unknown key that begins so is an error. */
  public static final String PREFIX = "spark.shuffle.rdma.";

  /** A region holds at least this many of the largest extents and chunks. */
  public static final int EXTENTS_PER_REGION = 16;

  /** The receive limit holds at least this many chunks, so that one can fill as one drains. */
  public static final int MIN_RECEIVE_CHUNKS = 2;

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private static final long MIN_REGION = MIB;
  private static final long MIN_CHUNK = MIN_REGION / EXTENTS_PER_REGION;

  private static final NameType<TransportKind> TRANSPORT = new NameType<>(TransportKind.class);
  private static final NameType<BackingKind> BACKING = new NameType<>(BackingKind.class);

  /** Ways to move blocks, best first. */
  public static final ConfOption<List<TransportKind>> TRANSPORTS =
      ConfOption.named(OptionGroup.TRANSPORTS, "transports")
          .since("0.1.0")
          .doc(
              """
              Transports that may be used, best first. Each pair of executors uses the first one \
              that works between them; why another was passed over is logged once. A pair that \
              no listed transport serves fails its fetches, so leave `netty` out only in tests \
              and measurements.
              """)
          .of(new NameListType<>(TRANSPORT), TRANSPORT.all());

  /** How {@code shm} reads. */
  public static final ConfOption<ShmMode> SHM_MODE =
      ConfOption.named(OptionGroup.TRANSPORTS, "shm.mode")
          .since("0.1.0")
          .doc("How the `shm` transport reads the region files of another executor.")
          .of(new NameType<>(ShmMode.class), "auto");

  /** RDMA device. */
  public static final ConfOption<String> VERBS_DEVICE =
      ConfOption.named(OptionGroup.VERBS, "verbs.device")
          .since("0.1.0")
          .doc(
              """
              RDMA device that executors use, as `ibv_devices` lists it. Without it each takes \
              the device that has the executor's own address, else the first device with an \
              address that is up; the log names it and the others of the host.
              """)
          .of(
              TextType.of("name", "the name of a device, such as mlx5_0", "[A-Za-z0-9_.-]{1,63}"),
              "");

  /** Address of the RDMA device. */
  public static final ConfOption<String> VERBS_ADDRESS =
      ConfOption.named(OptionGroup.VERBS, "verbs.address")
          .since("0.1.0")
          .doc(
              """
              Address through which the RDMA device is used: one of the device's network \
              interface. It holds for every executor, so it is of use where all run on one host; \
              elsewhere name the device.
              """)
          .of(
              TextType.of(
                  "address",
                  "an address of this host in numbers",
                  "[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]+"),
              "");

  /** READs posted at a time. */
  public static final ConfOption<Integer> VERBS_QUEUE_DEPTH =
      ConfOption.named(OptionGroup.VERBS, "verbs.queueDepth")
          .since("0.1.0")
          .doc(
              """
              Most READs of one connection that are posted at a time; the others wait in the \
              executor. A device with shorter queues lowers it. How many of them the device \
              works on at once is negotiated with the other side.
              """)
          .of(new CountType(8, 4096), "128");

  /** Deadline of connecting. */
  public static final ConfOption<Duration> VERBS_CONNECT_TIMEOUT =
      ConfOption.named(OptionGroup.VERBS, "verbs.connectTimeout")
          .since("0.1.0")
          .doc(
              """
              Deadline of connecting to another executor. When it has passed, that executor is \
              read by the next transport.
              """)
          .of(new TimeType(Duration.ofSeconds(1), Duration.ofMinutes(5)), "10s");

  /** Life of an unused connection. */
  public static final ConfOption<Duration> VERBS_IDLE_TIMEOUT =
      ConfOption.named(OptionGroup.VERBS, "verbs.idleTimeout")
          .since("0.1.0")
          .doc(
              """
              Connections that read nothing for so long are closed; the next READ connects again.
              """)
          .of(new TimeType(Duration.ofSeconds(1), Duration.ofHours(24)), "10min");

  /** Spinning. */
  public static final ConfOption<Duration> VERBS_SPIN =
      ConfOption.named(OptionGroup.VERBS, "verbs.spin")
          .since("0.1.0")
          .doc(
              """
              How long the thread that awaits completions goes on looking for the next one before \
              it sleeps. More makes small READs quicker and costs a processor meanwhile.
              """)
          .of(new TimeType(Duration.ofNanos(1000), Duration.ofMillis(10)), "20us");

  /** Size of the pool; empty means derived at start. */
  public static final ConfOption<OptionalLong> POOL_LIMIT =
      ConfOption.named(OptionGroup.POOL, "pool.limit")
          .since("0.1.0")
          .doc(
              """
              Most memory that the pool of one executor may use, in bytes. The limit is hard: a \
              map output that finds no room goes to a file in Spark's local directories, and \
              the job goes on. `auto` derives it when the executor starts from the executor's \
              memory overhead, the container's limit, the machine's memory and the free space \
              of the backing; the result is logged with its reasons.
              """)
          .relation("and at least one region (" + PREFIX + "pool.regionSize)")
          .of(SizeType.atLeast(MIN_REGION).orAuto(), "auto");

  /** Size of one region file. */
  public static final ConfOption<Long> POOL_REGION_SIZE =
      ConfOption.named(OptionGroup.POOL, "pool.regionSize")
          .since("0.1.0")
          .doc(
              """
              Size of one region: the unit in which the pool makes files, maps them and registers \
              them with devices. A smaller region wastes less on a small \
              executor; a larger one means fewer files and registrations.
              """)
          .of(SizeType.powerOfTwo(MIN_REGION, GIB), "256m");

  /** What regions lie on, best first. */
  public static final ConfOption<List<BackingKind>> POOL_BACKINGS =
      ConfOption.named(OptionGroup.POOL, "pool.backings")
          .since("0.1.0")
          .doc(
              """
              What region files may lie on, best first. The pool takes the first backing that \
              has room and tells once why another was passed over.
              """)
          .of(new NameListType<>(BACKING), BACKING.all());

  /** Directories in place of detected mounts. */
  public static final ConfOption<List<Path>> POOL_DIRECTORIES =
      ConfOption.named(OptionGroup.POOL, "pool.directories")
          .since("0.1.0")
          .doc(
              """
              Directories for the memory backings, in place of the mounts that are found by \
              themselves (hugetlbfs mounts and `/dev/shm`). Every executor of a host should \
              see the same ones. The `disk` backing goes on using Spark's local directories.
              """)
          .of(new DirectoriesType(), "");

  /** Background preparation of the next region. */
  public static final ConfOption<Boolean> POOL_PREFAULT =
      ConfOption.named(OptionGroup.POOL, "pool.prefault")
          .since("0.1.0")
          .doc(
              """
              Whether the next region is made and mapped in the background before the current \
              one is full. Without it a task that meets a full region waits for the next one. \
              Memory is taken from the system only as map outputs are written, either way; with \
              an RDMA device, and on `hugetlbfs`, a whole region at a time.
              """)
          .of(new BooleanType(), "true");

  /** Piece in which a large block is stored and checked. */
  public static final ConfOption<Long> CHUNK_SIZE =
      ConfOption.named(OptionGroup.STORING, "chunkSize")
          .since("0.1.0")
          .doc(
              """
              Blocks above this size are stored and checked in pieces of it. It is also the \
              most that is read before a checksum is compared.
              """)
          .relation("and at most 1/" + EXTENTS_PER_REGION + " of " + PREFIX + "pool.regionSize")
          .of(SizeType.powerOfTwo(MIN_CHUNK, 16 * MIB), "256k");

  /** When to compress. */
  public static final ConfOption<CompressMode> COMPRESS =
      ConfOption.named(OptionGroup.STORING, "compress")
          .since("0.1.0")
          .doc(
              """
              When map outputs are compressed. Spark's `spark.shuffle.compress` (default true) \
              gives leave to compress, and the codec is Spark's. Encryption \
              (`spark.io.encryption.enabled`) is never skipped.
              """)
          .relation("and not always when " + CrossChecks.SPARK_COMPRESS + " is false")
          .of(new NameType<>(CompressMode.class), "auto");

  /** Share of the pool from which {@code auto} compresses. */
  public static final ConfOption<Integer> COMPRESS_POOL_THRESHOLD =
      ConfOption.named(OptionGroup.STORING, "compress.poolThreshold")
          .since("0.1.0")
          .doc(
              """
              In percent of the pool's limit: `auto` starts to compress when this share is in \
              use. 0 compresses from the start, 100 when it is full.
              """)
          .of(new PercentType(), "75");

  /** Deadline of one READ or request to a peer. */
  public static final ConfOption<Duration> FETCH_TIMEOUT =
      ConfOption.named(OptionGroup.FETCHING, "fetch.timeout")
          .since("0.1.0")
          .doc(
              """
              Deadline of one READ or one request to another executor. A peer that does not \
              answer within it counts as lost: its reads fail, and Spark recomputes what cannot \
              be had otherwise.
              """)
          .of(new TimeType(Duration.ofSeconds(1), Duration.ofHours(1)), "60s");

  /** Deadline of one call to the driver. */
  public static final ConfOption<Duration> REGISTRY_TIMEOUT =
      ConfOption.named(OptionGroup.FETCHING, "registry.timeout")
          .since("0.1.0")
          .doc(
              """
              Deadline of one call to the registry on the driver, which knows how to reach each \
              executor.
              """)
          .of(new TimeType(Duration.ofSeconds(1), Duration.ofMinutes(10)), "30s");

  /** Most receive-buffer bytes per executor. */
  public static final ConfOption<Long> RECEIVE_LIMIT =
      ConfOption.named(OptionGroup.FETCHING, "receive.limit")
          .since("0.1.0")
          .doc(
              """
              Most memory for receive buffers per executor, shared by its tasks: reading ahead \
              stops there. The buffer that a task cannot go on without it gets in any case, so \
              that no task waits for another. What is in flight is bounded by Spark's \
              `spark.reducer.maxSizeInFlight` and its relatives as well.
              """)
          .relation("and at least " + MIN_RECEIVE_CHUNKS + " times " + PREFIX + "chunkSize")
          .of(SizeType.atLeast(MIN_RECEIVE_CHUNKS * MIN_CHUNK), "64m");

  /** Checks of every access to raw memory. */
  public static final ConfOption<Boolean> BOUNDS_CHECKS =
      ConfOption.named(OptionGroup.CHECKS, "boundsChecks")
          .since("0.1.0")
          .doc(
              """
              Whether every access to the pool's memory is checked against its bounds. Without \
              the checks a defect can end the JVM or spoil data instead of failing a task.
              """)
          .of(new BooleanType(), "true");

  private static final List<ConfOption<?>> ALL =
      List.of(
          TRANSPORTS,
          SHM_MODE,
          VERBS_DEVICE,
          VERBS_ADDRESS,
          VERBS_QUEUE_DEPTH,
          VERBS_CONNECT_TIMEOUT,
          VERBS_IDLE_TIMEOUT,
          VERBS_SPIN,
          POOL_LIMIT,
          POOL_REGION_SIZE,
          POOL_BACKINGS,
          POOL_DIRECTORIES,
          POOL_PREFAULT,
          CHUNK_SIZE,
          COMPRESS,
          COMPRESS_POOL_THRESHOLD,
          FETCH_TIMEOUT,
          REGISTRY_TIMEOUT,
          RECEIVE_LIMIT,
          BOUNDS_CHECKS);

  private RdmaOptions() {}

  /** All options, in the order of the reference page. */
  public static List<ConfOption<?>> all() {
    return ALL;
  }
}
