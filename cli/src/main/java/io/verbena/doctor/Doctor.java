package io.verbena.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks at a host for a job. */
public final class Doctor {
  private static final List<Check> CHECKS =
      List.of(new SparkCheck(), new JavaCheck(), new NativeCheck(), new PoolCheck());

  private Doctor() {}

  /**
   * Runs all checks.
   *
   * @param settings the job's, as {@code spark-submit} gets them
   */
  public static Report look(Host host, Map<String, String> settings) {
    ConfigurationCheck configuration = new ConfigurationCheck(settings);
    Job job = Job.of(host, settings, configuration.rdma(), configuration.memory());
    List<Finding> findings = new ArrayList<>(configuration.findings());
    for (Check check : CHECKS) {
      findings.addAll(check.look(host, job));
    }
    RdmaCheck rdma = new RdmaCheck(host, job);
    findings.addAll(rdma.findings());
    Choice sameHost = Choice.sameHost(job, rdma);
    Choice otherHosts = Choice.otherHosts(job, rdma);
    if (sameHost.transport().isEmpty() || otherHosts.transport().isEmpty()) {
      findings.add(
          new Finding(
              "transports",
              "spark.shuffle.rdma.transports",
              Level.FAIL,
              String.join(",", job.rdma().transports().stream().map(Object::toString).toList()),
              "a transport that works between all executors",
              "--conf spark.shuffle.rdma.transports=shm,verbs,netty"));
    }
    return new Report(host, findings, sameHost, otherHosts);
  }
}
