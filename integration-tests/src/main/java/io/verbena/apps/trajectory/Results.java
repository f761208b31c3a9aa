package io.verbena.apps.trajectory;

/** What came out. A function of the input and the settings alone, to the last bit. */
final class Results {
  /** Short lags show how atoms move within their cage, not how they diffuse. */
  private static final int FIT_FROM_PART_OF_MAX_LAG = 5;

  private final FrameTable frames;
  private final int systems;
  private final DisplacementSums sums;
  private final RadialDistribution rdf;

  Results(FrameTable frames, int systems, DisplacementSums sums, RadialDistribution rdf) {
    this.frames = frames;
    this.systems = systems;
    this.sums = sums;
    this.rdf = rdf;
  }

  FrameTable frames() {
    return frames;
  }

  int systems() {
    return systems;
  }

  RadialDistribution rdf() {
    return rdf;
  }

  /** Longest lag in frames; 0 when frames are not evenly spaced in time. */
  int maxLag() {
    return sums.byLag.length - 1;
  }

  /** Mean squared displacement of a frame from the first one: LAMMPS's {@code compute msd}. */
  double displacementFromFirst(int frame) {
    return sums.fromFirst[frame].dividedBy(sums.atoms());
  }

  /** Mean squared displacement over a lag in frames, mean over all frames to start from. */
  double displacement(int lag) {
    return sums.byLag[lag].dividedBy(sums.atoms() * (frames.size() - lag));
  }

  /** See {@link DisplacementSums#largestStep}. */
  double largestStep() {
    return sums.largestStep();
  }

  /** Whether the files say how long a time step is. */
  boolean hasTime() {
    return Double.isFinite(frames.timePerStep());
  }

  /** Simulated time when the files say it, else the time steps. */
  double lagTime(int lag) {
    long steps = lag * frames.stepsBetweenFrames();
    return hasTime() ? steps * frames.timePerStep() : steps;
  }

  int fitFrom() {
    return Math.max(1, maxLag() / FIT_FROM_PART_OF_MAX_LAG);
  }

  /**
   * Diffusion coefficient by the Einstein relation: a sixth of the slope of the mean squared
   * displacement, by least squares over the lags from {@link #fitFrom} on. NaN with less than two
   * lags.
   */
  double diffusion() {
    int count = maxLag() - fitFrom() + 1;
    if (count < 2) {
      return Double.NaN;
    }
    double meanTime = 0;
    double meanValue = 0;
    for (int lag = fitFrom(); lag <= maxLag(); lag++) {
      meanTime += lagTime(lag) / count;
      meanValue += displacement(lag) / count;
    }
    double covariance = 0;
    double variance = 0;
    for (int lag = fitFrom(); lag <= maxLag(); lag++) {
      double time = lagTime(lag) - meanTime;
      covariance += time * (displacement(lag) - meanValue);
      variance += time * time;
    }
    return covariance / variance / 6;
  }
}
