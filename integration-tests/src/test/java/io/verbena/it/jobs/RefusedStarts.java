package io.verbena.it.jobs;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Tries to start an application for each argument {@code KEY=VALUE}, with that setting alone, one
 * after the other. Prints a line for each: the setting and what it was refused with.
 */
public final class RefusedStarts {
  private RefusedStarts() {}

  public static void main(String[] args) {
    for (String setting : args) {
      String[] pair = setting.split("=", 2);
      SparkConf conf = new SparkConf().setAppName("refused").set(pair[0], pair[1]);
      System.out.println(setting + " -> " + start(conf));
    }
  }

  private static String start(SparkConf conf) {
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      return "started as " + context.sc().applicationId();
    } catch (Exception e) {
      // Not only unchecked ones: Spark makes the shuffle manager by reflection.
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      return cause.getMessage().replaceAll("\\s+", " ");
    }
  }
}
