/**
 * The reader's side: policy that picks a transport per peer, the reader of location tables, the
 * fetch planner, and blocks as checked streams. Every byte that leaves it matched its checksum and
 * its shuffle's generation.
 */
package io.verbena.fetch;
