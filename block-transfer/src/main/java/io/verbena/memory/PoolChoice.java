package io.verbena.memory;

import java.nio.file.Path;
import java.util.List;

/**
 * What a pool has chosen when it was opened, for a line of the log.
 *
 * @param backing option name of the backing that regions begin on; {@code none} when map outputs go
 *     to files alone
 * @param path this executor's directory there; null without a backing
 * @param limit limit of what run data may take, bytes
 * @param reasons texts that say why, better backings that were passed over included
 */
public record PoolChoice(String backing, Path path, long limit, List<String> reasons) {
  /** Copies the list. */
  public PoolChoice {
    reasons = List.copyOf(reasons);
  }
}
