package io.verbena.it.suites;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Files in Spark's {@code tests} jars that tests look up on the class path and then open by their
 * path, which works for folders of classes, as in Spark's build, and not for jars.
 */
final class TestFiles {
  private TestFiles() {}

  /** Copies them out of the jars of a folder. */
  static void unpack(Path jars, Path classes) throws IOException {
    Files.createDirectories(classes);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(jars, "*-tests.jar")) {
      for (Path file : files) {
        try (JarFile jar = new JarFile(file.toFile())) {
          for (ZipEntry entry : inRoot(jar)) {
            try (InputStream bytes = jar.getInputStream(entry)) {
              Files.copy(
                  bytes, classes.resolve(entry.getName()), StandardCopyOption.REPLACE_EXISTING);
            }
          }
        }
      }
    }
  }

  /** Pools of the fair scheduler. Others, as {@code hive-site.xml}, are read where they are. */
  private static List<ZipEntry> inRoot(JarFile jar) {
    return jar.stream()
        .filter(entry -> entry.getName().matches("fairscheduler[^/]*\\.xml"))
        .<ZipEntry>map(entry -> entry)
        .toList();
  }
}
