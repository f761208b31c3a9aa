package io.verbena.it.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.execution.CoalescedMapperPartitionSpec;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.PartialMapperPartitionSpec;
import org.apache.spark.sql.execution.PartialReducerPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The plan that a query ended with, as text without what differs from run to run: nodes, which
 * tasks read which part of a shuffle, and what exchanges counted.
 *
 * <p>Parts of a shuffle: {@code r2-5} some reduce partitions, {@code r7:m0-3} of one some map
 * outputs, {@code m1:r0-4} of one map output some partitions, {@code m0-3} some map outputs whole.
 */
final class FinalPlan {
  private static final List<String> EXACT =
      List.of("shuffleRecordsWritten", "recordsRead", "dataSize");

  private final StringBuilder text = new StringBuilder();

  private FinalPlan() {}

  /** The plan of a dataset that has been run. */
  static String of(Dataset<?> dataset) {
    FinalPlan plan = new FinalPlan();
    plan.add(((org.apache.spark.sql.classic.Dataset<?>) dataset).queryExecution().executedPlan());
    return plan.text.toString();
  }

  private void add(SparkPlan node) {
    if (node instanceof AdaptiveSparkPlanExec adaptive) {
      add(adaptive.executedPlan());
      return;
    }
    if (node instanceof QueryStageExec stage) {
      add(stage.plan());
      return;
    }
    text.append(node.nodeName());
    if (node instanceof AQEShuffleReadExec read) {
      text.append(
          CollectionConverters.asJava(read.partitionSpecs()).stream()
              .map(FinalPlan::part)
              .collect(Collectors.joining(" ", "[", "]")));
    } else if (node instanceof ShuffleExchangeExec exchange) {
      text.append(figures(exchange));
    }
    List<SparkPlan> children = new ArrayList<>(CollectionConverters.asJava(node.children()));
    for (int i = 0; i < children.size(); i++) {
      text.append(i == 0 ? " (" : ", ");
      add(children.get(i));
    }
    text.append(children.isEmpty() ? "" : ")");
  }

  private static String figures(ShuffleExchangeExec exchange) {
    Map<String, SQLMetric> metrics = CollectionConverters.asJava(exchange.metrics());
    return EXACT.stream()
        .map(name -> name + "=" + metrics.get(name).value())
        .collect(Collectors.joining(" ", "[", "]"));
  }

  private static String part(ShufflePartitionSpec spec) {
    if (spec instanceof CoalescedPartitionSpec part) {
      return "r%d-%d".formatted(part.startReducerIndex(), part.endReducerIndex());
    }
    if (spec instanceof PartialReducerPartitionSpec part) {
      return "r%d:m%d-%d".formatted(part.reducerIndex(), part.startMapIndex(), part.endMapIndex());
    }
    if (spec instanceof PartialMapperPartitionSpec part) {
      return "m%d:r%d-%d"
          .formatted(part.mapIndex(), part.startReducerIndex(), part.endReducerIndex());
    }
    CoalescedMapperPartitionSpec part = (CoalescedMapperPartitionSpec) spec;
    return "m%d-%d".formatted(part.startMapIndex(), part.endMapIndex());
  }
}
