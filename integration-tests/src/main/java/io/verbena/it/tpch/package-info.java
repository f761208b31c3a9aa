/**
 * Runs the TPC-H application on a standalone cluster, on Spark's own shuffle and on Verbena, and
 * compares the answers.
 */
package io.verbena.it.tpch;
