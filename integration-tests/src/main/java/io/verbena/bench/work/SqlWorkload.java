package io.verbena.bench.work;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.reflect.ClassTag$;

/**
 * A query. Options of SQL hold for its session alone, so queries of different options share an
 * application.
 */
abstract class SqlWorkload implements Workload {
  private final String title;
  private final String what;
  private final Size size;

  SqlWorkload(String title, String what, Size size) {
    this.title = title;
    this.what = what;
    this.size = size;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String what() {
    return what;
  }

  @Override
  public Size size() {
    return size;
  }

  /** Options of SQL without which it is another query. */
  Map<String, String> sqlConf() {
    return Map.of();
  }

  /** Runs the query to its end. */
  abstract Supplier<Digest> execute(WorkContext context) throws IOException;

  @Override
  public Supplier<Digest> run(WorkContext context) throws IOException {
    RuntimeConfig conf = context.session().conf();
    conf.set("spark.sql.shuffle.partitions", Integer.toString(context.size().reduces()));
    sqlConf().forEach(conf::set);
    try {
      return execute(context);
    } finally {
      conf.unset("spark.sql.shuffle.partitions");
      sqlConf().keySet().forEach(conf::unset);
    }
  }

  /** The digest of all rows, computed where they come out, without making objects of them. */
  static Digest digest(Dataset<Row> rows) {
    JavaRDD<InternalRow> internal =
        new JavaRDD<>(rows.queryExecution().toRdd(), ClassTag$.MODULE$.apply(InternalRow.class));
    return Digests.total(internal.mapPartitions(new Digests.OfRows(rows.schema())).collect());
  }
}
