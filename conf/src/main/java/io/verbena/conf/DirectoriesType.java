package io.verbena.conf;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Absolute paths with commas between, possibly none. Whether they exist is not asked here. */
record DirectoriesType() implements ValueType<List<Path>> {

  @Override
  public String name() {
    return "list of directories";
  }

  @Override
  public String allowed() {
    return "absolute paths, each at most once, with commas between, or nothing";
  }

  @Override
  public boolean allowsEmpty() {
    return true;
  }

  @Override
  public Parsed<List<Path>> parse(String text) {
    List<Path> result = new ArrayList<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      Parsed<Path> parsed = parseOne(part.trim());
      if (parsed instanceof Parsed.Fault<Path> refused) {
        return refused.as();
      }
      Path path = ((Parsed.Value<Path>) parsed).value();
      if (result.contains(path)) {
        return Parsed.fault(path + " is named twice", "name it once");
      }
      result.add(path);
    }
    return Parsed.value(List.copyOf(result));
  }

  private static Parsed<Path> parseOne(String name) {
    if (name.isEmpty()) {
      return Parsed.fault("a directory is missing beside a comma", "drop the comma");
    }
    try {
      Path path = Path.of(name);
      // Executors have working directories of their own: a relative path would name several.
      return path.isAbsolute()
          ? Parsed.value(path.normalize())
          : Parsed.fault("\"" + name + "\" is not an absolute path", "start it with /");
    } catch (InvalidPathException e) {
      return Parsed.fault("not a path: " + e.getReason(), "name a directory");
    }
  }
}
