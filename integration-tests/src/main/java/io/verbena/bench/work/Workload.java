package io.verbena.bench.work;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A job to measure. Stateless; used by the runner and, in another process, by the application. */
public interface Workload {
  /** Its name on the command line. */
  String title();

  /** What it does, in one line. */
  String what();

  /** The size that figures are quoted of. */
  Size size();

  /** A size to try with: a tenth of the records, or what keeps the job's nature. */
  default Size quickSize() {
    return size().times(0.1);
  }

  /** Spark options without which it is another job. All sides get them. */
  default Map<String, String> conf() {
    return Map.of();
  }

  /** Number of records of the result, where it is known beforehand. */
  default OptionalLong expected(Size size) {
    return OptionalLong.of(size.records());
  }

  /** Whether every partition of the result must be sorted. */
  default boolean sorted() {
    return false;
  }

  /**
   * Puts what the job reads into a folder, unless it is there. Called by the runner.
   *
   * @param size that the job will be run in
   */
  default void provide(Path data, Size size) throws IOException, InterruptedException {}

  /**
   * Runs the job to its end. The time that this takes is measured.
   *
   * @return gives the digest of the result; the time that this takes is not measured
   */
  Supplier<Digest> run(WorkContext context) throws IOException;
}
