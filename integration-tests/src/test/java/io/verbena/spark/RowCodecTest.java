package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;
import scala.collection.Iterator;

/** Rows by code of this project's and by Spark's own serializer, one beside the other. */
class RowCodecTest {
  private static final int FIELDS = 3;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final SQLMetric counted = new SQLMetric("size", 0);
  private final SerializerInstance sparks = new UnsafeRowSerializer(FIELDS, counted).newInstance();
  private final RecordCodec codec = RecordCodec.of(sparks);

  private List<byte[]> rows(int count, int longest) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] row = new byte[8 * random.nextInt(longest / 8 + 1)];
      random.nextBytes(row);
      rows.add(row);
    }
    return rows;
  }

  private static UnsafeRow row(byte[] bytes) {
    UnsafeRow row = new UnsafeRow(FIELDS);
    row.pointTo(bytes, bytes.length);
    return row;
  }

  private byte[] writtenBySpark(List<byte[]> rows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream stream = sparks.serializeStream(bytes);
    for (byte[] each : rows) {
      stream.writeKey(1, MapOutputWriter.ANY);
      stream.writeValue(row(each), MapOutputWriter.ANY);
    }
    stream.close();
    return bytes.toByteArray();
  }

  private byte[] writtenByUs(List<byte[]> rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    GrowingBuffer buffer = new GrowingBuffer(16);
    RecordCodec.Encoder encoder = codec.encoder(buffer);
    for (byte[] each : rows) {
      encoder.encode(1, row(each));
      bytes.write(buffer.array(), 0, buffer.size());
    }
    return bytes.toByteArray();
  }

  @Test
  void sparksSerializerIsKnown() {
    assertThat(codec).isInstanceOf(RowCodec.class);
  }

  @Test
  void bytesAndTheirCountAreThoseOfSpark() throws IOException {
    List<byte[]> rows = rows(500, 400);
    byte[] expected = writtenBySpark(rows);
    long bytes = counted.value();
    counted.reset();
    assertThat(Arrays.equals(writtenByUs(rows), expected)).as("seed %s", seed).isTrue();
    assertThat(counted.value()).isEqualTo(bytes).isPositive();
  }

  @Test
  void withoutAMetricNothingIsCounted() throws IOException {
    RecordCodec uncounted = RecordCodec.of(new UnsafeRowSerializer(FIELDS, null).newInstance());
    GrowingBuffer buffer = new GrowingBuffer(16);
    uncounted.encoder(buffer).encode(null, row(new byte[24]));
    assertThat(buffer.size()).isEqualTo(28);
  }

  @Test
  void rowsOutsideTheHeapAreWrittenToo() throws IOException {
    long address = Platform.allocateMemory(16);
    try {
      Platform.putLong(null, address, -2L);
      Platform.putLong(null, address + 8, 77L);
      UnsafeRow row = new UnsafeRow(FIELDS);
      row.pointTo(null, address, 16);
      GrowingBuffer buffer = new GrowingBuffer(0);
      codec.encoder(buffer).encode(null, row);
      ByteBuffer bytes = ByteBuffer.wrap(buffer.array(), 0, buffer.size());
      assertThat(bytes.getInt()).isEqualTo(16);
      assertThat(bytes.order(java.nio.ByteOrder.nativeOrder()).getLong()).isEqualTo(-2L);
      assertThat(bytes.getLong()).isEqualTo(77L);
    } finally {
      Platform.freeMemory(address);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 200, 20_000, 200_000})
  void rowsOfSparkComeBackHoweverTheirBytesArrive(int longest) throws IOException {
    List<byte[]> rows = rows(300, longest);
    Iterator<Tuple2<Object, Object>> read = codec.records(new Piecemeal(writtenBySpark(rows)));
    for (byte[] each : rows) {
      assertThat(read.hasNext()).as("seed %s", seed).isTrue();
      Tuple2<Object, Object> record = read.next();
      assertThat(record._1()).isEqualTo(0);
      assertRow(record, each);
      // Whoever holds the row may ask for more before it is done with it.
      assertThat(read.hasNext()).isEqualTo(each != rows.get(rows.size() - 1));
      assertThat(read.hasNext()).isEqualTo(each != rows.get(rows.size() - 1));
      assertRow(record, each);
    }
    assertThatThrownBy(read::next).isInstanceOf(java.util.NoSuchElementException.class);
  }

  private void assertRow(Tuple2<Object, Object> record, byte[] expected) {
    UnsafeRow row = (UnsafeRow) record._2();
    assertThat(row.numFields()).isEqualTo(FIELDS);
    assertThat(Arrays.equals(row.getBytes(), expected)).as("seed %s", seed).isTrue();
  }

  @Test
  void aStreamWithoutRowsIsClosedAtOnce() throws IOException {
    Piecemeal stream = new Piecemeal(new byte[0]);
    assertThat(codec.records(stream).hasNext()).isFalse();
    assertThat(stream.closed).isTrue();
  }

  @Test
  void rowsThatEndTooEarlyAreAFault() throws IOException {
    byte[] bytes = writtenBySpark(List.of(new byte[24], new byte[16]));
    for (int length : new int[] {27, 30, 32, 47}) {
      Iterator<Tuple2<Object, Object>> read =
          codec.records(new Piecemeal(Arrays.copyOf(bytes, length)));
      assertThatThrownBy(
              () -> {
                while (read.hasNext()) {
                  read.next();
                }
              })
          .as("%s bytes", length)
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("The rows end after");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-8, -1, 7, Integer.MIN_VALUE})
  void aLengthThatNoRowHasIsAFault(int length) throws IOException {
    byte[] bytes = ByteBuffer.allocate(64).putInt(length).array();
    Iterator<Tuple2<Object, Object>> read = codec.records(new ByteArrayInputStream(bytes));
    assertThatThrownBy(read::next)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("A row of " + length + " bytes");
  }

  /** Gives a few bytes at a time. */
  private final class Piecemeal extends InputStream {
    private final ByteArrayInputStream bytes;
    private boolean closed;

    Piecemeal(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return bytes.read(into, offset, Math.min(length, 1 + random.nextInt(5_000)));
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
