package io.verbena.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Bytes of a block, made from its name alone, so that every process can tell what is right. */
final class BlockData {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private BlockData() {}

  /** Fills the array, whose length is a multiple of 8, with the block's bytes. */
  static void fill(byte[] block, int shuffle, long map, int partition) {
    long state = mix(mix(mix(shuffle) + map) + partition);
    for (int at = 0; at < block.length; at += Long.BYTES) {
      state += GOLDEN;
      LONGS.set(block, at, mix(state));
    }
  }

  /** CRC32C of the block's bytes. */
  static int crc(byte[] scratch, int shuffle, long map, int partition) {
    fill(scratch, shuffle, map, partition);
    CRC32C crc = new CRC32C();
    crc.update(scratch);
    return (int) crc.getValue();
  }

  /** SplitMix64's finalizer. */
  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
