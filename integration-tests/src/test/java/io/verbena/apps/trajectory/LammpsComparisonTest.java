package io.verbena.apps.trajectory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers are LAMMPS's, and the same to the last bit however the work is cut up. */
class LammpsComparisonTest {
  /**
   * The dump has six decimals: a coordinate is off by 5e-7 at most, a difference of two by 1e-6, a
   * distance by the square root of three times that.
   */
  private static final double DISTANCE_ERROR = Math.sqrt(3) * 1e-6;

  private static final int FEW = 16;

  @TempDir private static Path folder;
  private static JavaSparkContext spark;
  private static Results results;

  @BeforeAll
  static void analyse() throws Exception {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[2]")
                .setAppName("lammps")
                .set("spark.ui.enabled", "false")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .set("spark.kryo.registrationRequired", "true")
                .set("spark.kryo.registrator", TrajectoryRegistrator.class.getName()));
    results = analyse(Settings.of(Melt.TRAJECTORY.toString()));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static Results analyse(Settings settings) throws InputException {
    return Analysis.run(spark, settings, line -> {});
  }

  @Test
  void displacementIsThatOfComputeMsd() {
    assertThat(results.frames().size()).isEqualTo(Melt.FRAMES);
    assertThat(results.frames().unwrapped()).isTrue();
    assertDisplacementOfLammps(results);
  }

  private static void assertDisplacementOfLammps(Results results) {
    double[] expected = Melt.lammpsMsd();
    for (int frame = 0; frame < results.frames().size(); frame++) {
      // d(r²) = 2 r dr, and the mean of r is below the root of the mean square
      double tolerance = 2 * Math.sqrt(expected[frame]) * DISTANCE_ERROR + 1e-9;
      assertThat(results.displacementFromFirst(frame))
          .as("frame %d", frame)
          .isCloseTo(expected[frame], within(tolerance));
    }
  }

  @Test
  void displacementOverLagsIsTheMeanOverAllFirstFrames() throws Exception {
    // The longest lag has one first frame, the first: a value that LAMMPS knows.
    Results all = analyse(Settings.of(Melt.TRAJECTORY.toString()).withMaxLag(100));
    assertThat(all.displacement(100)).isEqualTo(all.displacementFromFirst(100));
    assertThat(all.displacement(0)).isZero();
    assertThat(all.lagTime(100)).isCloseTo(50, within(1e-12));
    // More start frames, less noise: but the same physics as from the first frame alone.
    for (int lag = 10; lag <= 50; lag++) {
      assertThat(all.displacement(lag) / all.displacementFromFirst(lag)).isBetween(0.9, 1.1);
      assertThat(all.displacement(lag)).isEqualTo(results.displacement(lag));
    }
    assertThat(results.maxLag()).isEqualTo(50);
    // Six times the coefficient times a time is what atoms moved by then, but for the start.
    assertThat(6 * results.diffusion() * 25 / results.displacement(50)).isBetween(0.95, 1.05);
  }

  @Test
  void radialDistributionIsThatOfComputeRdf() {
    RadialDistribution rdf = results.rdf();
    assertThat(rdf.cutoff()).isEqualTo(Melt.CUTOFF);
    assertThat(rdf.bins()).isEqualTo(Melt.BINS);
    double[][] g = Melt.lammpsRdf(2);
    double[][] coordination = Melt.lammpsRdf(3);
    double atoms = results.frames().atoms();
    double[] mean = new double[Melt.BINS];
    int different = 0;
    for (int frame = 0; frame < Melt.FRAMES; frame++) {
      double[] found = rdf.ofFrame(frame);
      double[] foundCoordination = rdf.coordinationOfFrame(frame);
      for (int bin = 0; bin < Melt.BINS; bin++) {
        // How much g changes when one pair moves to the next bin because of the six decimals.
        double lower = bin * Melt.CUTOFF / Melt.BINS;
        double upper = (bin + 1) * Melt.CUTOFF / Melt.BINS;
        double shell = 4 * Math.PI / 3 * (Math.pow(upper, 3) - Math.pow(lower, 3));
        double onePair = 2 * Math.pow(Melt.EDGE, 3) / (atoms * (atoms - 1) * shell);
        double pairs = Math.abs(found[bin] - g[frame][bin]) / onePair;
        assertThat(pairs).as("frame %d, bin %d", frame, bin).isLessThan(2.01);
        different += pairs > 0.5 ? 1 : 0;
        assertThat(foundCoordination[bin])
            .as("frame %d, bin %d", frame, bin)
            .isCloseTo(coordination[frame][bin], within(2.01 * 2 / atoms + 1e-5));
        mean[bin] += g[frame][bin] / Melt.FRAMES;
      }
    }
    // Some 50,000 pairs, one in 15,000 within the error of the edge of its bin.
    assertThat(different).as("bins that differ by a pair or two").isLessThan(2 * 4 * Melt.FRAMES);
    for (int bin = 0; bin < Melt.BINS; bin++) {
      assertThat(rdf.mean()[bin]).as("bin %d", bin).isCloseTo(mean[bin], within(2e-4));
    }
  }

