package io.verbena.it.matrix;

import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ProjectJars;

/** How an application gets the one jar. */
public enum Loading {
  /** With {@code --jars}, as the application's other jars. */
  JARS("--jars") {
    @Override
    public void apply(AppSpec.Builder app) {
      app.addJar(ProjectJars.verbena());
    }
  },

  /** On the class paths of driver and executors. */
  CLASS_PATH("extraClassPath") {
    @Override
    public void apply(AppSpec.Builder app) {
      // The driver's JVM is started without spark-submit's script, which would do this.
      app.addDriverClassPath(ProjectJars.verbena())
          .conf("spark.driver.extraClassPath", ProjectJars.verbena().toString())
          .conf("spark.executor.extraClassPath", ProjectJars.verbena().toString());
    }
  };

  private final String option;

  Loading(String option) {
    this.option = option;
  }

  /** As users would do it on this version. */
  public static Loading of(Target target) {
    return target.findsManagerInJars() ? JARS : CLASS_PATH;
  }

  /** Adds what loads it to an application. */
  public abstract void apply(AppSpec.Builder app);

  @Override
  public String toString() {
    return option;
  }
}
