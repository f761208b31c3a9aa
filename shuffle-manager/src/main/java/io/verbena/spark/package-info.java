/**
 * The Spark adapter: shuffle manager, writers, reader, block resolver, and the registry on the
 * driver. It turns Spark's calls into calls of the engine and the engine's figures and faults into
 * Spark's. No raw address and no byte layout of map outputs lives here; what differs between
 * versions of Spark lives in {@code shim}.
 *
 * <p>Only {@link io.verbena.spark.RdmaShuffleManager} is for users. No class of this package
 * travels in an RPC message or a map status, so that the jar may come through {@code --jars}.
 */
package io.verbena.spark;
