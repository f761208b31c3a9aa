package io.verbena.cli;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Entry point of the jar. Names no class that needs SLF4J, which Spark brings and {@code java -jar}
 * does not: without it the commands run in a class loader that also has the SLF4J that lies in the
 * jar as resources, so that no application ever meets it.
 */
public final class Main {
  private static final String LOGGING = "org.slf4j.LoggerFactory";
  private static final String LOGGING_FOLDER = "META-INF/verbena/slf4j/";
  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";
  private static final String COMMANDS = "io.verbena.cli.Commands";

  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) throws ReflectiveOperationException {
    if (System.getProperty(LOG_LEVEL) == null) {
      // What commands have to say they print themselves; but whom the engine refuses in serve, and
      // what memory it cannot register, the engine alone knows.
      boolean serves = args.length > 0 && args[0].equals("serve");
      System.setProperty(LOG_LEVEL, serves ? "warn" : "error");
    }
    Class<?> commands = Class.forName(COMMANDS, true, loader());
    System.exit((int) commands.getMethod("run", String[].class).invoke(null, (Object) args));
  }

  private static ClassLoader loader() {
    ClassLoader own = Main.class.getClassLoader();
    if (own.getResource(LOGGING.replace('.', '/') + ".class") != null) {
      return own;
    }
    URL logging = own.getResource(LOGGING_FOLDER);
    if (logging == null) {
      throw new IllegalStateException("this jar lacks " + LOGGING_FOLDER + ": build it anew");
    }
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(url(Path.of(entry)));
    }
    urls.add(logging);
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(entry + " on the class path is no file", e);
    }
  }
}
