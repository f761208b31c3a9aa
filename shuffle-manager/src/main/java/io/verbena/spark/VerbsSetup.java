package io.verbena.spark;

import io.verbena.conf.RdmaConf;
import io.verbena.conf.TransportKind;
import io.verbena.spark.RegistryMessage.LocalDirectories;
import io.verbena.transport.verbs.VerbsSettings;
import io.verbena.transport.verbs.VerbsStats;
import io.verbena.transport.verbs.VerbsTransport;
import io.verbena.transport.verbs.VerbsUnavailableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the RDMA device of an executor, where there is one. */
final class VerbsSetup {
  private static final Logger LOG = LoggerFactory.getLogger(VerbsSetup.class);

  private VerbsSetup() {}

  /**
   * The transport; null when it is not wanted or cannot be used, which the log says in one line.
   */
  static VerbsTransport open(SparkEnv env, RdmaConf conf, LocalDirectories local) {
    boolean alone = env.blockManager().blockManagerId().isDriver();
    if (alone || !conf.transports().contains(TransportKind.VERBS)) {
      return null;
    }
    try {
      return VerbsTransport.open(settings(env, conf, local));
    } catch (VerbsUnavailableException e) {
      LOG.info("Transport verbs is not used: {}", e.getMessage());
      return null;
    }
  }

  private static VerbsSettings settings(SparkEnv env, RdmaConf conf, LocalDirectories local) {
    return new VerbsSettings(
        env.blockManager().blockManagerId().host(),
        conf.verbsDevice(),
        conf.verbsAddress(),
        conf.verbsQueueDepth(),
        conf.verbsConnectTimeout(),
        conf.verbsIdleTimeout(),
        conf.verbsSpin(),
        secret(env),
        local.paths().stream().map(Path::of).toList());
  }

  /**
   * Spark's secret with {@code spark.authenticate}. Without it the application's id, which keeps
   * applications apart and nobody out.
   */
  private static byte[] secret(SparkEnv env) {
    String id = env.conf().getAppId();
    SecretKeyHolder holder = env.securityManager();
    String key = holder.getSecretKey(id);
    return (key == null ? id : key).getBytes(StandardCharsets.UTF_8);
  }

  static VerbsStats stats(VerbsTransport transport) {
    return transport == null ? VerbsStats.NONE : transport.stats();
  }

  static void close(VerbsTransport transport) {
    if (transport != null) {
      transport.close();
    }
  }
}
