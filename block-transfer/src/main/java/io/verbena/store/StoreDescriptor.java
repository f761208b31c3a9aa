package io.verbena.store;

import java.util.List;

/**
 * What a peer needs to reach a store's memory: its nonce and the directories that hold its files.
 * The control area is the file {@code control} in the first directory, region {@code n} the file
 * {@code region-n} in the directory that its region record names.
 *
 * @param nonceHigh high half of a random number that this process alone carries
 * @param nonceLow low half
 * @param directories absolute paths, index = directory index of region records
 * @param chunkSize bytes of the largest piece
 * @param verbsAddresses where its network adapter listens, {@code address:port}; empty without one
 */
public record StoreDescriptor(
    long nonceHigh,
    long nonceLow,
    List<String> directories,
    int chunkSize,
    List<String> verbsAddresses) {
  /** Of a store without a network adapter. */
  public StoreDescriptor(long nonceHigh, long nonceLow, List<String> directories, int chunkSize) {
    this(nonceHigh, nonceLow, directories, chunkSize, List.of());
  }

  /** File name of the control area. */
  public static final String CONTROL_FILE = "control";

  /** File name of a region. */
  public static String regionFile(int region) {
    return "region-" + region;
  }
}
