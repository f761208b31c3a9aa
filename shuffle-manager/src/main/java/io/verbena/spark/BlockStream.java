package io.verbena.spark;

import io.verbena.fetch.FetchException;
import java.io.InputStream;

/**
 * Decoded bytes of blocks for a serializer. Keeps the fault that made a read fail: serializers wrap
 * exceptions, and some take them for the end of the data.
 *
 * <p>Threads: the task's thread.
 */
abstract class BlockStream extends InputStream {
  /** Why a read failed; null when none did. */
  abstract FetchException fault();
}
