package io.verbena.transport.verbs;

import java.io.IOException;

/**
 * One side of a connection: its id, queue pair, place among the endpoints, share of a completion
 * queue, and memory for the messages of the handshake.
 *
 * <p>Threads: made by one, with {@link #makeQueuePair}; then read by any. {@link #release} once.
 */
abstract class Channel implements Endpoints.Endpoint, EventLoop.Owner, AutoCloseable {
  final VerbsDevice device;
  final Fabric fabric;
  private final int completions;

  private volatile long id;
  private volatile long queuePair;
  private volatile int number = -1;
  private volatile Poller.Queue completionQueue;
  private volatile ChannelMemory memory;

  /**
   * A channel without anything yet.
   *
   * @param id its connection id; 0 when there is none yet
   * @param completions most that its queue pair has at a time
   */
  Channel(VerbsDevice device, long id, int completions) {
    this.device = device;
    this.fabric = device.fabric();
    this.id = id;
    this.completions = completions;
  }

  /** Makes the connection id. */
  final void makeId() throws IOException {
    id = fabric.newId();
    device.events().own(id, this);
  }

  /**
   * Makes the id's queue pair, and posts the receive for the one message that comes.
   *
   * @param scratch bytes of memory beside those of the messages
   * @param received low part of the receive's work request id
   */
  final void makeQueuePair(int sends, int scratch, int received) throws IOException {
    completionQueue = device.poller().take(completions);
    queuePair = fabric.newQueuePair(id, completionQueue.handle, sends, 1);
    number = device.endpoints().add(this);
    memory = new ChannelMemory(device.memory(), scratch);
    fabric.postReceive(
        queuePair,
        wrId(received),
        memory.address(ChannelMemory.IN),
        Handshake.MESSAGE_ROOM,
        memory.key());
  }

  /** Sends the message that was put into {@link ChannelMemory#OUT}. */
  final void send(int low, int length) throws IOException {
    fabric.postSend(queuePair, wrId(low), memory.address(ChannelMemory.OUT), length, memory.key());
  }

  final long wrId(int low) {
    return Endpoints.wrId(number, low);
  }

  final long id() {
    return id;
  }

  /** The queue pair; 0 before there is one. */
  final long queuePair() {
    return queuePair;
  }

  final ChannelMemory memory() {
    return memory;
  }

  /** Ends the connection, so that what is posted is flushed. */
  final void disconnect() {
    if (queuePair != 0) {
      fabric.disconnect(id, queuePair);
    }
  }

  /** Destroys all of it. The device writes into no memory of its work requests afterwards. */
  final void release() {
    if (number >= 0) {
      device.endpoints().remove(number);
    }
    if (id != 0) {
      device.events().disown(id);
      fabric.destroyId(id);
    }
    if (completionQueue != null) {
      device.poller().give(completionQueue, completions);
    }
    if (memory != null) {
      memory.close();
    }
  }

  /** Ends it. Idempotent. */
  @Override
  public abstract void close();
}
