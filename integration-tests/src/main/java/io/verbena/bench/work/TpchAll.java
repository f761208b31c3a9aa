package io.verbena.bench.work;

import io.verbena.apps.tpch.TpchQueries;
import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.tpch.TpchTables;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;

/**
 * The queries of TPC-H, one after the other, so that one figure is theirs. The size is that of the
 * largest table; which scale factor that is follows from it.
 */
final class TpchAll extends SqlWorkload {
  // Lines of orders at scale factor 1, rounded: a thousandth of their number is random.
  private static final long LINES = 6_000_000;

  private final List<Integer> queries;

  TpchAll() {
    this(IntStream.rangeClosed(1, TpchQueries.COUNT).boxed().toList());
  }

  /** Some of them. */
  TpchAll(List<Integer> queries) {
    super("tpch", "all 22 queries of TPC-H, scale factor 1", new Size(1, 64, LINES));
    this.queries = queries;
  }

  /** The result is the rows of all queries. */
  @Override
  public OptionalLong expected(Size size) {
    return OptionalLong.empty();
  }

  static Path folder(Path data, Size size) {
    return TpchTables.folder(data.resolve("tpch"), scale(size));
  }

  static double scale(Size size) {
    return size.records() / (double) LINES;
  }

  @Override
  public void provide(Path data, Size size) throws InterruptedException {
    Path folder = folder(data, size);
    if (TpchQueries.complete(folder)) {
      return;
    }
    ClusterSpec spec = ClusterSpec.builder().workerMemory(TpchTables.MEMORY).build();
    try (StandaloneCluster cluster = StandaloneCluster.start(spec)) {
      TpchTables.provide(cluster, folder, scale(size));
    }
  }

  @Override
  Supplier<Digest> execute(WorkContext context) {
    TpchQueries tpch =
        TpchQueries.open(
            context.session(), folder(context.data(), context.size()), scale(context.size()));
    Map<Integer, List<Row>> answers = new LinkedHashMap<>();
    queries.forEach(query -> answers.put(query, tpch.run(query)));
    return () -> digest(answers);
  }

  private static Digest digest(Map<Integer, List<Row>> answers) {
    long records = 0;
    long sum = 0;
    for (Map.Entry<Integer, List<Row>> answer : answers.entrySet()) {
      records += answer.getValue().size();
      // All numbers are integers or decimals, so their text is exact.
      for (Row row : answer.getValue()) {
        sum += Mix.mix(Mix.mix(answer.getKey()) + row.toString().hashCode());
      }
    }
    return new Digest(records, sum, true);
  }
}
