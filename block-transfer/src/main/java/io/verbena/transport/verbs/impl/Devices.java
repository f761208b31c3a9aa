package io.verbena.transport.verbs.impl;

import io.verbena.transport.verbs.DeviceInfo;
import io.verbena.transport.verbs.FabricEvent.Kind;
import java.io.IOException;
import java.net.InetAddress;

/** What numbers of rdma-core mean. */
final class Devices {
  private static final int PORT_ACTIVE = 4;
  private static final int LINK_ETHERNET = 2;
  private static final int SMALLEST_MTU = 128;

  private Devices() {}

  static DeviceInfo describe(long context, int port, byte[] gid, int maxDepth) throws IOException {
    long[] device = VerbsNative.queryDevice(context);
    long[] state = VerbsNative.queryPort(context, port);
    boolean ethernet = state[VerbsNative.LINK_LAYER] == LINK_ETHERNET;
    boolean iwarp = device[VerbsNative.IS_IWARP] != 0;
    return new DeviceInfo(
        VerbsNative.deviceName(context),
        port,
        state[VerbsNative.PORT_STATE] == PORT_ACTIVE,
        text(gid),
        iwarp ? "iWARP" : gidKind(VerbsNative.gidType(context, port, gid), ethernet),
        SMALLEST_MTU << (int) state[VerbsNative.ACTIVE_MTU],
        ethernet ? "Ethernet" : "InfiniBand",
        iwarp,
        toInt(device[VerbsNative.MAX_WORK_REQUESTS]),
        toInt(device[VerbsNative.MAX_COMPLETIONS]),
        state[VerbsNative.MAX_MESSAGE] & 0xffffffffL,
        device[VerbsNative.MAX_REGISTRATION],
        (int) Math.min(maxDepth, device[VerbsNative.READS_IN]),
        (int) Math.min(maxDepth, device[VerbsNative.READS_OUT]));
  }

  private static int toInt(long value) {
    return (int) Math.min(Integer.MAX_VALUE, value);
  }

  private static String text(byte[] gid) throws IOException {
    return InetAddress.getByAddress(gid).getHostAddress();
  }

  private static String gidKind(int indexAndType, boolean ethernet) {
    if (indexAndType < 0) {
      return "not in the port's table";
    }
    String kind =
        switch (indexAndType & 15) {
          case 2 -> "RoCE v2";
          case 1 -> "RoCE v1";
          default -> ethernet ? "RoCE v1" : "InfiniBand";
        };
    return kind + ", index " + (indexAndType >> 4);
  }

  /** Meaning of a {@code rdma_cm_event_type}. */
  static Kind connectionKind(int type) {
    return switch (type) {
      case 0 -> Kind.ADDRESS_RESOLVED;
      case 2 -> Kind.ROUTE_RESOLVED;
      case 4 -> Kind.CONNECT_REQUEST;
      case 9 -> Kind.ESTABLISHED;
      case 8 -> Kind.REJECTED;
      // Address, route, connect error; unreachable.
      case 1, 3, 6, 7 -> Kind.FAILED;
      case 10 -> Kind.DISCONNECTED;
      case 11 -> Kind.DEVICE_REMOVED;
      default -> Kind.OTHER;
    };
  }

  /** Meaning of an {@code ibv_event_type}. */
  static Kind asyncKind(int type) {
    // IBV_EVENT_DEVICE_FATAL.
    return type == 8 ? Kind.FATAL : Kind.OTHER;
  }
}
