package io.verbena.spark;

import io.verbena.spark.RegistryMessage.LocalDirectories;
import io.verbena.store.StoreSettings;
import java.nio.file.Path;
import org.apache.spark.network.shuffle.ExecutorDiskUtils;

/**
 * Places of run files in an executor's local directories, spread as Spark spreads its own files and
 * named so that Spark takes none of them for a block.
 */
final class RunPaths implements StoreSettings.RunFiles {
  private final String[] directories;
  private final int subDirectories;

  RunPaths(LocalDirectories local) {
    this.directories = local.paths().toArray(String[]::new);
    this.subDirectories = local.subDirectories();
  }

  static String name(int shuffleId, long mapId, int run) {
    return "verbena-" + shuffleId + "-" + mapId + "-" + run + ".run";
  }

  @Override
  public Path file(int shuffleId, long mapId, int run) {
    return Path.of(
        ExecutorDiskUtils.getFilePath(directories, subDirectories, name(shuffleId, mapId, run)));
  }
}
