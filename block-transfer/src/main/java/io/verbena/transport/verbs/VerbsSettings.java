package io.verbena.transport.verbs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What the transport is opened with. Values are checked by whoever reads the configuration.
 *
 * @param host name or address of this executor: its device is preferred
 * @param device name of the device to use; empty for any
 * @param address address to use; empty for any
 * @param queueDepth most READs of one connection that are posted at a time
 * @param connectTimeout longest time that connecting may take, and one READ of a region record
 * @param idleTimeout after which a connection without READs is closed; the next READ makes it again
 * @param spin how long the poller goes on looking for completions before it sleeps
 * @param secret what all executors of the application know and nobody else
 * @param libraryFolders folders that the native library may be copied to, besides the usual ones
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
public record VerbsSettings(
    String host,
    String device,
    String address,
    int queueDepth,
    Duration connectTimeout,
    Duration idleTimeout,
    Duration spin,
    byte[] secret,
    List<Path> libraryFolders) {

  /** Tells everything but the secret. */
  @Override
  public String toString() {
    return "VerbsSettings[host=" + host + ", device=" + device + ", address=" + address + "]";
  }
}
