package io.verbena.bench;

import io.verbena.bench.work.Digest;

/**
 * What the driver knows of one run.
 *
 * @param seconds from the workload's start to its end
 * @param tasks sums over tasks
 * @param digest of the result
 */
record JobRun(double seconds, TaskTotals tasks, Digest digest) {}
