package io.verbena.apps.trajectory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Finds the files that a path of the user's means. */
final class TrajectoryFiles {
  private TrajectoryFiles() {}

  /**
   * A file, a pattern, or a folder. Of a folder the files with {@code .lammpstrj} or {@code dump}
   * in their names, so that a README beside them does no harm; when there are none, all files.
   *
   * @return sorted by path
   * @throws InputException when there is nothing to read
   */
  static List<Path> find(Configuration configuration, String input) throws InputException {
    try {
      Path pattern = new Path(input);
      FileSystem fileSystem = pattern.getFileSystem(configuration);
      FileStatus[] matches = fileSystem.globStatus(pattern);
      if (matches == null || matches.length == 0) {
        throw new InputException(input + ": no such file, folder or match of the pattern");
      }
      List<Path> files = new ArrayList<>();
      for (FileStatus match : matches) {
        if (match.isDirectory()) {
          files.addAll(filesOf(fileSystem, match.getPath()));
        } else {
          files.add(match.getPath());
        }
      }
      if (files.isEmpty()) {
        throw new InputException(input + ": no files in there");
      }
      files.sort(Comparator.naturalOrder());
      return files;
    } catch (IOException | IllegalArgumentException e) {
      throw new InputException(input + ": cannot be listed: " + e);
    }
  }

  private static List<Path> filesOf(FileSystem fileSystem, Path folder) throws IOException {
    List<Path> files =
        Arrays.stream(fileSystem.listStatus(folder))
            .filter(FileStatus::isFile)
            .map(FileStatus::getPath)
            .filter(path -> !path.getName().startsWith(".") && !path.getName().startsWith("_"))
            .toList();
    List<Path> dumps = files.stream().filter(path -> isDump(path.getName())).toList();
    return dumps.isEmpty() ? files : dumps;
  }

  private static boolean isDump(String name) {
    return name.contains(".lammpstrj") || name.contains("dump");
  }
}
