/** Benchmarks of the adapter's inner parts, in its package to reach them. */
package io.verbena.spark;
