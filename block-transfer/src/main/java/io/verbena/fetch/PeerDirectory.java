package io.verbena.fetch;

import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import io.verbena.store.StoreSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What the registry on the driver knows of executors and their parts of a shuffle. */
@FunctionalInterface
public interface PeerDirectory {
  /**
   * Looks executors up. Those without a published part of the shuffle are missing in the answer.
   *
   * @throws IOException when the registry does not answer in time
   */
  Map<String, Found> lookup(int shuffleId, List<String> executorIds) throws IOException;

  /**
   * An executor's memory and where its part of the shuffle lies.
   *
   * @param store the executor's memory
   * @param shuffle the shuffle's place in it
   * @param files where its run files lie, as paths that hold on its own host
   * @param sameHost whether it runs on the host of this process, so that memory should be shared
   */
  record Found(
      StoreDescriptor store,
      ShuffleDescriptor shuffle,
      StoreSettings.RunFiles files,
      boolean sameHost) {}
}
