package io.verbena.it.cluster;

import java.nio.file.Path;

/**
 * An executor's JVM.
 *
 * @param appId the application it works for
 * @param executorId its number in the application, as Spark's log and UI show it
 * @param worker index of the worker that started it
 * @param pid process id
 * @param stdout its standard output
 * @param stderr its standard error, which is also its log from INFO
 */
public record ExecutorProcess(
    String appId, String executorId, int worker, long pid, Path stdout, Path stderr) {

  /** Its log from INFO, whole; empty when it has not written any. */
  public String log() {
    return TextFile.read(stderr);
  }
}
