package io.verbena.nativelib;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The native libraries in the jar. The file is removed as soon as it is loaded, so that nothing is
 * left behind by a killed process; the process keeps what it has mapped.
 *
 * <p>Threads: any.
 */
public final class NativeLibraries {
  /** System property with a folder that is tried before all others. */
  public static final String FOLDER_PROPERTY = "verbena.native.folder";

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private NativeLibraries() {}

  /** Loads a library into the class loader of this class. */
  public static void load(String name) throws LibraryUnavailableException {
    load(name, List.of(), System::load);
  }

  /** Loads a file as a library; throws {@link UnsatisfiedLinkError} when it cannot. */
  @FunctionalInterface
  interface Loader {
    void load(String path);
  }

  /**
   * Copies a library into one folder after the other until it can be loaded from there: temporary
   * folders are often mounted {@code noexec}.
   *
   * @param name without {@code lib} and {@code .so}
   * @param more folders to try besides those of {@link #folders}
   * @param loader called with the path of the copy, which is removed when it returns
   */
  static void load(String name, List<Path> more, Loader loader) throws LibraryUnavailableException {
    List<String> failures = new ArrayList<>();
    for (Path folder : folders(more, System::getProperty)) {
      Path file = null;
      try {
        file = extract(name, folder);
        loader.load(file.toString());
        return;
      } catch (IOException | UnsatisfiedLinkError e) {
        if (isDependencyMissing(e)) {
          throw new LibraryUnavailableException(
              "the native library %s needs another library that this host does not have: %s"
                  .formatted(name, e.getMessage()));
        }
        failures.add(folder + ": " + e.getMessage());
      } finally {
        delete(file, failures);
      }
    }
    throw new LibraryUnavailableException(
        "the native library %s cannot be loaded from any folder (-D%s=FOLDER names another): %s"
            .formatted(name, FOLDER_PROPERTY, String.join("; ", failures)));
  }

  /** Whether the dynamic linker misses a library, as it would from any folder. */
  private static boolean isDependencyMissing(Throwable e) {
    return e instanceof UnsatisfiedLinkError
        && String.valueOf(e.getMessage()).contains("cannot open shared object file");
  }

  private static void delete(Path file, List<String> failures) {
    if (file != null) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        failures.add("cannot remove " + file + ": " + e);
      }
    }
  }

  /**
   * Folders that a library may be copied to, best first.
   *
   * @param property gives the JVM's system properties
   */
  public static List<Path> folders(List<Path> more, UnaryOperator<String> property) {
    Set<Path> folders = new LinkedHashSet<>();
    String named = property.apply(FOLDER_PROPERTY);
    if (named != null && !named.isEmpty()) {
      folders.add(Path.of(named));
    }
    folders.add(Path.of(property.apply("java.io.tmpdir")));
    folders.addAll(more);
    folders.add(Path.of("/dev/shm"));
    folders.add(Path.of(property.apply("user.home"), ".cache"));
    folders.add(Path.of(""));
    return List.copyOf(folders);
  }

  /**
   * Copies a library to a file of its own, which the caller removes.
   *
   * @throws LibraryUnavailableException when the jar has none for this machine
   * @throws IOException when it cannot be written there
   */
  static Path extract(String name, Path folder) throws LibraryUnavailableException, IOException {
    String resource = resource(name);
    try (InputStream in = NativeLibraries.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new LibraryUnavailableException(
            "this jar has no native library "
                + resource
                + ": it was built without a C compiler, or for other machines");
      }
      Path file = Files.createTempFile(folder, "verbena-" + name + "-", ".so", OWNER_ONLY);
      try {
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
      } catch (IOException | RuntimeException e) {
        Files.deleteIfExists(file);
        throw e;
      }
      return file.toAbsolutePath();
    }
  }

  private static String resource(String name) {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch");
    String machine = arch.equals("amd64") ? "x86_64" : arch;
    return "/META-INF/native/" + os + "-" + machine + "/lib" + name + ".so";
  }
}
