package io.verbena.it.demo;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the shuffle manager's driver logs on the logger {@code io.verbena.spark.ShuffleReport} when
 * its application ends: one line of JSON.
 *
 * @param version version of the format; 1 is understood here
 * @param executors one entry per executor that reported
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ShuffleReport(int version, List<Executor> executors) {
  static final int VERSION = 1;

  private static final Pattern LINE = Pattern.compile("Shuffle report: (\\{.*})");
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * One executor's counters. Sizes in bytes; maps are keyed by transport, {@code falls} by
   * "from-&gt;to: reason".
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Executor(
      String executor,
      String host,
      long localBytes,
      long localBlocks,
      Map<String, Long> readBytes,
      Map<String, Long> readBlocks,
      long tableReads,
      long poolBytes,
      long poolHighWater,
      long poolLimit,
      String poolBacking,
      long runsInPool,
      long runsOnDisk,
      Map<String, Long> falls,
      long checksumFailures,
      long rereads,
      double servingCpuSeconds) {
    /** Counters that a manager does not report are 0 or empty. */
    public Executor {
      readBytes = readBytes == null ? Map.of() : readBytes;
      readBlocks = readBlocks == null ? Map.of() : readBlocks;
      falls = falls == null ? Map.of() : falls;
    }
  }

  /** Entries that a manager does not report are empty. */
  public ShuffleReport {
    executors = executors == null ? List.of() : executors;
  }

  /**
   * The last report in a driver's log.
   *
   * @throws IllegalArgumentException when it cannot be read or has another version
   */
  public static Optional<ShuffleReport> lastIn(String log) {
    List<ShuffleReport> all = allIn(log);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  /**
   * All reports in a driver's log: one for each Spark context that it had.
   *
   * @throws IllegalArgumentException when one cannot be read or has another version
   */
  public static List<ShuffleReport> allIn(String log) {
    return LINE.matcher(log).results().map(match -> parse(match.group(1))).toList();
  }

  static ShuffleReport parse(String json) {
    ShuffleReport report;
    try {
      report = JSON.readValue(json, ShuffleReport.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a shuffle report: " + json, e);
    }
    if (report.version != VERSION) {
      throw new IllegalArgumentException(
          "shuffle report of version %d; only %d is understood: %s"
              .formatted(report.version, VERSION, json));
    }
    return report;
  }
}
