package io.verbena.spark;

import java.util.Optional;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.AccumulatorV2;

/**
 * Recognises Spark SQL's serializer of rows, and tells what its format depends on. Names no class
 * of Spark SQL, which need not be there.
 */
final class RowFormat {
  private static final String SERIALIZER =
      "org.apache.spark.sql.execution.UnsafeRowSerializerInstance";

  // Scala makes fields that an inner class uses public, under such names.
  private static final String FIELD = SERIALIZER.replace('.', '$') + "$$";

  private RowFormat() {}

  /**
   * A codec for such a serializer; none for others, where Spark has changed it, or where memory can
   * be read at multiples of eight alone: rows are then not read where they stand.
   */
  static Optional<RecordCodec> codec(SerializerInstance serializer) {
    if (!serializer.getClass().getName().equals(SERIALIZER) || !Platform.unaligned()) {
      return Optional.empty();
    }
    try {
      Class<?> type = serializer.getClass();
      int fields = type.getField(FIELD + "numFields").getInt(serializer);
      Object dataSize = type.getField(FIELD + "dataSize").get(serializer);
      return Optional.of(new RowCodec(fields, (AccumulatorV2<?, ?>) dataSize));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }
}
