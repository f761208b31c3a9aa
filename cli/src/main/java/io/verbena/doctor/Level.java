package io.verbena.doctor;

import java.util.Locale;

/** How bad a finding is; later is worse. */
enum Level {
  /** As it should be, or not needed. */
  OK,
  /** The job runs, but slower or on less memory than it could. */
  WARN,
  /** The job does not run, or something that the host has or the job asks for cannot be used. */
  FAIL;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
