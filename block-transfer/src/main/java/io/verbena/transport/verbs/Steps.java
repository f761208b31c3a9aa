package io.verbena.transport.verbs;

import java.io.IOException;

/**
 * How far the connecting of a reader's channel has come: the steps that the event thread and the
 * poller tell, and the waits for them.
 *
 * <p>Threads: any.
 */
final class Steps {
  private final String peer;
  private final long limitMillis;

  // Guarded by this.
  private FabricEvent.Kind reached = FabricEvent.Kind.OTHER;
  private byte[] answer;
  private boolean messageCame;
  private IOException broken;

  Steps(String peer, VerbsSettings settings) {
    this.peer = peer;
    this.limitMillis = settings.connectTimeout().toMillis();
  }

  synchronized void reached(FabricEvent event) {
    reached = event.kind();
    if (event.kind() == FabricEvent.Kind.ESTABLISHED) {
      answer = event.privateData();
    }
    notifyAll();
  }

  synchronized void messageCame() {
    messageCame = true;
    notifyAll();
  }

  /** Nothing will be reached any more. */
  synchronized void broken(IOException cause) {
    broken = cause;
    notifyAll();
  }

  synchronized void await(FabricEvent.Kind step, long deadline) throws IOException {
    Waits.until(this, () -> broken != null || reached == step, deadline);
    check(reached == step, step.toString());
  }

  synchronized void awaitMessage(long deadline) throws IOException {
    Waits.until(this, () -> broken != null || messageCame, deadline);
    check(messageCame, "the answer to the proof of the secret");
  }

  /** What the owner said when it accepted. */
  synchronized byte[] answer() {
    return answer;
  }

  private void check(boolean came, String what) throws IOException {
    if (broken != null) {
      throw new IOException(broken.getMessage(), broken);
    }
    if (!came) {
      throw new IOException(
          "%s did not come from %s within %d ms: its host is down, or a firewall is between"
              .formatted(what, peer, limitMillis));
    }
  }
}
