package io.verbena.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The project's version, which the build writes into the jar. */
public final class Version implements IVersionProvider {
  private static final String RESOURCE = "version.properties";

  /** Such as {@code 0.1.0}. */
  public static String text() {
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("this jar lacks " + RESOURCE + ": build it anew");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE + " of this jar", e);
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {"verbena " + text()};
  }
}
