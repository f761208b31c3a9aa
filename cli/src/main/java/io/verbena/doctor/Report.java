package io.verbena.doctor;

import com.grack.nanojson.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that was found on a host.
 *
 * <p>Threads: any.
 */
public final class Report {
  private static final int WARNINGS = 1;
  private static final int FAILURES = 2;

  private final String host;
  private final String kernel;
  private final List<Finding> findings;
  private final Choice sameHost;
  private final Choice otherHosts;

  Report(Host host, List<Finding> findings, Choice sameHost, Choice otherHosts) {
    this.host = host.name();
    this.kernel = host.kernel();
    this.findings = List.copyOf(findings);
    this.sameHost = sameHost;
    this.otherHosts = otherHosts;
  }

  List<Finding> findings() {
    return findings;
  }

  Choice sameHost() {
    return sameHost;
  }

  Choice otherHosts() {
    return otherHosts;
  }

  /** 0 all is well, 1 there are warnings, 2 there are failures. */
  public int exitCode() {
    return count(Level.FAIL) > 0 ? FAILURES : count(Level.WARN) > 0 ? WARNINGS : 0;
  }

  private long count(Level level) {
    return findings.stream().filter(finding -> finding.level() == level).count();
  }

  /** For people. */
  public String text(String version) {
    StringBuilder text = new StringBuilder();
    text.append("verbena %s doctor on %s, Linux %s\n\n".formatted(version, host, kernel));
    for (Finding finding : findings) {
      text.append(
          "%-4s  %s: %s\n".formatted(finding.level().text(), finding.subject(), finding.seen()));
      line(text, "needed", finding.needed());
      line(text, "mend", finding.mend());
    }
    text.append(
        "\n%d ok, %d warnings, %d failures\n\n"
            .formatted(count(Level.OK), count(Level.WARN), count(Level.FAIL)));
    text.append("Executors on this host would read\n");
    text.append(sameHost.text("one another, by").indent(2));
    text.append(otherHosts.text("executors on other hosts, by").indent(2));
    return text.toString();
  }

  private static void line(StringBuilder text, String label, String value) {
    if (!value.isEmpty()) {
      text.append("      %-7s %s\n".formatted(label + ":", value));
    }
  }

  /** For programs, on one line; docs/operations.md lists the keys. */
  public String json(String version) {
    Map<String, Object> transports = new LinkedHashMap<>();
    transports.put("sameHost", object(sameHost));
    transports.put("otherHosts", object(otherHosts));
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("version", version);
    report.put("host", host);
    report.put("kernel", kernel);
    report.put("exitCode", exitCode());
    report.put("findings", findings.stream().map(Report::object).toList());
    report.put("transports", transports);
    return JsonWriter.string(report) + "\n";
  }

  private static Map<String, Object> object(Finding finding) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("check", finding.check());
    object.put("subject", finding.subject());
    object.put("level", finding.level().text());
    object.put("seen", finding.seen());
    object.put("needed", finding.needed());
    object.put("mend", finding.mend());
    return object;
  }

  private static Map<String, Object> object(Choice choice) {
    List<Map<String, Object>> passed = new ArrayList<>();
    for (Choice.Passed each : choice.passed()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("transport", each.transport());
      object.put("reason", each.reason());
      passed.add(object);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("transport", choice.transport());
    object.put("how", choice.how());
    object.put("passed", passed);
    return object;
  }
}
