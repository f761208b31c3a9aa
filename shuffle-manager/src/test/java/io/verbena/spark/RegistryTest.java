package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.fetch.FetchStats;
import io.verbena.spark.RegistryMessage.Announce;
import io.verbena.spark.RegistryMessage.LocalDirectories;
import io.verbena.spark.RegistryMessage.Lookup;
import io.verbena.spark.RegistryMessage.Push;
import io.verbena.spark.RegistryMessage.Register;
import io.verbena.spark.RegistryReply.Done;
import io.verbena.spark.RegistryReply.Gone;
import io.verbena.spark.RegistryReply.Located;
import io.verbena.spark.RegistryReply.Refused;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import io.verbena.store.StoreStats;
import io.verbena.transport.verbs.VerbsStats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RegistryTest {
  private static final LocalDirectories LOCAL = new LocalDirectories(List.of("/tmp/blockmgr"), 64);

  private final Set<Integer> known = new HashSet<>(Set.of(1, 2));
  private final Registry registry = new Registry(known::contains);

  private RegistryReply register(String id, long nonce) {
    return register(registry, id, nonce, "host");
  }

  private static RegistryReply register(Registry registry, String id, long nonce, String host) {
    StoreDescriptor store = new StoreDescriptor(0, nonce, List.of("/dev/shm/" + nonce), 1 << 20);
    return registry.handle(new Register(id, host, store, LOCAL), "address of " + id);
  }

  private RegistryReply announce(String id, long nonce, int shuffleId) {
    ShuffleDescriptor shuffle = new ShuffleDescriptor(shuffleId, 10, nonce, 0, 0, 0);
    return registry.handle(new Announce(id, new UUID(0, nonce), shuffle), "address of " + id);
  }

  private Set<String> lookup(int shuffleId, String... ids) {
    return ((Located) registry.handle(new Lookup(shuffleId, List.of(ids)), "reader"))
        .parts()
        .keySet();
  }

  @Test
  void announcedPartsAreFoundAndOthersAreNot() {
    register("0", 10);
    register("1", 11);
    announce("0", 10, 1);

    assertThat(lookup(1, "0", "1", "2")).containsExactly("0");
    assertThat(lookup(2, "0", "1")).isEmpty();
  }

  @Test
  void executorsLearnThatThereAreSeveralHostsAsSoonAsThereAre() {
    assertThat(register(registry, "0", 10, "a")).isEqualTo(new Done(false));
    assertThat(register(registry, "1", 11, "a")).isEqualTo(new Done(false));
    assertThat(register(registry, "2", 12, "b")).isEqualTo(new Done(true));
    assertThat(announce("0", 10, 1)).isEqualTo(new Done(true));
    // Whoever has begun to compress goes on with it.
    registry.disconnected("address of 2");
    assertThat(announce("0", 10, 2)).isEqualTo(new Done(true));
  }

  @Test
  void hostsCountBeforeTheirExecutorsHaveATask() {
    AtomicBoolean several = new AtomicBoolean();
    Registry first = new Registry(known::contains, figures -> {}, several::get);
    assertThat(register(first, "0", 10, "a")).isEqualTo(new Done(false));
    several.set(true);
    assertThat(register(first, "1", 11, "a")).isEqualTo(new Done(true));
  }

  @Test
  void aShuffleThatSparkNoLongerKnowsIsRefusedAndLeavesNothing() {
    register("0", 10);

    assertThat(announce("0", 10, 3)).isEqualTo(new Gone(3));
    assertThat(lookup(3, "0")).isEmpty();
    assertThat(registry.shuffleCount()).isZero();
  }

  @Test
  void aRemovedShuffleIsForgottenAndMayComeBack() {
    register("0", 10);
    announce("0", 10, 1);

    registry.removeShuffle(1);
    assertThat(lookup(1, "0")).isEmpty();
    assertThat(registry.shuffleCount()).isZero();

    assertThat(announce("0", 10, 1)).isEqualTo(new Done(false));
    assertThat(lookup(1, "0")).containsExactly("0");
  }

  @Test
  void aNewProcessUnderTheSameIdLosesThePartsOfTheOldOne() {
    register("0", 10);
    announce("0", 10, 1);

    register("0", 20);
    assertThat(lookup(1, "0")).isEmpty();

    assertThat(announce("0", 10, 1))
        .isEqualTo(new Refused("executor 0 is not registered or was replaced"));
    assertThat(announce("0", 20, 1)).isEqualTo(new Done(false));
  }

  @Test
  void registeringTwiceFromTheSameProcessKeepsItsParts() {
    register("0", 10);
    announce("0", 10, 1);

    register("0", 10);

    assertThat(lookup(1, "0")).containsExactly("0");
  }

  @Test
  void anExecutorWhoseConnectionEndedIsForgotten() {
    register("0", 10);
    register("1", 11);
    announce("0", 10, 1);
    announce("1", 11, 1);

    registry.disconnected("address of 0");

    assertThat(lookup(1, "0", "1")).containsExactly("1");
    assertThat(registry.executorCount()).isEqualTo(1);
  }

  @Test
  void anExecutorThatNeverRegisteredCannotAnnounce() {
    assertThat(announce("9", 1, 1)).isInstanceOf(Refused.class);
  }

  @Test
  void figuresOfLostExecutorsStayInTheReport() throws InterruptedException {
    register("0", 10);
    registry.handle(new Push(figures("0", 5), false), null);
    registry.disconnected("address of 0");

    assertThat(registry.lastFigures(0)).containsExactly(figures("0", 5));
  }

  @Test
  void lastFiguresComeWhenEveryRunningExecutorHasSentThem() throws InterruptedException {
    register("0", 10);
    registry.handle(new Push(figures("0", 1), false), null);
    Thread ending =
        new Thread(() -> registry.handle(new Push(figures("0", 2), true), null), "ending");
    ending.start();

    assertThat(registry.lastFigures(60_000)).containsExactly(figures("0", 2));
    ending.join();
  }

  @Test
  void anExecutorThatHangsDoesNotHoldTheReport() throws InterruptedException {
    register("0", 10);
    registry.handle(new Push(figures("0", 1), false), null);

    assertThat(registry.lastFigures(1)).containsExactly(figures("0", 1));
  }

  @Test
  @Timeout(60)
  void whoAsksAgainDoesNotWaitAnewForAnExecutorThatHangs() throws InterruptedException {
    register("0", 10);
    registry.lastFigures(1);
    registry.handle(new Push(figures("0", 1), false), null);

    assertThat(registry.lastFigures(600_000)).containsExactly(figures("0", 1));
  }

  private static ExecutorFigures figures(String id, long cpuNanos) {
    return new ExecutorFigures(
        id, "host", StoreStats.NONE, FetchStats.NONE, VerbsStats.NONE, cpuNanos);
  }
}
