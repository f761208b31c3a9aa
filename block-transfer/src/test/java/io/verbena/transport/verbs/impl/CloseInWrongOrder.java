package io.verbena.transport.verbs.impl;

import io.verbena.memory.NativeBuffer;
import io.verbena.transport.verbs.Fabric;
import java.net.InetAddress;

/**
 * A program for a JVM of its own, which must end with "all held": a fabric is closed while things
 * of it are open.
 */
public final class CloseInWrongOrder {
  private CloseInWrongOrder() {}

  public static void main(String[] args) throws Exception {
    System.loadLibrary("disni");
    DisniFabric fabric = new DisniFabric();
    long id = fabric.newId();
    fabric.bind(id, InetAddress.getByName("10.0.0.1"));
    fabric.open(id);
    long queue = fabric.newCompletionQueue(16);
    fabric.newCompletionQueue(16);
    fabric.newQueuePair(id, queue, 4, 1);
    NativeBuffer memory = new NativeBuffer(4096);
    Fabric.MemoryKeys keys = fabric.register(memory.view().address(), 4096, Fabric.LOCAL_WRITE);

    fabric.close();
    fabric.close();

    fabric.destroyId(id);
    fabric.destroyId(id);
    fabric.deregister(keys);
    memory.close();
    System.out.println("all held");
  }
}
