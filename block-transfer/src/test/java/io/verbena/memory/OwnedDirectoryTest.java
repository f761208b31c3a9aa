package io.verbena.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnedDirectoryTest {
  @TempDir Path root;

  private OwnedDirectory create(String name) throws IOException {
    return OwnedDirectory.create(root, name, UUID.randomUUID());
  }

  @Test
  void closeRemovesTheDirectoryAndTheLastOneRemovesTheUsers() throws IOException {
    OwnedDirectory first = create("app-1");
    OwnedDirectory second = create("app-2");
    Files.createFile(first.path().resolve("region-0"));
    first.close();
    first.close();
    assertThat(first.path()).doesNotExist();
    assertThat(second.path()).isDirectory();
    second.close();
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void ownDirectoriesAreNotCleaned() throws IOException {
    try (OwnedDirectory own = create("app-1")) {
      assertThat(OwnedDirectory.removeAbandoned(root)).isZero();
      assertThat(own.path().resolve("lock")).exists();
    }
  }

  @Test
  void directoryWhoseLockIsFreeIsRemoved() throws IOException {
    Path abandoned = OwnedDirectory.homePath(root).resolve("app-9-dead");
    Files.createDirectories(abandoned);
    Files.createFile(abandoned.resolve("lock"));
    Files.write(abandoned.resolve("region-0"), new byte[100]);
    assertThat(OwnedDirectory.removeAbandoned(root)).isEqualTo(1);
    assertThat(abandoned).doesNotExist();
  }

  @Test
  void directoryThatIsJustBeingMadeIsLeftAlone() throws IOException {
    Path fresh = OwnedDirectory.homePath(root).resolve("new-" + UUID.randomUUID());
    Files.createDirectories(fresh);
    assertThat(OwnedDirectory.removeAbandoned(root)).isZero();
    Files.createFile(fresh.resolve("lock"));
    assertThat(OwnedDirectory.removeAbandoned(root)).isZero();
    Files.setLastModifiedTime(fresh, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    assertThat(OwnedDirectory.removeAbandoned(root)).isEqualTo(1);
  }

  @Test
  void removalThatEndedHalfwayIsFinished() throws IOException {
    Path empty = OwnedDirectory.homePath(root).resolve("app-9-dead");
    Files.createDirectories(empty);
    assertThat(OwnedDirectory.removeAbandoned(root)).isEqualTo(1);
    assertThat(empty).doesNotExist();
  }

  @Test
  void namesBecomePlainFileNames() throws IOException {
    try (OwnedDirectory directory = create("../app 1/driver")) {
      assertThat(directory.path().getParent()).isEqualTo(OwnedDirectory.homePath(root));
      assertThat(directory.path().getFileName().toString()).startsWith(".._app_1_driver-");
    }
  }

  @Test
  void wideOpenUserDirectoryIsMadePrivateAndAFileInItsPlaceRefused() throws IOException {
    Path home = OwnedDirectory.homePath(root);
    Files.createDirectory(home);
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
    create("app-1").close();
    Files.createFile(home);
    assertThatThrownBy(() -> create("app-1"))
        .isInstanceOf(IOException.class)
        .hasMessage(home + " is no directory: remove it");
    Files.delete(home);
    Files.createSymbolicLink(home, Files.createDirectory(root.resolve("elsewhere")));
    assertThatThrownBy(() -> create("app-1")).hasMessage(home + " is no directory: remove it");
  }
}
