package io.verbena.transport.verbs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Addresses as text, and those of this host. */
final class Addresses {
  private Addresses() {}

  /** {@code address:port}, with brackets around IPv6. */
  static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    int zone = host.indexOf('%');
    String plain = zone < 0 ? host : host.substring(0, zone);
    return (plain.indexOf(':') < 0 ? plain : "[" + plain + "]") + ":" + address.getPort();
  }

  /** Reads what {@link #text} wrote; names are not looked up. */
  static InetSocketAddress parse(String text) throws IOException {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean literal = host.matches("[0-9.]+") || host.matches("\\[[0-9a-fA-F:.]+]");
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (literal && port > 0 && port < 1 << 16) {
        return new InetSocketAddress(InetAddress.getByName(host), port);
      }
    } catch (NumberFormatException | UnknownHostException e) {
      throw new IOException("'" + text + "' is no address with a port", e);
    }
    throw new IOException("'" + text + "' is no address with a port");
  }

  /** Addresses of this host that a device may have, those of the executor first. */
  static List<InetAddress> ofThisHost(String host) throws SocketException {
    Set<InetAddress> found = new LinkedHashSet<>();
    Set<InetAddress> all = new LinkedHashSet<>();
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      if (each.isUp() && !each.isLoopback()) {
        all.addAll(Collections.list(each.getInetAddresses()));
      }
    }
    try {
      for (InetAddress own : InetAddress.getAllByName(host)) {
        if (all.contains(own)) {
          found.add(own);
        }
      }
    } catch (UnknownHostException e) {
      // Then all addresses are as good.
      found.clear();
    }
    // Link-local ones need a scope, which differs between hosts.
    all.stream().filter(each -> !each.isLinkLocalAddress()).forEach(found::add);
    return new ArrayList<>(found);
  }
}
