package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.fetch.FetchStats;
import io.verbena.fetch.FlowStats;
import io.verbena.fetch.TransportStats;
import io.verbena.spark.RegistryMessage.Announce;
import io.verbena.spark.RegistryMessage.LocalDirectories;
import io.verbena.spark.RegistryMessage.Lookup;
import io.verbena.spark.RegistryMessage.Push;
import io.verbena.spark.RegistryMessage.Register;
import io.verbena.spark.RegistryReply.Done;
import io.verbena.spark.RegistryReply.Gone;
import io.verbena.spark.RegistryReply.Located;
import io.verbena.spark.RegistryReply.Part;
import io.verbena.spark.RegistryReply.Refused;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import io.verbena.store.StoreStats;
import io.verbena.transport.verbs.VerbsStats;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RegistryCodecTest {
  private static final StoreDescriptor STORE =
      new StoreDescriptor(-1L, Long.MAX_VALUE, List.of("/dev/shm/a", "/local/b c"), 1 << 20);
  private static final LocalDirectories LOCAL = new LocalDirectories(List.of("/tmp/blockmgr"), 64);
  private static final ShuffleDescriptor SHUFFLE =
      new ShuffleDescriptor(7, 2000, -5L, 65_535, 4095, Integer.MIN_VALUE);
  private static final ExecutorFigures FIGURES =
      new ExecutorFigures(
          "12",
          "höst",
          new StoreStats(1, 2, 3, Map.of("tmpfs", 3L), 4, 5, "tmpfs", 6, 7, 8),
          new FetchStats(
              9,
              10,
              Map.of("shm", 11L, "netty", 12L),
              Map.of("shm", 13L),
              14,
              Map.of("shm->netty: reason: with colon", 15L),
              16,
              17,
              Map.of("shm", new TransportStats(19, 20, 21, 22, 23, 24, 25)),
              new FlowStats(26, 27, 28, 29, 30, 31),
              Map.of("shm", "0-3,driver", "netty", "4")),
          new VerbsStats(32, 33, 34, 35, 36),
          18);

  static Stream<RegistryMessage> messages() {
    return Stream.of(
        new Register("driver", "127.0.0.1", STORE, LOCAL),
        new Announce("3", new UUID(1, -2), SHUFFLE),
        new Lookup(0, List.of("0", "1", "driver")),
        new Lookup(Integer.MAX_VALUE, List.of()),
        new Push(FIGURES, true));
  }

  static Stream<RegistryReply> replies() {
    return Stream.of(
        new Done(true),
        new Refused("executor 0 is not registered or was replaced"),
        new Gone(3),
        new Located(Map.of()),
        new Located(
            Map.of(
                "0", new Part("host-a", STORE, SHUFFLE, LOCAL),
                "1", new Part("host-b", STORE, SHUFFLE, LOCAL))));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void messageIsTheSameAfterTheWire(RegistryMessage message) throws IOException {
    assertThat(RegistryCodec.decodeMessage(RegistryCodec.encode(message))).isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("replies")
  void replyIsTheSameAfterTheWire(RegistryReply reply) throws IOException {
    assertThat(RegistryCodec.decodeReply(RegistryCodec.encode(reply))).isEqualTo(reply);
  }

  @Test
  void anotherVersionIsRefusedWithAdvice() {
    byte[] message = RegistryCodec.encode(new Lookup(1, List.of("0")));
    message[0] = RegistryCodec.VERSION + 1;

    assertThatThrownBy(() -> RegistryCodec.decodeMessage(message))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "registry message of version 2, this side speaks 1; use the same jar on driver and"
                + " executors");
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageCutAnywhereIsAnIoException(RegistryMessage message) {
    byte[] whole = RegistryCodec.encode(message);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> RegistryCodec.decodeMessage(cut))
          .as("cut at %s of %s", length, whole.length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anAbsurdCountIsRefusedBeforeMemoryIsTaken() {
    byte[] message = RegistryCodec.encode(new Lookup(1, List.of()));
    message[message.length - 4] = 0x7f;

    assertThatThrownBy(() -> RegistryCodec.decodeMessage(message))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("count of 2130706432 elements");
  }

  @Test
  void anUnknownKindIsNamed() {
    byte[] message = {RegistryCodec.VERSION, 99};

    assertThatThrownBy(() -> RegistryCodec.decodeMessage(message))
        .hasMessage("registry message of unknown kind 99");
    assertThatThrownBy(() -> RegistryCodec.decodeReply(message))
        .hasMessage("registry reply of unknown kind 99");
  }

  /** What docs/performance.md reckons with: paths as Spark standalone and YARN have them. */
  @Test
  void anExecutorTakesThreeHundredBytesOfAnAnswer() {
    String uuid = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
    StoreDescriptor store =
        new StoreDescriptor(
            1,
            2,
            List.of("/dev/shm/verbena-1000/app-20261203053713-0000-1234-" + uuid),
            256 << 10,
            List.of("10.1.128.17:41234"));
    LocalDirectories local =
        new LocalDirectories(List.of("/data/spark-" + uuid + "/blockmgr-" + uuid), 64);
    int few = located(1_000, store, local);
    int many = located(2_000, store, local);
    assertThat((many - few) / 1_000).isBetween(200, 300);
  }

  private static int located(int executors, StoreDescriptor store, LocalDirectories local) {
    Map<String, Part> parts = new HashMap<>();
    for (int i = 0; i < executors; i++) {
      parts.put(Integer.toString(i), new Part("10.0.0.1", store, SHUFFLE, local));
    }
    return RegistryCodec.encode(new Located(parts)).length;
  }
}
