/** Spark adapter. */
package io.verbena.spark;
