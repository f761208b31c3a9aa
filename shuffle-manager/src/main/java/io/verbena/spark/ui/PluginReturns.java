package io.verbena.spark.ui;

import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.ElementTrackingStore;
import scala.collection.Seq;

/** The return type that this method has under Scala 2.12, so that the compiler bridges both. */
interface PluginReturns {
  Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store);
}
