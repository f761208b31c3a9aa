/**
 * Map outputs that move from one executor's store to another's: the form in which they travel, what
 * the store that gives reads and what the store that takes checks, writes and publishes. Knows
 * neither Spark nor connections.
 */
package io.verbena.migration;
