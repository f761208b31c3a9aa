package io.verbena.spark;

import io.verbena.fetch.FetchStats;
import io.verbena.fetch.TransportStats;
import io.verbena.memory.Backing;
import io.verbena.transport.shm.ShmTransport;
import io.verbena.transport.verbs.VerbsTransport;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/**
 * The metrics of an executor: name, kind, unit, meaning and where the figure comes from. {@code
 * docs/metrics.md} is made from them.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum ShuffleMetric {
  POOL_BYTES(
      "pool.bytes",
      Kind.GAUGE,
      Unit.BYTES,
      "Extents in use for runs and location tables.",
      f -> f.store().poolBytes()),
  POOL_TABLE_BYTES(
      "pool.tableBytes",
      Kind.GAUGE,
      Unit.BYTES,
      "Of `pool.bytes`, what location tables take.",
      f -> f.store().tableBytes()),
  POOL_RESERVED(
      "pool.reserved",
      Kind.GAUGE,
      Unit.BYTES,
      "What all regions have taken from their backings. Regions are kept for the next shuffle, so"
          + " this stays above `pool.bytes`.",
      f -> f.store().poolReserved()),
  POOL_BACKING_RESERVED(
      "pool.*.reserved",
      Each.BACKING,
      Kind.GAUGE,
      Unit.BYTES,
      "Of `pool.reserved`, what regions on one backing have taken.",
      (f, backing) -> f.store().reservedOf().getOrDefault(backing, 0L)),
  POOL_HIGH_WATER(
      "pool.highWater",
      Kind.GAUGE,
      Unit.BYTES,
      "Highest `pool.reserved` so far.",
      f -> f.store().poolHighWater()),
  POOL_LIMIT(
      "pool.limit",
      Kind.GAUGE,
      Unit.BYTES,
      "Limit of what run data may take of the pool: `spark.shuffle.rdma.pool.limit`, or what was"
          + " derived without it.",
      f -> f.store().poolLimit()),
  RUNS_IN_POOL(
      "runs.inPool",
      Kind.COUNTER,
      Unit.NUMBER,
      "Runs that were published and lie in the pool as a whole.",
      f -> f.store().runsInPool()),
  RUNS_ON_DISK(
      "runs.onDisk",
      Kind.COUNTER,
      Unit.NUMBER,
      "Runs that were published and of which at least one piece lies in a file, because the pool"
          + " had no room. Grows: raise `spark.shuffle.rdma.pool.limit`.",
      f -> f.store().runsOnDisk()),
  DISK_BYTES(
      "disk.bytes", Kind.GAUGE, Unit.BYTES, "Run files that exist.", f -> f.store().diskBytes()),

  READ_BYTES(
      "read.*.bytes",
      Each.WAY,
      Kind.COUNTER,
      Unit.BYTES,
      "Bytes of blocks that tasks read, by the way they came.",
      (f, way) -> way.equals(Ways.LOCAL) ? f.fetch().localBytes() : of(f.fetch().bytes().get(way))),
  READ_BLOCKS(
      "read.*.blocks",
      Each.WAY,
      Kind.COUNTER,
      Unit.NUMBER,
      "Blocks that tasks read, by the way they came.",
      (f, way) ->
          way.equals(Ways.LOCAL) ? f.fetch().localBlocks() : of(f.fetch().blocks().get(way))),
  READ_READS(
      "read.*.reads",
      Each.TRANSPORT,
      Kind.COUNTER,
      Unit.NUMBER,
      "READs completed, well or not: of blocks, location tables and generation words. Blocks that"
          + " lie one behind the other share one.",
      (f, transport) -> transport(f, transport).reads()),
  READ_OUTSTANDING(
      "read.*.outstanding",
      Each.TRANSPORT,
      Kind.GAUGE,
      Unit.NUMBER,
      "READs posted and not completed.",
      (f, transport) -> transport(f, transport).outstanding()),
  READ_LATENCY(
      "read.*.latency",
      Each.TRANSPORT,
      Kind.HISTOGRAM,
      Unit.NANOSECONDS,
      "How long a list of READs took, from posting to the completion of its last. A list has the"
          + " blocks of one receive buffer at most, or a part of a location table, and the READ of"
          + " the generation word that judges them. By `shm` READs are copies on the task's"
          + " thread.",
      (f, transport) -> 0),
  TABLE_READS(
      "read.tableReads",
      Kind.COUNTER,
      Unit.NUMBER,
      "READs of location tables, their directories and headers.",
      f -> f.fetch().tableReads()),
  CHECKSUM_FAILURES(
      "read.checksumFailures",
      Kind.COUNTER,
      Unit.NUMBER,
      "Pieces that did not match their checksum. Other than 0: memory, network or disk is faulty.",
      f -> f.fetch().checksumFailures()),
  REREADS(
      "read.rereads",
      Kind.COUNTER,
      Unit.NUMBER,
      "READs and requests that were repeated, because of a checksum or of a table that did not"
          + " prove itself.",
      f -> f.fetch().rereads()),

  WAIT_TIME(
      "wait.time",
      Kind.COUNTER,
      Unit.NANOSECONDS,
      "Time that tasks waited for bytes, added up; READs by `shm` count as waiting. Spark's own"
          + " fetch wait time is the same by task.",
      f -> f.fetch().flow().waitNanos()),
  WAIT_IN_FLIGHT(
      "wait.inFlight",
      Kind.COUNTER,
      Unit.NANOSECONDS,
      "Back-pressure: of `wait.time`, while a task wanted to ask for more and was at"
          + " `spark.reducer.maxSizeInFlight`, `maxReqsInFlight` or `maxBlocksInFlightPerAddress`."
          + " A large part of `wait.time`: raise the first.",
      f -> f.fetch().flow().inFlightWaitNanos()),
  WAIT_BUFFERS(
      "wait.buffers",
      Kind.COUNTER,
      Unit.NANOSECONDS,
      "Back-pressure: of `wait.time`, while a task wanted to ask for more and all receive buffers"
          + " were in use. A large part of `wait.time`: raise"
          + " `spark.shuffle.rdma.receive.limit`.",
      f -> f.fetch().flow().bufferWaitNanos()),
  RECEIVE_BYTES(
      "receive.bytes",
      Kind.GAUGE,
      Unit.BYTES,
      "Receive buffers that tasks and READs have now.",
      f -> f.fetch().flow().receiveBytes()),
  RECEIVE_HIGH_WATER(
      "receive.highWater",
      Kind.GAUGE,
      Unit.BYTES,
      "Highest `receive.bytes` so far.",
      f -> f.fetch().flow().receiveHighWater()),
  RECEIVE_LIMIT(
      "receive.limit",
      Kind.GAUGE,
      Unit.BYTES,
      "Receive buffers that reading ahead may take; each task gets the one that it cannot go on"
          + " without beyond it.",
      f -> f.fetch().flow().receiveLimit()),

  FALLS(
      "falls.all",
      Kind.COUNTER,
      Unit.NUMBER,
      "Times that an executor was left to the next transport, because one that should work did"
          + " not. The log and the shuffle report have each reason as text.",
      f -> sum(f.fetch())),
  FALLS_BROKEN(
      "falls.*.broken",
      Each.TRANSPORT,
      Kind.COUNTER,
      Unit.NUMBER,
      "Of `falls.all`, those because a connection in use failed.",
      (f, transport) -> transport(f, transport).broken()),
  FALLS_SILENT(
      "falls.*.silent",
      Each.TRANSPORT,
      Kind.COUNTER,
      Unit.NUMBER,
      "Of `falls.all`, those because a READ was not answered within"
          + " `spark.shuffle.rdma.fetch.timeout`.",
      (f, transport) -> transport(f, transport).silent()),
  FALLS_REGISTRY(
      "falls.registry",
      Kind.COUNTER,
      Unit.NUMBER,
      "Of `falls.all`, those because the registry on the driver did not answer.",
      f -> f.fetch().fallsFrom("registry")),
  CONNECTIONS_OPEN(
      "connections.*.open",
      Each.TRANSPORT,
      Kind.GAUGE,
      Unit.NUMBER,
      "Executors to which there is a connection.",
      (f, transport) -> transport(f, transport).open()),
  CONNECTIONS_OPENED(
      "connections.*.opened",
      Each.TRANSPORT,
      Kind.COUNTER,
      Unit.NUMBER,
      "Connections that were opened.",
      (f, transport) -> transport(f, transport).opened()),
  CONNECTIONS_FAILED(
      "connections.*.failed",
      Each.TRANSPORT,
      Kind.COUNTER,
      Unit.NUMBER,
      "Times that no connection could be made. They are part of `falls.all`, except those by `shm`"
          + " to executors on other hosts, which are out of its reach.",
      (f, transport) -> transport(f, transport).unreachable()),

  VERBS_REGISTERED_BYTES(
      "verbs.registeredBytes",
      Kind.GAUGE,
      Unit.BYTES,
      "Memory registered with the RDMA device: the pool, its control area, receive buffers. It is"
          + " pinned and counts against the limit of locked memory.",
      f -> f.verbs().registeredBytes()),
  VERBS_MEMORY_REGIONS(
      "verbs.memoryRegions",
      Kind.GAUGE,
      Unit.NUMBER,
      "Memory regions registered with the RDMA device.",
      f -> f.verbs().memoryRegions()),
  VERBS_QUEUE_PAIRS(
      "verbs.queuePairs",
      Kind.GAUGE,
      Unit.NUMBER,
      "Queue pairs by which this executor reads others. A connection that is not used has none.",
      f -> f.verbs().queuePairs()),
  VERBS_SERVING_QUEUE_PAIRS(
      "verbs.servingQueuePairs",
      Kind.GAUGE,
      Unit.NUMBER,
      "Queue pairs by which others read this executor.",
      f -> f.verbs().servingQueuePairs()),
  VERBS_WORK_REQUESTS(
      "verbs.workRequests",
      Kind.COUNTER,
      Unit.NUMBER,
      "Work requests posted for READs.",
      f -> f.verbs().workRequests()),
  NETTY_SERVING_CPU(
      "netty.servingCpu",
      Kind.GAUGE,
      Unit.NANOSECONDS,
      "CPU time of the threads with which Spark's block transfer service answers other executors;"
          + " one-sided READs take none.",
      ShuffleFigures::servingCpuNanos);

  /** What a sink does with the figure. */
  enum Kind {
    /** A figure of the moment. */
    GAUGE("Value"),
    /** Only grows, from the executor's start. */
    COUNTER("Count"),
    /** Times of the last one to two minutes; their number only grows. */
    HISTOGRAM("99thPercentile");

    private final String suffix;

    Kind(String suffix) {
      this.suffix = suffix;
    }

    /** What Prometheus' names end in; a histogram's have others beside. */
    String suffix() {
      return suffix;
    }
  }

  /** Unit of the figure. */
  enum Unit {
    BYTES,
    NUMBER,
    NANOSECONDS
  }

  /** What the {@code *} in a name stands for. */
  enum Each {
    NOTHING("nothing"),
    BACKING(
        "of `pool`, a backing",
        Arrays.stream(Backing.values()).map(Backing::optionName).toArray(String[]::new)),
    TRANSPORT(
        "of `reads`, `outstanding`, `latency`, `falls` and `connections`, a one-sided transport",
        ShmTransport.NAME,
        VerbsTransport.NAME),
    WAY(
        "of `bytes` and `blocks`, a transport, the executor itself, or run files read in place",
        Ways.LOCAL,
        ShmTransport.NAME,
        VerbsTransport.NAME,
        "disk",
        "netty");

    private final String meaning;
    private final List<String> parts;

    Each(String meaning, String... parts) {
      this.meaning = meaning;
      this.parts = List.of(parts);
    }

    /** Where it stands, and for what. */
    String meaning() {
      return meaning;
    }

    List<String> parts() {
      return parts;
    }
  }

  /** Constants that an enumeration's constructors cannot reach in itself. */
  private static final class Ways {
    static final String LOCAL = "local";
  }

  private final String pattern;
  private final Each each;
  private final Kind kind;
  private final Unit unit;
  private final String meaning;
  private final ToLongBiFunction<ShuffleFigures, String> figure;

  ShuffleMetric(
      String name, Kind kind, Unit unit, String meaning, ToLongFunction<ShuffleFigures> figure) {
    this(name, Each.NOTHING, kind, unit, meaning, (f, nothing) -> figure.applyAsLong(f));
  }

  ShuffleMetric(
      String pattern,
      Each each,
      Kind kind,
      Unit unit,
      String meaning,
      ToLongBiFunction<ShuffleFigures, String> figure) {
    this.pattern = pattern;
    this.each = each;
    this.kind = kind;
    this.unit = unit;
    this.meaning = meaning;
    this.figure = figure;
  }

  private static long of(Long value) {
    return value == null ? 0 : value;
  }

  private static TransportStats transport(ShuffleFigures figures, String transport) {
    return figures.fetch().transports().getOrDefault(transport, TransportStats.NONE);
  }

  private static long sum(FetchStats fetch) {
    return fetch.falls().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Its name, with {@code *} where {@link #each} has several values. */
  String pattern() {
    return pattern;
  }

  Each each() {
    return each;
  }

  /** Values for the {@code *}; one empty text when it has none. */
  List<String> parts() {
    return each == Each.NOTHING ? List.of("") : each.parts();
  }

  /** Its name for one of {@link #parts}. */
  String name(String part) {
    return pattern.replace("*", part);
  }

  Kind kind() {
    return kind;
  }

  Unit unit() {
    return unit;
  }

  /** What it means, a few sentences of Markdown. */
  String meaning() {
    return meaning;
  }

  /** The figure; a histogram has none. */
  long figure(ShuffleFigures figures, String part) {
    return figure.applyAsLong(figures, part);
  }
}
