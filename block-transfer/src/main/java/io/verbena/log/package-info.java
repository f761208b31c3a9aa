/**
 * Log lines with named values, for logs that programs read. Knows SLF4J alone: what becomes of the
 * names is up to the layout that the application has configured.
 */
package io.verbena.log;
