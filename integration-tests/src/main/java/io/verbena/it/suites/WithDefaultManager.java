package io.verbena.it.suites;

import java.lang.reflect.Field;
import java.util.Arrays;

/**
 * Main class of the JVMs that run Spark's tests: makes the shuffle manager of the system property
 * {@value #MANAGER} the default of Spark's option of that name, then goes on with another main
 * class. Some suites make configurations that read no system properties.
 */
public final class WithDefaultManager {
  static final String MANAGER = "spark.shuffle.manager";

  private WithDefaultManager() {}

  /**
   * Called by the JVM.
   *
   * @param args the main class to go on with, and its arguments
   */
  public static void main(String[] args) throws ReflectiveOperationException {
    Class<?> options = Class.forName("org.apache.spark.internal.config.package$");
    Object option =
        options.getMethod("SHUFFLE_MANAGER").invoke(options.getField("MODULE$").get(null));
    Field value = option.getClass().getDeclaredField("_defaultValue");
    value.setAccessible(true);
    value.set(option, System.getProperty(MANAGER));
    Class.forName(args[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
  }
}
