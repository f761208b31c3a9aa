package io.verbena.spark.ui;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.apache.spark.util.kvstore.KVIndex;

/**
 * The page's state in the History Server's store, which may be on disk and outlive the listener
 * that read the log.
 */
public final class StoredState {
  static final String KEY = "rdma-shuffle";

  @JsonProperty("key")
  private final String key;

  @JsonProperty("json")
  private final String json;

  /** For the store. */
  @JsonCreator
  public StoredState(@JsonProperty("key") String key, @JsonProperty("json") String json) {
    this.key = key;
    this.json = json;
  }

  StoredState(ShuffleState state) {
    this(KEY, state.json());
  }

  /** What the store finds it by. */
  @KVIndex
  public String key() {
    return key;
  }

  ShuffleState state() {
    return ShuffleState.of(json);
  }
}
