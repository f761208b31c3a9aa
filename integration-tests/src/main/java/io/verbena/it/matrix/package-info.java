/**
 * The versions of Spark, Scala and Java that the one jar has to run on, and the runner that submits
 * the acceptance application to a cluster of each.
 */
package io.verbena.it.matrix;
