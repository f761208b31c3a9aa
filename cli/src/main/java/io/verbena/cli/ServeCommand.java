package io.verbena.cli;

import io.verbena.ping.HostPort;
import io.verbena.ping.PingException;
import io.verbena.ping.ServeSettings;
import io.verbena.ping.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds memory that {@code ping} on another host reads. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpWidth = 100,
    description = {
      "Waits for ping, which reads test data of this host as an executor would read a shuffle's."
          + " Run it where executors run: as their user, in their container, with their limits.",
      ""
    },
    footer = {
      "",
      "Exit code: 0 its time is over, 2 it cannot listen or has no memory, 64 wrong usage.",
      "docs/operations.md says more."
    })
final class ServeCommand implements Callable<Integer> {
  private static final int FAILURE = 2;
  private static final int MOST_MINUTES = 7 * 24 * 60;

  @Spec private CommandSpec spec;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Address of this host to listen on, as executors have it. With it, RDMA connections are"
              + " taken too, on the device that an executor with this address would use."
              + " Default: ${DEFAULT-VALUE}, for this host alone and without RDMA.")
  private String bind;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "" + HostPort.DEFAULT_PORT,
      description = "TCP port to listen on; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--limit",
      paramLabel = "MINUTES",
      defaultValue = "60",
      description = "When it ends by itself. Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Mixin private SecretOption secret;

  @Mixin private ConfOptions conf;

  @Override
  public Integer call() throws IOException {
    ServeSettings settings =
        new ServeSettings(
            bind,
            Arguments.checked(spec, () -> HostPort.checkPort(port, 0)),
            conf.readRdma(System.getenv()),
            secret.read(System.getenv()),
            Version.text());
    if (limit < 1 || limit > MOST_MINUTES) {
      throw new ParameterException(
          spec.commandLine(),
          "--limit " + limit + ": minutes from 1 to " + MOST_MINUTES + " are needed");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (Server server = Server.open(settings)) {
      Thread end = new Thread(() -> close(server), "verbena-serve-end");
      Runtime.getRuntime().addShutdownHook(end);
      out.print(server.text());
      out.println(
          "now, on another host: java -jar verbena-%s.jar ping %s"
              .formatted(Version.text(), server.address()));
      out.println("ends in " + limit + " minutes, or with Ctrl-C");
      out.flush();
      server.run(Duration.ofMinutes(limit), out);
      return 0;
    } catch (PingException e) {
      spec.commandLine().getErr().println(e.getMessage());
      spec.commandLine().getErr().println("  mend: " + e.mend());
      return FAILURE;
    }
  }

  private void close(Server server) {
    try {
      server.close();
    } catch (IOException e) {
      spec.commandLine().getErr().println("Not all was removed: " + e);
    }
  }
}
