package io.verbena.doctor;

import java.util.List;
import java.util.Optional;

/** Whether the host's Spark is one that the jar is tested on. */
final class SparkCheck implements Check {
  private static final String CHECK = "spark.version";
  private static final String SUBJECT = "Spark";

  @Override
  public List<Finding> look(Host host, Job job) {
    return List.of(finding(host));
  }

  private static Finding finding(Host host) {
    Optional<SparkInstallation> found = SparkInstallation.find(host);
    if (found.isEmpty()) {
      String home = host.env().get("SPARK_HOME");
      return home == null
          ? Finding.ok(CHECK, SUBJECT, "not looked at: SPARK_HOME is not set")
          : new Finding(
              CHECK,
              SUBJECT,
              Level.WARN,
              "SPARK_HOME=" + home + " has no jars/spark-core_*.jar",
              "the folder of a Spark installation",
              "export SPARK_HOME=/path/to/spark");
    }
    SparkInstallation spark = found.get();
    String seen = spark.version() + " with Scala " + spark.scala() + ", in " + spark.place();
    Optional<SupportedSpark> supported = SupportedSpark.of(spark.version());
    boolean fits = supported.map(each -> each.scala().contains(spark.scala())).orElse(false);
    if (fits) {
      return Finding.ok(CHECK, SUBJECT, seen);
    }
    return new Finding(
        CHECK,
        SUBJECT,
        Level.FAIL,
        seen,
        SupportedSpark.all(),
        "use one of these versions; Scala's is that of the jar's name");
  }
}
