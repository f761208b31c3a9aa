package io.verbena.cli;

import io.verbena.ping.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The secret that {@code serve} and {@code ping} have to share. */
final class SecretOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "File with what both sides have to know. Default: the variable VERBENA_PING_SECRET, else"
              + " no secret.")
  private Path file;

  byte[] read(Map<String, String> env) {
    try {
      return Secrets.read(file, env);
    } catch (IOException e) {
      throw new ParameterException(command.commandLine(), "cannot read the secret: " + e, e);
    }
  }
}
