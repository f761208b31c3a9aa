package io.verbena.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.ExternalBlockStoreClient;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * A process that is none of an application's executors and asks one of these for a block, as
 * Spark's block transfer service does it.
 */
record BlockPeer(int port, String appId, String executorId, String blockId) {
  private static final long LIMIT_SECONDS = 60;
  private static final String HOST = "127.0.0.1";

  /** What came: bytes, or why there are none. */
  record Answer(long bytes, String failure) {}

  /** Asks, with the application's secret, with a wrong one, or with none at all. */
  Answer ask(String secret) throws Exception {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    Map<String, String> conf = Map.of("spark.shuffle.io.maxRetries", "0");
    try (ExternalBlockStoreClient client =
        new ExternalBlockStoreClient(
            new TransportConf("shuffle", new MapConfigProvider(conf)),
            holder(secret),
            secret != null,
            TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))) {
      client.init(appId);
      client.fetchBlocks(HOST, port, executorId, new String[] {blockId}, listener(answer), null);
      return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static BlockFetchingListener listener(CompletableFuture<Answer> answer) {
    return new BlockFetchingListener() {
      @Override
      public void onBlockFetchSuccess(String block, ManagedBuffer data) {
        try {
          answer.complete(new Answer(data.nioByteBuffer().remaining(), ""));
        } catch (IOException e) {
          answer.completeExceptionally(new UncheckedIOException(e));
        }
      }

      @Override
      public void onBlockFetchFailure(String block, Throwable failure) {
        answer.complete(new Answer(0, failure.toString()));
      }
    };
  }

  private static SecretKeyHolder holder(String secret) {
    return new SecretKeyHolder() {
      @Override
      public String getSaslUser(String id) {
        return "sparkSaslUser";
      }

      @Override
      public String getSecretKey(String id) {
        return secret;
      }
    };
  }
}
