package io.verbena.fetch;

import io.verbena.table.TableReader;

/**
 * What is known of a peer's part of a shuffle, for one generation.
 *
 * @param found the registry's answer
 * @param table what was read of its location table
 * @param link the way to the peer
 * @param sighting when it was last seen alive
 */
record RemoteShuffle(
    PeerDirectory.Found found, TableReader table, PeerLink link, Sighting sighting) {}
