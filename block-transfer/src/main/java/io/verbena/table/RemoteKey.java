package io.verbena.table;

/**
 * What a network adapter of a peer needs to READ memory.
 *
 * @param address where it begins
 * @param key the remote key of its registration
 */
public record RemoteKey(long address, int key) {}
