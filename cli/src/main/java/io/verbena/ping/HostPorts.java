package io.verbena.ping;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Addresses as text. */
final class HostPorts {
  private HostPorts() {}

  static String text(SocketAddress address) {
    return address instanceof InetSocketAddress ip
        ? new HostPort(plain(ip.getAddress()), ip.getPort()).toString()
        : String.valueOf(address);
  }

  /** Without the scope of an IPv6 address, which holds on one host alone. */
  static String plain(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
