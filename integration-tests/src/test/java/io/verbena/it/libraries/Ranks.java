package io.verbena.it.libraries;

import io.verbena.bench.work.Mix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.Graph$;
import org.apache.spark.graphx.PartitionStrategy;
import org.apache.spark.graphx.lib.PageRank;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * GraphX' PageRank. Vertices have 0, 1, 2 or 4 edges out and are reset with probability 1/2, so
 * that each iteration makes a rank at most three binary digits longer: all ranks are exact,
 * whatever the order of their sums.
 */
public final class Ranks {
  private static final int ITERATIONS = 10;
  private static final double RESET = 0.5;
  private static final int PARTITIONS = 4;

  private Ranks() {}

  private static List<Edge<Integer>> edges(Scale scale) {
    List<Edge<Integer>> edges = new ArrayList<>();
    for (int vertex = 0; vertex < scale.vertices(); vertex++) {
      long mixed = Mix.mix(vertex + 1L);
      int degree = mixed >>> 60 == 0 ? 0 : 1 << (int) Long.remainderUnsigned(mixed, 3);
      for (int i = 0; i < degree; i++) {
        // Some vertices get many: the smaller of two.
        long a = Long.remainderUnsigned(Mix.mix(mixed + 2L * i), scale.vertices());
        long b = Long.remainderUnsigned(Mix.mix(mixed + 2L * i + 1), scale.vertices());
        edges.add(new Edge<>(vertex, Math.min(a, b), 1));
      }
    }
    return edges;
  }

  static void run(JavaSparkContext context, Printer printer, Scale scale) {
    ClassTag<Integer> integer = ClassTag$.MODULE$.apply(Integer.class);
    StorageLevel level = StorageLevel.MEMORY_ONLY();
    Graph<Integer, Integer> graph =
        Graph$.MODULE$
            .fromEdges(
                context.parallelize(edges(scale), PARTITIONS).rdd(),
                0,
                level,
                level,
                integer,
                integer)
            .partitionBy(PartitionStrategy.EdgePartition2D$.MODULE$, PARTITIONS);
    Map<Long, Double> ranks = new TreeMap<>();
    for (Tuple2<Object, Object> vertex :
        PageRank.run(graph, ITERATIONS, RESET, integer, integer).vertices().toJavaRDD().collect()) {
      ranks.put((Long) vertex._1(), (Double) vertex._2());
    }
    printer.print("pagerank", "ranks", text(ranks));
  }

  /** What it must give: the text that {@link #run} prints. */
  public static String expected(Scale scale) {
    List<Edge<Integer>> edges = edges(scale);
    int[] degree = new int[scale.vertices()];
    Map<Long, Double> ranks = new TreeMap<>();
    for (Edge<Integer> edge : edges) {
      degree[(int) edge.srcId()]++;
      ranks.put(edge.srcId(), 1.0);
      ranks.put(edge.dstId(), 1.0);
    }
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      double[] sums = new double[scale.vertices()];
      for (Edge<Integer> edge : edges) {
        sums[(int) edge.dstId()] += ranks.get(edge.srcId()) / degree[(int) edge.srcId()];
      }
      ranks.replaceAll((vertex, rank) -> RESET + (1 - RESET) * sums[vertex.intValue()]);
    }
    // Where some vertices lead nowhere, Spark scales ranks to 1 on average.
    double sum = ranks.values().stream().mapToDouble(Double::doubleValue).sum();
    double factor = ranks.size() / sum;
    ranks.replaceAll((vertex, rank) -> rank * factor);
    return text(ranks);
  }

  /** Numbers as text that gives the same bits when it is read. */
  private static String text(Map<Long, Double> ranks) {
    return ranks.toString();
  }
}
