package io.verbena.apps.trajectory;

/**
 * What to compute.
 *
 * @param input path, pattern or folder
 * @param scale systems: the trajectory so many times over
 * @param partitions of the shuffles; 0 for four per core
 * @param cutoff of the radial distribution function; 0 for three mean distances between atoms
 * @param bins of the radial distribution function
 * @param maxLag longest time lag in frames; 0 for half of the frames
 */
record Settings(String input, int scale, int partitions, double cutoff, int bins, int maxLag) {
  static final int DEFAULT_BINS = 100;

  static Settings of(String input) {
    return new Settings(input, 1, 0, 0, DEFAULT_BINS, 0);
  }

  Settings withScale(int value) {
    return new Settings(input, value, partitions, cutoff, bins, maxLag);
  }

  Settings withPartitions(int value) {
    return new Settings(input, scale, value, cutoff, bins, maxLag);
  }

  Settings withCutoff(double value) {
    return new Settings(input, scale, partitions, value, bins, maxLag);
  }

  Settings withMaxLag(int value) {
    return new Settings(input, scale, partitions, cutoff, bins, value);
  }
}
