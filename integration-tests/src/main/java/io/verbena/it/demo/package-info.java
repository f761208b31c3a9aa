/**
 * The demo: one application run twice on a cluster of real processes, on Verbena and on Spark's own
 * shuffle, with the shuffle's report between. Starts and shows things; computes nothing itself.
 */
package io.verbena.it.demo;
