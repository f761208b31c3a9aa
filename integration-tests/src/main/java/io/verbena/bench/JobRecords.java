package io.verbena.bench;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import scala.Tuple2;

/**
 * Makes the records of one map task on the way, from their numbers alone: a mixed key, and a value
 * of eleven doubles of single precision, as simulations write them, and four zero bytes. About a
 * third of it can be compressed away.
 */
final class JobRecords
    implements PairFlatMapFunction<Iterator<Integer>, Long, byte[]>, Serializable {
  private static final long serialVersionUID = 1L;

  static final int VALUE_SIZE = 92;
  private static final int DOUBLES = 11;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long perMap;

  JobRecords(long perMap) {
    this.perMap = perMap;
  }

  @Override
  public Iterator<Tuple2<Long, byte[]>> call(Iterator<Integer> maps) {
    return new Records(maps.next() * perMap, perMap);
  }

  /** The records with numbers from {@code next} to {@code end}. */
  private static final class Records implements Iterator<Tuple2<Long, byte[]>> {
    private long next;
    private final long end;

    Records(long start, long count) {
      this.next = start;
      this.end = start + count;
    }

    @Override
    public boolean hasNext() {
      return next < end;
    }

    @Override
    public Tuple2<Long, byte[]> next() {
      if (next >= end) {
        throw new NoSuchElementException();
      }
      long number = next++;
      byte[] value = new byte[VALUE_SIZE];
      long state = BlockData.mix(number);
      for (int i = 0; i < DOUBLES; i++) {
        state = BlockData.mix(state + i);
        double coordinate = (float) (state >> 40) * 0.001f;
        LONGS.set(value, i * Long.BYTES, Double.doubleToRawLongBits(coordinate));
      }
      return new Tuple2<>(BlockData.mix(~number), value);
    }
  }
}
