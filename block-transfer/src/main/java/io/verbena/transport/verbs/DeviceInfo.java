package io.verbena.transport.verbs;

/**
 * The open device and the port that is used.
 *
 * @param name of the device
 * @param port of the device
 * @param active whether the port is up
 * @param gid its GID
 * @param gidKind such as {@code RoCE v2}
 * @param mtu bytes
 * @param linkLayer {@code InfiniBand} or {@code Ethernet}
 * @param iwarp whether READ responses are remote writes
 * @param maxWorkRequests of one queue pair
 * @param maxCompletions of one completion queue
 * @param maxMessage bytes of one READ
 * @param maxRegistration bytes of one registration
 * @param readsIn READs of a peer that one queue pair answers at a time
 * @param readsOut READs of one queue pair that may be outstanding
 */
public record DeviceInfo(
    String name,
    int port,
    boolean active,
    String gid,
    String gidKind,
    int mtu,
    String linkLayer,
    boolean iwarp,
    int maxWorkRequests,
    int maxCompletions,
    long maxMessage,
    long maxRegistration,
    int readsIn,
    int readsOut) {

  @Override
  public String toString() {
    return name
        + " port "
        + port
        + ", GID "
        + gid
        + " ("
        + gidKind
        + "), MTU "
        + mtu
        + ", link layer "
        + linkLayer
        + (iwarp ? " (iWARP)" : "")
        + ", outstanding READs: "
        + readsOut
        + " of ours, "
        + readsIn
        + " of a peer";
  }
}
