package io.verbena.spark;

import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import java.util.List;
import java.util.UUID;

/** What executors tell and ask the registry. Encoded by {@link RegistryCodec}. */
sealed interface RegistryMessage {

  /** Where an executor keeps its run files, as paths on its own host. */
  record LocalDirectories(List<String> paths, int subDirectories) {}

  /** An executor is there. Replaces what the registry knew of that id. */
  record Register(String executorId, String host, StoreDescriptor store, LocalDirectories local)
      implements RegistryMessage {}

  /** An executor is about to publish the first map output of a shuffle. */
  record Announce(String executorId, UUID nonce, ShuffleDescriptor shuffle)
      implements RegistryMessage {}

  /** A reader wants to reach executors. */
  record Lookup(int shuffleId, List<String> executorIds) implements RegistryMessage {}

  /**
   * An executor's figures.
   *
   * @param last whether the executor ends
   */
  record Push(ExecutorFigures figures, boolean last) implements RegistryMessage {}
}
