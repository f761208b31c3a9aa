package io.verbena.ping;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A TCP connection on which nothing waits without a limit. Sockets of Java have none for writing;
 * so a connection that is late is closed from another thread.
 *
 * <p>Threads: one; {@link #close} from any.
 */
final class Link implements AutoCloseable {
  private static final int BUFFER = 64 << 10;
  private static final ScheduledThreadPoolExecutor CLOSER = closer();

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private volatile boolean late;

  Link(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
  }

  private static ScheduledThreadPoolExecutor closer() {
    ScheduledThreadPoolExecutor closer =
        new ScheduledThreadPoolExecutor(
            1,
            run -> {
              Thread thread = new Thread(run, "verbena-ping-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    closer.setRemoveOnCancelPolicy(true);
    return closer;
  }

  /** Something that the two sides do with each other. */
  @FunctionalInterface
  interface Exchange<T> {
    T run(DataInputStream in, DataOutputStream out) throws IOException;
  }

  /**
   * Does something within a limit, and sends what was written.
   *
   * @throws SocketTimeoutException when it took longer; the connection is closed then
   */
  <T> T within(Duration limit, Exchange<T> exchange) throws IOException {
    ScheduledFuture<?> end = CLOSER.schedule(this::tooLate, limit.toNanos(), TimeUnit.NANOSECONDS);
    try {
      T result = exchange.run(in, out);
      out.flush();
      return result;
    } catch (IOException e) {
      if (late) {
        SocketTimeoutException timeout =
            new SocketTimeoutException("nothing for " + limit.toMillis() + " ms");
        timeout.initCause(e);
        throw timeout;
      }
      throw e;
    } finally {
      end.cancel(false);
    }
  }

  private void tooLate() {
    late = true;
    close();
  }

  /** Address of the other side. */
  String peer() {
    return HostPorts.text(socket.getRemoteSocketAddress());
  }

  /** This side's address, by which the other reaches this host. */
  String localAddress() {
    return HostPorts.plain(socket.getLocalAddress());
  }

  /** Idempotent. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is to be had from it any more, closed or not.
      late = true;
    }
  }
}
