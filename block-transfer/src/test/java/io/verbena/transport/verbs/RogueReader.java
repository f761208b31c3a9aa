package io.verbena.transport.verbs;

import io.verbena.memory.MemoryView;
import io.verbena.memory.NativeBuffer;
import io.verbena.table.RemoteKey;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Connects as a reader does and then READs without having proved the secret. */
final class RogueReader implements AutoCloseable {
  private static final int LENGTH = 4096;

  private final Fabric fabric;
  private final NativeBuffer memory = new NativeBuffer(LENGTH);
  private final long id;
  private final long queue;
  private final long queuePair;

  RogueReader(String address, long nonceHigh, long nonceLow) throws Exception {
    fabric = FabricLoader.load(List.of());
    InetSocketAddress to = Addresses.parse(address);
    id = fabric.newId();
    fabric.resolveAddress(id, to.getAddress(), to, 10_000);
    await(FabricEvent.Kind.ADDRESS_RESOLVED);
    fabric.resolveRoute(id, 10_000);
    await(FabricEvent.Kind.ROUTE_RESOLVED);
    fabric.open(id);
    queue = fabric.newCompletionQueue(16);
    queuePair = fabric.newQueuePair(id, queue, 8, 1);
    byte[] request =
        Handshake.encode(new Handshake.Request(nonceHigh, nonceLow, Handshake.newChallenge()));
    fabric.connect(id, request, 4);
    await(FabricEvent.Kind.ESTABLISHED);
  }

  private void await(FabricEvent.Kind kind) throws IOException {
    FabricEvent event = new FabricEvent();
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!(fabric.nextEvent(event, 1000) && event.kind() == kind)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("no " + kind + ", the last event was " + event);
      }
    }
  }

  /** READs; gives the completion's status. */
  int read(RemoteKey key, int length) throws IOException {
    MemoryView view = memory.view();
    view.zero(0, LENGTH);
    Fabric.MemoryKeys local = fabric.register(view.address(), LENGTH, Fabric.LOCAL_WRITE);
    try (Fabric.WorkRequests work = fabric.newWorkRequests(1);
        Fabric.Completions completions = fabric.newCompletions(queue, 1)) {
      work.read(0, 1, key.address(), key.key(), view.address(), local.local(), length, false, true);
      work.post(queuePair, 1);
      long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (completions.poll() == 0) {
        if (System.nanoTime() - deadline > 0) {
          throw new IOException("no completion");
        }
        Thread.onSpinWait();
      }
      return completions.status(0);
    } finally {
      fabric.disconnect(id, queuePair);
      fabric.destroyId(id);
      fabric.deregister(local);
    }
  }

  boolean bytesAreZero() {
    for (int i = 0; i < LENGTH; i++) {
      if (memory.view().getByte(i) != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    fabric.close();
    memory.close();
  }
}
