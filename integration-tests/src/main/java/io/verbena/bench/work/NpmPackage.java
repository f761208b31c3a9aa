package io.verbena.bench.work;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Files of a package of the npm registry, fetched with npm, which checks what it gets against the
 * registry's digest. Nothing of the package is run.
 *
 * @param name the package
 * @param version its exact version
 */
record NpmPackage(String name, String version) {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /**
   * Puts files of the package into a folder unless they are all there.
   *
   * @param npm the client's command
   * @param paths where the files are in the package
   */
  void provide(String npm, Path folder, List<String> paths)
      throws IOException, InterruptedException {
    if (paths.stream().allMatch(path -> Files.exists(folder.resolve(fileName(path))))) {
      return;
    }
    Files.createDirectories(folder);
    Path fetched = Files.createTempDirectory(folder, "fetch-");
    Path log = fetched.resolve("npm.log");
    try {
      run(npm, fetched, log, folder, paths);
      try (var files = Files.newDirectoryStream(fetched, "*.tgz")) {
        for (Path archive : files) {
          unpack(archive, fetched, folder, paths);
          return;
        }
      }
      throw new IOException(
          "npm made no archive of " + this + "; it said:\n" + Files.readString(log));
    } finally {
      try (var files = Files.newDirectoryStream(fetched)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      Files.delete(fetched);
    }
  }

  private void run(String npm, Path fetched, Path log, Path folder, List<String> paths)
      throws IOException, InterruptedException {
    String otherwise =
        "; have npm, and a registry within its reach, or put %s of the npm package %s into %s"
            .formatted(String.join(" and ", paths), this, folder);
    Process process;
    try {
      process =
          new ProcessBuilder(npm, "pack", this.toString(), "--pack-destination", fetched.toString())
              .directory(fetched.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      throw new IOException("cannot run " + npm + " (" + e.getMessage() + ")" + otherwise, e);
    }
    boolean ended = false;
    try {
      ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } finally {
      if (!ended) {
        process.destroyForcibly();
      }
    }
    if (!ended || process.exitValue() != 0) {
      throw new IOException(
          "npm %s; it said:%n%s%n"
                  .formatted(
                      ended
                          ? "ended with exit code " + process.exitValue()
                          : "did not end within " + LIMIT.toSeconds() + " s",
                      Files.readString(log).strip())
              + otherwise.substring(2));
    }
  }

  /** Takes the files out of the archive; each appears in the folder whole or not at all. */
  void unpack(Path archive, Path scratch, Path folder, List<String> paths) throws IOException {
    Map<String, Path> missing = new HashMap<>();
    paths.forEach(path -> missing.put("package/" + path, folder.resolve(fileName(path))));
    List<Path> parts = new ArrayList<>();
    try (InputStream in = Files.newInputStream(archive);
        TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(in))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = missing.remove(entry.getName());
        if (target != null) {
          Path part = scratch.resolve("part-" + parts.size());
          parts.add(part);
          Files.copy(tar, part);
          Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new IOException("the npm package " + this + " lacks " + missing.keySet());
    }
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** As npm names it. */
  @Override
  public String toString() {
    return name + "@" + version;
  }
}
