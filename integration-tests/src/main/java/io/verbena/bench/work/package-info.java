/**
 * The jobs that {@code bin/bench job} measures: one class each, behind {@link
 * io.verbena.bench.work.Workload}. They run in the driver of the benchmark's application; what
 * lives here knows nothing of sides, rounds and figures.
 */
package io.verbena.bench.work;
