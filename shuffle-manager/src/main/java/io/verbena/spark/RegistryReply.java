package io.verbena.spark;

import io.verbena.store.ShuffleDescriptor;
import io.verbena.store.StoreDescriptor;
import java.util.Map;

/** What the registry answers. Encoded by {@link RegistryCodec}. */
sealed interface RegistryReply {

  /**
   * The message was taken.
   *
   * @param severalHosts whether the application has executors on more than one host
   */
  record Done(boolean severalHosts) implements RegistryReply {}

  /** The message was understood and declined. */
  record Refused(String reason) implements RegistryReply {}

  /** The message was understood and is of no use any more: Spark has removed the shuffle. */
  record Gone(int shuffleId) implements RegistryReply {}

  /** The executors that have a part of the shuffle, by executor id. */
  record Located(Map<String, Part> parts) implements RegistryReply {}

  /** One executor's part of a shuffle. */
  record Part(
      String host,
      StoreDescriptor store,
      ShuffleDescriptor shuffle,
      RegistryMessage.LocalDirectories local) {}
}
