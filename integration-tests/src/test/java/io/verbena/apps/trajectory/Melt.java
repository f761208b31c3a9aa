package io.verbena.apps.trajectory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/** The sample trajectory, LAMMPS's own numbers of the same run, and the sample in other columns. */
final class Melt {
  static final Path FOLDER = Path.of("data", "lj-melt");
  static final Path TRAJECTORY = FOLDER.resolve("lj-melt.lammpstrj.gz");
  static final int FRAMES = 101;
  static final int ATOMS = 1372;
  static final int BINS = 100;
  static final double CUTOFF = 3.1;
  static final double EDGE = 11.757173339677550;

  private Melt() {}

  /** Mean squared displacement of each frame from the first one. */
  static double[] lammpsMsd() {
    return lines(FOLDER.resolve("msd.txt")).stream()
        .filter(line -> !line.startsWith("#"))
        .mapToDouble(line -> Double.parseDouble(line.split(" ", -1)[1]))
        .toArray();
  }

  /** A column of compute rdf, by frame and bin: 2 is g(r), 3 the coordination number. */
  static double[][] lammpsRdf(int column) {
    double[][] values = new double[FRAMES][BINS];
    int frame = -1;
    for (String line : lines(FOLDER.resolve("rdf.txt"))) {
      String[] fields = line.split(" ", -1);
      if (line.startsWith("#")) {
        continue;
      }
      if (fields.length == 2) {
        frame++;
      } else {
        values[frame][Integer.parseInt(fields[0]) - 1] = Double.parseDouble(fields[column]);
      }
    }
    return values;
  }

  /** The lines of the trajectory. */
  static List<String> dump() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(TRAJECTORY)),
                StandardCharsets.US_ASCII))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The first frames with other columns: id, then what the function makes of x y z ix iy iz.
   *
   * @return the file
   */
  static Path rewritten(Path file, int frames, String columns, Function<double[], String> atom)
      throws IOException {
    List<String> lines =
        dump().stream()
            .limit(2 + frames * (11L + ATOMS))
            .map(
                line -> {
                  String[] fields = line.split(" ", -1);
                  if (line.startsWith("ITEM: ATOMS")) {
                    return "ITEM: ATOMS id " + columns;
                  }
                  if (line.startsWith("ITEM:") || fields.length < 8) {
                    return line;
                  }
                  double[] values = new double[6];
                  for (int i = 0; i < 6; i++) {
                    values[i] = Double.parseDouble(fields[2 + i]);
                  }
                  return fields[0] + " " + atom.apply(values);
                })
            .toList();
    return Files.write(file, lines);
  }

  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
