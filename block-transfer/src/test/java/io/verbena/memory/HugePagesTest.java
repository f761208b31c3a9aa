package io.verbena.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HugePagesTest {
  private static final int MIB = 1 << 20;
  private static final int SIZE = 8 * MIB;

  private Path directory;
  private Path file;
  private Mapping mapping;

  @BeforeEach
  void mapAFileOfZerosOnTmpfs() throws IOException {
    assertThat(NativeMemory.available()).as("native library and transparent huge pages").isTrue();
    directory = Files.createTempDirectory(Path.of("/dev/shm"), "huge-pages-test-");
    file = directory.resolve("region");
    mapping = Region.map(file, SIZE);
  }

  @AfterEach
  void removeIt() throws IOException {
    if (mapping != null) {
      mapping.unmap();
    }
    Files.deleteIfExists(file);
    Files.delete(directory);
  }

  /** KiB of this process's mapping of the file that are mapped as huge pages. */
  private long hugeKib() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"), StandardCharsets.UTF_8);
    boolean mine = false;
    for (String line : lines) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        mine = line.endsWith(file.toString());
      } else if (mine && line.startsWith("ShmemPmdMapped:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new AssertionError(file + " is not mapped");
  }

  private static void touch(ByteBuffer bytes, int from, int to) {
    for (int at = from; at < to; at += 4096) {
      bytes.put(at, (byte) (at >> 12));
    }
  }

  @Test
  void memoryThatWasPreparedIsHugeAndTheRestTakesNone() throws IOException {
    HugePages pages = HugePages.of(mapping, Backing.TMPFS, "test");

    assertThat(pages.prepare(3 * MIB)).isTrue();
    touch(mapping.bytes(), 0, 4 * MIB);

    assertThat(hugeKib()).isEqualTo(4096);
    assertThat(pages.end()).isEqualTo(4 * MIB);
    assertThat(pages.taken(3 * MIB)).isEqualTo(4 * MIB);
    assertThat(pages.taken(1)).as("what is there stays").isEqualTo(4 * MIB);
    assertThat(pages.taken(5 * MIB)).isEqualTo(6 * MIB);
  }

  @Test
  void bytesThatWereWrittenBeforeStayWhenTheirPagesBecomeHuge() throws IOException {
    touch(mapping.bytes(), 0, 2 * MIB);
    HugePages pages = HugePages.of(mapping, Backing.TMPFS, "test");

    assertThat(pages.prepare(SIZE)).isTrue();

    for (int at = 0; at < 2 * MIB; at += 4096) {
      assertThat(mapping.bytes().get(at)).isEqualTo((byte) (at >> 12));
    }
    assertThat(mapping.bytes().get(SIZE - 1)).isZero();
  }

  @Test
  void filesOnDiskAreLeftAlone() {
    assertThat(HugePages.of(mapping, Backing.DISK, "test")).isNull();
  }

  @Test
  void aFileThatIsTooShortIsNotMapped() {
    assertThatThrownBy(() -> Mapping.of(file, SIZE + 4096, false))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot map " + file + ": it has 8388608 bytes, expected at least 8392704");
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    assertThatThrownBy(() -> Mapping.of(directory.resolve("none"), SIZE, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot open " + directory.resolve("none") + ": No such file");
  }

  @Test
  void whatIsOutsideTheMappingIsRefused() {
    assertThatThrownBy(
            () -> NativeMemory.collapse(mapping.bytes(), SIZE, 2 * MIB, NativeMemory.hugePage()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> NativeMemory.collapse(mapping.bytes(), 4096, 2 * MIB, NativeMemory.hugePage()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                NativeMemory.collapse(
                    ByteBuffer.allocate(SIZE), 0, 2 * MIB, NativeMemory.hugePage()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> NativeMemory.unmap(null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> NativeMemory.map(file.toString(), SIZE, 3, false))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
