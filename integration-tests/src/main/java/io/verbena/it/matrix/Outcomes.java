package io.verbena.it.matrix;

import io.verbena.apps.acceptance.Setting;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.demo.ShuffleReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges what the acceptance application printed and reported on one version: the right results are
 * those of Spark's own shuffle on the same cluster.
 *
 * <p>Threads: one.
 */
final class Outcomes {
  static final String SPARKS_OWN = "sort";

  /** A line that the application printed. */
  private record Line(String manager, String setting, String name, boolean ok, String text) {
    static Line parse(String line) {
      String[] fields = line.split("\\|", 5);
      if (fields.length != 5) {
        throw new IllegalArgumentException("not a result: " + line);
      }
      return new Line(fields[0], fields[1], fields[2], fields[3].equals("ok"), fields[4]);
    }
  }

  private final Map<String, String> expected = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<String> transports = new TreeSet<>();
  private int passed;
  private long falls;

  /** Starts a row: what was judged is forgotten, but not the right results. */
  void begin() {
    problems.clear();
    transports.clear();
    passed = 0;
    falls = 0;
  }

  /** Takes one application into account, which ran these settings. */
  void judge(AppResult result, List<Setting> own, List<Setting> onVerbena) {
    if (result.exitCode() != 0) {
      problems.add("the application ended with exit code " + result.exitCode() + tail(result));
    }
    List<Line> lines = result.stdout().lines().map(Line::parse).toList();
    for (Setting setting : own) {
      for (String name : setting.caseNames()) {
        String text = textOf(lines, SPARKS_OWN, setting, name);
        if (text != null) {
          expected.put(name, text);
        }
      }
    }
    for (Setting setting : onVerbena) {
      setting.caseNames().forEach(name -> judge(lines, setting, name));
    }
    judgeReports(ShuffleReport.allIn(result.log()), onVerbena);
  }

  private void judge(List<Line> lines, Setting setting, String name) {
    String text = textOf(lines, AppSpec.VERBENA_MANAGER, setting, name);
    if (text == null) {
      return;
    }
    // Cases with faults judge themselves.
    String right = setting == Setting.FAULTS ? text : expected.get(name);
    if (text.equals(right)) {
      passed++;
    } else {
      problems.add(
          "%s, %s: %s; with Spark's own shuffle: %s"
              .formatted(setting, name, text, right == null ? "nothing" : right));
    }
  }

  /** What a case printed; null and a problem when it failed or printed nothing. */
  private String textOf(List<Line> lines, String manager, Setting setting, String name) {
    String who = manager.equals(SPARKS_OWN) ? "Spark's own shuffle, " : "";
    Optional<Line> found =
        lines.stream()
            .filter(line -> line.manager().equals(manager))
            .filter(line -> line.setting().equals(setting.name()) && line.name().equals(name))
            .findFirst();
    if (found.isEmpty()) {
      problems.add("%s%s, %s: no result".formatted(who, setting, name));
    } else if (!found.get().ok()) {
      problems.add("%s%s, %s: %s".formatted(who, setting, name, found.get().text()));
    } else {
      return found.get().text();
    }
    return null;
  }

  private void judgeReports(List<ShuffleReport> reports, List<Setting> settings) {
    if (reports.size() != settings.size()) {
      problems.add(
          "%d shuffle reports in the driver's log, not %d"
              .formatted(reports.size(), settings.size()));
      return;
    }
    for (int i = 0; i < settings.size(); i++) {
      for (ShuffleReport.Executor executor : reports.get(i).executors()) {
        executor
            .readBytes()
            .forEach(
                (transport, bytes) -> {
                  if (bytes > 0) {
                    transports.add(transport);
                  }
                });
        if (settings.get(i) != Setting.FAULTS) {
          for (String reason : executor.falls().keySet()) {
            problems.add(
                "%s: executor %s fell %s".formatted(settings.get(i), executor.executor(), reason));
          }
          falls += executor.falls().values().stream().mapToLong(Long::longValue).sum();
        }
      }
    }
  }

  private static String tail(AppResult result) {
    List<String> lines = result.stderr().lines().toList();
    return "\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
  }

  Row end(Target target, Loading loading, double seconds) {
    if (transports.isEmpty()) {
      problems.add("executors have read nothing of one another");
    }
    return new Row(
        target, loading, passed, List.copyOf(problems), seconds, Set.copyOf(transports), falls);
  }
}
