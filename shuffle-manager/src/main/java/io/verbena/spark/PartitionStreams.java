package io.verbena.spark;

import java.io.IOException;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.unsafe.Platform;

/**
 * A growing stream of serialised records for each partition. When everything becomes a run the
 * streams end, and later records begin new ones.
 */
final class PartitionStreams extends SpillableRecords {
  private static final long STEP = 1 << 20;
  private static final int BUFFER_SIZE = 4 << 10;

  private final SerializerInstance serializer;
  private final Spiller<PartitionStreams> spiller;
  private final GrowingBuffer[] buffers;
  private final SerializationStream[] streams;
  private long capacity;

  PartitionStreams(
      TaskMemoryManager memory,
      SerializerInstance serializer,
      int partitions,
      Spiller<PartitionStreams> spiller) {
    super(memory, memory.pageSizeBytes(), MemoryMode.ON_HEAP);
    this.serializer = serializer;
    this.spiller = spiller;
    this.buffers = new GrowingBuffer[partitions];
    this.streams = new SerializationStream[partitions];
  }

  /** Appends a record. */
  void insert(int partition, Object key, Object value) throws IOException {
    GrowingBuffer buffer = buffers[partition];
    int before = 0;
    if (buffer == null) {
      buffer = new GrowingBuffer(BUFFER_SIZE);
      buffers[partition] = buffer;
      streams[partition] = serializer.serializeStream(buffer);
    } else {
      before = buffer.capacity();
    }
    streams[partition].writeKey(key, MapOutputWriter.ANY);
    streams[partition].writeValue(value, MapOutputWriter.ANY);
    capacity += buffer.capacity() - before;
    if (capacity > getUsed()) {
      reserve();
    }
  }

  private void reserve() throws IOException {
    acquireMemory(Math.max(STEP, capacity - getUsed()));
    notePeak();
    // Getting memory may have made a run of everything.
    if (capacity > getUsed() && !spillAll()) {
      throw new SparkOutOfMemoryError(
          "UNABLE_TO_ACQUIRE_MEMORY",
          java.util.Map.of(
              "requestedBytes", Long.toString(capacity),
              "receivedBytes", Long.toString(getUsed())));
    }
  }

  @Override
  void writeRun() throws IOException {
    spiller.spill(this);
  }

  @Override
  boolean isEmpty() {
    return capacity == 0;
  }

  int partitions() {
    return buffers.length;
  }

  /** Ends a partition's stream and copies it out; nothing happens for one without records. */
  void drain(int partition, PartitionOutput output) throws IOException {
    GrowingBuffer buffer = buffers[partition];
    if (buffer == null) {
      return;
    }
    streams[partition].close();
    output.open(partition, buffer.size());
    output.write(buffer.array(), Platform.BYTE_ARRAY_OFFSET, buffer.size());
    output.close();
    buffers[partition] = null;
    streams[partition] = null;
  }

  @Override
  void release() {
    java.util.Arrays.fill(buffers, null);
    java.util.Arrays.fill(streams, null);
    capacity = 0;
    freeMemory(getUsed());
  }
}
