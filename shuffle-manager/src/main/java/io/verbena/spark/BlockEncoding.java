package io.verbena.spark;

import io.verbena.conf.CompressMode;
import io.verbena.conf.RdmaConf;
import io.verbena.conf.TransportKind;
import io.verbena.log.KeyedLogger;
import io.verbena.store.StoreStats;
import io.verbena.table.Entry;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.serializer.SerializerManager;

/**
 * Decides whether a run is compressed and encrypted, and wraps streams accordingly. Compression is
 * for scarce memory or a slow way to readers; encryption is on when Spark's I/O encryption is.
 *
 * <p>Threads: any.
 */
final class BlockEncoding {
  private static final KeyedLogger LOG = KeyedLogger.of(BlockEncoding.class);

  private static final String SEVERAL_HOSTS =
      "there are executors on several hosts, and netty reads from this one as it has no RDMA device"
          + " in use";

  private static final Set<TransportKind> ONE_SIDED =
      EnumSet.of(TransportKind.SHM, TransportKind.VERBS);

  private final SparkConf sparkConf;
  private final SerializerManager serializers;
  private final Supplier<StoreStats> store;
  private final CompressMode mode;
  private final int poolThreshold;
  private final BooleanSupplier slowWay;
  private final String choice;
  private final AtomicBoolean slowWaySaid = new AtomicBoolean();
  private CompressionCodec codec;

  /**
   * Makes one.
   *
   * @param byNetty whether executors on other hosts are read by {@code netty}, where there are any
   * @param severalHosts whether there are any; asked for each run
   */
  BlockEncoding(
      SparkConf sparkConf,
      RdmaConf conf,
      SerializerManager serializers,
      Supplier<StoreStats> store,
      boolean byNetty,
      BooleanSupplier severalHosts) {
    this.sparkConf = sparkConf;
    this.serializers = serializers;
    this.store = store;
    this.poolThreshold = conf.compressPoolThreshold();
    this.slowWay = () -> byNetty && severalHosts.getAsBoolean();
    if (!sparkConf.getBoolean("spark.shuffle.compress", true)) {
      this.mode = CompressMode.NEVER;
      this.choice = "map outputs are not compressed: spark.shuffle.compress=false";
    } else if (conf.compress() == CompressMode.AUTO
        && Collections.disjoint(conf.transports(), ONE_SIDED)) {
      // Every byte takes the network, where bytes cost more than the codec.
      this.mode = CompressMode.ALWAYS;
      this.choice = "map outputs are compressed: netty is the only transport";
    } else {
      this.mode = conf.compress();
      this.choice = choice(conf.compress(), poolThreshold, byNetty);
    }
  }

  private static String choice(CompressMode mode, int poolThreshold, boolean byNetty) {
    return switch (mode) {
      case ALWAYS -> "map outputs are compressed, as set";
      case NEVER -> "map outputs are not compressed, as set";
      case AUTO ->
          "map outputs are compressed when "
              + poolThreshold
              + " % of the pool are in use"
              + (byNetty ? ", or there are executors on several hosts" : "");
    };
  }

  /** What was chosen when the executor began, and why. */
  String choice() {
    if (mode == CompressMode.AUTO && slowWay.getAsBoolean()) {
      slowWaySaid.set(true);
      return "map outputs are compressed: " + SEVERAL_HOSTS;
    }
    return choice;
  }

  /** Flags of the next run: COMPRESSED and ENCRYPTED of {@link Entry}. */
  int flagsOfNextRun() {
    boolean compress =
        switch (mode) {
          case ALWAYS -> true;
          case NEVER -> false;
          case AUTO -> isWaySlow() || isPoolFillingUp(store.get(), poolThreshold);
        };
    return (compress ? Entry.COMPRESSED : 0)
        | (serializers.encryptionEnabled() ? Entry.ENCRYPTED : 0);
  }

  private boolean isWaySlow() {
    boolean slow = slowWay.getAsBoolean();
    if (slow && slowWaySaid.compareAndSet(false, true)) {
      LOG.info("From now on map outputs are compressed: {}", SEVERAL_HOSTS);
    }
    return slow;
  }

  static boolean isPoolFillingUp(StoreStats stats, int thresholdPercent) {
    // In doubles: a limit near 2^63 bytes times 100 would overflow.
    return thresholdPercent < 100
        && stats.poolBytes() * 100.0 >= (double) stats.poolLimit() * thresholdPercent;
  }

  /** A stream whose bytes arrive encoded in {@code raw} once it is closed. */
  OutputStream encode(OutputStream raw, int flags) {
    OutputStream stream = raw;
    if ((flags & Entry.ENCRYPTED) != 0) {
      stream = serializers.wrapForEncryption(stream);
    }
    if ((flags & Entry.COMPRESSED) != 0) {
      stream = codec().compressedOutputStream(stream);
    }
    return stream;
  }

  /** The bytes that were given to {@link #encode}. What the segment says counts, not this side. */
  InputStream decode(InputStream raw, boolean compressed, boolean encrypted) {
    InputStream stream = raw;
    if (encrypted) {
      if (!serializers.encryptionEnabled()) {
        throw new IllegalStateException(
            "A block is encrypted and spark.io.encryption.enabled is off in this executor");
      }
      stream = serializers.wrapForEncryption(stream);
    }
    return compressed ? codec().compressedInputStream(stream) : stream;
  }

  /** Made on first use: a codec from the user's jar may not be there earlier. */
  private synchronized CompressionCodec codec() {
    if (codec == null) {
      codec = CompressionCodec$.MODULE$.createCodec(sparkConf);
    }
    return codec;
  }
}
