package io.verbena.spark;

import io.verbena.fetch.FetchStats;
import io.verbena.fetch.LatencyHistogram;
import io.verbena.store.StoreStats;
import io.verbena.transport.verbs.VerbsStats;
import java.util.Optional;

/**
 * Where an executor's metrics come from; each call gives the figures of that moment.
 *
 * <p>Threads: any.
 */
interface ShuffleFigures {
  /** Of its own map outputs. */
  StoreStats store();

  /** Of what it reads. */
  FetchStats fetch();

  /** Of its RDMA device. */
  VerbsStats verbs();

  /** CPU time of the threads that answer other executors' requests. */
  long servingCpuNanos();

  /** Latencies of the READs of a transport; empty when it was never tried. */
  Optional<LatencyHistogram> latency(String transport);
}
