package io.verbena.it.suites;

import io.verbena.it.cluster.ClusterException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles the few subclasses of Spark's test classes, which the build does not see. */
final class Subclasses {
  private Subclasses() {}

  /**
   * Compiles all sources below a folder.
   *
   * @param jars folders of jars for the class path
   * @throws ClusterException when there is no compiler, or it finds something; with its output
   */
  static void compile(Path sources, Path classes, List<Path> jars) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new ClusterException(
          System.getProperty("java.home") + " is no JDK: Spark's suites need one to be run");
    }
    List<Path> classPath = new ArrayList<>();
    for (Path folder : jars) {
      classPath.addAll(files(folder, ".jar"));
    }
    Files.createDirectories(classes);
    StringWriter output = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
      files.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath);
      boolean right =
          compiler
              .getTask(
                  output,
                  files,
                  null,
                  List.of("-proc:none", "-Xlint:all,-path,-classfile", "-Werror"),
                  null,
                  files.getJavaFileObjectsFromPaths(files(sources, ".java")))
              .call();
      if (!right) {
        throw new ClusterException("cannot compile " + sources + ":\n" + output);
      }
    }
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(f -> f.toString().endsWith(ending)).sorted().collect(Collectors.toList());
    }
  }
}
