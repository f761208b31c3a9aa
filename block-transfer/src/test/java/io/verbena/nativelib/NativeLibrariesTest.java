package io.verbena.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeLibrariesTest {
  @Test
  void foldersAreTriedUntilOneAllowsLoading(@TempDir Path more) throws Exception {
    List<Path> tried = new ArrayList<>();
    NativeLibraries.load(
        "verbena_memory",
        List.of(more),
        path -> {
          assertThat(Path.of(path)).exists();
          tried.add(Path.of(path).getParent());
          if (tried.size() == 1) {
            throw new UnsatisfiedLinkError("failed to map segment from shared object");
          }
        });
    assertThat(tried).containsExactly(Path.of(System.getProperty("java.io.tmpdir")), more);
    assertThat(more).isEmptyDirectory();
  }

  @Test
  void failureNamesEachFolderWithItsReason(@TempDir Path more) {
    assertThatThrownBy(
            () ->
                NativeLibraries.load(
                    "verbena_memory",
                    List.of(more, more.resolve("absent")),
                    path -> {
                      throw new UnsatisfiedLinkError("no exec");
                    }))
        .isInstanceOf(LibraryUnavailableException.class)
        .hasMessageContaining("verbena_memory cannot be loaded from any folder")
        .hasMessageContaining("-Dverbena.native.folder=FOLDER")
        .hasMessageContaining(more + ": no exec")
        .hasMessageContaining(more.resolve("absent") + ": ")
        .hasMessageContaining("/dev/shm: no exec");
  }

  @Test
  void missingDependencyIsSaidOnceSinceNoFolderHelps() {
    List<String> tried = new ArrayList<>();
    assertThatThrownBy(
            () ->
                NativeLibraries.load(
                    "verbena_memory",
                    List.of(),
                    path -> {
                      tried.add(path);
                      throw new UnsatisfiedLinkError(
                          "libibverbs.so.1: cannot open shared object file: No such file");
                    }))
        .isInstanceOf(LibraryUnavailableException.class)
        .hasMessageContaining("needs another library that this host does not have: libibverbs");
    assertThat(tried).hasSize(1);
  }

  @Test
  void libraryThatTheJarLacksIsSaidWithItsResource() {
    assertThatThrownBy(() -> NativeLibraries.load("verbena_none"))
        .isInstanceOf(LibraryUnavailableException.class)
        .hasMessageContaining("/libverbena_none.so");
  }
}
