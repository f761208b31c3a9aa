package io.verbena.doctor;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/** Those of the host that this process runs on. */
final class NetworkInterfaces {
  private NetworkInterfaces() {}

  /** Addresses that peers could connect to; none when the interface is not there or is down. */
  static List<String> addresses(String name) {
    try {
      NetworkInterface found = NetworkInterface.getByName(name);
      if (found == null || !found.isUp()) {
        return List.of();
      }
      // Link-local ones need a scope, which differs between hosts.
      return found
          .inetAddresses()
          .filter(address -> !address.isLinkLocalAddress())
          .map(InetAddress::getHostAddress)
          .map(address -> address.replaceFirst("%.*", ""))
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }
}
