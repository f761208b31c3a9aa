package io.verbena.it.jobs;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.stream.LongStream;
import scala.Tuple2;

/** Records that follow from their numbers, so that anybody can tell what a job must give. */
public final class Records {
  private static final long ODD = 0x9e3779b97f4a7c15L;
  private static final int SHORTEST = 40;
  private static final int SPREAD = 61;

  private Records() {}

  /** Key of record {@code i}: one of {@code keys}, in no order. */
  public static long key(long i, int keys) {
    return Long.remainderUnsigned(scrambled(i), keys);
  }

  /** Value of record {@code i}: 40 to 100 bytes that begin with {@code record-I-}. */
  public static byte[] value(long i) {
    byte[] value = new byte[SHORTEST + (int) Long.remainderUnsigned(scrambled(i + 1), SPREAD)];
    long state = i;
    for (int at = 0; at < value.length; at++) {
      state = scrambled(state);
      value[at] = (byte) ('a' + Long.remainderUnsigned(state, 26));
    }
    byte[] head = marker(i);
    System.arraycopy(head, 0, value, 0, head.length);
    return value;
  }

  /** The bytes with which the value of record {@code i} begins. No other record has them. */
  public static byte[] marker(long i) {
    return ("record-" + i + "-").getBytes(StandardCharsets.US_ASCII);
  }

  /** Number that changes when key or value do. */
  public static long digest(long key, byte[] value) {
    long digest = scrambled(key);
    for (byte each : value) {
      digest = digest * 31 + each;
    }
    return scrambled(digest);
  }

  /** Number that changes when either does. */
  public static long digest(long a, long b) {
    return scrambled(scrambled(a) + b);
  }

  /** The records of one of {@code parts} map tasks. */
  static Iterator<Tuple2<Long, byte[]>> part(int part, int parts, long records, int keys) {
    long from = records * part / parts;
    long to = records * (part + 1) / parts;
    return LongStream.range(from, to)
        .mapToObj(i -> new Tuple2<>(key(i, keys), value(i)))
        .iterator();
  }

  private static long scrambled(long i) {
    long x = (i + 1) * ODD;
    x ^= x >>> 32;
    x *= ODD;
    return x ^ x >>> 29;
  }
}
