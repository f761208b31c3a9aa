package io.verbena.apps.trajectory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command line: what it prints, and what it ends with. */
class TrajectoryAnalysisTest {
  private static final String JAVA = "org.apache.spark.serializer.JavaSerializer";

  @TempDir private Path folder;
  private String out;
  private String err;

  @BeforeEach
  void configureSparkAsSubmitDoes() {
    System.setProperty("spark.master", "local[2]");
    System.setProperty("spark.ui.enabled", "false");
  }

  @AfterEach
  void clear() {
    System.getProperties().keySet().removeIf(key -> key.toString().startsWith("spark."));
  }

  private int run(String... args) {
    StringWriter stdout = new StringWriter();
    StringWriter stderr = new StringWriter();
    CommandLine command =
        TrajectoryAnalysis.commandLine()
            .setOut(new PrintWriter(stdout))
            .setErr(new PrintWriter(stderr));
    int code = command.execute(args);
    out = stdout.toString();
    err = stderr.toString();
    return code;
  }

  /** Three atoms that move 0.25 at a time along x, in a box of edge 4. */
  private static String frame(int step) {
    double x = step * 0.0025;
    return """
    ITEM: TIMESTEP
    %d
    ITEM: NUMBER OF ATOMS
    3
    ITEM: BOX BOUNDS pp pp pp
    0 4
    0 4
    0 4
    ITEM: ATOMS id type x y z
    1 1 %.4f 0 0
    3 1 %.4f 1 0
    2 1 %.4f 2 0
    """
        .formatted(step, x % 4, (x + 1) % 4, (x + 3.9) % 4);
  }

