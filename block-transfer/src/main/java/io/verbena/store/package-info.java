/**
 * The owner's side of a shuffle: map outputs written into the pool, published in the location
 * table, leased to readers of the same process, removed. Knows neither Spark nor transports.
 */
package io.verbena.store;
