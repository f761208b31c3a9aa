package io.verbena.transport.verbs;

/** What the statuses of work completions mean for whoever reads the message. */
final class WorkStatus {
  static final int FLUSHED = 5;

  private WorkStatus() {}

  /** What the status says about the cause, and what to do. */
  static String advice(int status) {
    return switch (status) {
      case 1 -> "the memory to read into is too small for what came: a defect, report it";
      case 4, 8 -> "the memory to read into is not registered for that: a defect, report it";
      case FLUSHED -> "the connection had ended before";
      case 9 -> "the owner's device refuses READs of this kind: compare versions and READ depths";
      case 10 ->
          "the owner's device does not know the key, or the range is not in its memory: the owner"
              + " has ended, has given the memory of a removed shuffle back, or its location table"
              + " is damaged";
      case 12 ->
          "no answer: the executor or its host has ended, or the network between drops packets;"
              + " look at the port's error counters (rdma statistic, ethtool -S) and, with RoCE,"
              + " at flow control";
      case 13 -> "the owner had no receive posted: a defect, report it";
      default -> "look at the kernel's log on both hosts";
    };
  }
}
