package io.verbena.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** This JVM, and the one that executors would get. */
final class JavaCheck implements Check {
  private static final String VERSION = "java.version";
  private static final String OPENS = "java.opens";
  private static final String FLAG = "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED";

  @Override
  public List<Finding> look(Host host, Job job) {
    List<Finding> findings = new ArrayList<>();
    Optional<SparkInstallation> spark = SparkInstallation.find(host);
    findings.add(
        version("Java of this process", host.property("java.specification.version"), spark));
    String home =
        job.settings().getOrDefault("spark.executorEnv.JAVA_HOME", host.env().get("JAVA_HOME"));
    if (home != null) {
      host.files()
          .field(home + "/release", "JAVA_VERSION=")
          .map(text -> text.replace("\"", ""))
          .ifPresent(text -> findings.add(version("Java in " + home, text, spark)));
    }
    findings.add(opens(host));
    return findings;
  }

  private static Finding version(
      String subject, String version, Optional<SparkInstallation> spark) {
    int feature = feature(version);
    if (feature < SupportedSpark.OLDEST_JAVA) {
      return new Finding(
          VERSION,
          subject,
          Level.FAIL,
          version,
          "Java " + SupportedSpark.OLDEST_JAVA,
          "install JDK "
              + SupportedSpark.OLDEST_JAVA
              + " and name it in JAVA_HOME of the workers, or with"
              + " --conf spark.executorEnv.JAVA_HOME=/path/to/jdk");
    }
    List<Integer> tested = SupportedSpark.javaFor(spark.map(SparkInstallation::version));
    if (!tested.contains(feature)) {
      return new Finding(
          VERSION,
          subject,
          Level.WARN,
          version,
          "Java "
              + String.join(" or ", tested.stream().map(String::valueOf).toList())
              + spark.map(found -> " for Spark " + found.version()).orElse("")
              + "; others are not tested",
          "--conf spark.executorEnv.JAVA_HOME=/path/to/jdk" + tested.get(0));
    }
    return Finding.ok(VERSION, subject, version);
  }

  /** {@code 11.0.2}, {@code 17} and {@code 1.8.0_292} to 11, 17 and 8; 0 for what is none. */
  private static int feature(String version) {
    String[] parts = version.split("[^0-9]+", -1);
    int at = parts.length > 1 && parts[0].equals("1") ? 1 : 0;
    return parts[at].isEmpty() ? 0 : Integer.parseInt(parts[at]);
  }

  private static Finding opens(Host host) {
    if (host.opened()) {
      return Finding.ok(OPENS, "java.base/sun.nio.ch", "open; Spark opens it for executors");
    }
    return new Finding(
        OPENS,
        "java.base/sun.nio.ch",
        Level.WARN,
        "closed in this process, so that the RDMA device cannot be tried",
        "open; Spark opens it for executors",
        "java " + FLAG + " ..., or java -jar, which opens it");
  }
}
