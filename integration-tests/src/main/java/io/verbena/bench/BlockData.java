package io.verbena.bench;

import io.verbena.bench.work.Mix;
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
    long state = Mix.mix(Mix.mix(Mix.mix(shuffle) + map) + partition);
    for (int at = 0; at < block.length; at += Long.BYTES) {
      state += GOLDEN;
      LONGS.set(block, at, Mix.mix(state));
    }
  }

  /** CRC32C of the block's bytes. */
  static int crc(byte[] scratch, int shuffle, long map, int partition) {
    fill(scratch, shuffle, map, partition);
    CRC32C crc = new CRC32C();
    crc.update(scratch);
    return (int) crc.getValue();
  }
}
