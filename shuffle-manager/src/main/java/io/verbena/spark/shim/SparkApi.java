package io.verbena.spark.shim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Look-ups in the Spark that runs, for members that not every supported version has. */
final class SparkApi {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();

  private SparkApi() {}

  /** A look-up that answers null when this Spark has no such member. */
  @FunctionalInterface
  interface Search {
    MethodHandle find(MethodHandles.Lookup lookup) throws ReflectiveOperationException;
  }

  /** A class of Spark or null. */
  static Class<?> type(String name) {
    try {
      return Class.forName(name, false, SparkApi.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** Runs a search; null when the member is missing. */
  static MethodHandle optional(Search search) {
    try {
      return search.find(LOOKUP);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The first member that is there, seen as {@code type}. */
  static MethodHandle first(String what, MethodType type, Search... searches) {
    for (Search search : searches) {
      MethodHandle found = optional(search);
      if (found != null) {
        return found.asType(type);
      }
    }
    throw new IllegalStateException(
        "Spark "
            + org.apache.spark.package$.MODULE$.SPARK_VERSION()
            + " has no known form of "
            + what
            + "; supported are 3.5, 4.0, 4.1 and 4.2");
  }

  /** Wraps what a handle threw, without changing unchecked exceptions. */
  static RuntimeException rethrow(Throwable e) {
    if (e instanceof RuntimeException unchecked) {
      return unchecked;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(e);
  }
}
