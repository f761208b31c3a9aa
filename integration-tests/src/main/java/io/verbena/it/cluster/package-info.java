/**
 * A standalone Spark cluster of real processes on this machine: master, workers, drivers and their
 * executors, started from a folder of jars and ended with everything they started. What lives here
 * knows how Spark's processes are run and nothing of the shuffle that is tested on them.
 */
package io.verbena.it.cluster;
