package io.verbena.apps.trajectory;

/** What is known of a frame so far, while its items are read one by one. */
final class FrameHeader {
  private boolean empty = true;
  private String timestepText = "";
  private long timestep;
  private double time = Double.NaN;
  private int atoms;
  private Box box;
  private Columns columns;
  private int atomsRead;

  /** Whether none of its items was seen. */
  boolean empty() {
    return empty;
  }

  /** An item was seen. */
  void begin() {
    empty = false;
  }

  void timestep(Line line) throws MalformedException {
    long value = line.integer(0, "time step");
    timestepText = line.field(0);
    timestep = value;
  }

  void time(double value) {
    time = value;
  }

  void atoms(int count) {
    atoms = count;
  }

  void box(Box value) {
    box = value;
  }

  /**
   * All items are there, the atoms follow.
   *
   * @throws MalformedException when one of them is not
   */
  void columns(Columns value) throws MalformedException {
    if (timestepText.isEmpty() || atoms == 0 || box == null) {
      throw new MalformedException(awaited(), "\"ITEM: ATOMS\"");
    }
    columns = value;
  }

  void atomsRead(int count) {
    atomsRead = count;
  }

  String timestepText() {
    return timestepText;
  }

  long timestep() {
    return timestep;
  }

  double time() {
    return time;
  }

  int atoms() {
    return atoms;
  }

  Box box() {
    return box;
  }

  Columns columns() {
    return columns;
  }

  /** What must come next, for messages. */
  String awaited() {
    if (timestepText.isEmpty()) {
      return "\"ITEM: TIMESTEP\"";
    }
    if (atoms == 0) {
      return "\"ITEM: NUMBER OF ATOMS\"";
    }
    if (box == null) {
      return "\"ITEM: BOX BOUNDS\"";
    }
    return columns == null
        ? "\"ITEM: ATOMS\""
        : "atom %d of %d: %s".formatted(atomsRead + 1, atoms, String.join(" ", columns.names));
  }
}
