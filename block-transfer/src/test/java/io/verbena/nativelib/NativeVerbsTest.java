package io.verbena.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.transport.verbs.impl.CloseInWrongOrder;
import io.verbena.transport.verbs.impl.VerbsMisuse;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The native library behind DiSNI and our own methods, on a device that is not there. */
final class NativeVerbsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.ibm.disni.verbs.impl.NativeDispatcher",
        "com.ibm.disni.util.NativeAffinity",
        "io.verbena.transport.verbs.impl.VerbsNative"
      })
  void libraryHasEachNativeMethodThatJavaDeclares(String className) throws Exception {
    Path folder = NativeTests.build();
    NativeTests.Result symbols =
        NativeTests.run(
            List.of("nm", "-D", "--defined-only", folder.resolve("libdisni.so").toString()),
            Map.of());
    Class<?> type = Class.forName(className, false, NativeVerbsTest.class.getClassLoader());
    List<String> wanted =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> Modifier.isNative(method.getModifiers()))
            .map(NativeVerbsTest::symbol)
            .toList();
    assertThat(wanted).isNotEmpty();
    assertThat(
            symbols
                .output()
                .lines()
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .collect(Collectors.toSet()))
        .containsAll(wanted);
  }

  private static String symbol(Method method) {
    return "Java_"
        + method.getDeclaringClass().getName().replace('.', '_')
        + "_"
        + method.getName().replace("_", "_1");
  }

  @Test
  void misuseAndRacesHoldUnderSanitizersWithoutJvm() throws Exception {
    Path folder = NativeTests.build();
    NativeTests.Result result =
        NativeTests.run(List.of(folder.resolve("drive").toString()), Map.of());
    assertThat(result.output()).isEqualTo("all held\n");
    assertThat(result.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(classes = {DisniMisuse.class, VerbsMisuse.class})
  void everyMethodSurvivesWrongArgumentsUnderCheckedJni(Class<?> program) throws Exception {
    Path folder = NativeTests.build();
    NativeTests.Result result =
        NativeTests.run(
            NativeTests.java(
                program,
                "-Xcheck:jni",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Djava.library.path=" + folder),
            Map.of("LD_PRELOAD", folder.resolve("libfake_rdma.so").toString()));
    assertThat(result.output()).isEqualTo("all held\n");
    assertThat(result.exitCode()).isZero();
  }

  /** What is open is told, once each, and what can be closed is. */
  @Test
  void aFabricThatIsClosedBeforeItsPartsSaysSoAndClosesTheRest() throws Exception {
    Path folder = NativeTests.build();
    NativeTests.Result result =
        NativeTests.run(
            NativeTests.java(
                CloseInWrongOrder.class,
                "-Xcheck:jni",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Djava.library.path=" + folder),
            Map.of("LD_PRELOAD", folder.resolve("libfake_rdma.so").toString()));
    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output()).endsWith("all held\n");
    assertThat(result.output().lines().filter(line -> line.contains("Cannot ")))
        .satisfiesExactly(
            line -> assertThat(line).contains("Cannot destroy a completion queue: ", "still used"),
            line -> assertThat(line).contains("Cannot destroy the completion channel: "),
            line -> assertThat(line).contains("Cannot free the protection domain: ", "still used"),
            line -> assertThat(line).contains("Cannot destroy the event channel: ", "still used"),
            line -> assertThat(line).contains("Cannot destroy a connection id: "));
  }

  @Test
  void folderMountedNoexecIsPassedOver(@TempDir Path noexec, @TempDir Path more) throws Exception {
    String script = "mount -t tmpfs -o noexec none \"$0\" && exec \"$@\"";
    List<String> enter = List.of("unshare", "-rm", "sh", "-c", script, noexec.toString());
    assumeTrue(
        NativeTests.run(concat(enter, List.of("true")), Map.of()).exitCode() == 0,
        "no mount namespaces here");
    List<String> java =
        NativeTests.java(NoexecFolder.class, "-Djava.io.tmpdir=" + noexec, "-Dmore=" + more);
    NativeTests.Result result = NativeTests.run(concat(enter, java), Map.of());
    assertThat(result.output().lines()).containsExactly(noexec.toString(), more.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(more).isEmptyDirectory();
  }

  private static List<String> concat(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /** Prints the folders that were tried; the last one worked. */
  static final class NoexecFolder {
    private NoexecFolder() {}

    public static void main(String[] args) throws LibraryUnavailableException {
      NativeLibraries.load(
          "verbena_memory",
          List.of(Path.of(System.getProperty("more"))),
          path -> {
            System.out.println(Path.of(path).getParent());
            System.load(path);
          });
    }
  }
}
