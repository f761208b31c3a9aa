package io.verbena.it.softroce;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.OnDemand;
import io.verbena.it.ScriptRun;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.transport.verbs.VerbsTrial;
import io.verbena.transport.verbs.VerbsUnavailableException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the real libraries do on a host with a device that lacks something else, in a virtual
 * machine: the reasons that executors log, and the doctor's.
 */
final class LackingHostIT {
  @TempDir private Path folder;

  @OnDemand
  @Test
  void whatIsMissingBesideTheDeviceIsNamed() throws Exception {
    String java = String.join(" ", SoftRoce.java());
    String jar = ProjectJars.verbena().toAbsolutePath().toString();
    String classes =
        Stream.concat(
                Stream.of(jar, Path.of("target/test-classes").toAbsolutePath().toString()),
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                    .filter(entry -> entry.contains("slf4j-api")))
            .collect(Collectors.joining(File.pathSeparator));
    String trial = "%s -cp %s %s".formatted(java, classes, LackingHostIT.class.getName());
    String doctor = "%s -jar %s doctor | grep -A2 -E '^fail'".formatted(java, jar);

    ScriptRun ended =
        SoftRoce.boot(
            folder,
            Duration.ofMinutes(5),
            "run",
            "--",
            "sh",
            "-c",
            """
            echo whole; %1$s
            mv /usr/lib/x86_64-linux-gnu/libibverbs /tmp/
            echo no driver; %1$s; %2$s
            mv /tmp/libibverbs /usr/lib/x86_64-linux-gnu/
            mv /dev/infiniband/uverbs0 /tmp/
            echo no file; %1$s; %2$s
            mv /tmp/uverbs0 /dev/infiniband/; mv /dev/infiniband/rdma_cm /tmp/
            echo no manager; %1$s; %2$s
            rdma link delete rxe0
            echo no device; %1$s
            """
                .formatted(trial, doctor));

    assertThat(ended.out() + ended.err())
        .containsSubsequence(
            "whole\nworks\n",
            "no driver\nlibibverbs has no driver for the RDMA devices of this host (rxe0): install",
            "fail  drivers of libibverbs: none\n",
            "apt-get install ibverbs-providers",
            "no file\n"
                + "this host has RDMA devices (rxe0), but /dev/infiniband has no file of theirs:"
                + " mod",
            "fail  /dev/infiniband: no file of rxe0\n",
            "no manager\n",
            "/dev/infiniband/rdma_cm is missing: modprobe rdma_ucm",
            "fail  /dev/infiniband: rdma_cm is missing\n",
            "no device\nthis host has no RDMA device (/sys/class/infiniband is empty)");
  }

  /** In the machine. */
  public static void main(String[] args) {
    try {
      VerbsTrial.run("localhost", "", "");
      System.out.println("works");
    } catch (IOException | VerbsUnavailableException e) {
      System.out.println(e.getMessage());
    }
  }
}
