package io.verbena.table;

import io.verbena.memory.MemoryView;
import java.util.Arrays;

/**
 * Entries on the heap while a run is written, 16 bytes each. Those never set are empty blocks.
 *
 * <p>Threads: its owner's.
 */
public final class EntryArray {
  private static final int WORDS = Entry.SIZE / Integer.BYTES;

  private int[] words;
  private int size;

  /** Makes {@code size} entries of empty blocks. */
  public EntryArray(int size) {
    this.size = size;
    this.words = new int[Math.multiplyExact(Math.max(size, 1), WORDS)];
  }

  public int size() {
    return size;
  }

  /** Appends an entry of an empty block. */
  public int append() {
    if (size * WORDS == words.length) {
      words = Arrays.copyOf(words, 2 * words.length);
    }
    return size++;
  }

  /** Sets an entry of bytes in memory. */
  public void set(int index, int region, int offset, int length, int crc, int flags) {
    int at = index * WORDS;
    words[at] = offset;
    words[at + 1] = length;
    words[at + 2] = crc;
    words[at + 3] = (region & 0xffff) | flags << 16;
  }

  /** Sets an entry of bytes in the run's file. */
  public void setDisk(int index, long fileOffset, int length, int crc, int flags) {
    set(index, (int) (fileOffset >>> 32), (int) fileOffset, length, crc, flags | Entry.DISK);
  }

  /** Copies an entry from another array; its flags become {@code flags}, and DISK as it was. */
  public void copy(int index, EntryArray from, int fromIndex, int flags) {
    int at = index * WORDS;
    System.arraycopy(from.words, fromIndex * WORDS, words, at, WORDS);
    int disk = (words[at + 3] >>> 16) & Entry.DISK;
    words[at + 3] = (words[at + 3] & 0xffff) | (flags | disk) << 16;
  }

  public int length(int index) {
    return words[index * WORDS + 1];
  }

  /** Writes an entry of a chain into memory, marked present. */
  public void write(int index, MemoryView view, int at) {
    write(index, view, at, 0);
  }

  /** Writes an entry of a tile into memory, marked present, sealed for its place. */
  void write(int index, MemoryView view, int at, int seal) {
    int word = index * WORDS;
    Entry.put(
        view,
        at,
        words[word + 3] & 0xffff,
        words[word],
        words[word + 1],
        words[word + 2] ^ seal,
        words[word + 3] >>> 16 | Entry.PRESENT);
  }
}
