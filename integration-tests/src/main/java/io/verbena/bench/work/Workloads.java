package io.verbena.bench.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All workloads, by name. */
public final class Workloads {
  private static final Map<String, Workload> BY_TITLE = new LinkedHashMap<>();

  static {
    for (Workload workload :
        List.of(
            new Partition(),
            new Sort(),
            new GroupBy(),
            new SqlRepartition(),
            new SqlJoin(),
            new SqlAgg(),
            new TpchAll(),
            new Trajectory(),
            new MlPrep(),
            new SmallBlocks(),
            new Wide(),
            new Skew(),
            new Tiny(),
            new Uncompressed())) {
      BY_TITLE.put(workload.title(), workload);
    }
  }

  private Workloads() {}

  /** In the order in which they are shown and run. */
  public static List<Workload> all() {
    return new ArrayList<>(BY_TITLE.values());
  }

  /**
   * The workload of a name.
   *
   * @throws IllegalArgumentException when there is none, with all names
   */
  public static Workload of(String title) {
    Workload workload = BY_TITLE.get(title);
    if (workload == null) {
      throw new IllegalArgumentException(
          "unknown workload \"%s\": there are %s"
              .formatted(title, String.join(", ", BY_TITLE.keySet())));
    }
    return workload;
  }
}
