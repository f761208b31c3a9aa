package io.verbena.transport.shm;

import io.verbena.memory.PeerMapping;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.Control;
import io.verbena.table.ControlReader;
import io.verbena.transport.Connection;
import io.verbena.transport.PositionFile;
import io.verbena.transport.Transport;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads peers' memory through their files. A peer is reachable when its nonce stands in the control
 * file at the path it told: neither host nor user names prove that two processes share a file
 * system.
 */
public final class ShmTransport implements Transport {
  /** Name of this transport. */
  public static final String NAME = "shm";

  /** How bytes come out of a region's file. */
  public enum Mode {
    /** {@link #MAPPED} for small reads of regions in huge pages, else {@link #READ}. */
    AUTO,
    /** Copied out of a mapping: fastest once its pages have been touched. */
    MAPPED,
    /** {@code pread} into the slice: no page of this process's to touch first. */
    READ
  }

  private final Mode mode;
  private final Set<ShmConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public ShmTransport(Mode mode) {
    this.mode = mode;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isForOneHost() {
    return true;
  }

  @Override
  public Connection connect(String executorId, StoreDescriptor peer) throws UnreachableException {
    if (closed) {
      throw new UnreachableException("the shm transport of this process is closed");
    }
    if (peer.directories().isEmpty()) {
      throw new UnreachableException("executor " + executorId + " told no directory");
    }
    Path path = Path.of(peer.directories().get(0), StoreDescriptor.CONTROL_FILE);
    PeerMapping control = map(executorId, path);
    Optional<String> refusal =
        ControlReader.refusal(control.view(), peer.nonceHigh(), peer.nonceLow());
    if (refusal.isPresent()) {
      control.close();
      throw new UnreachableException(
          path
              + " is not the control file of executor "
              + executorId
              + ": "
              + refusal.get()
              + "; expected when the executors are on different hosts or in different containers");
    }
    ShmConnection connection =
        new ShmConnection(executorId, peer.directories(), control, mode, connections::remove);
    connections.add(connection);
    if (closed) {
      connection.close();
      throw new UnreachableException("the shm transport of this process is closed");
    }
    return connection;
  }

  private static PeerMapping map(String executorId, Path path) throws UnreachableException {
    try {
      return PositionFile.withoutInterrupt(() -> PeerMapping.of(path, Control.size()));
    } catch (NoSuchFileException e) {
      throw new UnreachableException(
          path
              + " of executor "
              + executorId
              + " does not exist here: it runs on another host, or in a container that does not"
              + " share this directory",
          e);
    } catch (IOException e) {
      throw new UnreachableException(
          "cannot map "
              + path
              + " of executor "
              + executorId
              + " ("
              + e
              + "): run the executors as the same user and share the directory between them",
          e);
    }
  }

  @Override
  public void close() {
    closed = true;
    List<ShmConnection> open = new ArrayList<>(connections);
    open.forEach(ShmConnection::close);
  }
}
