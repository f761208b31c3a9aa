package io.verbena.apps.trajectory;

import java.util.Locale;
import java.util.function.Consumer;

/** Results as text: a table to read, and values separated by commas to compare and to plot. */
final class Report {
  private static final int ROWS = 10;

  /** Farther than this between two frames, and the shortest way may not be the one taken. */
  private static final double DOUBTFUL_STEP = 0.25;

  private final Results results;
  private final FrameTable frames;
  private final RadialDistribution rdf;

  Report(Results results) {
    this.results = results;
    this.frames = results.frames();
    this.rdf = results.rdf();
  }

  /** A page to read. */
  void print(Consumer<String> out) {
    printInput(out);
    out.accept("");
    printDisplacement(out);
    out.accept("");
    printRdf(out);
  }

  private void printInput(Consumer<String> out) {
    int last = frames.size() - 1;
    out.accept(
        "Trajectory: %d frames of %d atoms, time steps %d to %d"
            .formatted(frames.size(), frames.atoms(), frames.timestep(0), frames.timestep(last)));
    out.accept("Systems:    %d, one copy of the trajectory each".formatted(results.systems()));
    if (frames.unwrapped()) {
      out.accept("Positions:  unwrapped by the trajectory itself");
      return;
    }
    out.accept(
        text(
            "Positions:  followed from frame to frame, at most %.3f box edges at once%s",
            results.largestStep(),
            results.largestStep() > DOUBTFUL_STEP
                ? ": too far to be sure, write more frames"
                : ""));
  }

  private void printDisplacement(Consumer<String> out) {
    out.accept("Mean squared displacement");
    if (results.maxLag() > 0) {
      out.accept(
          text(
              "  %10s %12s %14s %16s",
              "lag", results.hasTime() ? "time" : "time steps", "MSD", "from frame 1"));
    } else {
      out.accept(text("  %10s %12s %14s %16s", "frame", "time step", "", "from frame 1"));
    }
    int most = results.maxLag() > 0 ? results.maxLag() : frames.size() - 1;
    int step = Math.max(1, (most + ROWS - 1) / ROWS);
    for (int i = Math.min(step, most); i <= most && i > 0; i += step) {
      double fromFirst = results.displacementFromFirst(i);
      if (results.maxLag() > 0) {
        double msd = results.displacement(i);
        out.accept(text("  %10d %12.6g %14.6f %16.6f", i, results.lagTime(i), msd, fromFirst));
      } else {
        out.accept(text("  %10d %12d %14s %16.6f", i + 1, frames.timestep(i), "", fromFirst));
      }
    }
    if (results.maxLag() == 0) {
      out.accept("  no mean over start frames and no diffusion coefficient: needs evenly spaced");
      out.accept("  frames, at least two");
    } else if (!Double.isNaN(results.diffusion())) {
      out.accept(
          text(
              "Diffusion coefficient %.6g per %s (Einstein relation, lags %d to %d)",
              results.diffusion(),
              results.hasTime() ? "unit of time" : "time step",
              results.fitFrom(),
              results.maxLag()));
    }
  }

  private void printRdf(Consumer<String> out) {
    double[] g = rdf.mean();
    double[] coordination = rdf.meanCoordination();
    int peak = 0;
    for (int bin = 1; bin < g.length; bin++) {
      peak = g[bin] > g[peak] ? bin : peak;
    }
    out.accept(
        text(
            "Radial distribution function, mean of %d frames, cutoff %s in %d bins",
            frames.size(), Double.toString(rdf.cutoff()), rdf.bins()));
    out.accept(text("  peak: g(%.4f) = %.4f", rdf.radius(peak), g[peak]));
    out.accept(text("  %10s %12s %14s", "r", "g(r)", "neighbours"));
    int step = Math.max(1, (g.length + ROWS - 1) / ROWS);
    for (int bin = step - 1; bin < g.length; bin += step) {
      out.accept(text("  %10.4f %12.6f %14.6f", rdf.radius(bin), g[bin], coordination[bin]));
    }
  }

  /** All values with all their digits: two runs are the same when these lines are. */
  void write(Consumer<String> out) {
    out.accept("quantity,frame_or_lag,time_step,r,value,neighbours");
    for (int frame = 0; frame < frames.size(); frame++) {
      out.accept(
          "msd_from_first,%d,%d,,%s,"
              .formatted(frame, frames.timestep(frame), results.displacementFromFirst(frame)));
    }
    for (int lag = 1; lag <= results.maxLag(); lag++) {
      out.accept(
          "msd,%d,%d,,%s,"
              .formatted(lag, lag * frames.stepsBetweenFrames(), results.displacement(lag)));
    }
    out.accept("diffusion,,,,%s,".formatted(results.diffusion()));
    double[] mean = rdf.mean();
    double[] meanCoordination = rdf.meanCoordination();
    for (int bin = 0; bin < rdf.bins(); bin++) {
      out.accept("rdf,,,%s,%s,%s".formatted(rdf.radius(bin), mean[bin], meanCoordination[bin]));
    }
    for (int frame = 0; frame < frames.size(); frame++) {
      double[] g = rdf.ofFrame(frame);
      double[] coordination = rdf.coordinationOfFrame(frame);
      for (int bin = 0; bin < rdf.bins(); bin++) {
        out.accept(
            "rdf_of_frame,%d,%d,%s,%s,%s"
                .formatted(
                    frame, frames.timestep(frame), rdf.radius(bin), g[bin], coordination[bin]));
      }
    }
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
