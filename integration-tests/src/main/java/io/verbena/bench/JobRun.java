package io.verbena.bench;

import java.util.List;

/**
 * What the driver knows of one run.
 *
 * @param seconds from the action's call to its return
 * @param tasks sums over tasks
 * @param digest of the result
 * @param executors what the plugin tells of itself, before the shuffle was removed
 */
record JobRun(
    double seconds, TaskTotals tasks, JobDigest.Total digest, List<ExecutorFigures> executors) {}
