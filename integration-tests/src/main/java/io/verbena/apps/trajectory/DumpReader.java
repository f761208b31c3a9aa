package io.verbena.apps.trajectory;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the frames of one part of a LAMMPS text dump, one after another and never the whole file.
 *
 * <p>A frame belongs to the part in which its line {@code ITEM: TIMESTEP} begins. The items in
 * front of that line ({@code UNITS}, {@code TIME}) may lie in the part before, which is why the
 * stream begins {@link #LOOK_BACK} bytes early. All lines between two such lines are checked by the
 * reader of the first.
 */
final class DumpReader implements Closeable {
  /** At least what the items in front of a time step take up. */
  static final int LOOK_BACK = 512;

  private static final String END_OF_FILE = "the end of the file";
  private static final int FIRST_CAPACITY = 1 << 16;
  private static final int MOST_ATOMS = 500_000_000;

  private final String file;
  private final long start;
  private final long end;
  private final DumpLines lines;

  private int frames;
  private long linesOfFrames;
  private long linesOfFrame;
  private boolean done;

  /**
   * @param in stands at the larger of 0 and {@code start - LOOK_BACK}; closed with this object
   * @param file for messages
   * @param start byte where the part begins
   * @param end byte after the part
   */
  DumpReader(InputStream in, String file, long start, long end) {
    this.file = file;
    this.start = start;
    this.end = end;
    this.lines = new DumpLines(in, Math.max(0, start - LOOK_BACK));
  }

  /**
   * The next frame; after the last one a {@link SplitEnd}, or an {@link InputProblem} where reading
   * cannot go on; null after those.
   */
  ReadItem next() {
    if (done) {
      return null;
    }
    FrameHeader header = new FrameHeader();
    ReadItem item;
    try {
      item = frame(header);
    } catch (MalformedException e) {
      item = problem(header, e.expected(), e.found());
    } catch (IOException e) {
      item = problem(header, header.awaited(), "that the file cannot be read on: " + e);
    }
    done = !(item instanceof Frame);
    return item;
  }

  private InputProblem problem(FrameHeader header, String expected, String found) {
    Origin origin = new Origin(file, start, frames);
    long line = linesOfFrames + linesOfFrame;
    return new InputProblem(origin, header.timestepText(), line, expected, found);
  }

  private ReadItem frame(FrameHeader header) throws IOException, MalformedException {
    linesOfFrame = 0;
    if (frames == 0 && start > 0) {
      skipToOwnFrame(header);
    }
    if (!readHeader(header)) {
      return new SplitEnd(new Origin(file, start, frames), linesOfFrames);
    }
    Frame frame = readAtoms(header);
    frames++;
    linesOfFrames += linesOfFrame;
    return frame;
  }

  /**
   * Stops in front of the first time step of this part, with the items in front of it in the
   * header. Whatever is wrong up to there is for the reader of the part before to say.
   */
  private void skipToOwnFrame(FrameHeader header) throws IOException, MalformedException {
    if (start > LOOK_BACK) {
      lines.next(); // most likely the rest of a line
    }
    for (Line line = lines.next(); line != null; line = lines.next()) {
      switch (itemOf(line)) {
        case "TIMESTEP" -> {
          if (lines.offset() >= start) {
            lines.putBack();
            return;
          }
          linesOfFrame = 0;
          header.time(Double.NaN);
        }
        case "UNITS" -> {
          linesOfFrame += 2;
          lines.next();
        }
        case "TIME" -> {
          linesOfFrame += 2;
          Line value = lines.next();
          header.time(value == null || value.fields() != 1 ? Double.NaN : value.number(0, "time"));
        }
        default -> linesOfFrame = 0;
      }
    }
  }

  /** The name of the item that a line begins, or nothing. */
  private static String itemOf(Line line) {
    return line.isItem() ? String.join(" ", line.fieldsFrom(1)) : "";
  }

  /**
   * Reads up to the first atom.
   *
   * @return whether there was a frame of this part
   */
  private boolean readHeader(FrameHeader header) throws IOException, MalformedException {
    while (header.columns() == null) {
      Line line = nextLine();
      if (line == null) {
        if (header.empty() && (frames > 0 || start > 0)) {
          return false;
        }
        throw new MalformedException(header.awaited(), END_OF_FILE);
      }
      if (header.empty() && frames > 0 && line.fields() == 0) {
        continue;
      }
      String item = itemOf(line);
      if (item.equals("TIMESTEP") && lines.offset() >= end) {
        return false;
      }
      readItem(item, line, header);
      header.begin();
    }
    return true;
  }

  private void readItem(String item, Line line, FrameHeader header)
      throws IOException, MalformedException {
    if (item.equals("TIMESTEP")) {
      header.timestep(value("the time step"));
    } else if (item.equals("UNITS")) {
      value("the unit style");
    } else if (item.equals("TIME")) {
      header.time(value("the simulated time").number(0, "simulated time"));
    } else if (item.equals("NUMBER OF ATOMS")) {
      header.atoms(count(value("the number of atoms")));
    } else if (item.startsWith("BOX BOUNDS")) {
      header.box(readBox(line.fieldsFrom(3)));
    } else if (item.equals("ATOMS") || item.startsWith("ATOMS ")) {
      header.columns(Columns.of(line.fieldsFrom(2)));
    } else if (frames > 0 && header.empty()) {
      throw new MalformedException("\"ITEM: TIMESTEP\" or the end of the file", line.toString());
    } else {
      String hint = line.isGzip() ? ", gzip data: the file's name must end in .gz" : "";
      throw new MalformedException(header.awaited(), line + hint);
    }
  }

  private static int count(Line line) throws MalformedException {
    long count = line.integer(0, "number of atoms");
    if (count < 1 || count > MOST_ATOMS) {
      throw new MalformedException("a number of atoms from 1 to " + MOST_ATOMS, line.toString());
    }
    return (int) count;
  }

  /** The line behind an item that has one value. */
  private Line value(String what) throws IOException, MalformedException {
    Line line = nextLine();
    if (line == null) {
      throw new MalformedException(what, END_OF_FILE);
    }
    if (line.fields() != 1 || line.isItem()) {
      throw new MalformedException(what, line.toString());
    }
    return line;
  }

  /** Without boundary flags, as old versions wrote it, a box is periodic. */
  private Box readBox(List<String> flags) throws IOException, MalformedException {
    if (flags.stream().anyMatch(flag -> flag.length() != 2 || !flag.matches("[pfsm]+"))) {
      throw new MalformedException(
          "an orthogonal box, as in \"ITEM: BOX BOUNDS pp pp pp\"",
          "the triclinic \"ITEM: BOX BOUNDS %s\", which is not supported"
              .formatted(String.join(" ", flags)));
    }
    double[] low = new double[3];
    double[] edge = new double[3];
    boolean[] periodic = new boolean[3];
    for (int axis = 0; axis < 3; axis++) {
      String what = "lower and upper bound of the box in " + Box.axisName(axis);
      Line line = nextLine();
      if (line == null) {
        throw new MalformedException(what, END_OF_FILE);
      }
      if (line.fields() != 2) {
        throw new MalformedException(what, line.toString());
      }
      low[axis] = line.number(0, "lower bound");
      edge[axis] = line.number(1, "upper bound") - low[axis];
      if (!(edge[axis] > 0)) {
        throw new MalformedException(what + ", the lower one first", line.toString());
      }
      periodic[axis] = flags.size() <= axis || flags.get(axis).equals("pp");
    }
    return new Box(low, edge, periodic);
  }

  private Frame readAtoms(FrameHeader header) throws IOException, MalformedException {
    int atoms = header.atoms();
    // A wrong count must not take all memory before it is noticed.
    long[] ids = new long[Math.min(atoms, FIRST_CAPACITY)];
    double[] positions = new double[3 * ids.length];
    for (int atom = 0; atom < atoms; atom++) {
      if (atom == ids.length) {
        int capacity = (int) Math.min(atoms, 2L * atom);
        ids = Arrays.copyOf(ids, capacity);
        positions = Arrays.copyOf(positions, 3 * capacity);
      }
      header.atomsRead(atom);
      Line line = nextLine();
      if (line == null) {
        throw new MalformedException(header.awaited(), END_OF_FILE);
      }
      if (line.fields() != header.columns().count()) {
        throw new MalformedException(header.awaited(), line.toString());
      }
      ids[atom] = readAtom(line, header, positions, 3 * atom);
    }
    checkIds(ids);
    return new Frame(
        new Origin(file, start, frames),
        header.timestep(),
        header.time(),
        header.box(),
        ids,
        positions,
        header.columns().unwrapped());
  }

  private static long readAtom(Line line, FrameHeader header, double[] positions, int at)
      throws MalformedException {
    Columns columns = header.columns();
    Box box = header.box();
    for (int axis = 0; axis < 3; axis++) {
      int column = columns.position[axis];
      double value = line.number(column, columns.names.get(column));
      if (columns.coordinates.scaled) {
        value = box.low(axis) + value * box.edge(axis);
      }
      if (columns.images.length > 0) {
        int image = columns.images[axis];
        value += line.integer(image, columns.names.get(image)) * box.edge(axis);
      }
      positions[at + axis] = value;
    }
    long id = line.integer(columns.id, "id");
    if (id < 1) {
      throw new MalformedException("an id of at least 1", line.toString());
    }
    return id;
  }

  private static void checkIds(long[] ids) throws MalformedException {
    long[] sorted = ids.clone();
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        throw new MalformedException(
            "a different id for each atom of the frame", "id " + sorted[i] + " twice");
      }
    }
  }

  private Line nextLine() throws IOException, MalformedException {
    linesOfFrame++;
    return lines.next();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
