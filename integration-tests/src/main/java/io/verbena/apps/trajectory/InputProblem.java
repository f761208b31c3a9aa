package io.verbena.apps.trajectory;

/**
 * Why a file cannot be used. A value and no exception: it travels to the driver like a frame, so
 * the job is neither retried nor buried in stack traces.
 */
final class InputProblem implements ReadItem {
  private static final long serialVersionUID = 1L;

  private final Origin origin;
  private final String timestep;
  private final long line;
  private final String expected;
  private final String found;

  /**
   * @param origin of the frame that could not be read
   * @param timestep as it stands in the file, or empty when it was not reached
   * @param line counted from one at the start of the part
   */
  InputProblem(Origin origin, String timestep, long line, String expected, String found) {
    this.origin = origin;
    this.timestep = timestep;
    this.line = line;
    this.expected = expected;
    this.found = found;
  }

  @Override
  public Origin origin() {
    return origin;
  }

  /**
   * One line for the user.
   *
   * @param framesBefore frames in earlier parts of the file
   * @param linesBefore lines in earlier parts of the file
   */
  String describe(long framesBefore, long linesBefore) {
    return "%s: frame %d%s, line %d: expected %s, found %s"
        .formatted(
            origin.file,
            framesBefore + origin.frame + 1,
            timestep.isEmpty() ? "" : " (time step " + timestep + ")",
            linesBefore + line,
            expected,
            found);
  }
}
