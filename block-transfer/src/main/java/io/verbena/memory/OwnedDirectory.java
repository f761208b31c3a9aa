package io.verbena.memory;

import static io.verbena.log.LogKey.PATH;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * A process's directory {@code <root>/verbena-<user>/<name>-<nonce>}, which is its own for as long
 * as it holds the lock on the file {@code lock} in it. A directory whose lock can be taken was left
 * by a dead process.
 *
 * <p>A POSIX lock belongs to the process and is gone when <em>any</em> descriptor of its file is
 * closed. So nobody may open the lock file of a directory that this JVM owns: owned paths stand in
 * system properties, which all class loaders share.
 */
final class OwnedDirectory implements AutoCloseable {
  private static final KeyedLogger LOG = KeyedLogger.of(OwnedDirectory.class);

  private static final String LOCK = "lock";
  private static final String FRESH = "new-";
  private static final String OWNED = "io.verbena.directory.";
  private static final Duration FRESH_AGE = Duration.ofMinutes(10);
  private static final int ATTEMPTS = 10;

  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<?> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PRIVATE);
  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path path;
  private final FileChannel lockChannel;
  private boolean closed;

  private OwnedDirectory(Path path, FileChannel lockChannel) {
    this.path = path;
    this.lockChannel = lockChannel;
  }

  /**
   * Makes a directory and locks it before it can be seen under its name.
   *
   * @param root the mount or local directory
   * @param name what to call it; the nonce makes it unique
   */
  static OwnedDirectory create(Path root, String name, UUID nonce) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Path home = home(root);
      try {
        return createIn(home, name, nonce);
      } catch (NoSuchFileException e) {
        // Another process was the last to leave and removed the user's directory.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static OwnedDirectory createIn(Path home, String name, UUID nonce) throws IOException {
    Path fresh = home.resolve(FRESH + nonce);
    Path path = home.resolve(plain(name) + "-" + nonce);
    own(fresh);
    own(path);
    FileChannel channel = null;
    try {
      Files.createDirectory(fresh, PRIVATE_DIRECTORY);
      channel =
          FileChannel.open(
              fresh.resolve(LOCK),
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PRIVATE_FILE);
      if (channel.tryLock() == null) {
        throw new IOException(fresh.resolve(LOCK) + " is locked by another process");
      }
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
      return new OwnedDirectory(path, channel);
    } catch (IOException | RuntimeException e) {
      if (channel != null) {
        channel.close();
      }
      deleteAll(fresh);
      disown(path);
      throw e;
    } finally {
      disown(fresh);
    }
  }

  /** The user's directory in a root: made when missing, refused when it is somebody else's. */
  private static Path home(Path root) throws IOException {
    Path home = homePath(root);
    try {
      Files.createDirectory(home, PRIVATE_DIRECTORY);
    } catch (java.nio.file.FileAlreadyExistsException e) {
      checkOwn(home, e);
    }
    return home;
  }

  private static void checkOwn(Path home, IOException cause) throws IOException {
    if (!Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS)) {
      if (Files.exists(home, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(home + " is no directory: remove it", cause);
      }
      return;
    }
    Object owner = Files.getAttribute(home, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(uid())) {
      throw new IOException(
          home + " belongs to uid " + owner + ", this process to uid " + uid() + ": remove it",
          cause);
    }
    if (!Files.getPosixFilePermissions(home, LinkOption.NOFOLLOW_LINKS).equals(PRIVATE)) {
      Files.setPosixFilePermissions(home, PRIVATE);
    }
  }

  static Path homePath(Path root) throws IOException {
    String user = System.getProperty("user.name", "?");
    return root.toRealPath().resolve("verbena-" + (user.equals("?") ? "" + uid() : plain(user)));
  }

  private static Object uid() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  private static String plain(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
    return plain.length() > 100 ? plain.substring(0, 100) : plain;
  }

  /** Removes what dead processes of this user left in a root. Never fails; logs instead. */
  static int removeAbandoned(Path root) {
    int removed = 0;
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(homePath(root))) {
      for (Path directory : directories) {
        if (!isOwned(directory) && removeIfAbandoned(directory)) {
          LOG.info("removed {}: the process that made it is gone", PATH.is(directory));
          removed++;
        }
      }
    } catch (NoSuchFileException e) {
      LOG.debug("nothing to clean in {}", root);
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      LOG.warn(
          "cannot look for directories of dead processes in {}; check its permissions",
          PATH.is(root),
          e);
    }
    return removed;
  }

  /** Removes what dead processes of this user left in the root of this directory. */
  void removeAbandonedNeighbours() {
    removeAbandoned(path.getParent().getParent());
  }

  private static boolean removeIfAbandoned(Path directory) {
    try {
      boolean fresh = directory.getFileName().toString().startsWith(FRESH);
      if (fresh && younger(directory, FRESH_AGE)) {
        return false;
      }
      Path lock = directory.resolve(LOCK);
      if (!Files.exists(lock)) {
        // Its owner or another cleaner is removing it, or ended while it did.
        return Files.deleteIfExists(directory);
      }
      try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
          FileLock held = channel.tryLock()) {
        return held != null && deleteAll(directory);
      }
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      LOG.debug("{} is being removed by another process", directory);
      return false;
    } catch (IOException | OverlappingFileLockException e) {
      LOG.warn(
          "cannot remove {}, which may have been left by a dead process; delete it by hand if so",
          PATH.is(directory),
          e);
      return false;
    }
  }

  private static boolean younger(Path path, Duration age) throws IOException {
    return Files.getLastModifiedTime(path).toInstant().isAfter(Instant.now().minus(age));
  }

  /** Deletes a flat directory, the lock file last: until then nobody takes it for abandoned. */
  private static boolean deleteAll(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!file.getFileName().toString().equals(LOCK)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    Files.deleteIfExists(directory.resolve(LOCK));
    return Files.deleteIfExists(directory);
  }

  private static void own(Path path) {
    System.setProperty(OWNED + path, "");
  }

  private static void disown(Path path) {
    System.clearProperty(OWNED + path);
  }

  private static boolean isOwned(Path path) {
    return System.getProperty(OWNED + path) != null;
  }

  Path path() {
    return path;
  }

  /** Deletes the directory and everything in it, then gives up the lock. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (lockChannel) {
      deleteAll(path);
    } finally {
      disown(path);
    }
    try {
      Files.deleteIfExists(path.getParent());
    } catch (DirectoryNotEmptyException e) {
      LOG.debug("{} is still in use by others", path.getParent());
    }
  }
}
