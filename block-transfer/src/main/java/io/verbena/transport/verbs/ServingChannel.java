package io.verbena.transport.verbs;

import static io.verbena.log.LogKey.HOST_PORT;
import static io.verbena.log.LogKey.REASON;

import io.verbena.log.KeyedLogger;
import java.io.IOException;

/**
 * A queue pair through which another executor reads this one's memory. It can do nothing until the
 * other has proved the application's secret, and nothing but READ afterwards.
 *
 * <p>Threads: events come on the event thread, completions on the poller's.
 */
final class ServingChannel extends Channel {
  private static final KeyedLogger LOG = KeyedLogger.of(ServingChannel.class);

  private static final int RECEIVED = 0;
  private static final int SENT = 1;
  private static final int MESSAGES = 2;

  private final String peer;
  private final long deadline;

  // Guarded by this.
  private VerbsDevice.Served served;
  private Handshake.Request request;
  private byte[] challenge;
  private boolean proved;
  private boolean torn;

  ServingChannel(VerbsDevice device, long id) {
    super(device, id, MESSAGES);
    this.peer = fabric.peerOf(id);
    this.deadline = System.nanoTime() + device.settings().connectTimeout().toNanos();
  }

  /** Answers a connection request. */
  void requested(FabricEvent event) {
    Handshake.Refusal refusal = refusal(event);
    if (refusal == null) {
      try {
        accept(event.readDepth());
        return;
      } catch (IOException e) {
        LOG.warn(
            "Cannot accept the connection of {}, which takes its next transport: {}; if the device"
                + " is out of queue pairs or memory, run fewer executors on this host",
            HOST_PORT.is(peer),
            REASON.is(e.getMessage()));
        refusal = Handshake.Refusal.FAILED;
      }
    }
    try {
      fabric.reject(id(), Handshake.encode(refusal));
    } catch (IOException e) {
      LOG.debug("Cannot reject {}", peer, e);
    }
    close();
  }

  private synchronized Handshake.Refusal refusal(FabricEvent event) {
    try {
      request = Handshake.request(event.privateData());
    } catch (IOException e) {
      LOG.warn(
          "Refused a connection of {}: {}; use the same version of this jar on all hosts",
          HOST_PORT.is(peer),
          REASON.is(e.getMessage()));
      return Handshake.Refusal.OTHER_VERSION;
    }
    served = device.served();
    if (served == null || device.end() != null) {
      return Handshake.Refusal.NOT_READY;
    }
    if (served.nonceHigh() != request.nonceHigh() || served.nonceLow() != request.nonceLow()) {
      LOG.info("Refused a connection of {}: it looks for another process", HOST_PORT.is(peer));
      return Handshake.Refusal.OTHER_PROCESS;
    }
    return null;
  }

  private synchronized void accept(int wantedDepth) throws IOException {
    makeQueuePair(1, 0, RECEIVED);
    challenge = Handshake.newChallenge();
    byte[] proof =
        Handshake.proof(device.settings().secret(), Handshake.Role.OWNER, request, challenge);
    fabric.accept(
        id(),
        Handshake.encode(new Handshake.Answer(challenge, proof)),
        Math.min(wantedDepth, device.info().readsIn()));
  }

  @Override
  public void event(FabricEvent event) {
    switch (event.kind()) {
      case DISCONNECTED, REJECTED, FAILED -> {
        LOG.debug("The connection of {} ended: {}", peer, event);
        close();
      }
      default -> LOG.debug("The connection of {}: {}", peer, event);
    }
  }

  @Override
  public void completed(int low, int status, int vendorError) {
    if (status != 0) {
      LOG.debug("A message with {} failed: {}", peer, fabric.statusText(status));
      close();
    } else if (low == RECEIVED && !letIn()) {
      close();
    }
  }

  private synchronized boolean letIn() {
    if (torn) {
      return false;
    }
    try {
      byte[] proof = Handshake.takeProof(memory().view(), ChannelMemory.IN);
      byte[] secret = device.settings().secret();
      if (!Handshake.proves(proof, secret, Handshake.Role.READER, request, challenge)) {
        LOG.warn(
            "Refused {}: it does not know this application's secret; it got no key and no data."
                + " Look who runs there: executors of this application know the secret",
            HOST_PORT.is(peer));
        return false;
      }
      fabric.allowRemoteRead(queuePair(), true);
      Handshake.putReady(
          memory().view(),
          ChannelMemory.OUT,
          new Handshake.Ready(served.control().address(), served.length(), served.control().key()));
      send(SENT, Handshake.READY_SIZE);
      proved = true;
      return true;
    } catch (IOException e) {
      LOG.warn(
          "Cannot let {} in, which takes its next transport: {}; if it repeats, \"doctor\" of this"
              + " jar on both hosts shows what they lack",
          HOST_PORT.is(peer),
          REASON.is(e.getMessage()));
      return false;
    }
  }

  /** Called several times a second. */
  void round(long now) {
    boolean late;
    synchronized (this) {
      late = !proved && now - deadline > 0;
    }
    if (late) {
      LOG.warn(
          "{} did not prove the application's secret in time and was cut off. If it is an executor,"
              + " raise spark.shuffle.rdma.verbs.connectTimeout",
          HOST_PORT.is(peer));
      close();
    }
  }

  @Override
  public void lost(String reason) {
    LOG.debug("The connection of {} is lost: {}", peer, reason);
  }

  /** Ends it; the other's READs end in errors. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      if (torn) {
        return;
      }
      torn = true;
      disconnect();
      release();
    }
    device.remove(this);
  }
}
