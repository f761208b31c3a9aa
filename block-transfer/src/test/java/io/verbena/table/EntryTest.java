package io.verbena.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.memory.MemoryView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class EntryTest {
  private static final int FLAGS_AT = 14;
  private static final int CRC = 0x12345678;

  private final MemoryView view = MemoryView.of(ByteBuffer.allocateDirect(64));
  private final ByteBuffer bytes = view.buffer(0, 64).order(ByteOrder.nativeOrder());

  @Test
  void whatIsPutIsRead() {
    Entry.put(view, 16, 4095, 0xfffffff0, 1 << 20, CRC, Entry.PRESENT | Entry.COMPRESSED);
    assertThat(Entry.region(view, 16)).isEqualTo(4095);
    assertThat(Entry.offset(view, 16)).isEqualTo(0xfffffff0);
    assertThat(Entry.length(view, 16)).isEqualTo(1 << 20);
    assertThat(Entry.crc(view, 16)).isEqualTo(CRC);
    assertThat(Entry.flags(view, 16)).isEqualTo(Entry.PRESENT | Entry.COMPRESSED);
    EntryList list = new EntryList(1);
    list.addAll(view, 32);
    assertThat(list.crc(1)).isEqualTo(CRC);
  }

  @Test
  void everyFlagThatFlipsChangesTheChecksum() {
    for (int bit = 0; bit < Short.SIZE; bit++) {
      Entry.put(view, 0, 7, 64, 100, CRC, Entry.PRESENT | Entry.ENCRYPTED);
      bytes.putShort(FLAGS_AT, (short) (bytes.getShort(FLAGS_AT) ^ 1 << bit));
      EntryList list = new EntryList(1);
      list.addAll(view, Entry.SIZE);
      assertThat(Entry.crc(view, 0)).as("with flag %d flipped", bit).isNotEqualTo(CRC);
      assertThat(list.crc(0)).as("with flag %d flipped", bit).isEqualTo(Entry.crc(view, 0));
    }
  }
}
