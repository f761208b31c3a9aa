package io.verbena.table;

import io.verbena.memory.MemoryView;
import java.util.Optional;

/** Reads a control area that another process writes. */
public final class ControlReader {
  private ControlReader() {}

  /**
   * What a region record says.
   *
   * @param id region id
   * @param directory index of the region's directory in its owner's descriptor
   * @param length bytes
   * @param pageSize bytes of one page of its backing
   * @param remote whether a network adapter may READ it
   * @param remoteAddress where it begins, for the adapter
   * @param remoteKey key for the adapter
   */
  public record Region(
      int id,
      int directory,
      long length,
      int pageSize,
      boolean remote,
      long remoteAddress,
      int remoteKey) {}

  /**
   * Why a control area must not be used: another magic number, version, nonce or a broken header;
   * empty when all is right.
   */
  public static Optional<String> refusal(MemoryView control, long nonceHigh, long nonceLow) {
    int magic = control.getInt(0);
    if (magic != Control.MAGIC) {
      return Optional.of(
          "its magic number is 0x%08x, expected 0x%08x".formatted(magic, Control.MAGIC));
    }
    int version = control.getInt(4);
    if (version != Control.VERSION) {
      return Optional.of(
          "its layout version is "
              + version
              + ", expected "
              + Control.VERSION
              + "; use the same Verbena version on all executors");
    }
    if (control.crc32c(0, Control.HEADER_CRC) != control.getInt(Control.HEADER_CRC)) {
      return Optional.of("its header does not match its checksum");
    }
    if (control.getLong(Control.NONCE_HIGH) != nonceHigh
        || control.getLong(Control.NONCE_LOW) != nonceLow) {
      return Optional.of("its nonce is another process's");
    }
    return Optional.empty();
  }

  /** How many region records are published, as a copy of the header tells. */
  public static int regions(MemoryView header) {
    return (int) Math.max(0, Math.min(Control.MAX_REGIONS, header.getLong(Control.REGION_COUNT)));
  }

  /** The record of a region; empty while none is published under that id. */
  public static Optional<Region> region(MemoryView control, int id) {
    long count = control.getLongAcquire(Control.REGION_COUNT);
    if (id < 0 || id >= count || id >= Control.MAX_REGIONS) {
      return Optional.empty();
    }
    return record(control, Control.recordOffset(id), id);
  }

  /** The record of a region out of a copy; empty when it does not match its checksum. */
  public static Optional<Region> record(MemoryView control, int at, int id) {
    if (control.crc32c(at, Control.RECORD_CRC) != control.getInt(at + Control.RECORD_CRC)
        || control.getInt(at + Control.RECORD_ID) != id) {
      return Optional.empty();
    }
    return Optional.of(
        new Region(
            id,
            control.getInt(at + Control.RECORD_DIRECTORY),
            control.getLong(at + Control.RECORD_LENGTH),
            control.getInt(at + Control.RECORD_PAGE_SIZE),
            control.getInt(at + Control.RECORD_REMOTE) == 1,
            control.getLong(at + Control.RECORD_REMOTE_ADDRESS),
            control.getInt(at + Control.RECORD_REMOTE_KEY)));
  }

  /** Whether the owner gives the memory of a region back. */
  public static boolean retired(MemoryView control, int id) {
    return control.getLongAcquire(Control.retirementOffset(id)) != 0;
  }
}
