/**
 * Benchmarks that set this shuffle beside Spark's own on one machine: blocks between two processes,
 * whole jobs on a cluster, heap kept. Sides take turns round by round, so that a ratio compares
 * neighbours in time. What lives here measures and reports; it judges nothing.
 */
package io.verbena.bench;
