/**
 * The location table: layouts of everything that one-sided readers see (control area, region
 * records, directories, tiles, entries), its writer on the owning executor and its reader. Only the
 * descriptor classes know offsets.
 */
package io.verbena.table;