  @Test
  void atomsAreFollowedOverBoundariesWithoutImageFlags() throws Exception {
    Path file =
        Melt.rewritten(
            folder.resolve("wrapped.lammpstrj"),
            Melt.FRAMES,
            "x y z",
            v -> Melt.text("%.6f %.6f %.6f", v[0], v[1], v[2]));
    Results found = analyse(Settings.of(file.toString()));
    assertThat(found.frames().unwrapped()).isFalse();
    assertThat(found.largestStep()).as("box edges at once").isBetween(0.1, 0.25);
    assertDisplacementOfLammps(found);
  }

  @Test
  void positionsOfOtherKindsGiveTheDisplacementOfComputeMsd() throws Exception {
    double edge = Melt.EDGE;
    List<Path> files = new ArrayList<>();
    files.add(
        Melt.rewritten(
            folder.resolve("unwrapped.lammpstrj"),
            FEW,
            "xu yu zu",
            v ->
                Melt.text(
                    "%.6f %.6f %.6f", v[0] + v[3] * edge, v[1] + v[4] * edge, v[2] + v[5] * edge)));
    files.add(
        Melt.rewritten(
            folder.resolve("scaled-images.lammpstrj"),
            FEW,
            "iz zs ys xs iy ix",
            v ->
                Melt.text(
                    "%.0f %.9f %.9f %.9f %.0f %.0f",
                    v[5], v[2] / edge, v[1] / edge, v[0] / edge, v[4], v[3])));
    files.add(
        Melt.rewritten(
            folder.resolve("scaled.lammpstrj"),
            FEW,
            "xs ys zs",
            v -> Melt.text("%.9f %.9f %.9f", v[0] / edge, v[1] / edge, v[2] / edge)));
    for (Path file : files) {
      Results found = analyse(Settings.of(file.toString()));
      assertThat(found.frames().size()).isEqualTo(FEW);
      assertThat(found.frames().unwrapped())
          .as(file.toString())
          .isEqualTo(!file.endsWith("scaled.lammpstrj"));
      assertDisplacementOfLammps(found);
      for (int bin = 0; bin < Melt.BINS; bin++) {
        assertThat(found.rdf().ofFrame(FEW - 1)[bin])
            .isCloseTo(results.rdf().ofFrame(FEW - 1)[bin], within(0.01));
      }
    }
  }

  @Test
  void positionsThatAreNotUnwrappedMissByFar() throws Exception {
    Path lying =
        Melt.rewritten(
            folder.resolve("lying.lammpstrj"),
            FEW,
            "xu yu zu",
            v -> Melt.text("%.6f %.6f %.6f", v[0], v[1], v[2]));
    Results found = analyse(Settings.of(lying.toString()));
    double missed = found.displacementFromFirst(FEW - 1) - Melt.lammpsMsd()[FEW - 1];
    assertThat(missed).as("so the comparison can fail").isGreaterThan(1);
  }

  @Test
  void neitherPartitionsNorCopiesOfTheSystemChangeABit() throws Exception {
    Settings settings = Settings.of(Melt.TRAJECTORY.toString()).withScale(2).withPartitions(5);
    Results scaled = analyse(settings);
    assertThat(scaled.systems()).isEqualTo(2);
    assertThat(values(scaled)).isEqualTo(values(results));
  }

  @Test
  void aSplitPlainFileGivesTheSameBitsAsTheCompressedOne() throws Exception {
    Path plain = folder.resolve("plain.lammpstrj");
    Files.write(plain, Melt.dump());
    String key = "mapreduce.input.fileinputformat.split.maxsize";
    spark.hadoopConfiguration().set(key, "100000"); // 55 parts
    try {
      Results split = analyse(Settings.of(plain.toString()));
      assertThat(values(split)).isEqualTo(values(results));
    } finally {
      spark.hadoopConfiguration().unset(key);
    }
  }

  private static List<String> values(Results results) {
    List<String> lines = new ArrayList<>();
    new Report(results).write(lines::add);
    assertThat(lines).hasSize(1 + Melt.FRAMES + 50 + 1 + Melt.BINS + Melt.FRAMES * Melt.BINS);
    return lines;
  }
}
