package io.verbena.ping;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where {@code serve} listens.
 *
 * @param host name or address, without brackets
 */
public record HostPort(String host, int port) {
  /** Port where nobody says another. */
  public static final int DEFAULT_PORT = 18519;

  private static final int MAX_PORT = 65_535;
  private static final Pattern TEXT =
      Pattern.compile(
          "(?:\\[(?<v6>[0-9a-fA-F:.%\\w]+)]|(?<name>[^:\\[\\]]+))(?::(?<port>\\d{1,5}))?");
  private static final Pattern BARE_V6 =
      Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.%\\w]*");

  /**
   * Reads {@code HOST[:PORT]}; an IPv6 address with a port stands in brackets.
   *
   * @throws IllegalArgumentException when it is not of that form
   */
  public static HostPort parse(String text) {
    if (BARE_V6.matcher(text).matches()) {
      return new HostPort(text, DEFAULT_PORT);
    }
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not HOST or HOST:PORT; an IPv6 address stands as [ADDRESS]:PORT");
    }
    String host = matcher.group("v6") == null ? matcher.group("name") : matcher.group("v6");
    String port = matcher.group("port");
    return new HostPort(host, port == null ? DEFAULT_PORT : checkPort(Integer.parseInt(port), 1));
  }

  /**
   * Refuses what is no port.
   *
   * @param least 0 where the system may choose, else 1
   */
  public static int checkPort(int port, int least) {
    if (port < least || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "port %d: a port from %d to %d is needed".formatted(port, least, MAX_PORT));
    }
    return port;
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
