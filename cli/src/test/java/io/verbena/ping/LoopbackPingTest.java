package io.verbena.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import io.verbena.conf.RdmaConf;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both sides in this process. */
@Timeout(60)
class LoopbackPingTest {
  private static final byte[] SECRET = "of both".getBytes(StandardCharsets.UTF_8);
  private static final String VERSION = "1.2.3";
  private static final RdmaConf CONF =
      RdmaConf.read(Map.of("spark.shuffle.rdma.transports", "shm,netty"));

  @TempDir Path memory;
  private final StringWriter said = new StringWriter();
  private Server server;
  private Thread serving;

  private HostPort serve() throws IOException {
    RdmaConf conf =
        RdmaConf.read(
            Map.of(
                "spark.shuffle.rdma.transports",
                "shm,netty",
                "spark.shuffle.rdma.pool.directories",
                memory.toString()));
    server = Server.open(new ServeSettings("127.0.0.1", 0, conf, SECRET, VERSION));
    serving =
        new Thread(
            () -> {
              try {
                server.run(Duration.ofMinutes(1), new PrintWriter(said, true));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    serving.start();
    return server.address();
  }

  @AfterEach
  void end() throws Exception {
    if (server != null) {
      server.close();
      serving.join();
    }
  }

  private static PingSettings settings(HostPort target, byte[] secret, String version) {
    return new PingSettings(
        target,
        CONF,
        secret,
        version,
        List.of(64, 65_536),
        4,
        Duration.ofMillis(20),
        PingSettings.MAX_TIME);
  }

  private static PingReport ping(HostPort target) throws Exception {
    return Ping.run(settings(target, SECRET, VERSION));
  }

  @Test
  void sharedMemoryIsMeasuredAndChosen() throws Exception {
    PingReport report = ping(serve());

    assertThat(report.exitCode()).isZero();
    JsonObject json = JsonParser.object().from(report.json());
    assertThat(json.getObject("job").getString("transport")).isEqualTo("shm");
    assertThat(json.getObject("job").getLong("checkedBytes")).isEqualTo(30L << 20);
    assertThat(json.getObject("job").getArray("passed")).isEmpty();
    JsonObject shm = json.getArray("transports").getObject(0);
    assertThat(shm.getString("transport")).isEqualTo("shm");
    assertThat(shm.getArray("sizes")).hasSize(2);
    for (Object each : shm.getArray("sizes")) {
      JsonObject size = (JsonObject) each;
      assertThat(size.getDouble("medianMicros"))
          .isPositive()
          .isLessThanOrEqualTo(size.getDouble("p99Micros"));
      assertThat(size.getDouble("p99Micros")).isLessThanOrEqualTo(size.getDouble("p999Micros"));
      assertThat(size.getLong("bytesPerSecond")).isPositive();
    }
    assertThat(json.getObject("tcp").getArray("sizes")).hasSize(2);
    assertThat(report.text()).contains("by: shm (30 MiB read as a reduce task does");
  }

  @Test
  void memoryThatIsNotSharedMakesTheJobFallBack() throws Exception {
    HostPort target = serve();
    // What a container sees that does not share the directory.
    try (var found = Files.walk(memory)) {
      Path control = found.filter(file -> file.endsWith("control")).findFirst().orElseThrow();
      Files.move(control, control.resolveSibling("away"));
    }

    PingReport report = ping(target);

    assertThat(report.choice().transport()).isEqualTo("netty");
    assertThat(report.choice().passed())
        .extracting(JobChoice.Passed::transport)
        .containsExactly("shm");
    assertThat(report.choice().passed().get(0).reason()).contains("does not exist here");
    assertThat(report.exitCode()).isEqualTo(1);
    assertThat(report.text()).contains("by: netty", "not shm: ");
  }

  @Test
  void otherSecretIsRefusedOnBothSides() throws Exception {
    HostPort target = serve();
    byte[] other = "another".getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> Ping.run(settings(target, other, VERSION)))
        .isInstanceOf(PingException.class)
        .hasMessage("the secrets of the two sides differ");

    assertThat(ping(target).exitCode()).as("serve goes on").isZero();
    while (!said.toString().contains("refused: it does not know the secret")) {
      Thread.sleep(1); // Until this test's deadline: serve says so after its answer.
    }
  }

  @Test
  void otherVersionIsRefusedWithBothVersions() throws Exception {
    HostPort target = serve();
    assertThatThrownBy(() -> Ping.run(settings(target, SECRET, "1.2.4")))
        .isInstanceOf(PingException.class)
        .hasMessage("the versions differ: this side is 1.2.4, the other 1.2.3");
  }

  @Test
  void nobodyThereIsToldApartFromSilence() throws Exception {
    HostPort nobody;
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = new HostPort("127.0.0.1", silent.getLocalPort());
      PingSettings impatient =
          new PingSettings(
              nobody,
              CONF,
              SECRET,
              VERSION,
              List.of(64),
              1,
              Duration.ofMillis(1),
              Duration.ofMillis(300));
      assertThatThrownBy(() -> Ping.run(impatient))
          .isInstanceOf(PingException.class)
          .hasMessageStartingWith("no answer from " + nobody);
    }
    assertThatThrownBy(() -> ping(nobody))
        .isInstanceOfSatisfying(
            PingException.class,
            e -> {
              assertThat(e).hasMessageStartingWith("nothing listens at " + nobody);
              assertThat(e.mend()).contains("serve --bind 127.0.0.1 --port " + nobody.port());
            });
  }

  @Test
  void whatIsNoServeIsNamed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering =
          new Thread(
              () -> {
                try (Socket socket = other.accept();
                    InputStream in = socket.getInputStream()) {
                  socket
                      .getOutputStream()
                      .write("HTTP/1.1 400\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                  socket.getOutputStream().flush();
                  in.transferTo(java.io.OutputStream.nullOutputStream());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      answering.start();
      assertThatThrownBy(() -> ping(new HostPort("127.0.0.1", other.getLocalPort())))
          .isInstanceOf(PingException.class)
          .hasMessageStartingWith("what answers there is neither ping nor serve");
      answering.join();
    }
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    ping(serve());
    server.close();
    try (var left = Files.walk(memory)) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
  }
}