  private static String frames(int first, int last) {
    StringBuilder text = new StringBuilder();
    for (int step = first; step <= last; step += 100) {
      text.append(frame(step));
    }
    return text.toString();
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @Test
  void resultsGoToStdoutAndValuesToAFile() throws Exception {
    Path dump = file("a.lammpstrj", frames(0, 800));
    Path values = folder.resolve("values.csv");
    assertThat(run("--input", dump.toString(), "--output", values.toString())).isZero();
    assertThat(out)
        .contains("Trajectory: 9 frames of 3 atoms, time steps 0 to 800")
        .contains("followed from frame to frame, at most 0.063 box edges at once")
        .containsPattern("4 +400.000 +1.000000 +1.000000")
        .contains("Diffusion coefficient")
        .contains("Radial distribution function, mean of 9 frames, cutoff 2.0 in 100 bins");
    assertThat(err).contains("read 9 frames of 3 atoms").contains("all values are in " + values);
    assertThat(Files.readAllLines(values))
        .contains("msd_from_first,0,0,,0.0,", "msd,4,400,,1.0,")
        .hasSize(1 + 9 + 4 + 1 + 100 + 9 * 100);
  }

  @Test
  void bothSerializersGiveTheSameValues() throws Exception {
    Path dump = file("a.lammpstrj", frames(0, 800));
    Path kryo = folder.resolve("kryo.csv");
    Path java = folder.resolve("java.csv");
    System.setProperty("spark.kryo.registrationRequired", "true");
    assertThat(run("--input", dump.toString(), "--output", kryo.toString())).isZero();
    System.setProperty("spark.serializer", JAVA);
    assertThat(run("--input", dump.toString(), "--output", java.toString())).isZero();
    assertThat(java).hasSameTextualContentAs(kryo);
  }

  @Test
  void continuedRunsAreReadFromAFolderWithOtherFilesInIt() throws Exception {
    file("run.1.lammpstrj", frames(0, 400));
    try (OutputStream gzip =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("run.2.lammpstrj.gz")))) {
      gzip.write(frames(400, 800).getBytes(StandardCharsets.US_ASCII)); // begins where 1 ended
    }
    file("README.md", "not a dump");
    assertThat(run("--input", folder.toString())).isZero();
    assertThat(out).contains("Trajectory: 9 frames of 3 atoms, time steps 0 to 800");
    assertThat(err)
        .contains("reading 2 file(s)")
        .contains("left out 1 frame(s) whose time step was there already");
    assertThat(run("--input", folder.resolve("run.1*").toString())).isZero();
    assertThat(out).contains("Trajectory: 5 frames");
  }

  @Test
  void unevenFramesGiveNoLags() throws Exception {
    Path dump = file("a.lammpstrj", frames(0, 200) + frame(500));
    assertThat(run("--input", dump.toString())).isZero();
    assertThat(out).containsPattern("4 +500 +1.562500").contains("needs evenly spaced");
  }

  @Test
  void aTruncatedCompressedFileEndsWithTwo() throws Exception {
    byte[] whole = Files.readAllBytes(Melt.TRAJECTORY);
    Path cut = folder.resolve("cut.lammpstrj.gz");
    Files.write(cut, Arrays.copyOf(whole, whole.length / 2));
    assertThat(run("--input", cut.toString())).isEqualTo(2);
    assertThat(err)
        .containsPattern(
            "error: "
                + cut
                + ": frame \\d\\d \\(time step \\d+00\\), line \\d{5}: expected atom \\d+ of 1372:"
                + " id type x y z ix iy iz, found that the file cannot be read on:"
                + " java.io.EOFException");
    assertThat(out).isEmpty();
  }

  @Test
  void placesInLaterPartsOfASplitFileAreCountedFromItsBeginning() throws Exception {
    String bad = frame(5000).replace(" 1 0\n", " one 0\n");
    Path dump = file("a.lammpstrj", frames(0, 4900) + bad + frames(5100, 6000));
    System.setProperty("spark.hadoop.mapreduce.input.fileinputformat.split.maxsize", "1000");
    assertThat(run("--input", dump.toString())).isEqualTo(2);
    assertThat(err)
        .contains(
            "error: "
                + dump
                + ": frame 51 (time step 5000), line 611: expected a number as y, found \"one\"");
  }

  @Test
  void missingColumnsAreNamed() throws Exception {
    Path dump = file("a.lammpstrj", frame(0).replace("id type x y z", "mol type x y vz"));
    assertThat(run("--input", dump.toString())).isEqualTo(2);
    assertThat(err)
        .contains(
            ": frame 1 (time step 0), line 9: expected columns id and one of (xu yu zu), (x y z),"
                + " (xsu ysu zsu), (xs ys zs), found (mol type x y vz): missing id, z");
  }

  @Test
  void framesThatDoNotFitTogetherEndWithTwo() throws Exception {
    String fewer = frame(100).replace("ATOMS\n3", "ATOMS\n2").replaceAll("2 1 .*\n", "");
    Path dump = file("a.lammpstrj", frame(0) + fewer);
    assertThat(run("--input", dump.toString())).isEqualTo(2);
    assertThat(err).contains(": time step 100: expected 3 atoms as at time step 0, found 2");

    Path other = file("b.lammpstrj", frame(0) + frame(100).replace("\n3 1 ", "\n4 1 "));
    assertThat(run("--input", other.toString())).isEqualTo(2);
    assertThat(err)
        .contains(": time step 100: expected the same atoms in all frames, atom 3 is missing");

    Path mixed = file("c.lammpstrj", frame(0) + frame(100).replace("type x y z", "type xu yu zu"));
    assertThat(run("--input", mixed.toString())).isEqualTo(2);
    assertThat(err)
        .contains(
            ": time step 100: expected wrapped positions without image flags, as at time step 0,");
  }

  @Test
  void valuesThatDoNotFitTheInputEndWithTwo() throws Exception {
    Path dump = file("a.lammpstrj", frames(0, 200));
    assertThat(run("--input", dump.toString(), "--cutoff", "4.5")).isEqualTo(2);
    assertThat(err)
        .contains("--cutoff=4.5: the shortest periodic edge of the box in " + dump + " is 4.0");
    assertThat(run("--input", dump.toString(), "--max-lag", "3")).isEqualTo(2);
    assertThat(err).contains("--max-lag=3: there are 3 frames in " + dump + ": choose at most 2");
    assertThat(run("--input", folder + "/none*")).isEqualTo(2);
    assertThat(err).contains("/none*: no such file, folder or match of the pattern");
  }

  @Test
  void wrongCommandLinesEndWithSixtyFourAndUsage() {
    assertThat(run("--inptu", "x")).isEqualTo(64);
    assertThat(err).contains("Unknown option").contains("--inptu").contains("Usage: Traj");
    assertThat(run()).isEqualTo(64);
    assertThat(err).contains("Missing option: --input=PATH").contains("Usage: Traj");
    assertThat(run("--input", "x", "--scale", "0")).isEqualTo(64);
    assertThat(err).contains("--scale=0: must be at least 1");
    assertThat(run("--input", "x", "--bins", "many")).isEqualTo(64);
    assertThat(err).contains("--bins").contains("many");
    assertThat(run("--input", "x", "--cutoff", "-1")).isEqualTo(64);
    assertThat(err).contains("--cutoff=-1.0: must be a number above 0");
  }

  @Test
  void helpIsPrintedAndFine() {
    assertThat(run("--help")).isZero();
    assertThat(out).contains("--input=PATH").contains("--scale=N").contains("Exit codes:");
    assertThat(err).isEmpty();
  }
}
