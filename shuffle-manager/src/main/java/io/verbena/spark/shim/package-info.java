/**
 * What differs between the supported versions of Spark, one class a difference, by method handles
 * looked up once. Nothing else belongs here.
 */
package io.verbena.spark.shim;
