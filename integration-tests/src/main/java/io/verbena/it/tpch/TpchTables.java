package io.verbena.it.tpch;

import io.verbena.apps.tpch.Tpch;
import io.verbena.apps.tpch.TpchQueries;
import io.verbena.it.cluster.AppSpec;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.StandaloneCluster;
import java.nio.file.Path;
import java.time.Duration;

/** The tables, which are made once for a scale and kept. */
public final class TpchTables {
  /** Heap that an executor needs to make them: 300 MB of text, and twice that meanwhile. */
  public static final String MEMORY = "2g";

  // Of what the application writes; a new number makes old tables be left alone.
  private static final String LAYOUT = "2";
  private static final Duration LIMIT = Duration.ofHours(3);

  private TpchTables() {}

  /** The folder of a scale below one for all. */
  public static Path folder(Path all, double scale) {
    return all.resolve(LAYOUT + "/scale-" + scale);
  }

  /**
   * Makes them unless they are there.
   *
   * @param cluster with workers of at least {@link #MEMORY}
   */
  public static void provide(StandaloneCluster cluster, Path folder, double scale)
      throws InterruptedException {
    if (TpchQueries.complete(folder)) {
      return;
    }
    cluster
        .submit(
            AppSpec.builder(ProjectJars.applications(), Tpch.class.getName())
                .executorMemory(MEMORY)
                .limit(LIMIT)
                .args("--data", folder.toString(), "--scale", Double.toString(scale))
                .args("--generate", "--parts", Integer.toString(parts(scale)))
                .build())
        .orThrow();
  }

  /** Files of each table: some, and of some 30 MB each when tables are large. */
  private static int parts(double scale) {
    return Math.max(4, (int) Math.ceil(8 * scale));
  }
}
