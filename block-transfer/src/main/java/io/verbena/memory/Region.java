package io.verbena.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * One file of the pool and its mapping. The file has its full size from the start and takes space
 * only where it was written, so a full backing is an {@link IOException} of {@link #write} and
 * never a SIGBUS: the mapping is touched only where the file was written before. It is never
 * truncated.
 *
 * <p>Where pages are small, bytes go through the file because the first touch of a mapping is slow:
 * on a virtual machine it ran at 0.2 GB/s with 4 KiB pages where writes through the file gave 2 to
 * 5. Huge pages are made first and written through the mapping.
 */
final class Region {
  private static final int ZEROS = 1 << 20;

  private final int id;
  private final Place place;
  private final Path path;
  private final int size;
  private final Mapping mapping;
  private final MemoryView memory;
  private final FreeSpace space;
  // Null where there are none to be had.
  private final HugePages hugePages;
  // Each is used by one thread at a time: an interrupt closes the channel for nobody else.
  private final ConcurrentLinkedDeque<FileChannel> idle = new ConcurrentLinkedDeque<>();

  private Region(int id, Place place, Path path, Mapping mapping) {
    this.id = id;
    this.place = place;
    this.path = path;
    this.size = mapping.bytes().capacity();
    this.mapping = mapping;
    this.memory = MemoryView.of(mapping.bytes());
    this.space = new FreeSpace(size / FreeSpace.UNIT);
    this.hugePages = HugePages.of(mapping, place.backing(), path.toString());
  }

  /** Makes a region's file and maps it. Call it on the pool's own thread. */
  static Region create(int id, Place place, Path path, int size) throws IOException {
    place.checkRoom(size);
    Region region = new Region(id, place, path, map(path, size));
    if (place.registered()) {
      region.fill();
    }
    return region;
  }

  /** Makes a file of zeros that take no space yet, and maps it. */
  static Mapping map(Path path, int size) throws IOException {
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
      return Mapping.of(path, size, true);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(path);
      throw e;
    }
  }

  /**
   * Takes all of the space now. Whoever pins the pages would do it one by one, and pinned pages
   * stay small.
   */
  private void fill() throws IOException {
    int from = 0;
    if (hugePages != null) {
      hugePages.prepare(size);
      from = hugePages.end();
    }
    if (place.isHugetlbfs()) {
      return;
    }
    ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(size, ZEROS));
    for (int at = from; at < size; at += zeros.limit()) {
      zeros.clear().limit(Math.min(zeros.capacity(), size - at));
      write(at, zeros);
    }
  }

  int id() {
    return id;
  }

  Place place() {
    return place;
  }

  Path path() {
    return path;
  }

  int size() {
    return size;
  }

  MemoryView memory() {
    return memory;
  }

  FreeSpace space() {
    return space;
  }

  /** Bytes of a page of its memory, as peers are told once: the first page has been made. */
  int pageSize() {
    return hugePages != null && hugePages.prepare(1) ? hugePages.page() : place.pageSize();
  }

  /** Bytes of the backing that this region has taken. */
  long reserved() {
    return place.reservesWhole() ? size : reserved(space.frontier());
  }

  /** Bytes of the backing that this region takes more when its frontier moves by some units. */
  long growth(int units) {
    int frontier = space.frontier();
    return place.reservesWhole() ? 0 : reserved(frontier + units) - reserved(frontier);
  }

  private long reserved(int units) {
    long bytes = (long) units * FreeSpace.UNIT;
    return hugePages == null ? bytes : hugePages.taken(bytes);
  }

  /** Whether the first bytes are in huge pages: then the mapping is the quick way. */
  boolean hasHugePages(int to) {
    return hugePages != null && hugePages.end() >= to;
  }

  /** Writes bytes; any thread. */
  void write(int offset, ByteBuffer bytes) throws IOException {
    if (place.isHugetlbfs()
        || (hugePages != null && hugePages.prepare(offset + bytes.remaining()))) {
      memory.buffer(offset, bytes.remaining()).put(bytes);
      return;
    }
    FileChannel channel = idle.poll();
    if (channel == null) {
      channel = FileChannel.open(path, StandardOpenOption.WRITE);
    }
    try {
      long at = offset;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
    } finally {
      if (channel.isOpen()) {
        idle.push(channel);
      }
    }
  }

  /** Closes what it holds open; the mapping stays. */
  void closeChannels() throws IOException {
    for (FileChannel channel = idle.poll(); channel != null; channel = idle.poll()) {
      channel.close();
    }
  }

  /** Ends the mapping: nobody may touch the memory afterwards. */
  void unmap() {
    mapping.unmap();
  }
}
