package io.verbena.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Main class of {@code bin/bench}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures this shuffle beside Spark's own on this machine.",
    subcommands = {
      FetchCommand.class,
      JobCommand.class,
      HeapCommand.class,
      MicroCommand.class,
      ReadCommand.class,
      ScaleCommand.class
    })
final class Bench implements Runnable {
  /** Exit code of wrong usage, as sysexits has it. */
  static final int USAGE = 64;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Bench());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    forAll(line);
    return line;
  }

  private static void forAll(CommandLine line) {
    line.getCommandSpec().exitCodeOnInvalidInput(USAGE);
    line.getSubcommands().values().forEach(Bench::forAll);
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "say what to measure");
  }
}
