package io.verbena.spark;

import java.io.InputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import scala.Tuple2;
import scala.collection.Iterator;

/** Any serializer, by itself. */
record SerializerCodec(SerializerInstance serializer) implements RecordCodec {
  @Override
  public Encoder encoder(GrowingBuffer buffer) {
    SerializationStream stream = serializer.serializeStream(buffer);
    return (key, value) -> {
      buffer.reset();
      stream.writeKey(key, MapOutputWriter.ANY);
      stream.writeValue(value, MapOutputWriter.ANY);
      stream.flush();
    };
  }

  @Override
  public Iterator<Tuple2<Object, Object>> records(InputStream stream) {
    return serializer.deserializeStream(stream).asKeyValueIterator();
  }
}
