package io.verbena.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The files of one host, below a root folder. Paths are absolute, as the host itself names them.
 *
 * <p>Threads: any.
 */
public final class HostFiles {
  private static final HostFiles THIS = new HostFiles(Path.of("/"), new LiveFileSystems());

  private final Path root;
  private final FileSystems fileSystems;

  /**
   * A host.
   *
   * @param root folder in which its paths begin
   * @param fileSystems answers what files cannot
   */
  public HostFiles(Path root, FileSystems fileSystems) {
    this.root = root;
    this.fileSystems = fileSystems;
  }

  /** The host that this process runs on. */
  public static HostFiles thisHost() {
    return THIS;
  }

  private Path at(String path) {
    return root.resolve(path.startsWith("/") ? path.substring(1) : path);
  }

  /** A file's text without blanks around it; empty when it cannot be read. */
  public Optional<String> text(String path) {
    try {
      return Optional.of(new String(Files.readAllBytes(at(path)), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      // Not there, or the kernel has no value: nothing to be known either way.
      return Optional.empty();
    }
  }

  /** A file's lines; none when it cannot be read. */
  public List<String> lines(String path) {
    return text(path).map(text -> text.lines().toList()).orElse(List.of());
  }

  /** A file's number; empty when it cannot be read or holds none. */
  public OptionalLong number(String path) {
    try {
      return OptionalLong.of(Long.parseLong(text(path).orElse("")));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * The rest of the first line of a file that begins with a key, without blanks around it; empty
   * when there is none.
   */
  public Optional<String> field(String path, String key) {
    return lines(path).stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()).strip())
        .findFirst();
  }

  /** Names in a folder in their order; none when it cannot be listed. */
  public List<String> names(String folder) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(at(folder))) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    } catch (IOException e) {
      return List.of();
    }
    names.sort(null);
    return names;
  }

  public boolean exists(String path) {
    return Files.exists(at(path));
  }

  /** The file system that holds a folder. */
  public Space space(String folder) throws IOException {
    return fileSystems.space(at(folder));
  }

  /** Whether this process may make files in a folder. */
  public boolean isWritable(String folder) {
    return fileSystems.isWritable(at(folder));
  }

  /** Opens a device file for reading and writing, and closes it. */
  public void open(String file) throws IOException {
    fileSystems.open(at(file));
  }
}
