package io.verbena.memory;

import io.verbena.host.HostFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds where regions could lie, best first, without touching anything. */
final class Mounts {
  private static final String MOUNTS = "/proc/self/mounts";
  private static final Path SHM = Path.of("/dev/shm");

  /** A directory to try, and why it is in the list. */
  record Candidate(Backing backing, Path root) {}

  private Mounts() {}

  /** Candidates in the order of the settings' backings. */
  static List<Candidate> candidates(HostFiles host, PoolSettings settings) {
    List<Candidate> found = new ArrayList<>();
    List<Candidate> memory =
        settings.memoryDirectories().isEmpty()
            ? detect(host.lines(MOUNTS))
            : classify(host, settings.memoryDirectories());
    for (Backing backing : settings.backings()) {
      if (backing == Backing.DISK) {
        settings.localDirectories().forEach(root -> found.add(new Candidate(backing, root)));
      } else {
        memory.stream().filter(place -> place.backing() == backing).forEach(found::add);
      }
    }
    return found;
  }

  /**
   * Memory mounts in the lines of a mount table: huge pages, then tmpfs of huge pages, then shm.
   */
  static List<Candidate> detect(List<String> mountTable) {
    List<Candidate> hugetlbfs = new ArrayList<>();
    List<Candidate> hugeTmpfs = new ArrayList<>();
    for (String line : mountTable) {
      String[] fields = line.split(" ", -1);
      if (fields.length < 4) {
        continue;
      }
      Path root = Path.of(unescape(fields[1]));
      List<String> options = List.of(fields[3].split(",", -1));
      if (fields[2].equals("hugetlbfs")) {
        hugetlbfs.add(new Candidate(Backing.HUGETLBFS, root));
      } else if (fields[2].equals("tmpfs")
          && options.contains("huge=always")
          && !root.equals(SHM)) {
        hugeTmpfs.add(new Candidate(Backing.TMPFS, root));
      }
    }
    List<Candidate> all = new ArrayList<>(hugetlbfs);
    all.addAll(hugeTmpfs);
    all.add(new Candidate(Backing.TMPFS, SHM));
    return all;
  }

  private static List<Candidate> classify(HostFiles host, List<Path> directories) {
    List<Candidate> all = new ArrayList<>();
    for (Path root : directories) {
      boolean huge = isHugetlbfs(host, root);
      all.add(new Candidate(huge ? Backing.HUGETLBFS : Backing.TMPFS, root));
    }
    return all;
  }

  private static boolean isHugetlbfs(HostFiles host, Path root) {
    try {
      return host.space(root.toString()).type().toLowerCase(Locale.ROOT).equals("hugetlbfs");
    } catch (IOException e) {
      // Not there yet: it will be made, which hugetlbfs mounts are not.
      return false;
    }
  }

  /** Mount tables write blanks and backslashes as octal escapes. */
  private static String unescape(String field) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < field.length(); i++) {
      if (field.charAt(i) == '\\' && i + 3 < field.length()) {
        plain.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        plain.append(field.charAt(i));
      }
    }
    return plain.toString();
  }
}
