/** Spark SQL over the shuffle: the same queries on Spark's own and on ours, results compared. */
package io.verbena.it.sql;
