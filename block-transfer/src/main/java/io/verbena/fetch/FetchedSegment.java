package io.verbena.fetch;

import java.io.IOException;
import java.io.InputStream;

/**
 * One run's bytes of a block, ready to be decoded: every byte that the stream gives was checked.
 * The stream throws {@link FetchException} (and nothing else of its own) when later pieces cannot
 * be had. It keeps at most a few chunks in memory; read or close it before asking for the next.
 *
 * <p>Threads: the task's thread.
 */
public interface FetchedSegment extends AutoCloseable {
  Peer peer();

  BlockId block();

  /** Transport that brought it: {@code local}, {@code shm}, {@code netty} and so on. */
  String transport();

  boolean compressed();

  boolean encrypted();

  /** Bytes of the segment as stored. */
  long length();

  /** The bytes. Reads into arrays are served by the run; the same stream each time. */
  InputStream stream();

  /**
   * Makes the exception for a fault that showed only while decoding this segment (a decompressor
   * that meets nonsense), so that the map output is computed again.
   */
  FetchException corrupt(Throwable cause);

  @Override
  void close() throws IOException;
}
