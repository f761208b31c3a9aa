package io.verbena.spark;

import static io.verbena.log.LogKey.EXECUTOR_ID;

import io.verbena.log.KeyedLogger;
import io.verbena.spark.RegistryMessage.Announce;
import io.verbena.spark.RegistryMessage.Lookup;
import io.verbena.spark.RegistryMessage.Push;
import io.verbena.spark.RegistryMessage.Register;
import io.verbena.spark.RegistryReply.Done;
import io.verbena.spark.RegistryReply.Gone;
import io.verbena.spark.RegistryReply.Located;
import io.verbena.spark.RegistryReply.Part;
import io.verbena.spark.RegistryReply.Refused;
import io.verbena.store.ShuffleDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * What the driver knows: executors, and which of them has a part of which shuffle. It holds no
 * block and no map output, so its size goes with executors times shuffles alive.
 *
 * <p>Threads: any; all state is guarded by the object.
 */
final class Registry {
  private static final KeyedLogger LOG = KeyedLogger.of(Registry.class);

  /** Figures kept for the report at most; dead executors' figures stay. */
  static final int MAX_FIGURES = 10_000;

  private record Executor(Register registration, UUID nonce, Object address) {}

  private final IntPredicate shuffleKnown;
  private final Consumer<ExecutorFigures> watcher;
  private final BooleanSupplier onSeveralHosts;
  private final Map<String, Executor> executors = new HashMap<>();
  private final Map<Integer, Map<String, ShuffleDescriptor>> shuffles = new HashMap<>();
  private final Map<String, ExecutorFigures> figures = new LinkedHashMap<>();
  private final Set<String> running = new HashSet<>();
  private OptionalLong lastNanos = OptionalLong.empty();
  private boolean severalHosts;

  /**
   * @param shuffleKnown whether Spark still knows a shuffle: map outputs of others are refused
   */
  Registry(IntPredicate shuffleKnown) {
    this(shuffleKnown, figures -> {}, () -> false);
  }

  /**
   * @param shuffleKnown whether Spark still knows a shuffle: map outputs of others are refused
   * @param watcher told of figures that have come; must return at once
   * @param onSeveralHosts whether Spark knows of executors on more than one host: they register
   *     here with their first task only
   */
  Registry(
      IntPredicate shuffleKnown,
      Consumer<ExecutorFigures> watcher,
      BooleanSupplier onSeveralHosts) {
    this.shuffleKnown = shuffleKnown;
    this.watcher = watcher;
    this.onSeveralHosts = onSeveralHosts;
  }

  /**
   * Handles one message.
   *
   * @param address where it came from, to recognise the sender when its connection ends
   */
  RegistryReply handle(RegistryMessage message, Object address) {
    if (message instanceof Register register) {
      return register(register, address);
    }
    if (message instanceof Announce announce) {
      return announce(announce);
    }
    if (message instanceof Lookup lookup) {
      return lookup(lookup);
    }
    return push((Push) message);
  }

  private synchronized RegistryReply register(Register register, Object address) {
    String id = register.executorId();
    UUID nonce = new UUID(register.store().nonceHigh(), register.store().nonceLow());
    Executor before = executors.put(id, new Executor(register, nonce, address));
    if (before != null && !before.nonce().equals(nonce)) {
      LOG.info(
          "Executor {} was replaced by a new process; its map outputs are gone",
          EXECUTOR_ID.is(id));
      forgetParts(id);
    }
    running.add(id);
    return done();
  }

  private synchronized RegistryReply announce(Announce announce) {
    String id = announce.executorId();
    int shuffleId = announce.shuffle().shuffleId();
    Executor executor = executors.get(id);
    if (executor == null || !executor.nonce().equals(announce.nonce())) {
      return new Refused("executor " + id + " is not registered or was replaced");
    }
    shuffles.computeIfAbsent(shuffleId, key -> new HashMap<>()).put(id, announce.shuffle());
    // Entered before asking: a removal that comes in between then finds the entry and drops it.
    if (!shuffleKnown.test(shuffleId)) {
      removeShuffle(shuffleId);
      return new Gone(shuffleId);
    }
    return done();
  }

  private synchronized RegistryReply lookup(Lookup lookup) {
    Map<String, ShuffleDescriptor> parts = shuffles.getOrDefault(lookup.shuffleId(), Map.of());
    Map<String, Part> found = new LinkedHashMap<>();
    for (String id : lookup.executorIds()) {
      Executor executor = executors.get(id);
      ShuffleDescriptor part = parts.get(id);
      if (executor != null && part != null) {
        Register registration = executor.registration();
        found.put(
            id, new Part(registration.host(), registration.store(), part, registration.local()));
      }
    }
    return new Located(found);
  }

  private synchronized RegistryReply push(Push push) {
    String id = push.figures().executorId();
    if (figures.containsKey(id) || figures.size() < MAX_FIGURES) {
      figures.put(id, push.figures());
      watcher.accept(push.figures());
    }
    if (push.last()) {
      ended(id);
    }
    return new Done(severalHosts);
  }

  /** Asked until there are several: whoever has begun to compress goes on with it. */
  private RegistryReply done() {
    if (!severalHosts) {
      severalHosts =
          executors.values().stream().map(each -> each.registration().host()).distinct().count() > 1
              || onSeveralHosts.getAsBoolean();
    }
    return new Done(severalHosts);
  }

  /** Drops a shuffle; an unknown one is no error. */
  synchronized void removeShuffle(int shuffleId) {
    shuffles.remove(shuffleId);
  }

  /** An executor's connection ended: Spark gives it up, so do we. Its figures stay. */
  synchronized void disconnected(Object address) {
    List<String> lost = new ArrayList<>();
    executors.forEach(
        (id, executor) -> {
          if (address.equals(executor.address())) {
            lost.add(id);
          }
        });
    for (String id : lost) {
      executors.remove(id);
      forgetParts(id);
      ended(id);
    }
  }

  private void forgetParts(String executorId) {
    shuffles.values().forEach(parts -> parts.remove(executorId));
    shuffles.values().removeIf(Map::isEmpty);
  }

  private void ended(String executorId) {
    running.remove(executorId);
    notifyAll();
  }

  /**
   * The figures of all executors, once those that still run have sent their last or the time is
   * over, which runs from the first time that they are asked for.
   */
  synchronized List<ExecutorFigures> lastFigures(long timeoutMillis) throws InterruptedException {
    if (lastNanos.isEmpty()) {
      lastNanos = OptionalLong.of(System.nanoTime() + timeoutMillis * 1_000_000);
    }
    long left = (lastNanos.getAsLong() - System.nanoTime()) / 1_000_000;
    while (!running.isEmpty() && left > 0) {
      wait(left);
      left = (lastNanos.getAsLong() - System.nanoTime()) / 1_000_000;
    }
    return List.copyOf(figures.values());
  }

  synchronized int shuffleCount() {
    return shuffles.size();
  }

  synchronized int executorCount() {
    return executors.size();
  }
}
