package io.verbena.spark;

import io.verbena.store.MapOutput;
import io.verbena.store.RunWriter;
import java.io.IOException;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.LongArray;
import org.apache.spark.util.collection.unsafe.sort.RadixSort;

/** Makes runs of the records in pages. */
final class RunSpiller {
  private final MapOutput output;
  private final BlockEncoding encoding;
  private final ShuffleWriteMetricsReporter metrics;

  RunSpiller(MapOutput output, BlockEncoding encoding, ShuffleWriteMetricsReporter metrics) {
    this.output = output;
    this.encoding = encoding;
    this.metrics = metrics;
  }

  /** Writes all records as the next run, partition after partition. */
  void write(PartitionPages pages) throws IOException {
    long start = System.nanoTime();
    RunWriter run = output.newRun();
    PartitionOutput partitions = new PartitionOutput(run, encoding);
    for (int partition = 0; partition < pages.partitions(); partition++) {
      long bytes = pages.bytes(partition);
      if (bytes > 0) {
        partitions.open(partition, bytes);
        pages.drain(partition, partitions::write);
        partitions.close();
      }
    }
    run.finish();
    metrics.incWriteTime(System.nanoTime() - start);
  }

  /** Sorts all records' pointers by partition and copies the bytes into the next run. */
  void write(RecordPages pages) throws IOException {
    LongArray sorted = pages.pointers();
    long at =
        RadixSort.sort(
            sorted,
            pages.count(),
            RecordPointer.FIRST_SORT_BYTE,
            RecordPointer.LAST_SORT_BYTE,
            false,
            false);
    long start = System.nanoTime();
    RunWriter run = output.newRun();
    PartitionOutput partitions = new PartitionOutput(run, encoding);
    long end = at + pages.count();
    int open = -1;
    for (; at < end; at++) {
      long pointer = sorted.get((int) at);
      int partition = RecordPointer.partition(pointer);
      if (partition != open) {
        partitions.close();
        partitions.open(partition, 0);
        open = partition;
      }
      Object base = pages.base(pointer);
      long offset = pages.offset(pointer);
      partitions.write(base, offset + RecordPages.HEADER_SIZE, Platform.getInt(base, offset));
    }
    partitions.close();
    run.finish();
    metrics.incWriteTime(System.nanoTime() - start);
  }
}
