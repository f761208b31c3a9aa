/**
 * Settings of the shuffle, {@code spark.shuffle.rdma.*}: their definitions in {@link
 * io.verbena.conf.RdmaOptions}, their checked values in {@link io.verbena.conf.RdmaConf}, and the
 * reference page generated from both.
 *
 * <p>Everything here is immutable and safe to share between threads. Neither Spark nor the engine
 * may be imported: a configuration arrives as a map of strings. Values derived from the machine
 * (free memory, limits, devices) belong to the part that uses them.
 */
package io.verbena.conf;
