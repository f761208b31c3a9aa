/**
 * The page "RDMA Shuffle" of Spark's UI and History Server: the event that carries executors'
 * figures, the state that is made from such events, and the page drawn from it. Knows figures only
 * as the JSON of the shuffle report; touches no engine.
 */
package io.verbena.spark.ui;
