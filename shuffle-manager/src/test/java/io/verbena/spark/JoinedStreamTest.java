package io.verbena.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbena.conf.RdmaConf;
import io.verbena.fetch.FetchException;
import io.verbena.store.StoreStats;
import io.verbena.table.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

class JoinedStreamTest {
  private final SparkConf conf = new SparkConf(false);
  private final MadeSegments segments = new MadeSegments();
  private final BlockEncoding encoding =
      new BlockEncoding(
          conf,
          RdmaConf.read(Map.of()),
          new SerializerManager(new JavaSerializer(conf), conf, Option.empty()),
          () -> StoreStats.NONE,
          false,
          () -> false);

  private JoinedStream open() throws IOException {
    return new JoinedStream(segments.next(), segments, encoding);
  }

  private byte[] encoded(byte... bytes) throws IOException {
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    try (OutputStream stream = encoding.encode(raw, Entry.COMPRESSED)) {
      stream.write(bytes);
    }
    return raw.toByteArray();
  }

  @Test
  void segmentsFollowOneAnotherWhateverTheirEncodingUntilTheLastIsRead() throws IOException {
    segments.bytes((byte) 1, (byte) 2).bytes().compressed(encoded((byte) 3)).bytes((byte) -4);
    JoinedStream stream = open();
    assertThat(stream.readAllBytes()).containsExactly(1, 2, 3, -4);
    assertThat(stream.read()).isEqualTo(-1);
    assertThat(stream.read(new byte[8], 0, 8)).isEqualTo(-1);
    assertThat(stream.available()).isZero();
    assertThat(stream.fault()).isNull();
  }

  @Test
  void theNextSegmentIsNotAskedForBeforeAByteOfItIsWanted() throws IOException {
    segments.bytes((byte) 1, (byte) 2).bytes((byte) 255);
    JoinedStream stream = open();
    assertThat(stream.read(new byte[8], 0, 8)).isEqualTo(2);
    assertThat(segments.given).isEqualTo(1);
    assertThat(stream.read()).isEqualTo(255);
    assertThat(segments.given).isEqualTo(2);
  }

  @Test
  void withoutSegmentsThereAreNoBytes() throws IOException {
    assertThat(open().read()).isEqualTo(-1);
  }

  @Test
  void aFaultIsKeptAndStays() throws IOException {
    segments.bytes((byte) 1).failing((byte) 2).bytes((byte) 3);
    JoinedStream stream = open();
    assertThat(stream.readNBytes(2)).containsExactly(1, 2);
    assertFault(stream, 1, "later pieces are gone");
  }

  @Test
  void aSegmentThatCannotBeHadIsAFault() throws IOException {
    segments.bytes((byte) 1).missing().bytes((byte) 3);
    JoinedStream stream = open();
    assertThat(stream.read()).isEqualTo(1);
    assertFault(stream, 1, "the executor is gone");
  }

  @Test
  void nonsenseIsTheFaultOfTheSegmentThatHasIt() throws IOException {
    segments.compressed(encoded((byte) 1)).compressed(new byte[64]).bytes((byte) 3);
    JoinedStream stream = open();
    assertThat(stream.read()).isEqualTo(1);
    assertFault(stream, 1, "nonsense");
  }

  private static void assertFault(JoinedStream stream, int map, String message) {
    assertThatThrownBy(stream::read)
        .isInstanceOf(FetchException.class)
        .hasMessageContaining(message);
    FetchException again = catchThrowableOfType(FetchException.class, () -> stream.read());
    assertThat(again).isSameAs(stream.fault());
    assertThat(again.block().mapId()).isEqualTo(map);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recordsOfAllSegmentsComeInOrderAndAreCountedOnTheWay(boolean joined) {
    Serializer serializer = joined ? new KryoSerializer(conf) : new JavaSerializer(conf);
    assertThat(serializer.supportsRelocationOfSerializedObjects()).isEqualTo(joined);
    int each = 3_000;
    for (int segment = 0; segment < 3; segment++) {
      segments.bytes(records(serializer, segment * each, each));
    }
    List<Long> counted = new ArrayList<>();
    RecordIterator records =
        new RecordIterator(
            new WantedBlocks(0, CollectionConverters.asScala(Collections.emptyIterator())),
            segments,
            encoding,
            RecordCodec.of(serializer.newInstance()),
            joined,
            new ReadMetrics(reporter(counted), false),
            () -> {});
    for (int i = 0; i < 3 * each; i++) {
      assertThat(records.next()._1()).isEqualTo(i);
      if (i == 2 * each) {
        assertThat(counted).isNotEmpty();
      }
    }
    assertThat(records.hasNext()).isFalse();
    assertThat(counted.stream().mapToLong(Long::longValue).sum()).isEqualTo(3L * each);
  }

  private static byte[] records(Serializer serializer, int from, int count) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream stream = serializer.newInstance().serializeStream(bytes);
    for (int i = from; i < from + count; i++) {
      stream.writeKey(i, MapOutputWriter.ANY);
      stream.writeValue("value " + i, MapOutputWriter.ANY);
    }
    stream.close();
    return bytes.toByteArray();
  }

  private static ShuffleReadMetricsReporter reporter(List<Long> counted) {
    return (ShuffleReadMetricsReporter)
        Proxy.newProxyInstance(
            JoinedStreamTest.class.getClassLoader(),
            new Class<?>[] {ShuffleReadMetricsReporter.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("incRecordsRead");
              counted.add((Long) arguments[0]);
              return null;
            });
  }
}
