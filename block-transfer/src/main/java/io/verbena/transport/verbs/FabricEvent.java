package io.verbena.transport.verbs;

/**
 * One event of the connection manager or the device, reused for the next.
 *
 * <p>Threads: the one that takes events.
 */
public final class FabricEvent {
  /** What happened, as far as it matters. */
  public enum Kind {
    ADDRESS_RESOLVED,
    ROUTE_RESOLVED,
    CONNECT_REQUEST,
    ESTABLISHED,
    REJECTED,
    /** Address, route or peer cannot be reached, or the connection broke while it was made. */
    FAILED,
    DISCONNECTED,
    DEVICE_REMOVED,
    /** The device or a queue pair failed.. */
    FATAL,
    /** Nothing to act upon. */
    OTHER
  }

  private static final byte[] NOTHING = {};

  private Kind kind = Kind.OTHER;
  private String name = "";
  private int status;
  private long id;
  private int readDepth;
  private byte[] privateData = NOTHING;

  /** Fills the event in. */
  public void set(Kind kind, String name, int status, long id, int readDepth, byte[] privateData) {
    this.kind = kind;
    this.name = name;
    this.status = status;
    this.id = id;
    this.readDepth = readDepth;
    this.privateData = privateData;
  }

  public Kind kind() {
    return kind;
  }

  /** Name that the connection manager gives it. */
  public String name() {
    return name;
  }

  /** 0, a negative error number, or the reason of a rejection. */
  public int status() {
    return status;
  }

  /** The connection id; of a request a new one; 0 for an event of the device. */
  public long id() {
    return id;
  }

  /**
   * READs that may be outstanding: of a request those that the peer wants to have, of an
   * established connection those that this side may have.
   */
  public int readDepth() {
    return readDepth;
  }

  public byte[] privateData() {
    return privateData;
  }

  @Override
  public String toString() {
    return name + (status == 0 ? "" : " (" + status + ")");
  }
}
