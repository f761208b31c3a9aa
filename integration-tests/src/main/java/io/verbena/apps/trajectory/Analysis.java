package io.verbena.apps.trajectory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;

/** The whole computation: read, displacement, radial distribution. */
final class Analysis {
  private static final int PARTITIONS_PER_CORE = 4;
  private static final double DEFAULT_CUTOFF_IN_SPACINGS = 3;

  private final JavaSparkContext spark;
  private final Settings settings;
  private final Consumer<String> progress;
  private final int partitions;

  private Analysis(JavaSparkContext spark, Settings settings, Consumer<String> progress) {
    this.spark = spark;
    this.settings = settings;
    this.progress = progress;
    this.partitions =
        settings.partitions() > 0
            ? settings.partitions()
            : PARTITIONS_PER_CORE * spark.defaultParallelism();
  }

  /**
   * Runs all jobs.
   *
   * @param progress told what goes on, line by line
   * @throws InputException when the input cannot be used
   */
  static Results run(JavaSparkContext spark, Settings settings, Consumer<String> progress)
      throws InputException {
    return new Analysis(spark, settings, progress).run();
  }

  private Results run() throws InputException {
    List<Path> files = TrajectoryFiles.find(spark.hadoopConfiguration(), settings.input());
    progress.accept("reading %d file(s): %s".formatted(files.size(), settings.input()));
    JavaRDD<ReadItem> items = items(files).persist(StorageLevel.MEMORY_AND_DISK());
    long start = System.nanoTime();
    FrameTable table = frames(items);
    progress.accept(
        "read %d frames of %d atoms in %s".formatted(table.size(), table.atoms(), since(start)));
    int maxLag = checkedMaxLag(table);
    double cutoff = checkedCutoff(table);

    Broadcast<FrameTable> shared = spark.broadcast(table);
    start = System.nanoTime();
    DisplacementSums sums =
        Displacement.compute(items, shared, settings.scale(), maxLag, partitions);
    checkComplete(sums, table);
    progress.accept(
        "displacement of %d atoms, regrouped by atom, in %s".formatted(sums.atoms(), since(start)));
    start = System.nanoTime();
    RadialDistribution rdf =
        RadialDistribution.compute(
            items, shared, settings.scale(), cutoff, settings.bins(), partitions);
    progress.accept("radial distribution, regrouped by cell, in " + since(start));
    items.unpersist(false);
    return new Results(table, settings.scale(), sums, rdf);
  }

  private JavaRDD<ReadItem> items(List<Path> files) {
    JavaRDD<ReadItem> items =
        spark
            .newAPIHadoopRDD(
                inputs(files), TrajectoryInputFormat.class, NullWritable.class, Object.class)
            .map(pair -> (ReadItem) pair._2);
    // A compressed file comes in one piece, and a folder of small files in very many.
    if (items.getNumPartitions() < partitions) {
      return items.repartition(partitions);
    }
    int most = PARTITIONS_PER_CORE * partitions;
    return items.getNumPartitions() > most ? items.coalesce(most) : items;
  }

  private Configuration inputs(List<Path> files) {
    try {
      Job job = Job.getInstance(spark.hadoopConfiguration());
      FileInputFormat.setInputPaths(job, files.toArray(Path[]::new));
      return job.getConfiguration();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot set up reading of " + settings.input(), e);
    }
  }

  private FrameTable frames(JavaRDD<ReadItem> items) throws InputException {
    List<FrameInfo> infos = new ArrayList<>();
    List<SplitEnd> ends = new ArrayList<>();
    List<InputProblem> problems = new ArrayList<>();
    for (Object seen : items.map(Analysis::withoutAtoms).collect()) {
      if (seen instanceof FrameInfo info) {
        infos.add(info);
      } else if (seen instanceof SplitEnd end) {
        ends.add(end);
      } else if (seen instanceof InputProblem problem) {
        problems.add(problem);
      }
    }
    FrameTable table = FrameTable.of(infos, ends, problems);
    if (table.repeated() > 0) {
      progress.accept(
          "left out %d frame(s) whose time step was there already".formatted(table.repeated()));
    }
    return table;
  }

  private static Object withoutAtoms(ReadItem item) {
    return item instanceof Frame frame ? new FrameInfo(frame) : item;
  }

  /** Zero when frames are not evenly spaced: a lag then is not the same time everywhere. */
  private int checkedMaxLag(FrameTable table) throws InputException {
    if (settings.maxLag() >= table.size()) {
      throw new InputException(
          "--max-lag=%d: there are %d frames in %s: choose at most %d"
              .formatted(settings.maxLag(), table.size(), settings.input(), table.size() - 1));
    }
    if (table.stepsBetweenFrames() == 0) {
      return 0;
    }
    return settings.maxLag() > 0 ? settings.maxLag() : table.size() / 2;
  }

  /** Half the shortest edge at most by default; up to a whole one where the user wants it. */
  private double checkedCutoff(FrameTable table) throws InputException {
    Box first = table.box(0);
    double shortest = Double.MAX_VALUE;
    for (int frame = 0; frame < table.size(); frame++) {
      for (int axis = 0; axis < 3; axis++) {
        if (table.box(frame).periodic(axis)) {
          shortest = Math.min(shortest, table.box(frame).edge(axis));
        }
      }
    }
    if (settings.cutoff() > shortest) {
      throw new InputException(
          "--cutoff=%s: the shortest periodic edge of the box in %s is %s: choose at most that"
              .formatted(settings.cutoff(), settings.input(), shortest));
    }
    if (settings.cutoff() > 0) {
      return settings.cutoff();
    }
    double spacing = Math.cbrt(first.volume() / table.atoms());
    double cutoff = Math.min(DEFAULT_CUTOFF_IN_SPACINGS * spacing, shortest / 2);
    return new BigDecimal(cutoff).round(new MathContext(2, RoundingMode.DOWN)).doubleValue();
  }

  private static void checkComplete(DisplacementSums sums, FrameTable table) throws InputException {
    if (!sums.complete()) {
      int frame = sums.missingFrame();
      throw new InputException(
          "%s: time step %d: expected the same atoms in all frames, atom %d is missing"
              .formatted(table.file(frame), table.timestep(frame), sums.incompleteAtom()));
    }
  }

  private static String since(long start) {
    double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }
}
