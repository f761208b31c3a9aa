package io.verbena.apps.acceptance;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Results in a few characters that do not depend on the order of records. */
final class Digest {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private Digest() {}

  /** Number of records and the sum of their hashes. */
  static String of(JavaRDD<String> records) {
    return sum(records.mapPartitions(Digest::partition).collect());
  }

  /** The same of rows. */
  static String of(Dataset<Row> rows) {
    List<String> each = rows.collectAsList().stream().map(Row::toString).toList();
    return sum(List.of(partition(each.iterator()).next()));
  }

  private static Iterator<String> partition(Iterator<String> records) {
    long count = 0;
    long sum = 0;
    while (records.hasNext()) {
      sum += hash(records.next());
      count++;
    }
    // Text, because every serializer can write that without further registration.
    return List.of(count + " " + sum).iterator();
  }

  private static String sum(List<String> partitions) {
    long count = 0;
    long sum = 0;
    for (String each : partitions) {
      String[] fields = each.split(" ", 2);
      count += Long.parseLong(fields[0]);
      sum += Long.parseLong(fields[1]);
    }
    return "%d records, digest %016x".formatted(count, sum);
  }

  private static long hash(String record) {
    long hash = 1;
    for (int i = 0; i < record.length(); i++) {
      hash = (hash + record.charAt(i)) * MULTIPLIER;
      hash ^= hash >>> 29;
    }
    return hash;
  }

  /** Values in an order that does not depend on how they came. */
  static <T> String sorted(Iterable<T> values) {
    return StreamSupport.stream(values.spliterator(), false)
        .map(String::valueOf)
        .sorted()
        .collect(Collectors.joining(","));
  }

  /** Stands for the bytes of a large record. */
  static String bytes(byte[] value) {
    return value == null ? "null" : value.length + ":" + Arrays.hashCode(value);
  }
}
