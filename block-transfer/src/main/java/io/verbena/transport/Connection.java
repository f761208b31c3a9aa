package io.verbena.transport;

import java.io.IOException;
import java.util.List;

/**
 * A connection to one peer's memory.
 *
 * <p>Threads: any thread may post; completions run on the posting thread (synchronous transports)
 * or on the transport's own thread, and must be short.
 */
public interface Connection extends AutoCloseable {
  /** Region id that names the peer's control area. */
  int CONTROL = -1;

  /**
   * Whether {@link #post} has completed all reads when it returns. Then reading ahead gains nothing
   * and a small reused buffer stays in the cache.
   */
  boolean synchronous();

  /**
   * Posts READs. They are executed in the order of the list: one that is {@linkplain Read#ordered
   * ordered} never sees older memory than those before it. Every posted READ completes exactly
   * once, with success or failure; the slice belongs to the connection until then. Memory to read
   * into must have been {@linkplain Transport#register registered}.
   *
   * @throws IOException when the connection is broken and nothing of the list was posted
   */
  void post(List<Read> reads) throws IOException;

  /** Closes the connection; reads in flight complete with a failure. Idempotent. */
  @Override
  void close();
}
