package io.verbena.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands that the docs show are commands that there are, with options that they have. */
final class CommandsInDocsTest {
  private static final Path ROOT = Path.of("..");

  /** A line of a code block, or code in a sentence. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?m)(?:^    |`)(bin/[a-z-]+|java -jar verbena-[0-9.]+jar [a-z]+)((?: [^\\n`]*)?)");

  private static final Pattern OPTION = Pattern.compile(" (--[a-z][a-z-]*)");

  /** What belongs to a command that the one shown runs. */
  private static final Pattern ANOTHERS =
      Pattern.compile(" -- .*| [|;>&].*|(?<=^ run)(?: --[a-z]+ \\S+)* [^-].*");

  private static final Set<String> KINDS = Set.of("job", "fetch", "heap", "micro", "read", "scale");

  private static final Pattern KEY = Pattern.compile("spark\\.shuffle\\.rdma\\.[a-zA-Z.]*[a-zA-Z]");

  /** The part of docs/testing.md that tells by what commands are run. */
  private static final String RUNS =
      Sources.read(ROOT.resolve("docs/testing.md"))
          .split("\n## Commands in the docs\n", -1)[1]
          .split("\n## ", -1)[0];

  /** Names of all classes of tests. */
  private static final Set<String> SOURCES = sources();

  private static final String OPTIONS = Sources.read(ROOT.resolve("docs/configuration.md"));

  /**
   * @param jar whether it is shown as a command of the jar
   * @param script its script below {@code bin}, which prints its help
   */
  record Shown(Path page, boolean jar, String script, String rest) {
    /** As the table of commands has it: benchmarks and virtual machines by what they are to do. */
    String form() {
      if (jar()) {
        return "java -jar ... " + script;
      }
      String word = rest.strip().split("\\s+", -1)[0];
      boolean many = script.equals("bench") || script.equals("soft-roce");
      boolean job = script.equals("bench") && !word.isEmpty() && !KINDS.contains(word);
      String kind = job ? " job" : many && word.matches("[a-z]+") ? " " + word : "";
      return "bin/" + script + kind;
    }

    @Override
    public String toString() {
      return page.getFileName() + ": bin/" + script + rest;
    }
  }

  static List<Shown> commands() {
    List<Shown> all = new ArrayList<>();
    for (Path page : pages()) {
      COMMAND.matcher(Sources.read(page)).results().forEach(found -> all.add(shown(page, found)));
    }
    return all;
  }

  private static Shown shown(Path page, MatchResult found) {
    String command = found.group(1);
    String script =
        command.substring(Math.max(command.lastIndexOf('/'), command.lastIndexOf(' ')) + 1);
    String rest = found.group(2).replaceFirst("  +#.*", "");
    return new Shown(page, command.startsWith("java"), script, rest);
  }

  @Test
  void theDocsHaveCommands() {
    assertThat(commands()).hasSizeGreaterThan(50);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void isThereAndHasTheOptionsThatAreShown(Shown shown) {
    Path script = ROOT.resolve("bin").resolve(shown.script());
    assertThat(script).isExecutable();
    String known = Sources.read(script) + optionsOfBenchmarks(shown);
    String own = ANOTHERS.matcher(shown.rest()).replaceFirst("");
    OPTION
        .matcher(own)
        .results()
        .forEach(option -> assertThat(known).containsPattern(option.group(1) + "\\b"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void isRunByATestOrSaysWhatItNeeds(Shown shown) {
    assertThat(RUNS).containsPattern("(?m)^\\| `" + Pattern.quote(shown.form()) + "` \\| ");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void testsThatRunCommandsExist(String row) {
    List<String> tests =
        Pattern.compile("`([A-Z]\\w*(?:IT|Test))`")
            .matcher(row)
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(SOURCES).containsAll(tests);
    assertThat(!tests.isEmpty() || row.matches(".*(needs |every run of CI|`bin/test`).*"))
        .as("names a test, or what is needed")
        .isTrue();
  }

  static List<String> rows() {
    return RUNS.lines().filter(line -> line.startsWith("| `")).toList();
  }

  @Test
  void settingsThatAreShownExist() {
    for (Path page : pages()) {
      KEY.matcher(Sources.read(page))
          .results()
          .map(MatchResult::group)
          .forEach(key -> assertThat(OPTIONS).as("%s names it", page).contains(key));
    }
  }

  /** Its script does not name them. */
  private static String optionsOfBenchmarks(Shown shown) {
    if (!shown.script().equals("bench")) {
      return "";
    }
    Path sources = ROOT.resolve("integration-tests/src/main/java/io/verbena/bench");
    try (Stream<Path> files = Files.list(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(Sources::read)
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> pages() {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      List<Path> pages =
          new ArrayList<>(docs.filter(page -> page.toString().endsWith(".md")).toList());
      pages.add(ROOT.resolve("README.md"));
      pages.add(ROOT.resolve("integration-tests/soft-roce/README.md"));
      return pages;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> sources() {
    return Sources.files("src/test/java")
        .map(file -> file.getFileName().toString())
        .filter(name -> name.matches("\\w+(IT|Test)\\.java"))
        .map(name -> name.substring(0, name.length() - ".java".length()))
        .collect(Collectors.toSet());
  }
}
