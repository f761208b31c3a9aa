package io.verbena.spark;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** CPU time of the threads with which Spark's block transfer service answers other executors. */
final class ServingCpu {
  private static final String THREAD_PREFIX = "shuffle-server";

  private ServingCpu() {}

  /** Nanoseconds so far, of threads that still live; 0 where the JVM does not tell. */
  static long nanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
      return 0;
    }
    long sum = 0;
    for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null && info.getThreadName().startsWith(THREAD_PREFIX)) {
        sum += Math.max(0, threads.getThreadCpuTime(info.getThreadId()));
      }
    }
    return sum;
  }
}
