package io.verbena.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What Spark's own settings say about an executor's memory, bytes.
 *
 * @param heap largest heap of its JVM
 * @param overhead what a resource manager grants beside the heap; 0 where nobody grants any, as
 *     with standalone clusters and local mode
 */
public record ExecutorMemory(long heap, long overhead) {
  private static final String MASTER = "spark.master";
  private static final String HEAP = "spark.executor.memory";
  private static final String OVERHEAD = "spark.executor.memoryOverhead";
  private static final String FACTOR = "spark.executor.memoryOverheadFactor";
  private static final String MINIMUM = "spark.executor.minMemoryOverhead";

  /**
   * Reads them.
   *
   * @throws InvalidConfException when one is not what Spark allows
   */
  public static ExecutorMemory read(Map<String, String> sparkConf) {
    List<Problem> problems = new ArrayList<>();
    long heap = size(sparkConf, HEAP, "1g", problems);
    long least = size(sparkConf, MINIMUM, "384m", problems);
    long given = size(sparkConf, OVERHEAD, "0", problems);
    double factor = factor(sparkConf, problems);
    if (!problems.isEmpty()) {
      throw new InvalidConfException(problems);
    }
    String master = sparkConf.getOrDefault(MASTER, "");
    boolean granted = master.startsWith("yarn") || master.startsWith("k8s");
    long overhead =
        sparkConf.containsKey(OVERHEAD) ? given : Math.max(least, (long) (heap * factor));
    return new ExecutorMemory(heap, granted ? overhead : 0);
  }

  private static long size(
      Map<String, String> sparkConf, String key, String otherwise, List<Problem> problems) {
    String text = sparkConf.getOrDefault(key, otherwise).strip();
    Parsed<Long> parsed = Quantity.MEMORY.parse(text);
    if (parsed instanceof Parsed.Fault<Long> refused) {
      problems.add(new Problem(key, text, refused.fault(), "", refused.remedy()));
      return 0;
    }
    return ((Parsed.Value<Long>) parsed).value();
  }

  private static double factor(Map<String, String> sparkConf, List<Problem> problems) {
    String text = sparkConf.getOrDefault(FACTOR, "0.1").strip();
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      problems.add(new Problem(FACTOR, text, "not a number", "", "write one such as 0.1"));
      return 0;
    }
  }
}
