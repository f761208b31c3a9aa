package io.verbena.spark;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.TempLocalBlockId;
import scala.Product2;
import scala.Tuple2;

/**
 * Records in a file of Spark's, compressed and encrypted as Spark's own spills are, which are read
 * once.
 *
 * <p>Threads: one at a time.
 */
final class SpilledRecords<K, C> implements AutoCloseable {
  private static final int BUFFER_SIZE = 64 << 10;

  private final Place place;
  private final TempLocalBlockId block;
  private final File file;
  private final long bytes;
  private DeserializationStream stream;

  private SpilledRecords(Place place, TempLocalBlockId block, File file) {
    this.place = place;
    this.block = block;
    this.file = file;
    this.bytes = file.length();
  }

  /** Where files of an executor are, and how they are written. */
  record Place(SparkEnv env, SerializerInstance serializer) {
    Tuple2<TempLocalBlockId, File> newFile() {
      return env.blockManager().diskBlockManager().createTempLocalBlock();
    }

    SerializerManager encoding() {
      return env.serializerManager();
    }
  }

  /**
   * Writes records.
   *
   * @throws IOException when they cannot be written; nothing is left then
   */
  static <K, C> SpilledRecords<K, C> write(Place place, List<Product2<K, C>> records)
      throws IOException {
    Tuple2<TempLocalBlockId, File> made = place.newFile();
    File file = made._2();
    try (OutputStream raw = Files.newOutputStream(file.toPath())) {
      OutputStream encoded =
          place.encoding().wrapStream(made._1(), new BufferedOutputStream(raw, BUFFER_SIZE));
      SerializationStream stream = place.serializer.serializeStream(encoded);
      for (Product2<K, C> record : records) {
        stream.writeKey(record._1(), MapOutputWriter.ANY);
        stream.writeValue(record._2(), MapOutputWriter.ANY);
      }
      stream.close();
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file.toPath());
      throw e;
    }
    return new SpilledRecords<>(place, made._1(), file);
  }

  /** The next of as many as were written. */
  Product2<K, C> next() {
    if (stream == null) {
      stream = open();
    }
    K key = stream.readKey(SpilledRecords.<K>any());
    C value = stream.readValue(SpilledRecords.<C>any());
    return new Tuple2<>(key, value);
  }

  @SuppressWarnings("unchecked")
  private static <T> scala.reflect.ClassTag<T> any() {
    return (scala.reflect.ClassTag<T>) MapOutputWriter.ANY;
  }

  private DeserializationStream open() {
    try {
      return place.serializer.deserializeStream(
          place
              .encoding()
              .wrapStream(
                  block,
                  new BufferedInputStream(Files.newInputStream(file.toPath()), BUFFER_SIZE)));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Sorted records that were spilled to " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  long bytes() {
    return bytes;
  }

  /** Removes the file. */
  @Override
  public void close() {
    try {
      if (stream != null) {
        stream.close();
      }
      Files.deleteIfExists(file.toPath());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + file, e);
    }
  }
}
