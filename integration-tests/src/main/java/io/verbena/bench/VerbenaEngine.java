package io.verbena.bench;

import io.verbena.conf.RdmaConf;
import io.verbena.store.RemoteAccess;
import io.verbena.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The engine with the defaults of its options. */
public final class VerbenaEngine {
  private VerbenaEngine() {}

  /**
   * Settings of a store.
   *
   * @param folder for files that find no room in memory; made when missing
   * @param poolLimit bytes
   */
  public static StoreSettings settings(String name, Path folder, long poolLimit)
      throws IOException {
    return settings(name, folder, poolLimit, Math.toIntExact(RdmaConf.defaults().chunkSize()));
  }

  /** The same with pieces of another size. */
  public static StoreSettings settings(String name, Path folder, long poolLimit, int chunkSize)
      throws IOException {
    RdmaConf conf = RdmaConf.defaults();
    Files.createDirectories(folder);
    return new StoreSettings(
        name,
        poolLimit,
        0,
        Math.toIntExact(conf.poolRegionSize()),
        chunkSize,
        backings(),
        List.of(),
        List.of(folder),
        conf.poolPrefault(),
        files(folder),
        descriptor -> {},
        RemoteAccess.NONE);
  }

  /** Places of run files below a folder. */
  static StoreSettings.RunFiles files(Path folder) {
    return (shuffle, map, run) -> folder.resolve("run-" + shuffle + "-" + map + "-" + run);
  }

  /** Names of backings, best first. */
  static List<String> backings() {
    return RdmaConf.defaults().poolBackings().stream()
        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
        .toList();
  }
}
