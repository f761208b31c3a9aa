package io.verbena.bench;

/**
 * Sums over all tasks of a run. Times are seconds.
 *
 * @param tasks number of tasks
 * @param taskSeconds time that tasks ran
 * @param taskCpuSeconds CPU time of the tasks' own threads
 * @param gcSeconds time that JVMs collected garbage meanwhile
 * @param shuffleWriteSeconds time in shuffle writes
 * @param fetchWaitSeconds time that tasks waited for blocks
 * @param shuffleBytesWritten as counted by the writers
 * @param localBytesRead shuffle bytes read that Spark counts as local
 * @param remoteBytesRead shuffle bytes read that Spark counts as remote
 * @param shuffleRecordsRead records read
 * @param spilledBytes bytes spilled to disk
 * @param failedTasks tasks that ended without success
 */
record TaskTotals(
    int tasks,
    double taskSeconds,
    double taskCpuSeconds,
    double gcSeconds,
    double shuffleWriteSeconds,
    double fetchWaitSeconds,
    long shuffleBytesWritten,
    long localBytesRead,
    long remoteBytesRead,
    long shuffleRecordsRead,
    long spilledBytes,
    int failedTasks) {

  static final TaskTotals NONE = new TaskTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  TaskTotals plus(TaskTotals other) {
    return new TaskTotals(
        tasks + other.tasks,
        taskSeconds + other.taskSeconds,
        taskCpuSeconds + other.taskCpuSeconds,
        gcSeconds + other.gcSeconds,
        shuffleWriteSeconds + other.shuffleWriteSeconds,
        fetchWaitSeconds + other.fetchWaitSeconds,
        shuffleBytesWritten + other.shuffleBytesWritten,
        localBytesRead + other.localBytesRead,
        remoteBytesRead + other.remoteBytesRead,
        shuffleRecordsRead + other.shuffleRecordsRead,
        spilledBytes + other.spilledBytes,
        failedTasks + other.failedTasks);
  }
}
