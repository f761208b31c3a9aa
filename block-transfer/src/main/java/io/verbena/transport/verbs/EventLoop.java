package io.verbena.transport.verbs;

import static io.verbena.log.LogKey.EVENT;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The thread that takes events of the connection manager and the device, and does the rounds. */
final class EventLoop implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(EventLoop.class);

  private static final int TICK_MILLIS = 200;
  private static final long END_MILLIS = 5_000;

  /** Whoever has a connection id. */
  interface Owner {
    /** Something happened to it. Must not wait. */
    void event(FabricEvent event);
  }

  private final Fabric fabric;
  private final Consumer<FabricEvent> others;
  private final Runnable rounds;
  private final Consumer<String> onFailure;
  private final Map<Long, Owner> owners = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Prepares the thread; {@link #start} starts it.
   *
   * @param others receives requests, and events of the device or of ids without owner
   * @param rounds runs several times a second; must not wait
   * @param onFailure told once when events cannot be had any more
   */
  EventLoop(
      Fabric fabric, Consumer<FabricEvent> others, Runnable rounds, Consumer<String> onFailure) {
    this.fabric = fabric;
    this.others = others;
    this.rounds = rounds;
    this.onFailure = onFailure;
    this.thread = new Thread(this::run, "verbena-verbs-events");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void own(long id, Owner owner) {
    owners.put(id, owner);
  }

  void disown(long id) {
    owners.remove(id);
  }

  boolean isLoopThread() {
    return Thread.currentThread() == thread;
  }

  private void run() {
    FabricEvent event = new FabricEvent();
    try {
      while (!closed) {
        if (fabric.nextEvent(event, TICK_MILLIS)) {
          dispatch(event);
        }
        rounds.run();
      }
    } catch (IOException | RuntimeException e) {
      if (!closed) {
        LOG.warn(
            "Events of the RDMA device cannot be had any more; see the kernel's log for its fault",
            e);
        onFailure.accept("its events cannot be had any more: " + e.getMessage());
      }
    }
  }

  private void dispatch(FabricEvent event) {
    LOG.debug("Event {} of connection {}", event, event.id());
    Owner owner = owners.get(event.id());
    boolean ofDevice =
        event.kind() == FabricEvent.Kind.DEVICE_REMOVED || event.kind() == FabricEvent.Kind.FATAL;
    try {
      if (owner != null && !ofDevice) {
        owner.event(event);
      } else {
        others.accept(event);
      }
    } catch (RuntimeException e) {
      LOG.error(
          "Event {} was not handled; what waits for it ends by its deadline; please report it",
          EVENT.is(event),
          e);
    }
  }

  /** Ends the thread. Idempotent. */
  @Override
  public void close() {
    closed = true;
    if (!isLoopThread()) {
      Threads.join(thread, END_MILLIS);
    }
  }
}
