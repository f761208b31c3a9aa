/** The shuffle in one process with the Spark that applications run on, without a cluster. */
package io.verbena.it.local;
