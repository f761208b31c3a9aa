package io.verbena.ping;

import io.verbena.conf.RdmaConf;

/**
 * What a server is opened with.
 *
 * @param bind address to listen on
 * @param port to listen on; 0 lets the system choose
 * @param conf the job's settings
 * @param secret as {@link Secrets} read it
 * @param version of this jar
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
public record ServeSettings(String bind, int port, RdmaConf conf, byte[] secret, String version) {
  /** Tells everything but the secret. */
  @Override
  public String toString() {
    return "ServeSettings[bind=" + bind + ", port=" + port + ", version=" + version + "]";
  }
}
