package io.verbena.cli;

import io.verbena.ping.HostPort;
import io.verbena.ping.Ping;
import io.verbena.ping.PingException;
import io.verbena.ping.PingReport;
import io.verbena.ping.PingSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tries all transports to a host where {@code serve} runs. */
@Command(
    name = "ping",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpWidth = 100,
    description = {
      "Reads test data of serve on another host by each transport, and tells which one a job would"
          + " use between the two, how fast it is, and why better ones are out.",
      ""
    },
    footer = {
      "",
      "Exit code: 0 the best transport works, 1 a better one is out, 2 the other host cannot be"
          + " read, 64 wrong usage.",
      "docs/operations.md explains the table, and the keys of --json."
    })
final class PingCommand implements Callable<Integer> {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([km]?)");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "HOST[:PORT]",
      description = "Where serve listens. Default port: " + HostPort.DEFAULT_PORT + ".")
  private String to;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "SIZE",
      defaultValue = "64,4k,64k,1m",
      description = "Sizes of a READ, at most 16m. Default: ${DEFAULT-VALUE}.")
  private List<String> sizes;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "0.5",
      description =
          "How long each size is timed, and again read with many READs posted."
              + " Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "16",
      description = "READs that are posted at a time then. Default: ${DEFAULT-VALUE}.")
  private int depth;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "Longest wait for an answer, and for a READ. Default: ${DEFAULT-VALUE}.")
  private int timeout;

  @Option(names = "--json", description = "Print one JSON object for programs.")
  private boolean json;

  @Mixin private SecretOption secret;

  @Mixin private ConfOptions conf;

  @Override
  public Integer call() throws InterruptedException {
    PingSettings settings = Arguments.checked(spec, this::settings);
    PrintWriter out = spec.commandLine().getOut();
    try {
      PingReport report = Ping.run(settings);
      out.print(json ? report.json() : report.text());
      return report.exitCode();
    } catch (PingException e) {
      if (json) {
        out.print(PingReport.json(settings, e));
      } else {
        spec.commandLine().getErr().println(e.getMessage());
        spec.commandLine().getErr().println("  mend: " + e.mend());
      }
      return PingReport.FAILED;
    } finally {
      out.flush();
    }
  }

  private PingSettings settings() {
    return new PingSettings(
        HostPort.parse(to),
        conf.readRdma(System.getenv()),
        secret.read(System.getenv()),
        Version.text(),
        sizes.stream().map(PingCommand::size).toList(),
        depth,
        Duration.ofNanos((long) (seconds * 1e9)),
        Duration.ofSeconds(timeout));
  }

  private static int size(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "--sizes " + text + ": bytes, such as 64, 4k or 1m, are needed");
    }
    int shift = matcher.group(2).isEmpty() ? 0 : matcher.group(2).equals("k") ? 10 : 20;
    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(matcher.group(1)) << shift);
  }
}
