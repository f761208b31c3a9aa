package io.verbena.spark;

import io.verbena.fetch.PeerDirectory;
import io.verbena.spark.RegistryMessage.Announce;
import io.verbena.spark.RegistryMessage.LocalDirectories;
import io.verbena.spark.RegistryMessage.Lookup;
import io.verbena.spark.RegistryMessage.Push;
import io.verbena.spark.RegistryMessage.Register;
import io.verbena.spark.RegistryReply.Done;
import io.verbena.spark.RegistryReply.Gone;
import io.verbena.spark.RegistryReply.Located;
import io.verbena.spark.RegistryReply.Refused;
import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.ShuffleGoneException;
import io.verbena.store.StoreDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcTimeout;
import scala.concurrent.duration.FiniteDuration;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * An executor's way to the registry. Every call but {@link #push} waits for the answer, at most as
 * long as {@code spark.shuffle.rdma.registry.timeout}.
 *
 * <p>Threads: any.
 */
final class RegistryClient implements PeerDirectory {
  static final String TIMEOUT_KEY = "spark.shuffle.rdma.registry.timeout";

  private static final ClassTag<byte[]> BYTES = ClassTag$.MODULE$.apply(byte[].class);

  private final RpcEndpointRef endpoint;
  private final String executorId;
  private final RpcTimeout timeout;
  private volatile UUID nonce;
  private volatile String host;
  private volatile boolean severalHosts;

  RegistryClient(RpcEndpointRef endpoint, String executorId, Duration timeout) {
    this.endpoint = endpoint;
    this.executorId = executorId;
    this.timeout =
        new RpcTimeout(new FiniteDuration(timeout.toMillis(), TimeUnit.MILLISECONDS), TIMEOUT_KEY);
  }

  /** Makes this executor known. Comes before everything else. */
  void register(String host, StoreDescriptor store, LocalDirectories local) throws IOException {
    nonce = new UUID(store.nonceHigh(), store.nonceLow());
    this.host = host;
    ask("register executor " + executorId, new Register(executorId, host, store, local));
  }

  /**
   * Tells where this executor's part of a shuffle lies.
   *
   * @throws ShuffleGoneException when Spark has removed the shuffle
   * @throws IOException when the registry refuses or does not answer in time
   */
  void announce(ShuffleDescriptor shuffle) throws IOException {
    ask(
        "announce shuffle " + shuffle.shuffleId() + " of executor " + executorId,
        new Announce(executorId, nonce, shuffle));
  }

  @Override
  public Map<String, Found> lookup(int shuffleId, List<String> executorIds) throws IOException {
    RegistryReply reply = ask("look up shuffle " + shuffleId, new Lookup(shuffleId, executorIds));
    if (!(reply instanceof Located located)) {
      throw new IOException("The registry answered a lookup with " + reply);
    }
    Map<String, Found> found = new HashMap<>();
    located
        .parts()
        .forEach(
            (id, part) ->
                found.put(
                    id,
                    new Found(
                        part.store(),
                        part.shuffle(),
                        new RunPaths(part.local()),
                        part.host().equals(host))));
    return found;
  }

  /** Whether there are executors on more than one host, as the registry said last. */
  boolean severalHosts() {
    return severalHosts;
  }

  /** Sends figures; does not wait and may be lost. */
  void push(ExecutorFigures figures, boolean last) {
    endpoint.send(RegistryCodec.encode(new Push(figures, last)));
  }

  private RegistryReply ask(String what, RegistryMessage message) throws IOException {
    RegistryReply reply;
    try {
      reply =
          RegistryCodec.decodeReply(
              endpoint.<byte[]>askSync(RegistryCodec.encode(message), timeout, BYTES));
    } catch (RuntimeException e) {
      throw failed(what, e);
    } catch (Exception e) {
      // Spark's Scala code throws checked exceptions that it does not declare.
      throw failed(what, e);
    }
    if (reply instanceof Refused refused) {
      throw new IOException(refusal(what, refused.reason()));
    }
    if (reply instanceof Gone gone) {
      throw new ShuffleGoneException(
          refusal(what, "shuffle " + gone.shuffleId() + " has been removed"));
    }
    if (reply instanceof Done done) {
      severalHosts = done.severalHosts();
    }
    return reply;
  }

  private static String refusal(String what, String reason) {
    return "The registry refused to " + what + ": " + reason;
  }

  private static IOException failed(String what, Exception e) {
    return new IOException(
        "The registry on the driver did not answer the request to "
            + what
            + ": "
            + e.getMessage()
            + "; when the driver is busy, raise "
            + TIMEOUT_KEY,
        e);
  }
}
