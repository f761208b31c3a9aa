package io.verbena.transport.verbs;

import static io.verbena.log.LogKey.REASON;
import static io.verbena.log.LogKey.TRANSPORT;

import io.verbena.host.HostFiles;
import io.verbena.log.KeyedLogger;
import io.verbena.memory.MemoryView;
import io.verbena.store.RemoteAccess;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.RemoteKey;
import io.verbena.transport.Connection;
import io.verbena.transport.Transport;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads peers' memory by RDMA READ, and lets peers read this process's. One device per process.
 *
 * <p>Threads: any. Memory that was given to it is registered until it is taken back or this is
 * closed: close it before the memory goes.
 */
public final class VerbsTransport implements Transport, RemoteAccess {
  /** Name of this transport. */
  public static final String NAME = "verbs";

  private static final KeyedLogger LOG = KeyedLogger.of(VerbsTransport.class);

  private final VerbsDevice device;
  private final String description;
  private volatile String failure;

  private VerbsTransport(VerbsDevice device, String description) {
    this.device = device;
    this.description = description;
  }

  /**
   * Opens the device that the settings ask for.
   *
   * @throws VerbsUnavailableException when there is none, or it cannot be used; says what helps
   */
  public static VerbsTransport open(VerbsSettings settings) throws VerbsUnavailableException {
    Fabric fabric = FabricLoader.load(settings.libraryFolders());
    try {
      return open(fabric, settings, HostFiles.thisHost());
    } catch (VerbsUnavailableException | RuntimeException e) {
      fabric.close();
      throw e;
    }
  }

  static VerbsTransport open(Fabric fabric, VerbsSettings settings, HostFiles host)
      throws VerbsUnavailableException {
    try {
      List<String> devices = fabric.devices();
      if (devices.isEmpty()) {
        throw new VerbsUnavailableException(NoDevice.reason(host));
      }
      DeviceChoice.Chosen chosen = DeviceChoice.choose(fabric, devices, settings, host);
      DeviceInfo info = fabric.open(chosen.id());
      if (!info.active()) {
        throw new VerbsUnavailableException(
            "port %d of RDMA device %s is down: connect its cable or bring its network interface up"
                .formatted(info.port(), info.name()));
      }
      VerbsDevice device = new VerbsDevice(fabric, info, chosen.address(), chosen.id(), settings);
      String others =
          devices.size() == 1 ? "" : ", devices of this host: " + String.join(", ", devices);
      return new VerbsTransport(
          device,
          "Transport verbs: device %s, listening on %s%s"
              .formatted(info, Addresses.text(device.listening()), others));
    } catch (IOException e) {
      throw new VerbsUnavailableException(
          "the RDMA device cannot be used: "
              + e.getMessage()
              + NoDevice.hint(host, settings.device()),
          e);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Name of the RDMA device. */
  public String deviceName() {
    return device.info().name();
  }

  /** Device, address and what was not chosen, for a line of the log. */
  public String description() {
    return description;
  }

  @Override
  public Connection connect(String executorId, StoreDescriptor peer) throws UnreachableException {
    String reason = device.end() == null ? failure : device.end();
    if (reason != null) {
      throw new UnreachableException(reason);
    }
    if (peer.verbsAddresses().isEmpty()) {
      throw new UnreachableException(
          "executor " + executorId + " has no RDMA device that can be used; its log says why");
    }
    List<String> reasons = new ArrayList<>();
    for (String address : peer.verbsAddresses()) {
      try {
        return VerbsConnection.open(device, executorId, peer, Addresses.parse(address));
      } catch (IOException e) {
        reasons.add(e.getMessage());
      }
    }
    throw new UnreachableException(
        "executor " + executorId + " cannot be reached: " + String.join("; ", reasons));
  }

  @Override
  public Registration register(MemoryView memory) {
    try {
      device.checkOpen();
      return device.memory().receive(memory);
    } catch (IOException e) {
      failed("receive buffers: " + e.getMessage());
      return NO_REGISTRATION;
    }
  }

  @Override
  public List<String> addresses() {
    InetAddress address = device.address();
    return address == null ? List.of() : List.of(Addresses.text(device.listening()));
  }

  @Override
  public RemoteKey export(MemoryView memory) {
    try {
      device.checkOpen();
      return device.memory().export(memory);
    } catch (IOException e) {
      failed("memory that peers read: " + e.getMessage());
      return null;
    }
  }

  @Override
  public void withdraw(MemoryView memory) {
    device.memory().withdraw(memory);
  }

  /** Says once why the transport is of no use any more. */
  private synchronized void failed(String reason) {
    if (failure == null && device.end() == null) {
      failure = reason;
      LOG.warn(
          "Transport verbs is not used any more by this executor: {}; the job goes on by the next"
              + " transport, \"doctor\" of this jar shows what this host lacks",
          REASON.is(reason),
          TRANSPORT.also(NAME));
    }
  }

  @Override
  public void serve(long nonceHigh, long nonceLow, MemoryView control) {
    RemoteKey key = export(control);
    if (key != null) {
      device.serve(nonceHigh, nonceLow, control, key);
    }
  }

  /** Figures for metrics and reports. */
  public VerbsStats stats() {
    return device.stats();
  }

  /** The thread on which READs complete. */
  Thread pollerThread() {
    return device.poller().thread();
  }

  /** The device in use. */
  public DeviceInfo device() {
    return device.info();
  }

  @Override
  public void close() {
    device.close();
  }
}
