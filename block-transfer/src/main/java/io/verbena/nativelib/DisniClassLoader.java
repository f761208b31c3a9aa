package io.verbena.nativelib;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;

/**
 * Defines DiSNI's classes, and ours that name them, apart from those of the application. DiSNI's
 * are resources of our jar: the application sees no class of it and may bring another version.
 *
 * <p>DiSNI asks for a library {@code disni} by name, from wherever the JVM was told to look; this
 * loader answers with the one in the jar. A library belongs to one class loader, so each loader has
 * its own copy, which is removed as soon as it is loaded.
 *
 * <p>Threads: any.
 */
public final class DisniClassLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String LIBRARY = "verbena_verbs";

  /** Where the build puts DiSNI's classes. */
  private static final String DISNI_FOLDER = "META-INF/verbena/disni/";

  private static final String DISNI = "com.ibm.disni.";

  /** Our classes that name DiSNI's; their interfaces are the application's. */
  private static final String OURS = "io.verbena.transport.verbs.impl.";

  /** Classes whose initialisers call {@link System#loadLibrary}. */
  private static final List<String> NATIVE_CLASSES =
      List.of("com.ibm.disni.verbs.impl.NativeDispatcher", "com.ibm.disni.util.NativeAffinity");

  /** The library's copy, while it is there. */
  private volatile String library;

  private DisniClassLoader(ClassLoader parent) {
    super("disni", parent);
  }

  /**
   * A loader with the library loaded and DiSNI's native classes initialised.
   *
   * @param folders to try besides the usual ones, for a copy of the library: where Spark's local
   *     files go
   * @throws LibraryUnavailableException says which folders were tried and what was wrong with each
   */
  public static ClassLoader open(List<Path> folders) throws LibraryUnavailableException {
    DisniClassLoader loader = new DisniClassLoader(DisniClassLoader.class.getClassLoader());
    NativeLibraries.load(LIBRARY, folders, loader::loadLibrary);
    return loader;
  }

  private void loadLibrary(String path) {
    library = path;
    try {
      loadClass(LibraryAnchor.class.getName()).getMethod("load", String.class).invoke(null, path);
      for (String name : NATIVE_CLASSES) {
        Class.forName(name, true, this);
      }
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof UnsatisfiedLinkError error) {
        throw error;
      }
      throw new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the jar lacks a class", e);
    } finally {
      library = null;
    }
  }

  @Override
  protected String findLibrary(String name) {
    return name.equals("disni") ? library : null;
  }

  private static boolean isOwn(String name) {
    return name.startsWith(DISNI)
        || name.startsWith(OURS)
        || name.equals(LibraryAnchor.class.getName());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isOwn(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = findClass(name);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (!isOwn(name)) {
      throw new ClassNotFoundException(name);
    }
    String file = name.replace('.', '/') + ".class";
    String resource = name.startsWith(DISNI) ? DISNI_FOLDER + file : file;
    try (InputStream in = getParent().getResourceAsStream(resource)) {
      if (in == null) {
        throw new ClassNotFoundException(name + ": there is no resource " + resource);
      }
      byte[] bytes = in.readAllBytes();
      ProtectionDomain domain = DisniClassLoader.class.getProtectionDomain();
      return defineClass(name, bytes, 0, bytes.length, domain);
    } catch (IOException e) {
      throw new ClassNotFoundException(name + ": " + resource + " cannot be read", e);
    }
  }
}
