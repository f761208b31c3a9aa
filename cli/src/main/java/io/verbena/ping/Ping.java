package io.verbena.ping;

import io.verbena.host.HostFiles;
import io.verbena.transport.Transport;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Tries what lies between this host and one on which {@link Server} runs. */
public final class Ping {
  private final PingSettings settings;

  private Ping(PingSettings settings) {
    this.settings = settings;
  }

  /**
   * Runs all of it.
   *
   * @throws PingException when the other side cannot be had, or went; says what helps
   */
  public static PingReport run(PingSettings settings) throws PingException, InterruptedException {
    Ping ping = new Ping(settings);
    try {
      return ping.run();
    } catch (PingException e) {
      throw e;
    } catch (EOFException e) {
      throw new PingException(
          settings.target() + " ended the connection",
          "look at what serve says there: it may be full, or have ended itself",
          e);
    } catch (SocketTimeoutException e) {
      throw new PingException(
          "no answer from %s: %s".formatted(settings.target(), e.getMessage()),
          "look whether serve still runs there, or allow more with --timeout",
          e);
    } catch (IOException e) {
      throw new PingException(
          "the connection to %s is lost: %s".formatted(settings.target(), e.getMessage()),
          "look whether serve still runs there",
          e);
    }
  }

  private PingReport run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    try (Link link = connect()) {
      long setup = System.nanoTime() - begun;
      Welcome welcome =
          link.within(
              settings.limit(), new Introduction(settings.version(), settings.secret())::ping);
      Measured yardstick = new Yardstick(settings, link).run(setup);
      try (JobTransports transports =
          JobTransports.open(settings.conf(), link.localAddress(), settings.secret())) {
        List<Measured> measured = measure(link, welcome, transports);
        JobChoice choice =
            new PolicyTrial(welcome, settings.conf(), transports).run().explainedBy(measured);
        stillThere(link);
        link.within(settings.limit(), Ping::bye);
        return new PingReport(
            settings, HostId.of(HostFiles.thisHost()), welcome, measured, yardstick, choice);
      }
    }
  }

  private List<Measured> measure(Link link, Welcome welcome, JobTransports transports)
      throws IOException, InterruptedException {
    List<Measured> measured = new ArrayList<>();
    for (Transport each : transports.opened()) {
      Measured result = new Measurement(settings, welcome, each, () -> stillThere(link)).run();
      measured.add(result.works() ? result : explained(result, welcome));
    }
    transports.missing().forEach((name, reason) -> measured.add(Measured.out(name, reason)));
    measured.sort(Comparator.comparingInt(each -> transports.wanted().indexOf(each.name())));
    return measured;
  }

  /** The other side's own reason, where it is known to have one. */
  private static Measured explained(Measured result, Welcome welcome) {
    return result.name().equals("verbs") && welcome.store().verbsAddresses().isEmpty()
        ? Measured.out(result.name(), "the other host: " + welcome.verbs())
        : result;
  }

  private static Void bye(DataInputStream in, DataOutputStream out) throws IOException {
    Yardstick.bye(out);
    return null;
  }

  private void stillThere(Link link) throws IOException {
    link.within(
        settings.limit(),
        (in, out) -> {
          Yardstick.end(in, out);
          return null;
        });
  }

  private Link connect() throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(settings.target().host(), settings.target().port());
    if (address.isUnresolved()) {
      throw new PingException(
          "no host is called " + settings.target().host(), "give its address, or mend its name");
    }
    Socket socket = new Socket();
    try {
      socket.connect(address, Math.toIntExact(settings.limit().toMillis()));
      return new Link(socket);
    } catch (IOException e) {
      socket.close();
      throw explained(e);
    }
  }

  private PingException explained(IOException failure) {
    if (failure instanceof ConnectException && !(failure instanceof NoRouteToHostException)) {
      return new PingException(
          "nothing listens at %s: %s".formatted(settings.target(), failure.getMessage()),
          "start it there: java -jar verbena-%s.jar serve --bind %s --port %d"
              .formatted(settings.version(), settings.target().host(), settings.target().port()),
          failure);
    }
    return new PingException(
        "%s cannot be reached: %s".formatted(settings.target(), failure.getMessage()),
        "look at the address, at routes and at firewalls between the hosts",
        failure);
  }
}
