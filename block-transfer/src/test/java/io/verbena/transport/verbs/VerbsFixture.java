package io.verbena.transport.verbs;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** What tests that need an RDMA device have in common. */
public final class VerbsFixture {
  /** Tests that need an RDMA device. They run where there is one, {@code bin/soft-roce}. */
  public static final String TAG = "rdma";

  private VerbsFixture() {}

  public static VerbsSettings settings() {
    return settings("the secret of the tests");
  }

  static VerbsSettings settings(String secret) {
    return new VerbsSettings(
        "localhost",
        "",
        "",
        32,
        Duration.ofSeconds(30),
        Duration.ofMinutes(5),
        Duration.ofNanos(20_000),
        secret.getBytes(StandardCharsets.UTF_8),
        List.of());
  }
}
