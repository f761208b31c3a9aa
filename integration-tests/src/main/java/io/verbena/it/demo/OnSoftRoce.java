package io.verbena.it.demo;

import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ManagedProcess;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.softroce.SparkHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs an application on two virtual machines that have a Soft-RoCE device each, an executor on
 * either.
 */
final class OnSoftRoce {
  /** Of the machines, which end by themselves then. */
  private static final Duration LIMIT = Duration.ofMinutes(30);

  /** For what the script does before and after, which may be to fetch packages. */
  private static final Duration AROUND = Duration.ofMinutes(15);

  private static final String DRIVERS = "a: ";

  private final SparkHome home;
  private final Path folder;
  private final Path out;

  /**
   * The next run.
   *
   * @param folder an existing one for what the machines print
   * @param out an existing one that they write below
   */
  OnSoftRoce(SparkHome home, Path folder, Path out) {
    this.home = home;
    this.folder = folder;
    this.out = out;
  }

  /** Boots the machines and waits for their end. */
  AppResult run(AppSpec app, Progress progress) throws IOException, InterruptedException {
    SparkHosts hosts = new SparkHosts(home, List.of(ProjectJars.applications()), out);
    List<String> command = command(hosts, app);
    long start = System.nanoTime();
    ManagedProcess machines =
        ManagedProcess.start("bin/soft-roce", folder.resolve("soft-roce"), command, Map.of());
    Thread hook = new Thread(() -> end(machines), "soft-roce-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      long limit = LIMIT.plus(AROUND).toNanos();
      progress.follow(() -> machines.isAlive() && System.nanoTime() - start < limit, hosts.log());
      int code = machines.waitFor(Duration.ZERO).orElse(Demo.FAILED);
      Duration wall = Duration.ofNanos(System.nanoTime() - start);
      String stdout = ofDriver(machines.stdout());
      Path file = Files.writeString(out.resolve("stdout"), stdout);
      return new AppResult(code, stdout, file, machines.stderr(), hosts.log(), wall);
    } finally {
      end(machines);
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The hook is running: this process is being ended.
      }
    }
  }

  private static void end(ManagedProcess machines) {
    machines.stop(Duration.ofSeconds(10));
  }

  private static List<String> command(SparkHosts hosts, AppSpec app) throws InterruptedException {
    String script = ProjectJars.module().resolve("../bin/soft-roce").normalize().toString();
    List<String> command = new ArrayList<>(List.of("bash", script, "pair"));
    command.addAll(List.of("--limit", Long.toString(LIMIT.toSeconds())));
    command.addAll(hosts.options());
    command.addAll(List.of("--until-a", "--"));
    command.addAll(hosts.driver(1, app));
    command.add("--");
    command.addAll(hosts.worker());
    return command;
  }

  /** What the first machine has printed, without the mark that it is the first one's. */
  private static String ofDriver(Path stdout) throws IOException {
    return Files.readString(stdout)
        .lines()
        .filter(line -> line.startsWith(DRIVERS))
        .map(line -> line.substring(DRIVERS.length()))
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
