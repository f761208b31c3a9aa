package io.verbena.transport.verbs;

import io.verbena.nativelib.DisniClassLoader;
import io.verbena.nativelib.LibraryUnavailableException;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes fabrics, whose classes are not on the application's class path. The native library is
 * loaded once per process.
 */
final class FabricLoader {
  private static final String CLASS = "io.verbena.transport.verbs.impl.DisniFabric";

  private static ClassLoader loader;

  private FabricLoader() {}

  static Fabric load(List<Path> folders) throws VerbsUnavailableException {
    try {
      return Class.forName(CLASS, true, loader(folders))
          .asSubclass(Fabric.class)
          .getConstructor()
          .newInstance();
    } catch (LibraryUnavailableException e) {
      throw new VerbsUnavailableException(e.getMessage(), e);
    } catch (ReflectiveOperationException | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new VerbsUnavailableException(
          "the RDMA libraries cannot be used: " + cause.getMessage(), e);
    }
  }

  private static synchronized ClassLoader loader(List<Path> folders)
      throws LibraryUnavailableException {
    if (loader == null) {
      loader = DisniClassLoader.open(folders);
    }
    return loader;
  }
}
