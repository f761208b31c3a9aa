package io.verbena.apps.trajectory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which columns of an atom line hold the id, the position and the image flags. */
final class Columns {
  /** The ways LAMMPS writes a position, best first. */
  enum Coordinates {
    UNWRAPPED(false, true, "xu", "yu", "zu"),
    WRAPPED(false, false, "x", "y", "z"),
    SCALED_UNWRAPPED(true, true, "xsu", "ysu", "zsu"),
    SCALED(true, false, "xs", "ys", "zs");

    /** In box edges from the lower corner. */
    final boolean scaled;

    final boolean unwrapped;
    private final String x;
    private final String y;
    private final String z;

    Coordinates(boolean scaled, boolean unwrapped, String x, String y, String z) {
      this.scaled = scaled;
      this.unwrapped = unwrapped;
      this.x = x;
      this.y = y;
      this.z = z;
    }

    private List<String> names() {
      return List.of(x, y, z);
    }
  }

  private static final List<String> IMAGES = List.of("ix", "iy", "iz");

  final List<String> names;
  final int id;
  final Coordinates coordinates;

  /** Columns of x, y, z. */
  final int[] position;

  /** Columns of ix, iy, iz, or none. */
  final int[] images;

  private Columns(List<String> names, Coordinates coordinates) {
    this.names = names;
    this.id = names.indexOf("id");
    this.coordinates = coordinates;
    this.position = indexes(names, coordinates.names());
    boolean useful = !coordinates.unwrapped && names.containsAll(IMAGES);
    this.images = useful ? indexes(names, IMAGES) : new int[0];
  }

  int count() {
    return names.size();
  }

  /** Whether positions can be told without a look at other frames. */
  boolean unwrapped() {
    return coordinates.unwrapped || images.length > 0;
  }

  /**
   * Reads the names behind {@code ITEM: ATOMS}.
   *
   * @throws MalformedException naming the columns that are missing
   */
  static Columns of(List<String> names) throws MalformedException {
    List<String> missing = new ArrayList<>();
    if (!names.contains("id")) {
      missing.add("id");
    }
    Coordinates found =
        Arrays.stream(Coordinates.values())
            .filter(c -> names.containsAll(c.names()))
            .findFirst()
            .orElse(null);
    if (found == null) {
      missing.addAll(missingCoordinates(names));
    }
    if (!missing.isEmpty()) {
      throw new MalformedException(
          "columns id and one of (xu yu zu), (x y z), (xsu ysu zsu), (xs ys zs)",
          "(%s): missing %s".formatted(String.join(" ", names), String.join(", ", missing)));
    }
    return new Columns(List.copyOf(names), found);
  }

  /** What the kind of coordinates lacks that is nearest to complete. */
  private static List<String> missingCoordinates(List<String> names) {
    List<String> best = Coordinates.WRAPPED.names();
    for (Coordinates kind : Coordinates.values()) {
      List<String> lacking = kind.names().stream().filter(name -> !names.contains(name)).toList();
      if (lacking.size() < best.size()) {
        best = lacking;
      }
    }
    return best;
  }

  private static int[] indexes(List<String> names, List<String> wanted) {
    return wanted.stream().mapToInt(names::indexOf).toArray();
  }
}
