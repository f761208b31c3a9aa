package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.spark.RegistryMessage.LocalDirectories;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.DiskBlockManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPathsTest {
  @Test
  void aReaderComputesThePathThatTheWriterUsed(@TempDir Path folder) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.local.dir", folder.resolve("a") + "," + folder.resolve("b"));
    DiskBlockManager disk = new DiskBlockManager(conf, true, true);
    try {
      List<String> directories =
          java.util.Arrays.stream(disk.localDirs()).map(Object::toString).toList();
      RunPaths reader = new RunPaths(new LocalDirectories(directories, disk.subDirsPerLocalDir()));

      for (int run = 0; run < 100; run++) {
        assertThat(reader.file(3, 1L << 40, run))
            .isEqualTo(disk.getFile(RunPaths.name(3, 1L << 40, run)).toPath());
      }
    } finally {
      disk.stop();
    }
  }

  @Test
  void sparkTakesNoRunFileForABlock() {
    assertThatThrownBy(() -> BlockId.apply(RunPaths.name(1, 2, 3)))
        .hasMessageContaining("Failed to parse");
  }
}
