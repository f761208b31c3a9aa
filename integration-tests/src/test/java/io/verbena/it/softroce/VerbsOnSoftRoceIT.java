package io.verbena.it.softroce;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.ScriptRun;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the {@code verbs} transport that need an RDMA device, in virtual machines. */
final class VerbsOnSoftRoceIT {
  private static final Path MODULE = Path.of("../block-transfer/target").toAbsolutePath();
  private static final Pattern NEEDED =
      Pattern.compile("(junit-|opentest4j|apiguardian|assertj|byte-buddy|slf4j-api).*\\.jar");

  @TempDir private Path folder;

  @Test
  void contractAndFaultsHold() throws Exception {
    run("rdma", 33, Duration.ofMinutes(20));
  }

  @Test
  void aDeviceMayBeRemovedWhileItIsReadThrough() throws Exception {
    run("rdma-removal", 1, Duration.ofMinutes(5));
  }

  private void run(String tag, int least, Duration limit) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--memory", "2g", "--"));
    arguments.addAll(SoftRoce.java());
    arguments.addAll(
        List.of("-cp", classPath(), TaggedTests.class.getName(), tag, Integer.toString(least)));

    ScriptRun ended = SoftRoce.boot(folder, limit, "run", arguments.toArray(String[]::new));

    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    assertThat(ended.out()).contains(" tests succeeded");
  }

  private static String classPath() {
    List<String> entries = new ArrayList<>();
    entries.add(MODULE.resolve("classes").normalize().toString());
    entries.add(MODULE.resolve("test-classes").normalize().toString());
    entries.add(Path.of("target/test-classes").toAbsolutePath().toString());
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> NEEDED.matcher(new File(entry).getName()).matches())
        .forEach(entries::add);
    return String.join(File.pathSeparator, entries);
  }
}
