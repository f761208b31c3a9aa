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

/**
 * The RDMA device of an executor, where there is one.
 *
 * @param transport null when it is not wanted or cannot be used
 * @param text what was chosen and why; empty when it is not wanted
 */
record VerbsSetup(VerbsTransport transport, String text) {
  /** Opens the device. */
  static VerbsSetup open(SparkEnv env, RdmaConf conf, LocalDirectories local) {
    boolean alone = env.blockManager().blockManagerId().isDriver();
    if (alone || !conf.transports().contains(TransportKind.VERBS)) {
      return new VerbsSetup(null, "");
    }
    try {
      VerbsTransport opened = VerbsTransport.open(settings(env, conf, local));
      return new VerbsSetup(opened, opened.description());
    } catch (VerbsUnavailableException e) {
      return new VerbsSetup(null, "Transport verbs is not used: " + e.getMessage());
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

  /** The device's name, empty without one. */
  String device() {
    return transport == null ? "" : transport.deviceName();
  }

  VerbsStats stats() {
    return transport == null ? VerbsStats.NONE : transport.stats();
  }

  void close() {
    if (transport != null) {
      transport.close();
    }
  }
}
