package io.verbena.table;

import io.verbena.memory.MemoryView;
import java.lang.invoke.VarHandle;

/**
 * Writes an executor's control area.
 *
 * <p>Threads: region records by one thread at a time; generation words by any, each by one at a
 * time.
 */
public final class ControlWriter {
  private final MemoryView memory;

  /**
   * Writes the header; until then the area is no control area.
   *
   * @param memory {@link Control#size()} bytes of zeros
   */
  public ControlWriter(MemoryView memory, long nonceHigh, long nonceLow) {
    this.memory = memory;
    memory.putInt(4, Control.VERSION);
    memory.putLong(Control.NONCE_HIGH, nonceHigh);
    memory.putLong(Control.NONCE_LOW, nonceLow);
    memory.putInt(Control.REGION_CAPACITY, Control.MAX_REGIONS);
    memory.putInt(Control.WORD_CAPACITY, Control.MAX_WORDS);
    memory.putInt(0, Control.MAGIC);
    memory.putInt(Control.HEADER_CRC, memory.crc32c(0, Control.HEADER_CRC));
  }

  /**
   * Appends the record of the next region; ids count from 0.
   *
   * @param remote how a network adapter reads it; null when none does
   */
  public void addRegion(
      int id, int directory, long length, int backing, int pageSize, RemoteKey remote) {
    int at = Control.recordOffset(id);
    memory.putInt(at + Control.RECORD_ID, id);
    memory.putInt(at + Control.RECORD_DIRECTORY, directory);
    memory.putLong(at + Control.RECORD_LENGTH, length);
    memory.putInt(at + Control.RECORD_BACKING, backing);
    memory.putInt(at + Control.RECORD_PAGE_SIZE, pageSize);
    if (remote != null) {
      memory.putLong(at + Control.RECORD_REMOTE_ADDRESS, remote.address());
      memory.putInt(at + Control.RECORD_REMOTE_KEY, remote.key());
      memory.putInt(at + Control.RECORD_REMOTE, 1);
    }
    memory.putInt(at + Control.RECORD_CRC, memory.crc32c(at, Control.RECORD_CRC));
    memory.putLongRelease(Control.REGION_COUNT, id + 1L);
  }

  /** Says that the memory of a region is given back: peers let go of it. */
  public void retireRegion(int id) {
    memory.putLongRelease(Control.retirementOffset(id), 1);
  }

  /**
   * Changes a generation word. Whatever the caller does next to the memory that the word guards,
   * readers who see it see the word changed.
   */
  public void setGeneration(int word, long generation) {
    memory.putLongRelease(Control.wordOffset(word), generation);
    VarHandle.fullFence();
  }
}
