package io.verbena.bench;

/**
 * What the driver knows of one run.
 *
 * @param seconds from the workload's start to its end
 * @param tasks sums over tasks
 */
record JobRun(double seconds, TaskTotals tasks) {}
