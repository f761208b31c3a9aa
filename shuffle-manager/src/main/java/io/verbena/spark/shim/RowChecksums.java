package io.verbena.spark.shim;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import org.apache.spark.ShuffleDependency;

/**
 * Checksums of rows, one a reduce partition, which the scheduler of 4.1 and later compares between
 * attempts of an indeterminate stage. Leaving them out loses rows without an error.
 *
 * <p>Threads: the map task's thread.
 */
public final class RowChecksums {
  private static final Class<?> TYPE =
      SparkApi.type("org.apache.spark.shuffle.checksum.RowBasedChecksum");
  private static final Object[] NONE = {};

  private static final MethodHandle OF_DEPENDENCY;
  private static final MethodHandle UPDATE;
  private static final MethodHandle AGGREGATE;

  static {
    if (TYPE == null) {
      OF_DEPENDENCY = null;
      UPDATE = null;
      AGGREGATE = null;
    } else {
      OF_DEPENDENCY =
          SparkApi.first(
              "ShuffleDependency.rowBasedChecksums",
              methodType(Object[].class, ShuffleDependency.class),
              lookup ->
                  lookup.findVirtual(
                      ShuffleDependency.class, "rowBasedChecksums", methodType(TYPE.arrayType())));
      UPDATE =
          SparkApi.first(
              "RowBasedChecksum.update",
              methodType(void.class, Object.class, Object.class, Object.class),
              lookup ->
                  lookup.findVirtual(
                      TYPE, "update", methodType(void.class, Object.class, Object.class)));
      AGGREGATE =
          SparkApi.first(
              "RowBasedChecksum.getAggregatedChecksumValue",
              methodType(long.class, Object[].class),
              lookup ->
                  lookup.findStatic(
                      TYPE,
                      "getAggregatedChecksumValue",
                      methodType(long.class, TYPE.arrayType())));
    }
  }

  private final Object[] checksums;

  private RowChecksums(Object[] checksums) {
    this.checksums = checksums;
  }

  /** The checksums that a dependency wants, possibly none. */
  public static RowChecksums of(ShuffleDependency<?, ?, ?> dependency) {
    if (OF_DEPENDENCY == null) {
      return new RowChecksums(NONE);
    }
    try {
      Object[] found = (Object[]) OF_DEPENDENCY.invokeExact((ShuffleDependency) dependency);
      return new RowChecksums(found == null ? none() : found);
    } catch (Throwable e) {
      throw SparkApi.rethrow(e);
    }
  }

  /** Whether {@link #update} has to be called for each record. */
  public boolean wanted() {
    return checksums.length > 0;
  }

  /** Takes a record into account. */
  public void update(int partition, Object key, Object value) {
    try {
      UPDATE.invokeExact(checksums[partition], key, value);
    } catch (Throwable e) {
      throw SparkApi.rethrow(e);
    }
  }

  /** The value for the map status, 0 when none are wanted. */
  public long aggregate() {
    if (!wanted()) {
      return 0;
    }
    try {
      return (long) AGGREGATE.invokeExact(checksums);
    } catch (Throwable e) {
      throw SparkApi.rethrow(e);
    }
  }

  /** Spark's own array, for Spark's own classes; null where this Spark has none. */
  Object[] raw() {
    return TYPE == null ? null : checksums;
  }

  /** Spark's own array with nothing in it; null where this Spark has none. */
  static Object[] none() {
    return TYPE == null ? null : (Object[]) Array.newInstance(TYPE, 0);
  }
}
