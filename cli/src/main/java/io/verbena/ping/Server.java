package io.verbena.ping;

import io.verbena.host.HostFiles;
import io.verbena.probe.ServedMemory;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;

/**
 * Holds memory for {@code ping} to read, and a port on which it may ask where that is.
 *
 * <p>Threads: any; {@link #run} on one.
 */
public final class Server implements AutoCloseable {
  /**
   * Bytes of the region that may be read: little enough for any limit of locked memory but 8 MiB.
   */
  static final int REGION = 32 << 20;

  private static final HostId HOST = HostId.of(HostFiles.thisHost());
  private static final int MOST_SESSIONS = 8;
  private static final int LOOK_MILLIS = 200;

  private final ServeSettings settings;
  private final ServerSocket socket;
  private final Path folder;
  private final VerbsEnd verbs;
  private final ServedMemory served;
  private final Semaphore sessions = new Semaphore(MOST_SESSIONS);
  private volatile boolean closed;

  private Server(
      ServeSettings settings,
      ServerSocket socket,
      Path folder,
      VerbsEnd verbs,
      ServedMemory served) {
    this.settings = settings;
    this.socket = socket;
    this.folder = folder;
    this.verbs = verbs;
    this.served = served;
  }

  /**
   * Takes port and memory.
   *
   * @throws PingException when one cannot be had
   */
  public static Server open(ServeSettings settings) throws IOException {
    ServerSocket socket = listen(settings);
    Path folder = null;
    VerbsEnd verbs = null;
    try {
      folder = Files.createTempDirectory("verbena-serve-");
      verbs = openVerbs(settings, socket.getInetAddress());
      return new Server(settings, socket, folder, verbs, fill(settings, folder, verbs));
    } catch (IOException | RuntimeException e) {
      release(verbs, socket, folder);
      throw e;
    }
  }

  private static ServerSocket listen(ServeSettings settings) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.setSoTimeout(LOOK_MILLIS);
      socket.bind(new InetSocketAddress(InetAddress.getByName(settings.bind()), settings.port()));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw new PingException(
          "cannot listen on %s: %s"
              .formatted(new HostPort(settings.bind(), settings.port()), e.getMessage()),
          "give an address of this host with --bind (ip address shows them), and a free port with"
              + " --port",
          e);
    }
  }

  /** On an address of this host alone nobody could come from the network. */
  private static VerbsEnd openVerbs(ServeSettings settings, InetAddress address) {
    boolean asked = !settings.conf().verbsAddress().isEmpty();
    if (address.isLoopbackAddress() && !asked) {
      return VerbsEnd.none(
          "serve listens on " + HostPorts.plain(address) + " alone; give it --bind ADDRESS");
    }
    return VerbsEnd.open(HostPorts.plain(address), settings.conf(), settings.secret());
  }

  private static ServedMemory fill(ServeSettings settings, Path folder, VerbsEnd verbs)
      throws IOException {
    try {
      return ServedMemory.open(
          "serve",
          REGION,
          settings.conf().poolBackings().stream()
              .map(kind -> kind.name().toLowerCase(Locale.ROOT))
              .toList(),
          settings.conf().poolDirectories(),
          folder,
          verbs.remote());
    } catch (IOException e) {
      throw new PingException(
          "no memory to be read: " + e.getMessage(), "see what doctor says of this host", e);
    }
  }

  /** Where it listens. */
  public HostPort address() {
    return new HostPort(HostPorts.plain(socket.getInetAddress()), socket.getLocalPort());
  }

  /** What it is, for people. */
  public String text() {
    String who =
        Secrets.isNone(settings.secret())
            ? "no secret: whoever reaches it may read the test data"
            : "for those who know the secret";
    String device =
        verbs.transport() == null
            ? "not used: " + verbs.text()
            : verbs.text() + ", listening on " + String.join(", ", verbs.addresses());
    return """
    verbena %s serve on %s
    listening on %s; %s
    memory: %d MiB, %s
    verbs: %s
    """
        .formatted(
            settings.version(),
            HOST.name(),
            address(),
            who,
            REGION >> 20,
            served.backing(),
            device);
  }

  /** Serves for so long, or until it is closed; says a line for each ping. */
  public void run(Duration limit, PrintWriter out) throws IOException {
    long start = System.nanoTime();
    while (!closed && System.nanoTime() - start < limit.toNanos()) {
      Socket accepted;
      try {
        accepted = socket.accept();
      } catch (SocketTimeoutException e) {
        continue;
      } catch (IOException e) {
        if (closed) {
          return;
        }
        throw e;
      }
      begin(new Link(accepted), out);
    }
  }

  private void begin(Link link, PrintWriter out) {
    if (!sessions.tryAcquire()) {
      out.println(link.peer() + ": not answered, " + MOST_SESSIONS + " pings are running");
      link.close();
      return;
    }
    Thread thread = new Thread(() -> serve(link, out), "verbena-serve-" + link.peer());
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(Link link, PrintWriter out) {
    try (link) {
      Introduction introduction = new Introduction(settings.version(), settings.secret());
      new Session(link, introduction, this::welcome).run();
      out.println(link.peer() + ": done");
    } catch (PingException e) {
      out.println(link.peer() + ": refused: " + e.getMessage());
    } catch (IOException e) {
      out.println(
          link.peer()
              + ": ended: "
              + (e.getMessage() == null ? "the other side went" : e.getMessage()));
    } finally {
      sessions.release();
    }
  }

  private Welcome welcome() {
    return new Welcome(
        HOST.name(),
        HOST.boot(),
        REGION,
        served.backing(),
        verbs.text(),
        served.descriptor(),
        served.shuffle(),
        folder.toString());
  }

  /** Removes everything that it made. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    served.close();
    release(verbs, socket, folder);
  }

  private static void release(VerbsEnd verbs, ServerSocket socket, Path folder) throws IOException {
    if (verbs != null) {
      verbs.close();
    }
    socket.close();
    if (folder != null) {
      Files.deleteIfExists(folder);
    }
  }
}
