package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Start and end of the manager, and what is left behind, in one process. */
class LocalLifecycleTest {
  @TempDir Path folder;
  @TempDir Path memory;

  private LocalSpark spark() {
    return new LocalSpark(folder)
        .with("spark.shuffle.rdma.pool.directories", memory.toString())
        .with("spark.shuffle.rdma.pool.backings", "tmpfs,disk");
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void nothingIsLeftWhenTheApplicationEnds() throws IOException {
    List<Path> during =
        spark()
            .run(
                context -> {
                  assertThat(LocalSpark.shuffled(context).count()).isEqualTo(10_000);
                  try {
                    return files(memory);
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });

    assertThat(during).as("the pool was where the test looks").isNotEmpty();
    assertThat(memory).isEmptyDirectory();
    assertThat(files(folder)).isEmpty();
  }

  @Test
  void applicationsRunOneAfterTheOtherInOneProcess() {
    for (int i = 0; i < 2; i++) {
      assertThat(spark().<Long>run(context -> LocalSpark.shuffled(context).count()))
          .isEqualTo(10_000);
    }
  }

  @Test
  void theReportHasTheFiguresOfTheProcess() {
    List<ExecutorFigures> figures =
        spark()
            .run(
                context -> {
                  LocalSpark.shuffled(context).count();
                  RdmaShuffleManager manager =
                      (RdmaShuffleManager) org.apache.spark.SparkEnv.get().shuffleManager();
                  return List.of(manager.engineFigures());
                });

    ExecutorFigures local = figures.get(0);
    assertThat(local.executorId()).isEqualTo("driver");
    assertThat(local.store().runsInPool()).isEqualTo(4);
    assertThat(local.fetch().localBlocks()).isEqualTo(12);
    assertThat(local.fetch().localBytes()).isPositive();
    assertThat(local.fetch().bytes()).isEmpty();
  }

  @Test
  void aWrongOptionEndsTheApplicationAtItsStart() {
    LocalSpark spark = spark().with("spark.shuffle.rdma.chunkSize", "3m");

    assertThatThrownBy(() -> spark.run(context -> LocalSpark.shuffled(context).count()))
        .rootCause()
        .hasMessageContaining("spark.shuffle.rdma.chunkSize=3m");
  }
}
