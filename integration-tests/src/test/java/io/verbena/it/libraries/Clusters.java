package io.verbena.it.libraries;

import io.verbena.bench.work.Mix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * MLlib's KMeans. Coordinates are whole numbers, so that their sums are exact in any order, and the
 * result the same to the last bit.
 */
public final class Clusters {
  /** Number of clusters. */
  public static final int CLUSTERS = 5;

  private static final int DIMENSIONS = 3;
  private static final int SPREAD = 600;
  private static final int DISTANCE = 1_000;
  private static final int ITERATIONS = 100;
  private static final int PARTITIONS = 4;

  private Clusters() {}

  /** The points, in clouds. */
  public static List<double[]> points(Scale scale) {
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < scale.points(); i++) {
      double[] point = new double[DIMENSIONS];
      for (int d = 0; d < DIMENSIONS; d++) {
        long mixed = Mix.mix((long) i * DIMENSIONS + d + 1);
        // Around corners of a cube; the clouds overlap.
        long corner = i % CLUSTERS >> d & 1;
        point[d] = corner * DISTANCE + Long.remainderUnsigned(mixed, 2 * SPREAD) - SPREAD;
      }
      points.add(point);
    }
    return points;
  }

  static void run(SparkSession session, Printer printer, Scale scale) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
    List<double[]> all = points(scale);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      rows.add(RowFactory.create(i, Vectors.dense(all.get(i))));
    }
    StructType schema =
        new StructType()
            .add("id", DataTypes.IntegerType)
            .add("features", SQLDataTypes.VectorType());
    Dataset<Row> points = session.createDataFrame(context.parallelize(rows, PARTITIONS), schema);
    KMeansModel model =
        new KMeans().setK(CLUSTERS).setMaxIter(ITERATIONS).setTol(0).setSeed(42).fit(points);
    Vector[] centers = model.clusterCenters();
    for (int i = 0; i < centers.length; i++) {
      printer.print("kmeans", "center " + i, Arrays.toString(centers[i].toArray()));
    }
    List<Integer> assigned =
        model.transform(points).orderBy("id").collectAsList().stream()
            .map(row -> row.<Integer>getAs("prediction"))
            .toList();
    printer.print("kmeans", "assigned", assigned.toString());
  }

  /** The means of the points of each cluster, from what {@link #run} printed of the points. */
  public static List<String> means(Scale scale, String assigned) {
    List<double[]> points = points(scale);
    String[] clusters = assigned.substring(1, assigned.length() - 1).split(", ", -1);
    double[][] sums = new double[CLUSTERS][DIMENSIONS];
    long[] counts = new long[CLUSTERS];
    for (int i = 0; i < clusters.length; i++) {
      int cluster = Integer.parseInt(clusters[i]);
      counts[cluster]++;
      for (int d = 0; d < DIMENSIONS; d++) {
        sums[cluster][d] += points.get(i)[d];
      }
    }
    List<String> means = new ArrayList<>();
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      // As Spark does it: not the same as to divide.
      double factor = 1.0 / counts[cluster];
      means.add(Arrays.toString(Arrays.stream(sums[cluster]).map(x -> x * factor).toArray()));
    }
    return means;
  }
}
