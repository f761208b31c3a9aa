package io.verbena.apps.trajectory;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The frames of a trajectory in order of time: what all tasks know of them. A frame's index here is
 * its name in the shuffles.
 */
final class FrameTable implements Serializable {
  private static final long serialVersionUID = 1L;

  private final FrameInfo[] frames;
  private final long[] timesteps;
  private final int repeated;

  private FrameTable(FrameInfo[] frames, long[] timesteps, int repeated) {
    this.frames = frames;
    this.timesteps = timesteps;
    this.repeated = repeated;
  }

  /**
   * Orders frames and checks that they belong together. Of several frames with one time step, as a
   * continued run writes them, the first in the input counts.
   *
   * @throws InputException when something was wrong while reading, or frames do not fit together
   */
  static FrameTable of(List<FrameInfo> infos, List<SplitEnd> ends, List<InputProblem> problems)
      throws InputException {
    if (!problems.isEmpty()) {
      InputProblem first = problems.stream().min(Comparator.comparing(ReadItem::origin)).get();
      throw new InputException(describe(first, ends));
    }
    Map<Long, FrameInfo> byTime = new TreeMap<>();
    infos.stream()
        .sorted(Comparator.comparing((FrameInfo info) -> info.origin))
        .forEach(info -> byTime.putIfAbsent(info.timestep, info));
    FrameInfo[] frames = byTime.values().toArray(FrameInfo[]::new);
    for (FrameInfo frame : frames) {
      checkAlike(frames[0], frame);
    }
    long[] timesteps = byTime.keySet().stream().mapToLong(Long::longValue).toArray();
    return new FrameTable(frames, timesteps, infos.size() - frames.length);
  }

  private static String describe(InputProblem problem, List<SplitEnd> ends) {
    long frames = 0;
    long lines = 0;
    for (SplitEnd end : ends) {
      Origin before = end.origin();
      Origin at = problem.origin();
      if (before.file.equals(at.file) && before.splitStart < at.splitStart) {
        frames += end.frames();
        lines += end.lines;
      }
    }
    return problem.describe(frames, lines);
  }

  private static void checkAlike(FrameInfo first, FrameInfo other) throws InputException {
    if (first.atoms != other.atoms) {
      throw new InputException(
          "%s: time step %d: expected %d atoms as at time step %d, found %d"
              .formatted(
                  other.origin.file, other.timestep, first.atoms, first.timestep, other.atoms));
    }
    if (first.unwrapped != other.unwrapped) {
      throw new InputException(
          "%s: time step %d: expected %s, as at time step %d, found the opposite"
              .formatted(
                  other.origin.file,
                  other.timestep,
                  first.unwrapped
                      ? "unwrapped positions or image flags (ix iy iz)"
                      : "wrapped positions without image flags",
                  first.timestep));
    }
  }

  int size() {
    return frames.length;
  }

  /** Frames left out because their time step was there already. */
  int repeated() {
    return repeated;
  }

  /** Place of a frame in the order of time, or -1 for a frame that is left out. */
  int indexOf(Frame frame) {
    int index = Arrays.binarySearch(timesteps, frame.timestep);
    return index >= 0 && frames[index].origin.equals(frame.origin()) ? index : -1;
  }

  long timestep(int index) {
    return timesteps[index];
  }

  String file(int index) {
    return frames[index].origin.file;
  }

  Box box(int index) {
    return frames[index].box;
  }

  int atoms() {
    return frames[0].atoms;
  }

  boolean unwrapped() {
    return frames[0].unwrapped;
  }

  /** What must be added to an id for it to be that of no other atom. */
  long idsPerSystem() {
    long largest = 0;
    for (FrameInfo frame : frames) {
      largest = Math.max(largest, frame.largestId);
    }
    return largest;
  }

  /** Time steps between neighbouring frames, or 0 where that differs or there is one frame only. */
  long stepsBetweenFrames() {
    long steps = size() < 2 ? 0 : timesteps[1] - timesteps[0];
    for (int i = 1; i < size(); i++) {
      if (timesteps[i] - timesteps[i - 1] != steps) {
        return 0;
      }
    }
    return steps;
  }

  /** Simulated time of a time step, or NaN when the files do not say. */
  double timePerStep() {
    FrameInfo first = frames[0];
    FrameInfo last = frames[size() - 1];
    return (last.time - first.time) / (last.timestep - first.timestep);
  }

  /** Files in order of their first frame. */
  List<String> files() {
    List<String> files = new ArrayList<>();
    for (FrameInfo frame : frames) {
      if (!files.contains(frame.origin.file)) {
        files.add(frame.origin.file);
      }
    }
    return files;
  }
}
