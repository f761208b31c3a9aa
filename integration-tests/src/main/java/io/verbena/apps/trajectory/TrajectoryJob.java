package io.verbena.apps.trajectory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/** The application as a part of another, which has a context already. */
public final class TrajectoryJob {
  /** What {@code spark.kryo.registrator} must be in that context, with Kryo as its serializer. */
  public static final String REGISTRATOR = TrajectoryRegistrator.class.getName();

  private TrajectoryJob() {}

  /**
   * Runs the whole computation.
   *
   * @param input path, pattern or folder
   * @param scale the trajectory so many times over
   * @param partitions of the shuffles
   * @return all values with all their digits, a line each; the same for the same input and scale
   * @throws IOException when the input cannot be used
   */
  public static List<String> run(JavaSparkContext spark, String input, int scale, int partitions)
      throws IOException {
    Settings settings = Settings.of(input).withScale(scale).withPartitions(partitions);
    List<String> lines = new ArrayList<>();
    try {
      new Report(Analysis.run(spark, settings, line -> {})).write(lines::add);
    } catch (InputException e) {
      throw new IOException(e.getMessage(), e);
    }
    return lines;
  }
}
