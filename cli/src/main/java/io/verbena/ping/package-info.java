/**
 * {@code serve} and {@code ping}: what the engine's transports do between two hosts, without Spark.
 * All reading is the engine's; of its own this package has a TCP connection on which both sides
 * prove the secret and tell what Spark's RPC and the registry tell executors.
 */
package io.verbena.ping;
