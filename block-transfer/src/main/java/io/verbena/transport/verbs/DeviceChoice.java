package io.verbena.transport.verbs;

import io.verbena.host.HostFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Finds the address of this host through which a device is used. */
final class DeviceChoice {
  private DeviceChoice() {}

  /**
   * A connection id that is bound to an address of a device.
   *
   * @param id the bound id
   */
  record Chosen(long id, InetAddress address) {}

  /**
   * The executor's own address when a device has it, else the first address that a device has.
   *
   * @throws VerbsUnavailableException when no address and device are as the settings ask
   */
  static Chosen choose(Fabric fabric, List<String> devices, VerbsSettings settings, HostFiles host)
      throws VerbsUnavailableException, IOException {
    if (!settings.device().isEmpty() && !devices.contains(settings.device())) {
      throw new VerbsUnavailableException(
          "this host has no RDMA device %s; it has %s"
              .formatted(settings.device(), String.join(", ", devices)));
    }
    List<InetAddress> candidates =
        settings.address().isEmpty()
            ? Addresses.ofThisHost(settings.host())
            : List.of(InetAddress.getByName(settings.address()));
    List<String> tried = new ArrayList<>();
    for (InetAddress address : candidates) {
      Chosen chosen = tryAddress(fabric, address, settings.device(), tried);
      if (chosen != null) {
        return chosen;
      }
    }
    throw new VerbsUnavailableException(
        noAddress(
                settings.device().isEmpty() ? String.join(" or ", devices) : settings.device(),
                tried)
            + NoDevice.hint(host, settings.device()));
  }

  /** Says that no address is the device's, and why of each that was tried. */
  static String noAddress(String device, List<String> tried) {
    return "no address of this host belongs to RDMA device %s (%s): give its network interface an"
            .formatted(
                device,
                tried.isEmpty()
                    ? "no network interface that is up has an address"
                    : String.join("; ", tried))
        + " address, or bring it up (ip address, ip link)";
  }

  private static Chosen tryAddress(
      Fabric fabric, InetAddress address, String wanted, List<String> tried) throws IOException {
    long id = fabric.newId();
    boolean chosen = false;
    try {
      String device = fabric.bind(id, address);
      chosen = device != null && (wanted.isEmpty() || wanted.equals(device));
      if (chosen) {
        return new Chosen(id, address);
      }
      tried.add(
          address.getHostAddress()
              + (device == null ? " belongs to none" : " belongs to " + device));
    } catch (IOException e) {
      tried.add(address.getHostAddress() + ": " + e.getMessage());
    } finally {
      if (!chosen) {
        fabric.destroyId(id);
      }
    }
    return null;
  }
}
