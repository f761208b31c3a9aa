package io.verbena.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  private static final Pattern KEY = Pattern.compile("spark\\.shuffle\\.rdma\\.[a-zA-Z.]*[a-zA-Z]");

  private static final String OPTIONS = read(ROOT.resolve("docs/configuration.md"));

  /**
   * @param script its script below {@code bin}, which prints its help
   */
  record Shown(Path page, String script, String rest) {
    @Override
    public String toString() {
      return page.getFileName() + ": bin/" + script + rest;
    }
  }

  static List<Shown> commands() {
    List<Shown> all = new ArrayList<>();
    for (Path page : pages()) {
      COMMAND.matcher(read(page)).results().forEach(found -> all.add(shown(page, found)));
    }
    return all;
  }

  private static Shown shown(Path page, MatchResult found) {
    String command = found.group(1);
    String script =
        command.substring(Math.max(command.lastIndexOf('/'), command.lastIndexOf(' ')) + 1);
    String rest = found.group(2).replaceFirst("  +#.*", "");
    return new Shown(page, script, rest);
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
    String known = read(script) + optionsOfBenchmarks(shown);
    String own = ANOTHERS.matcher(shown.rest()).replaceFirst("");
    OPTION
        .matcher(own)
        .results()
        .forEach(option -> assertThat(known).containsPattern(option.group(1) + "\\b"));
  }

  @Test
  void settingsThatAreShownExist() {
    for (Path page : pages()) {
      KEY.matcher(read(page))
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
          .map(CommandsInDocsTest::read)
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

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
