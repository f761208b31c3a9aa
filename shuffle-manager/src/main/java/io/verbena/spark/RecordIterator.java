package io.verbena.spark;

import io.verbena.fetch.FetchException;
import io.verbena.fetch.FetchedSegment;
import io.verbena.fetch.SegmentIterator;
import java.util.NoSuchElementException;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The records of all wanted blocks, segment after segment. Never decodes ahead: Spark SQL's
 * serializer gives the same row again and again. Where the serializer's records may be moved it
 * reads all segments as one stream, otherwise one for each.
 *
 * <p>Threads: the task's thread.
 */
final class RecordIterator extends AbstractIterator<Product2<Object, Object>> {
  /** Records between two reports: the figures of a running task need no more. */
  private static final int COUNTED_AT_ONCE = 4_096;

  private final WantedBlocks wanted;
  private final SegmentIterator segments;
  private final BlockEncoding encoding;
  private final RecordCodec codec;
  private final boolean joined;
  private final ReadMetrics metrics;
  private final Runnable atEnd;

  private BlockStream stream;
  private Iterator<Tuple2<Object, Object>> records;
  private long uncounted;
  // The next record of `records` is known to be there.
  private boolean ready;
  private boolean ended;

  /**
   * Reads what {@code segments} gives.
   *
   * @param joined whether the bytes of two segments are those of one with the records of both: of
   *     serializers that support relocation
   * @param atEnd runs once, after the last record
   */
  RecordIterator(
      WantedBlocks wanted,
      SegmentIterator segments,
      BlockEncoding encoding,
      RecordCodec codec,
      boolean joined,
      ReadMetrics metrics,
      Runnable atEnd) {
    this.wanted = wanted;
    this.segments = segments;
    this.encoding = encoding;
    this.codec = codec;
    this.joined = joined;
    this.metrics = metrics;
    this.atEnd = atEnd;
  }

  @Override
  public boolean hasNext() {
    while (!ready && !ended) {
      ready = records != null && recordsHaveNext();
      if (!ready) {
        countRecords();
        openNext();
      }
    }
    return ready;
  }

  private boolean recordsHaveNext() {
    boolean more;
    try {
      more = records.hasNext();
    } catch (Exception e) {
      throw fetchFailureOr(e);
    }
    if (!more && stream.fault() != null) {
      // Some serializers take a failed read for the end of the data.
      throw Sneaky.sneakyThrow(wanted.failure(stream.fault()));
    }
    return more;
  }

  @Override
  public Product2<Object, Object> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more records");
    }
    ready = false;
    Product2<Object, Object> record;
    try {
      record = records.next();
    } catch (Exception e) {
      throw fetchFailureOr(e);
    }
    uncounted++;
    if (uncounted == COUNTED_AT_ONCE) {
      countRecords();
    }
    return record;
  }

  private void openNext() {
    FetchedSegment segment;
    try {
      segment = segments.next();
    } catch (FetchException e) {
      throw Sneaky.sneakyThrow(wanted.failure(e));
    }
    if (segment == null) {
      ended = true;
      records = null;
      segments.close();
      atEnd.run();
      return;
    }
    stream =
        joined
            ? new JoinedStream(segment, segments, encoding)
            : new DecodedStream(segment, encoding);
    try {
      records = codec.records(stream);
    } catch (Exception e) {
      throw fetchFailureOr(e);
    }
  }

  /** Scala code throws checked exceptions, too, without declaring them. */
  private RuntimeException fetchFailureOr(Exception e) {
    FetchException fault = stream == null ? null : stream.fault();
    return Sneaky.sneakyThrow(fault == null ? e : wanted.failure(fault));
  }

  /** Reports the records that were given out since the last time. */
  void countRecords() {
    if (uncounted > 0) {
      metrics.records(uncounted);
      uncounted = 0;
    }
  }

  /** Frees buffers, also in the middle. Idempotent. */
  void close() {
    countRecords();
    ready = false;
    ended = true;
    segments.close();
  }
}
