package io.verbena.bench.work;

/**
 * How large a job is.
 *
 * @param maps map tasks
 * @param reduces reduce partitions
 * @param records records or rows that the maps make together
 */
public record Size(int maps, int reduces, long records) {
  public Size {
    if (maps < 1 || reduces < 1 || records < 1) {
      throw new IllegalArgumentException(
          "maps=%d, reduces=%d and records=%d must be at least 1"
              .formatted(maps, reduces, records));
    }
  }

  /** As many records times {@code factor}, at least one; a multiple of the number of maps. */
  public Size times(double factor) {
    long perMap = Math.max(1, Math.round(records * factor / maps));
    return new Size(maps, reduces, perMap * maps);
  }

  public Size withReduces(int value) {
    return new Size(maps, value, records);
  }

  long perMap() {
    return records / maps;
  }
}
