package io.verbena.apps.acceptance;

import org.apache.spark.Dependency;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;

/** What Spark's Java API does not show, or shows by other types in other versions. */
final class Inside {
  private Inside() {}

  /** The plan that a dataset was run by; adaptive execution changes it while it runs. */
  static String plan(Dataset<?> dataset) throws ReflectiveOperationException {
    Object execution = dataset.getClass().getMethod("queryExecution").invoke(dataset);
    return execution.getClass().getMethod("executedPlan").invoke(execution).toString();
  }

  /** The shuffle that an RDD reads, through any number of narrow dependencies. */
  static int shuffleId(RDD<?> rdd) throws ReflectiveOperationException {
    RDD<?> at = rdd;
    while (true) {
      Object dependencies = RDD.class.getMethod("dependencies").invoke(at);
      Dependency<?> first = (Dependency<?>) ((scala.collection.Seq<?>) dependencies).apply(0);
      if (first instanceof ShuffleDependency<?, ?, ?> shuffle) {
        return shuffle.shuffleId();
      }
      at = first.rdd();
    }
  }
}
