package io.verbena.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** All commands. A new one is one more of {@code subcommands}. */
@Command(
    name = "verbena",
    description = "Tools for operators of clusters with the RDMA shuffle.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DoctorCommand.class, PingCommand.class, ServeCommand.class},
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    usageHelpWidth = 100,
    footer = {
      "",
      "verbena COMMAND --help tells the options of a command.",
      "",
      "Exit code: 64 wrong usage, 70 a fault of the tool itself; others are the command's own."
    })
public final class Commands implements Runnable {
  /** Exit code of a command line that cannot be run. */
  public static final int WRONG_USAGE = 64;

  /** Exit code of a command that met something that it does not expect. */
  static final int FAULT = 70;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private Commands() {}

  /** Runs a command on standard output and standard error; gives its exit code. */
  public static int run(String[] args) {
    return commandLine(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8))
        .execute(args);
  }

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    CommandLine line = new CommandLine(new Commands()).setOut(out).setErr(err);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.getCommandSpec().exitCodeOnInvalidInput(WRONG_USAGE).exitCodeOnExecutionException(FAULT);
    line.getSubcommands()
        .values()
        .forEach(
            sub ->
                sub.getCommandSpec()
                    .exitCodeOnInvalidInput(WRONG_USAGE)
                    .exitCodeOnExecutionException(FAULT));
    return line;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "say which command");
  }
}
