package io.verbena.bench.work;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import scala.Tuple2;

/**
 * Makes the records of one map task on the way, from their numbers alone: a key, and a value of
 * eleven doubles of single precision, as simulations write them, and four zero bytes. About a third
 * of it can be compressed away.
 */
final class Records implements PairFlatMapFunction<Iterator<Integer>, Long, byte[]>, Serializable {
  private static final long serialVersionUID = 1L;

  static final int VALUE_SIZE = 92;
  private static final int DOUBLES = 11;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long perMap;
  private final Keys keys;

  Records(long perMap, Keys keys) {
    this.perMap = perMap;
    this.keys = keys;
  }

  /** A record's key, from its number. */
  interface Keys extends Serializable {
    long of(long number);
  }

  static Keys distinct() {
    return number -> Mix.mix(~number);
  }

  /** So many keys, all with as many records. */
  static Keys grouped(long count) {
    return number -> Mix.mix(~(number % count));
  }

  /** One key for every other record; a key of its own for each of the rest. */
  static Keys halfOfOneKey() {
    return number -> (number & 1) == 0 ? 0 : Mix.mix(~number);
  }

  @Override
  public Iterator<Tuple2<Long, byte[]>> call(Iterator<Integer> maps) {
    return new Made(maps.next() * perMap, perMap, keys);
  }

  /** The records with numbers from {@code next} to {@code end}. */
  private static final class Made implements Iterator<Tuple2<Long, byte[]>> {
    private long next;
    private final long end;
    private final Keys keys;

    Made(long start, long count, Keys keys) {
      this.keys = keys;
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
      long state = Mix.mix(number);
      for (int i = 0; i < DOUBLES; i++) {
        state = Mix.mix(state + i);
        double coordinate = (float) (state >> 40) * 0.001f;
        LONGS.set(value, i * Long.BYTES, Double.doubleToRawLongBits(coordinate));
      }
      return new Tuple2<>(keys.of(number), value);
    }
  }
}
