package io.verbena.doctor;

import io.verbena.conf.ExecutorMemory;
import io.verbena.conf.InvalidConfException;
import io.verbena.conf.Problem;
import io.verbena.conf.RdmaConf;
import io.verbena.conf.SparkConflicts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The job's settings by themselves. Those that cannot be used count as not given afterwards. */
final class ConfigurationCheck {
  private static final String MANAGER = "spark.shuffle.manager";
  private static final String OURS = "io.verbena.spark.RdmaShuffleManager";
  private static final String CHECK = "configuration";

  private final Map<String, String> settings;
  private final List<Finding> findings = new ArrayList<>();
  private RdmaConf rdma = RdmaConf.defaults();
  private ExecutorMemory memory = ExecutorMemory.read(Map.of());

  ConfigurationCheck(Map<String, String> settings) {
    this.settings = settings;
    attempt("the shuffle's settings", () -> rdma = RdmaConf.read(settings));
    attempt("executor memory", () -> memory = ExecutorMemory.read(settings));
    SparkConflicts.find(settings).forEach(each -> problem("Spark's settings", each));
    manager();
    if (findings.isEmpty()) {
      findings.add(Finding.ok(CHECK, "settings", summary()));
    }
  }

  RdmaConf rdma() {
    return rdma;
  }

  ExecutorMemory memory() {
    return memory;
  }

  List<Finding> findings() {
    return findings;
  }

  private void attempt(String subject, Runnable reading) {
    try {
      reading.run();
    } catch (InvalidConfException e) {
      e.problems().forEach(each -> problem(subject, each));
    }
  }

  private void problem(String subject, Problem problem) {
    findings.add(
        new Finding(
            CHECK,
            subject,
            Level.FAIL,
            problem.key() + "=" + problem.value() + ": " + problem.fault(),
            problem.allowed().isEmpty() ? "another value" : problem.allowed(),
            problem.remedy()));
  }

  private void manager() {
    String manager = settings.get(MANAGER);
    if (!settings.isEmpty() && !OURS.equals(manager)) {
      findings.add(
          new Finding(
              CHECK,
              MANAGER,
              Level.WARN,
              manager == null ? "not set: the job would use Spark's own shuffle" : manager,
              OURS,
              "--conf " + MANAGER + "=" + OURS));
    }
  }

  private String summary() {
    return settings.isEmpty() ? "none given; defaults" : settings.size() + " given, all allowed";
  }
}
