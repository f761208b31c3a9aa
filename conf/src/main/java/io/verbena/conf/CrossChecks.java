package io.verbena.conf;

import java.util.Map;

/** Limits of one option that another option sets. */
final class CrossChecks {
  static final String SPARK_COMPRESS = "spark.shuffle.compress";

  private CrossChecks() {}

  /** Runs each check whose options have values; others have been reported already. */
  static void run(Settings settings, Map<String, String> sparkConf) {
    poolHoldsOneRegion(settings);
    chunkFitsAnExtent(settings);
    receiveBuffersHoldChunks(settings);
    sparkAllowsCompression(settings, sparkConf);
  }

  private static void poolHoldsOneRegion(Settings settings) {
    if (!settings.has(RdmaOptions.POOL_LIMIT) || !settings.has(RdmaOptions.POOL_REGION_SIZE)) {
      return;
    }
    long region = settings.get(RdmaOptions.POOL_REGION_SIZE);
    long limit = settings.get(RdmaOptions.POOL_LIMIT).orElse(Long.MAX_VALUE);
    if (limit < region) {
      settings.conflict(
          RdmaOptions.POOL_LIMIT,
          "less than one region, " + shown(RdmaOptions.POOL_REGION_SIZE, region),
          "raise it to "
              + SizeType.format(region)
              + " or more, or lower "
              + RdmaOptions.POOL_REGION_SIZE.key());
    }
  }

  private static void chunkFitsAnExtent(Settings settings) {
    if (!settings.has(RdmaOptions.CHUNK_SIZE) || !settings.has(RdmaOptions.POOL_REGION_SIZE)) {
      return;
    }
    long region = settings.get(RdmaOptions.POOL_REGION_SIZE);
    long largest = region / RdmaOptions.EXTENTS_PER_REGION;
    if (settings.get(RdmaOptions.CHUNK_SIZE) > largest) {
      settings.conflict(
          RdmaOptions.CHUNK_SIZE,
          "more than 1/"
              + RdmaOptions.EXTENTS_PER_REGION
              + " of "
              + shown(RdmaOptions.POOL_REGION_SIZE, region),
          "lower it to "
              + SizeType.format(largest)
              + " or less, or raise "
              + RdmaOptions.POOL_REGION_SIZE.key());
    }
  }

  private static void receiveBuffersHoldChunks(Settings settings) {
    if (!settings.has(RdmaOptions.RECEIVE_LIMIT) || !settings.has(RdmaOptions.CHUNK_SIZE)) {
      return;
    }
    long chunk = settings.get(RdmaOptions.CHUNK_SIZE);
    long least = RdmaOptions.MIN_RECEIVE_CHUNKS * chunk;
    if (settings.get(RdmaOptions.RECEIVE_LIMIT) < least) {
      settings.conflict(
          RdmaOptions.RECEIVE_LIMIT,
          "less than "
              + RdmaOptions.MIN_RECEIVE_CHUNKS
              + " times "
              + shown(RdmaOptions.CHUNK_SIZE, chunk),
          "raise it to "
              + SizeType.format(least)
              + " or more, or lower "
              + RdmaOptions.CHUNK_SIZE.key());
    }
  }

  private static void sparkAllowsCompression(Settings settings, Map<String, String> sparkConf) {
    String spark = sparkConf.get(SPARK_COMPRESS);
    if (spark != null
        && spark.trim().equalsIgnoreCase("false")
        && settings.has(RdmaOptions.COMPRESS)
        && settings.get(RdmaOptions.COMPRESS) == CompressMode.ALWAYS) {
      settings.conflict(
          RdmaOptions.COMPRESS,
          SPARK_COMPRESS + "=false forbids it",
          "set " + SPARK_COMPRESS + "=true, or choose auto or never");
    }
  }

  private static String shown(ConfOption<Long> option, long bytes) {
    return option.key() + "=" + SizeType.format(bytes);
  }
}
