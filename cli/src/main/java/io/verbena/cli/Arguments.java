package io.verbena.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses values of options. */
final class Arguments {
  private Arguments() {}

  /** What a value is read as; that it cannot be read is wrong usage. */
  static <T> T checked(CommandSpec command, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }
}
