package io.verbena.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Settings of Spark that this shuffle manager cannot serve. Spark itself never asks the manager,
 * and some would lose data without an error.
 */
public final class SparkConflicts {
  private record Rule(String key, String refused, String reason, String remedy) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              "spark.shuffle.push.enabled",
              "true",
              "push-based shuffle merges blocks in external shuffle services, which do not see"
                  + " the blocks of this shuffle manager",
              "set it to false"),
          new Rule(
              "spark.shuffle.service.enabled",
              "true",
              "the external shuffle service cannot serve blocks that live in executors' memory",
              "set it to false, and with dynamic allocation set"
                  + " spark.dynamicAllocation.shuffleTracking.enabled=true"),
          new Rule(
              "spark.shuffle.useOldFetchProtocol",
              "true",
              "it names map outputs by partition, so that attempts of a task collide",
              "set it to false"));

  private static final String FALLBACK_KEY = "spark.storage.decommission.fallbackStorage.path";

  private SparkConflicts() {}

  /** All settings that are refused. */
  public static List<Problem> find(Map<String, String> sparkConf) {
    List<Problem> problems = new ArrayList<>();
    for (Rule rule : RULES) {
      String value = sparkConf.getOrDefault(rule.key(), "").trim();
      if (value.equalsIgnoreCase(rule.refused())) {
        problems.add(new Problem(rule.key(), value, rule.reason(), "", rule.remedy()));
      }
    }
    String fallback = sparkConf.getOrDefault(FALLBACK_KEY, "");
    if (!fallback.isEmpty()) {
      problems.add(
          new Problem(
              FALLBACK_KEY,
              fallback,
              "fallback storage takes Spark's own shuffle files only and silently skips map"
                  + " outputs of this shuffle manager",
              "",
              "unset it"));
    }
    return problems;
  }
}
