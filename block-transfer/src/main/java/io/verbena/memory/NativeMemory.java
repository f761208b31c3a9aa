package io.verbena.memory;

import io.verbena.nativelib.LibraryUnavailableException;
import io.verbena.nativelib.NativeLibraries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Mappings that Java cannot make: aligned to huge pages, so that the kernel may use them. Needs the
 * native library and a kernel with transparent huge pages; without them {@link #available} is false
 * and pages stay small.
 *
 * <p>Threads: any.
 */
final class NativeMemory {
  private static final Path HUGE_PAGE_SIZE =
      Path.of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");

  /** Bytes of a huge page, 0 when there are none; then also why. */
  private record Found(int hugePage, String whyNot) {}

  private static final Found FOUND = load();
  private static final int HUGE_PAGE = FOUND.hugePage();

  private NativeMemory() {}

  private static Found load() {
    try {
      int size = Integer.parseInt(Files.readString(HUGE_PAGE_SIZE).strip());
      NativeLibraries.load("verbena_memory");
      return new Found(size, "");
    } catch (IOException | NumberFormatException e) {
      return new Found(0, "the kernel offers none (" + e + ")");
    } catch (LibraryUnavailableException e) {
      return new Found(0, e.getMessage());
    }
  }

  /** Whether the methods of this class may be called. */
  static boolean available() {
    return HUGE_PAGE > 0;
  }

  /** What is missing when {@link #available} is false. */
  static String whyNot() {
    return FOUND.whyNot();
  }

  /** Bytes of a huge page. */
  static int hugePage() {
    return HUGE_PAGE;
  }

  /**
   * Maps the first bytes of a file at a multiple of a size. {@link #unmap} ends it.
   *
   * @throws IOException when the file is shorter, since touching what is missing would be fatal
   */
  static native ByteBuffer map(String path, int length, int alignment, boolean writable)
      throws IOException;

  /** Ends a mapping of {@link #map}: nobody may touch it afterwards, also not through views. */
  static native void unmap(ByteBuffer mapping) throws IOException;

  /**
   * Moves whole huge pages of a mapping into huge pages, with what is in them; parts of the file
   * that have no memory yet get it. Others may read and write meanwhile.
   *
   * @param offset bytes, a multiple of {@code hugePage}
   * @param length bytes, a multiple of {@code hugePage}
   * @return 0, or the {@code errno} that says why not: the pages are as they were, or some of them
   *     are huge
   */
  static native int collapse(ByteBuffer mapping, int offset, int length, int hugePage);
}
