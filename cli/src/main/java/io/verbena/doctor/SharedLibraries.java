package io.verbena.doctor;

import java.io.File;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shared libraries where the dynamic linker looks for them. */
final class SharedLibraries {
  private static final Pattern PROVIDER = Pattern.compile("lib(.+)-rdmav[0-9]+\\.so");

  private final Host host;
  private final Set<String> folders = new LinkedHashSet<>();

  SharedLibraries(Host host) {
    this.host = host;
    String path = host.env().getOrDefault("LD_LIBRARY_PATH", "");
    Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .forEach(folders::add);
    for (String name : host.files().names("/etc/ld.so.conf.d")) {
      host.files().lines("/etc/ld.so.conf.d/" + name).stream()
          .map(String::strip)
          .filter(line -> line.startsWith("/"))
          .forEach(folders::add);
    }
    folders.addAll(List.of("/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"));
  }

  private Optional<String> find(String name) {
    return folders.stream()
        .map(folder -> folder + "/" + name)
        .filter(host.files()::exists)
        .findFirst();
  }

  /** Those of the names that are not found. */
  List<String> missing(String... names) {
    return Arrays.stream(names).filter(name -> find(name).isEmpty()).toList();
  }

  /** Short names of the drivers that libibverbs loads, such as {@code mlx5}, in their order. */
  List<String> providers() {
    return folders.stream()
        .flatMap(folder -> host.files().names(folder + "/libibverbs").stream())
        .map(PROVIDER::matcher)
        .filter(Matcher::matches)
        .map(match -> match.group(1))
        .distinct()
        .sorted()
        .toList();
  }

  /** The path of one that is there. */
  String found(String name) {
    return find(name).orElseThrow();
  }
}
