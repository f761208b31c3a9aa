package io.verbena.ping;

import com.grack.nanojson.JsonWriter;
import io.verbena.memory.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What lies between two hosts. */
public final class PingReport {
  /** Exit code where the hosts cannot be tried, or no transport works. */
  public static final int FAILED = 2;

  private static final int WARNED = 1;
  private static final String ROW = "%-9s %9s  %9s %9s %9s  %11s\n";

  private final PingSettings settings;
  private final HostId own;
  private final Welcome other;
  private final List<Measured> measured;
  private final Measured yardstick;
  private final JobChoice choice;

  PingReport(
      PingSettings settings,
      HostId own,
      Welcome other,
      List<Measured> measured,
      Measured yardstick,
      JobChoice choice) {
    this.settings = settings;
    this.own = own;
    this.other = other;
    this.measured = List.copyOf(measured);
    this.yardstick = yardstick;
    this.choice = choice;
  }

  List<Measured> measured() {
    return measured;
  }

  JobChoice choice() {
    return choice;
  }

  private boolean sameMachine() {
    return own.sameMachine(other.boot());
  }

  /**
   * 0 when the best transport works that there can be between the two, 1 when a better one is out,
   * 2 when none works. That hosts do not share memory is as it should be.
   */
  public int exitCode() {
    if (choice.transport().isEmpty()) {
      return FAILED;
    }
    boolean better =
        choice.passed().stream().anyMatch(each -> sameMachine() || !each.transport().equals("shm"));
    return better ? WARNED : 0;
  }

  /** For people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        "verbena %s ping from %s to %s at %s%s\n\n"
            .formatted(
                settings.version(),
                own.name(),
                other.host(),
                settings.target(),
                sameMachine() ? ", the same machine" : ""));
    text.append(
        "READs of %s's memory (%s on %s); latency of one at a time, bandwidth of %d\n\n"
            .formatted(
                other.host(), Sizes.text(other.regionSize()), other.backing(), settings.depth()));
    text.append(ROW.formatted("transport", "size", "median", "99 %", "99.9 %", "bandwidth"));
    measured.forEach(each -> rows(text, each));
    rows(text, yardstick);
    text.append("\nset-up of a connection\n");
    measured.stream().filter(Measured::works).forEach(each -> setup(text, each));
    text.append("\nA job's executors here would read those there\n");
    text.append("  by: ").append(how()).append('\n');
    choice
        .passed()
        .forEach(each -> text.append("  not %s: %s\n".formatted(each.transport(), each.reason())));
    if (!measured.isEmpty()) {
      text.append("\ntcp is plain TCP between the two, as a yardstick; no job uses it.\n");
    }
    return text.toString();
  }

  private static void setup(StringBuilder text, Measured each) {
    text.append(
        "  %-7s first %s, median of %d %s\n"
            .formatted(
                each.name(),
                time(each.firstSetupMicros()),
                each.setupNanos().size(),
                time(each.medianSetupMicros())));
  }

  private String how() {
    if (choice.transport().isEmpty()) {
      return "nothing: no transport that the job allows works";
    }
    return choice.transport()
        + (choice.checkedBytes() > 0
            ? " (%s read as a reduce task does, all checksums right)"
                .formatted(Sizes.text(choice.checkedBytes()))
            : " (Spark's own block transfer, which needs Spark to be measured)");
  }

  private static void rows(StringBuilder text, Measured each) {
    if (!each.works()) {
      text.append("%-9s out: %s\n".formatted(each.name(), each.reason()));
    }
    String name = each.name();
    for (Sample sample : each.samples()) {
      text.append(
          ROW.formatted(
              name,
              Sizes.text(sample.size()),
              time(sample.micros(50)),
              time(sample.micros(99)),
              time(sample.micros(99.9)),
              rate(sample.bytesPerSecond())));
      name = "";
    }
  }

  /** Three digits or so, such as {@code 1.27 us} and {@code 3.41 ms}. */
  static String time(double micros) {
    return micros < 1000
        ? String.format(Locale.ROOT, micros < 100 ? "%.2f us" : "%.0f us", micros)
        : String.format(Locale.ROOT, "%.2f ms", micros / 1000);
  }

  /** Decimal, as network speeds are. */
  static String rate(double bytesPerSecond) {
    return bytesPerSecond < 1e9
        ? String.format(Locale.ROOT, "%.1f MB/s", bytesPerSecond / 1e6)
        : String.format(Locale.ROOT, "%.2f GB/s", bytesPerSecond / 1e9);
  }

  /** For programs, on one line; docs/operations.md lists the keys. */
  public String json() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("version", settings.version());
    object.put("from", own.name());
    object.put("to", other.host());
    object.put("address", settings.target().toString());
    object.put("sameMachine", sameMachine());
    object.put("exitCode", exitCode());
    object.put("backing", other.backing());
    object.put("depth", settings.depth());
    object.put("transports", measured.stream().map(PingReport::object).toList());
    object.put("tcp", object(yardstick));
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("transport", choice.transport());
    job.put("checkedBytes", choice.checkedBytes());
    List<Map<String, Object>> passed = new ArrayList<>();
    for (JobChoice.Passed each : choice.passed()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("transport", each.transport());
      one.put("reason", each.reason());
      passed.add(one);
    }
    job.put("passed", passed);
    object.put("job", job);
    return JsonWriter.string(object) + "\n";
  }

  /** The same for hosts that could not be tried. */
  public static String json(PingSettings settings, PingException failure) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("version", settings.version());
    object.put("address", settings.target().toString());
    object.put("exitCode", FAILED);
    object.put("failure", failure.getMessage());
    object.put("mend", failure.mend());
    return JsonWriter.string(object) + "\n";
  }

  private static Map<String, Object> object(Measured each) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("transport", each.name());
    object.put("works", each.works());
    object.put("reason", each.reason());
    if (each.works()) {
      object.put("firstSetupMicros", each.firstSetupMicros());
      object.put("medianSetupMicros", each.medianSetupMicros());
    }
    List<Map<String, Object>> sizes = new ArrayList<>();
    for (Sample sample : each.samples()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("bytes", sample.size());
      one.put("reads", sample.latencies().getTotalCount());
      one.put("medianMicros", sample.micros(50));
      one.put("p99Micros", sample.micros(99));
      one.put("p999Micros", sample.micros(99.9));
      one.put("bytesPerSecond", Math.round(sample.bytesPerSecond()));
      sizes.add(one);
    }
    object.put("sizes", sizes);
    return object;
  }
}
