package io.verbena.apps.tpch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The queries in somebody else's application. Threads: one at a time. */
public final class TpchQueries {
  /** How many there are. */
  public static final int COUNT = Query.COUNT;

  private final SparkSession session;
  private final double scale;

  private TpchQueries(SparkSession session, double scale) {
    this.session = session;
    this.scale = scale;
  }

  /**
   * Makes the tables of a scale.
   *
   * @param parts files of each table
   */
  public static void generate(SparkSession session, Path folder, double scale, int parts)
      throws IOException {
    new Tables(folder).generate(session, scale, parts);
  }

  /** Whether all tables are in a folder. */
  public static boolean complete(Path folder) {
    return new Tables(folder).complete();
  }

  /**
   * Makes tables known to a session.
   *
   * @param folder where they were generated
   * @param scale that they were generated with
   * @throws IllegalStateException when they are not all there
   */
  public static TpchQueries open(SparkSession session, Path folder, double scale) {
    Tables tables = new Tables(folder);
    if (!tables.complete()) {
      throw new IllegalStateException("the tables of TPC-H are not, or not all, in " + folder);
    }
    tables.open(session);
    return new TpchQueries(session, scale);
  }

  /**
   * Runs one.
   *
   * @param number 1 to {@link #COUNT}
   */
  public List<Row> run(int number) {
    return session.sql(new Query(number).text(scale)).collectAsList();
  }
}
