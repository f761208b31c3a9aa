package io.verbena.bench;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

/**
 * What reduce tasks make of their records: a number and a sum that does not depend on order, cheap
 * beside the shuffle; on demand over all bytes.
 */
final class JobDigest {
  private JobDigest() {}

  // What a partition gives: an array, since Spark's Kryo cannot write records.
  private static final int RECORDS = 0;
  private static final int SUM = 1;
  private static final int SORTED = 2;

  /** Sum of what partitions gave. */
  record Total(long records, long sum, boolean sorted) {}

  static Total total(List<long[]> parts) {
    long records = 0;
    long sum = 0;
    boolean sorted = true;
    for (long[] part : parts) {
      records += part[RECORDS];
      sum += part[SUM];
      sorted &= part[SORTED] != 0;
    }
    return new Total(records, sum, sorted);
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
        sum += BlockData.mix(key ^ digest(record._2()));
        sorted &= previous <= key;
        previous = key;
      }
      return List.of(new long[] {count, sum, sorted ? 1 : 0}).iterator();
    }

    private long digest(byte[] value) {
      if (!allBytes) {
        return value.length + (long) value[value.length / 2];
      }
      long hash = value.length;
      for (byte b : value) {
        hash = hash * 31 + b;
      }
      return hash;
    }
  }

  /** Of rows of two longs and a double. */
  static final class OfRows
      implements FlatMapFunction<Iterator<InternalRow>, long[]>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Iterator<long[]> call(Iterator<InternalRow> rows) {
      long count = 0;
      long sum = 0;
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        count++;
        sum +=
            BlockData.mix(
                row.getLong(0)
                    ^ BlockData.mix(row.getLong(1))
                    ^ Double.doubleToRawLongBits(row.getDouble(2)));
      }
      return List.of(new long[] {count, sum, 1}).iterator();
    }
  }
}
