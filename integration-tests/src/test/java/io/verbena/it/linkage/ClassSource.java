package io.verbena.it.linkage;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/**
 * Classes by their internal names ({@code java/lang/Object}) out of jars and a Java installation,
 * without loading them.
 *
 * <p>Threads: one.
 */
final class ClassSource implements AutoCloseable {
  private final List<JarFile> jars = new ArrayList<>();
  private final List<String> prefixes = new ArrayList<>();
  private final Map<String, Optional<ClassNode>> known = new HashMap<>();
  private final FileSystem java;

  /** Classes of the Java installation at this path. */
  ClassSource(Path javaHome) throws IOException {
    java = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", javaHome.toString()));
    try (Stream<Path> modules = Files.list(java.getPath("/modules"))) {
      modules.forEach(module -> prefixes.add(module.toString()));
    }
  }

  /** Adds a jar after those that are there. */
  ClassSource add(Path jar) throws IOException {
    jars.add(new JarFile(jar.toFile()));
    return this;
  }

  /** Adds all jars of a folder. */
  ClassSource addAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        add(jar);
      }
    }
    return this;
  }

  /** The class of this name without code, or nothing. */
  Optional<ClassNode> find(String name) {
    return known.computeIfAbsent(name, this::read);
  }

  private Optional<ClassNode> read(String name) {
    try {
      byte[] bytes = bytes(name);
      return bytes == null
          ? Optional.empty()
          : Optional.of(parse(bytes, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read class " + name, e);
    }
  }

  private byte[] bytes(String name) throws IOException {
    for (JarFile jar : jars) {
      for (String folder : List.of("", "META-INF/verbena/disni/")) {
        ZipEntry entry = jar.getEntry(folder + name + ".class");
        if (entry != null) {
          try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
          }
        }
      }
    }
    for (String module : prefixes) {
      Path file = java.getPath(module, name + ".class");
      if (Files.exists(file)) {
        return Files.readAllBytes(file);
      }
    }
    return null;
  }

  /** All classes of a jar below a package, with code. */
  static List<ClassNode> classes(Path path, String below) throws IOException {
    List<ClassNode> classes = new ArrayList<>();
    try (JarFile jar = new JarFile(path.toFile())) {
      for (var entries = jar.entries(); entries.hasMoreElements(); ) {
        var entry = entries.nextElement();
        if (entry.getName().startsWith(below) && entry.getName().endsWith(".class")) {
          try (InputStream in = jar.getInputStream(entry)) {
            classes.add(parse(in.readAllBytes(), 0));
          }
        }
      }
    }
    return classes;
  }

  private static ClassNode parse(byte[] bytes, int flags) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, flags);
    return node;
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
    java.close();
  }
}
