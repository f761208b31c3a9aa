/**
 * What of Spark's libraries shuffles again and again: a stream's aggregation, MLlib and GraphX. The
 * application knows nothing of tests; beside each of its parts stands what it must give, computed
 * without Spark.
 */
package io.verbena.it.libraries;
