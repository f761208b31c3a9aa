package io.verbena.bench.work;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * What reduce tasks make of their records: a number and a sum that does not depend on order, cheap
 * beside the shuffle; on demand over all bytes.
 */
final class Digests {
  private Digests() {}

  // What a partition gives: an array, since Spark's Kryo cannot write records.
  private static final int RECORDS = 0;
  private static final int SUM = 1;
  private static final int SORTED = 2;

  /** Sum of what partitions gave. */
  static Digest total(List<long[]> parts) {
    long records = 0;
    long sum = 0;
    boolean sorted = true;
    for (long[] part : parts) {
      records += part[RECORDS];
      sum += part[SUM];
      sorted &= part[SORTED] != 0;
    }
    return new Digest(records, sum, sorted);
  }

  /** Of keys and values; {@code sorted} says whether keys came in ascending order. */
  static final class OfPairs
      implements FlatMapFunction<Iterator<Tuple2<Long, byte[]>>, long[]>, Serializable {
    private static final long serialVersionUID = 1L;

    private final boolean allBytes;

    OfPairs(boolean allBytes) {
      this.allBytes = allBytes;
    }

    @Override
    public Iterator<long[]> call(Iterator<Tuple2<Long, byte[]>> records) {
      long count = 0;
      long sum = 0;
      long previous = Long.MIN_VALUE;
      boolean sorted = true;
      while (records.hasNext()) {
        Tuple2<Long, byte[]> record = records.next();
        long key = record._1();
        count++;
        sum += Mix.mix(key ^ digest(record._2(), allBytes));
        sorted &= previous <= key;
        previous = key;
      }
      return List.of(new long[] {count, sum, sorted ? 1 : 0}).iterator();
    }
  }

  /** Of keys and lists of values; every value is a record. */
  static final class OfGroups
      implements FlatMapFunction<Iterator<Tuple2<Long, Iterable<byte[]>>>, long[]>, Serializable {
    private static final long serialVersionUID = 1L;

    private final boolean allBytes;

    OfGroups(boolean allBytes) {
      this.allBytes = allBytes;
    }

    @Override
    public Iterator<long[]> call(Iterator<Tuple2<Long, Iterable<byte[]>>> groups) {
      long count = 0;
      long sum = 0;
      Set<Long> keys = new HashSet<>();
      boolean once = true;
      while (groups.hasNext()) {
        Tuple2<Long, Iterable<byte[]>> group = groups.next();
        once &= keys.add(group._1());
        for (byte[] value : group._2()) {
          count++;
          sum += Mix.mix(group._1() ^ digest(value, allBytes));
        }
      }
      if (!once) {
        throw new IllegalStateException("a key came twice in one partition");
      }
      return List.of(new long[] {count, sum, 1}).iterator();
    }
  }

  private static long digest(byte[] value, boolean allBytes) {
    if (!allBytes) {
      return value.length + (long) value[value.length / 2];
    }
    long hash = value.length;
    for (byte b : value) {
      hash = hash * 31 + b;
    }
    return hash;
  }

  /** Of rows of SQL: whole numbers, doubles and strings. */
  static final class OfRows
      implements FlatMapFunction<Iterator<InternalRow>, long[]>, Serializable {
    private static final long serialVersionUID = 1L;

    private final DataType[] types;

    OfRows(StructType schema) {
      types = Arrays.stream(schema.fields()).map(StructField::dataType).toArray(DataType[]::new);
    }

    @Override
    public Iterator<long[]> call(Iterator<InternalRow> rows) {
      long count = 0;
      long sum = 0;
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        count++;
        long hash = 0;
        for (int column = 0; column < types.length; column++) {
          hash = Mix.mix(hash + (row.isNullAt(column) ? column : bits(row, column)));
        }
        sum += hash;
      }
      return List.of(new long[] {count, sum, 1}).iterator();
    }

    private long bits(InternalRow row, int column) {
      DataType type = types[column];
      if (type.equals(DataTypes.LongType) || type.equals(DataTypes.TimestampType)) {
        return row.getLong(column);
      }
      if (type.equals(DataTypes.IntegerType) || type.equals(DataTypes.DateType)) {
        return row.getInt(column);
      }
      if (type.equals(DataTypes.ShortType)) {
        return row.getShort(column);
      }
      if (type.equals(DataTypes.DoubleType)) {
        return Double.doubleToRawLongBits(row.getDouble(column));
      }
      if (type.equals(DataTypes.StringType)) {
        return row.getUTF8String(column).hashCode();
      }
      throw new IllegalStateException("no digest of a column of type " + type);
    }
  }
}
