package io.verbena.doctor;

import io.verbena.memory.Sizes;

/** Sizes for people and for options. */
final class Bytes {
  private Bytes() {}

  /** Such as {@code 1.5 GiB}. */
  static String text(long bytes) {
    return Sizes.text(bytes);
  }

  /** Whole mebibytes that hold so much, as options write them. */
  static String option(long bytes) {
    long mebibytes = (bytes + (1 << 20) - 1) >> 20;
    return mebibytes % 1024 == 0 ? mebibytes / 1024 + "g" : mebibytes + "m";
  }
}
