package io.verbena.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetching of a package, with scripts in npm's place. */
final class NpmPackageTest {
  private static final NpmPackage PACKAGE = new NpmPackage("some-data", "1.2.3");
  private static final List<String> PATHS = List.of("data/a.csv", "data/b.csv");

  @TempDir private Path folder;

  @Test
  void filesAreTakenOutOfTheArchiveAndNothingElseIsLeft() throws Exception {
    archive(Map.of("package/data/a.csv", "A", "package/data/b.csv", "B", "package/c", "C"));
    PACKAGE.provide(npm("cp '%s' \"$4/x.tgz\"; test \"$2\" = some-data@1.2.3"), data(), PATHS);
    assertThat(Files.readString(data().resolve("a.csv"))).isEqualTo("A");
    assertThat(Files.readString(data().resolve("b.csv"))).isEqualTo("B");
    try (Stream<Path> files = Files.list(data())) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void whatIsThereIsNotFetchedAgain() throws Exception {
    Files.createDirectories(data());
    Files.writeString(data().resolve("a.csv"), "old");
    Files.writeString(data().resolve("b.csv"), "old");
    PACKAGE.provide("/nonexistent/npm", data(), PATHS);
    assertThat(Files.readString(data().resolve("a.csv"))).isEqualTo("old");
  }

  @Test
  void missingNpmIsToldWithWhatToDo() {
    assertThatThrownBy(() -> PACKAGE.provide("/nonexistent/npm", data(), PATHS))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot run /nonexistent/npm")
        .hasMessageEndingWith(
            "put data/a.csv and data/b.csv of the npm package some-data@1.2.3 into " + data());
  }

  @Test
  void failureOfNpmIsToldInItsWords() {
    assertThatThrownBy(() -> PACKAGE.provide(npm("echo no way >&2; exit 3"), data(), PATHS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("exit code 3")
        .hasMessageContaining("no way")
        .hasMessageContaining("some-data@1.2.3 into " + data());
    assertThat(data()).isEmptyDirectory();
  }

  @Test
  void packageThatLacksAFileIsRefused() throws Exception {
    archive(Map.of("package/data/a.csv", "A"));
    assertThatThrownBy(() -> PACKAGE.provide(npm("cp '%s' \"$4/x.tgz\""), data(), PATHS))
        .hasMessage("the npm package some-data@1.2.3 lacks [package/data/b.csv]");
    assertThat(data().resolve("b.csv")).doesNotExist();
  }

  private Path data() {
    return folder.resolve("data");
  }

  private Path tgz() {
    return folder.resolve("made.tgz");
  }

  private void archive(Map<String, String> files) throws IOException {
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new GZIPOutputStream(Files.newOutputStream(tgz())))) {
      for (Map.Entry<String, String> file : files.entrySet()) {
        byte[] bytes = file.getValue().getBytes(StandardCharsets.UTF_8);
        TarArchiveEntry entry = new TarArchiveEntry(file.getKey());
        entry.setSize(bytes.length);
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
      }
    }
  }

  /** A script; its arguments are {@code pack NAME --pack-destination FOLDER}. */
  private String npm(String body) throws IOException {
    Path script = folder.resolve("npm");
    Files.writeString(script, "#!/bin/sh\n" + body.replace("%s", tgz().toString()) + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script.toString();
  }
}
