package io.verbena.doctor;

import io.verbena.host.HostFiles;
import io.verbena.nativelib.NativeLibraries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whether the jar's native libraries can be loaded: they are copied to a folder first. */
final class NativeCheck implements Check {
  private static final String CHECK = "native.folder";
  private static final String SUBJECT = "folder for native libraries";

  @Override
  public List<Finding> look(Host host, Job job) {
    List<String> refused = new ArrayList<>();
    for (Path folder : NativeLibraries.folders(job.localDirectories(), host::property)) {
      String path = folder.isAbsolute() ? folder.toString() : host.property("user.dir");
      String problem = problem(host.files(), path);
      if (problem.isEmpty()) {
        String others = refused.isEmpty() ? "" : "; not " + String.join(", ", refused);
        return List.of(Finding.ok(CHECK, SUBJECT, path + others));
      }
      refused.add(path + " (" + problem + ")");
    }
    return List.of(
        new Finding(
            CHECK,
            SUBJECT,
            Level.FAIL,
            "none: " + String.join(", ", refused),
            "a folder that executors may write to, on a file system without noexec",
            "--conf spark.executor.extraJavaOptions=-D"
                + NativeLibraries.FOLDER_PROPERTY
                + "=/path/to/folder"));
  }

  private static String problem(HostFiles files, String path) {
    if (!files.isWritable(path)) {
      return "cannot be written";
    }
    return options(files, path).contains("noexec") ? "noexec" : "";
  }

  /** Options of the mount that holds a path: of the mounts above it the lowest, the last there. */
  private static List<String> options(HostFiles files, String path) {
    List<String> options = List.of();
    int longest = -1;
    for (String line : files.lines("/proc/self/mounts")) {
      String[] fields = line.split(" ", -1);
      if (fields.length >= 4
          && Path.of(path).startsWith(fields[1])
          && fields[1].length() >= longest) {
        longest = fields[1].length();
        options = List.of(fields[3].split(",", -1));
      }
    }
    return options;
  }
}
