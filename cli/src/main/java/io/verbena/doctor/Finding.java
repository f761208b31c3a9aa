package io.verbena.doctor;

/**
 * One thing that was looked at.
 *
 * @param check stable name of the check
 * @param subject what was looked at
 * @param seen what was found
 * @param needed what should be there; empty where that is what was found
 * @param mend command that mends it, or what else helps; empty where there is nothing to mend
 */
record Finding(String check, String subject, Level level, String seen, String needed, String mend) {
  static Finding ok(String check, String subject, String seen) {
    return new Finding(check, subject, Level.OK, seen, "", "");
  }

  Finding withLevel(Level other) {
    return new Finding(check, subject, other, seen, needed, mend);
  }
}
