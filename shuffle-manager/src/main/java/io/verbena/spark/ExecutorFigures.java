package io.verbena.spark;

import io.verbena.fetch.FetchStats;
import io.verbena.store.StoreStats;
import io.verbena.transport.verbs.VerbsStats;

/**
 * What one executor has done so far.
 *
 * @param servingCpuNanos CPU time of the threads that answered other executors' requests
 */
record ExecutorFigures(
    String executorId,
    String host,
    StoreStats store,
    FetchStats fetch,
    VerbsStats verbs,
    long servingCpuNanos) {}
