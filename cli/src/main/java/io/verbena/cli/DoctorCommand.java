package io.verbena.cli;

import io.verbena.doctor.Doctor;
import io.verbena.doctor.Host;
import io.verbena.doctor.Report;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells what a job would find on this host. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpWidth = 100,
    description = {
      "Tells whether the shuffle will work on this host, by which transport, and what to mend. Run"
          + " it where executors run: as their user, in their container, with their limits, with"
          + " their Java.",
      ""
    },
    footer = {
      "",
      "Exit code: 0 all is well, 1 there are warnings, 2 something does not work, 64 wrong usage.",
      "docs/operations.md explains each finding, and the keys of --json."
    })
final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ConfOptions conf;

  @Option(names = "--json", description = "Print one JSON object for programs.")
  private boolean json;

  @Override
  public Integer call() {
    Host host = Host.live();
    Report report = Doctor.look(host, conf.read(host.env()));
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? report.json(Version.text()) : report.text(Version.text()));
    out.flush();
    return report.exitCode();
  }
}
