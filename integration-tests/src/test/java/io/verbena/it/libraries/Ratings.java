package io.verbena.it.libraries;

import io.verbena.bench.work.Mix;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** MLlib's ALS: factors of a matrix of ratings, of which one in eight is known. */
public final class Ratings {
  /** Weight of the regularization, for each rating. */
  public static final double REGULARIZATION = 0.1;

  /** Length of a factor. */
  public static final int RANK = 4;

  private static final int ITERATIONS = 7;
  private static final int BLOCKS = 3;
  private static final int CHECKPOINT_INTERVAL = 3;
  private static final int PARTITIONS = 4;
  private static final int ONE_IN = 8;
  private static final int STARS = 5;

  /** A bean of Spark SQL. */
  public static final class Rating implements Serializable {
    private static final long serialVersionUID = 1;

    private final int user;
    private final int item;
    private final float stars;

    Rating(int user, int item, float stars) {
      this.user = user;
      this.item = item;
      this.stars = stars;
    }

    public int getUser() {
      return user;
    }

    public int getItem() {
      return item;
    }

    public float getStars() {
      return stars;
    }
  }

  private Ratings() {}

  /** All that are known. */
  public static List<Rating> all(Scale scale) {
    List<Rating> ratings = new ArrayList<>();
    for (int user = 0; user < scale.users(); user++) {
      for (int item = 0; item < scale.items(); item++) {
        long mixed = Mix.mix((long) user * scale.items() + item + 1);
        if (Long.remainderUnsigned(mixed, ONE_IN) == 0) {
          ratings.add(
              new Rating(user, item, 1 + (float) Long.remainderUnsigned(mixed >>> 8, STARS)));
        }
      }
    }
    return ratings;
  }

  static void run(SparkSession session, Printer printer, Scale scale) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
    Dataset<Row> ratings =
        session.createDataFrame(context.parallelize(all(scale), PARTITIONS), Rating.class);
    ALSModel model =
        new ALS()
            .setUserCol("user")
            .setItemCol("item")
            .setRatingCol("stars")
            .setRank(RANK)
            .setMaxIter(ITERATIONS)
            .setRegParam(REGULARIZATION)
            .setNumBlocks(BLOCKS)
            .setCheckpointInterval(CHECKPOINT_INTERVAL)
            .setSeed(42)
            .fit(ratings);
    print(printer, "user", model.userFactors());
    print(printer, "item", model.itemFactors());
  }

  /** Numbers as text that gives the same bits when it is read. */
  private static void print(Printer printer, String kind, Dataset<Row> factors) {
    for (Row row : factors.orderBy("id").collectAsList()) {
      List<Float> factor = row.getList(1);
      printer.print(
          "als",
          kind + " " + row.getInt(0),
          String.join(" ", factor.stream().map(String::valueOf).toList()));
    }
  }
}
