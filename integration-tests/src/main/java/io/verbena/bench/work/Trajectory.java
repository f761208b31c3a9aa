package io.verbena.bench.work;

import io.verbena.apps.trajectory.TrajectoryJob;
import io.verbena.it.cluster.ProjectJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The job of the demo. Its records are atoms; every system has as many. */
final class Trajectory implements Workload {
  private static final int ATOMS = 1_372;
  private static final int SYSTEMS = 20;
  private static final String FILE = "lj-melt.lammpstrj.gz";

  @Override
  public String title() {
    return "trajectory";
  }

  @Override
  public String what() {
    return "the demo's analysis of a melt, regrouped by atom and by cell, 20 times over";
  }

  @Override
  public Size size() {
    return new Size(8, 64, (long) ATOMS * SYSTEMS);
  }

  @Override
  public Map<String, String> conf() {
    return Map.of("spark.kryo.registrator", TrajectoryJob.REGISTRATOR);
  }

  /** The result is values, not atoms. */
  @Override
  public OptionalLong expected(Size size) {
    return OptionalLong.empty();
  }

  @Override
  public void provide(Path data, Size size) throws IOException {
    Files.createDirectories(data);
    Files.copy(
        ProjectJars.sampleTrajectory(), data.resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public Supplier<Digest> run(WorkContext context) throws IOException {
    Size size = context.size();
    int systems = Math.max(1, Math.toIntExact(Math.round(size.records() / (double) ATOMS)));
    List<String> values =
        TrajectoryJob.run(
            context.spark(), context.data().resolve(FILE).toString(), systems, size.reduces());
    return () -> digest(values);
  }

  private static Digest digest(List<String> values) {
    long sum = 0;
    for (String value : values) {
      sum = Mix.mix(sum + value.hashCode());
    }
    return new Digest(values.size(), sum, true);
  }
}
