package io.verbena.fetch;

/**
 * An executor that holds map outputs.
 *
 * @param executorId its id in the application
 * @param host host name or address
 * @param port port of its block service
 */
public record Peer(String executorId, String host, int port) {
  @Override
  public String toString() {
    return "executor " + executorId + " (" + host + ":" + port + ")";
  }
}
