package io.verbena.apps.trajectory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DumpReaderTest {
  private static final String FIRST =
      """
      ITEM: TIMESTEP
      100
      ITEM: NUMBER OF ATOMS
      2
      ITEM: BOX BOUNDS pp pp ff
      0.0 10.0
      -5 5
      1e0 2.1e1
      ITEM: ATOMS id x y z
      2 1.5 -4.5 2
      1 9.5 4.5 20.5
      """;
  private static final String SECOND = FIRST.replace("100\n", "200\n");

  @Test
  void framesComeWithStepBoxAndPositions() {
    List<ReadItem> items = read(FIRST + SECOND);
    assertThat(items).hasSize(3);
    Frame frame = (Frame) items.get(0);
    assertThat(frame.timestep).isEqualTo(100);
    assertThat(frame.time).isNaN();
    assertThat(frame.ids).containsExactly(2, 1);
    assertThat(frame.positions).containsExactly(1.5, -4.5, 2, 9.5, 4.5, 20.5);
    assertThat(frame.unwrapped).isFalse();
    assertThat(frame.box.edge(2)).isEqualTo(20);
    assertThat(frame.box.periodic(0)).isTrue();
    assertThat(frame.box.periodic(2)).isFalse();
    assertThat(((Frame) items.get(1)).timestep).isEqualTo(200);
    SplitEnd end = (SplitEnd) items.get(2);
    assertThat(end.frames()).isEqualTo(2);
    assertThat(end.lines).isEqualTo(22);
  }

  @ParameterizedTest
  @CsvSource({
    "id x y z,2 1.5 -4.5 2,false",
    "z type y id vx x,2 1 -4.5 2 0.3 1.5,false",
    "id element x y z ix iy iz,2 Ar 1.5 -4.5 2 0 0 0,true",
    "x y z iz iy ix id,-8.5 -14.5 22 -1 1 1 2,true",
    "id xs ys zs,2 0.15 0.05 0.05,false",
    "ix iy iz id xs ys zs,0 -1 1 2 0.15 1.05 -0.95,true",
    "id xu yu zu,2 1.5 -4.5 2,true",
    "id xsu ysu zsu,2 0.15 0.05 0.05,true",
    "id xs ys zs x y z xu yu zu,2 9 9 9 9 9 9 1.5 -4.5 2,true",
    "id x y z ix,2 1.5 -4.5 2 3,false",
  })
  void anyOrderAndKindOfColumnsIsUnderstood(String names, String values, boolean unwrapped) {
    String dump =
        FIRST
            .replace("id x y z", names)
            .replace("ATOMS\n2", "ATOMS\n1")
            .replaceAll("(?s)2 1.5 .*", values + " \n");
    Frame frame = (Frame) read(dump).get(0);
    assertThat(frame.ids).containsExactly(2);
    assertThat(frame.positions)
        .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
        .containsExactly(1.5, -4.5, 2);
    assertThat(frame.unwrapped).isEqualTo(unwrapped);
  }

  @Test
  void unitsTimeCarriageReturnsAndBlankEndsAreTolerated() {
    String dump = "ITEM: UNITS\nlj\nITEM: TIME\n0.5\n" + FIRST + "ITEM: TIME\n1.5\n" + SECOND;
    List<ReadItem> items = read(dump.replace("\n", "\r\n") + "\r\n\r\n");
    assertThat(((Frame) items.get(0)).time).isEqualTo(0.5);
    assertThat(((Frame) items.get(1)).time).isEqualTo(1.5);
    assertThat(((SplitEnd) items.get(2)).lines).isEqualTo(28);
  }

  @Test
  void aFileCutAnywhereGivesTheSameFramesAndLineNumbers() {
    String dump = "ITEM: UNITS\nlj\nITEM: TIME\n0.5\n" + FIRST + "ITEM: TIME\n1.5\n" + SECOND;
    // More than the look-back, so that the cut also falls where a part begins inside a line.
    String three = dump + FIRST.replace("100\n", "300\n") + "ITEM: TIME\n7\n" + SECOND.repeat(3);
    List<String> whole = frames(read(three));
    for (int cut = 1; cut < three.length(); cut++) {
      List<ReadItem> parts = new ArrayList<>(read(three, 0, cut));
      SplitEnd end = (SplitEnd) parts.remove(parts.size() - 1);
      List<ReadItem> rest = read(three, cut, three.length());
      parts.addAll(rest);
      assertThat(frames(parts)).as("cut at %d", cut).isEqualTo(whole);
      SplitEnd restEnd = (SplitEnd) rest.get(rest.size() - 1);
      assertThat(end.lines + restEnd.lines).as("cut at %d", cut).isEqualTo(4 + 2 + 2 + 6 * 11);
    }
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          200\\n|2x0\\n|frame 2, line 13: expected a whole number as time step, found "2x0"
          200\\n||frame 2, line 13: expected the time step, found "ITEM: NUMBER OF ATOMS"
          ATOMS\\n2|ATOMS\\n0|frame 2 (time step 200), line 15: expected a number of atoms from 1 to 500000000, found "0"
          ATOMS\\n2|ATOMS\\n1|frame 3, line 22: expected "ITEM: TIMESTEP" or the end of the file, found "1 9.5 4.5 20.5"
          ATOMS\\n2|ATOMS\\n3|frame 2 (time step 200), line 23: expected atom 3 of 3: id x y z, found the end of the file
          9.5 4.5|9.5 4,5|frame 2 (time step 200), line 22: expected a number as y, found "4,5"
          4.5 20.5||frame 2 (time step 200), line 22: expected atom 2 of 2: id x y z, found "1 9.5"
          1 9.5|0 9.5|frame 2 (time step 200), line 22: expected an id of at least 1, found "0 9.5 4.5 20.5"
          1 9.5|2 9.5|frame 2 (time step 200), line 22: expected a different id for each atom of the frame, found id 2 twice
          -5 5|5 -5|frame 2 (time step 200), line 18: expected lower and upper bound of the box in y, the lower one first, found "5 -5"
          -5 5|-5 5 0|frame 2 (time step 200), line 18: expected lower and upper bound of the box in y, found "-5 5 0"
          pp pp ff|xy xz yz pp pp ff|frame 2 (time step 200), line 16: expected an orthogonal box, as in "ITEM: BOX BOUNDS pp pp pp", found the triclinic "ITEM: BOX BOUNDS xy xz yz pp pp ff", which is not supported
          id x y z|type x z|frame 2 (time step 200), line 20: expected columns id and one of (xu yu zu), (x y z), (xsu ysu zsu), (xs ys zs), found (type x z): missing id, y
          ITEM: ATOMS|ITEM: ENTRIES|frame 2 (time step 200), line 20: expected "ITEM: ATOMS", found "ITEM: ENTRIES id x y z"
          """)
  void whatIsWrongIsSaidWithFrameLineAndExpectation(String from, String to, String message) {
    String replacement = to == null ? "" : to;
    String broken = SECOND.replace(from.replace("\\n", "\n"), replacement.replace("\\n", "\n"));
    assertThat(problemOf(read(FIRST + broken))).isEqualTo("melt: " + message);
  }

  @Test
  void aFileCutOffInsideAFrameIsRefused() {
    String dump = FIRST + SECOND;
    for (int length = FIRST.length() + 1; length < dump.length() - 1; length++) {
      List<ReadItem> items = read(dump.substring(0, length));
      // A last number that lost only its last digits cannot be told from a whole one.
      if (length < dump.length() - 5) {
        assertThat(problemOf(items)).as("%d bytes", length).startsWith("melt: frame 2");
      }
    }
    assertThat(problemOf(read(dump.substring(0, dump.indexOf("1 9.5", FIRST.length())))))
        .isEqualTo(
            "melt: frame 2 (time step 200), line 22: expected atom 2 of 2: id x y z, found the end"
                + " of the file");
  }

  @Test
  void emptyAndForeignFilesAreRefused() {
    assertThat(problemOf(read("")))
        .isEqualTo("melt: frame 1, line 1: expected \"ITEM: TIMESTEP\", found the end of the file");
    assertThat(problemOf(read("# a note\n" + FIRST)))
        .isEqualTo("melt: frame 1, line 1: expected \"ITEM: TIMESTEP\", found \"# a note\"");
    assertThat(problemOf(read("\u001f\u008b\b\0\n")))
        .endsWith(", gzip data: the file's name must end in .gz");
    assertThat(problemOf(read("x".repeat(1 << 20))))
        .startsWith("melt: frame 1, line 1: expected lines of less than 65536 bytes, found");
    assertThat(problemOf(read(FIRST.substring(FIRST.indexOf("ITEM: BOX")))))
        .isEqualTo("melt: frame 1, line 5: expected \"ITEM: TIMESTEP\", found \"ITEM: ATOMS\"");
  }

  @Test
  void aFailingFileIsReportedWhereItFailed() {
    byte[] bytes = FIRST.getBytes(StandardCharsets.ISO_8859_1);
    InputStream failing =
        new InputStream() {
          private int at;

          @Override
          public int read() throws IOException {
            throw new IOException("not used");
          }

          @Override
          public int read(byte[] buffer, int from, int length) throws IOException {
            if (at == bytes.length) {
              throw new IOException("disk on fire");
            }
            buffer[from] = bytes[at++];
            return 1;
          }
        };
    assertThat(problemOf(drain(new DumpReader(failing, "melt", 0, Long.MAX_VALUE))))
        .isEqualTo(
            "melt: frame 2, line 12: expected \"ITEM: TIMESTEP\", found that the file cannot be"
                + " read on: java.io.IOException: disk on fire");
  }

  private static String problemOf(List<ReadItem> items) {
    ReadItem last = items.get(items.size() - 1);
    assertThat(last).isInstanceOf(InputProblem.class);
    return ((InputProblem) last).describe(0, 0);
  }

  private static List<String> frames(List<ReadItem> items) {
    List<String> frames = new ArrayList<>();
    for (ReadItem item : items) {
      if (item instanceof Frame frame) {
        frames.add(frame.timestep + " at " + frame.time + " " + Arrays.toString(frame.positions));
      } else {
        assertThat(item).isInstanceOf(SplitEnd.class);
      }
    }
    return frames;
  }

  private static List<ReadItem> read(String dump) {
    return read(dump, 0, dump.length());
  }

  private static List<ReadItem> read(String dump, int start, int end) {
    int from = Math.max(0, start - DumpReader.LOOK_BACK);
    byte[] bytes = dump.getBytes(StandardCharsets.ISO_8859_1);
    InputStream in = new ByteArrayInputStream(bytes, from, bytes.length - from);
    return drain(new DumpReader(in, "melt", start, end));
  }

  private static List<ReadItem> drain(DumpReader reader) {
    List<ReadItem> items = new ArrayList<>();
    for (ReadItem item = reader.next(); item != null; item = reader.next()) {
      items.add(item);
    }
    return items;
  }
}
