package io.verbena.spark;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.NoSuchElementException;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.util.SizeEstimator;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * A reduce task's records on the heap, sorted by key. Unlike Spark's external sorter it makes one
 * pair for each and no others, neither to sort nor to hand out; when memory gets scarce before all
 * are there, that sorter takes over.
 *
 * <p>While records are handed out and Spark asks for memory, the rest goes to a file.
 *
 * <p>Threads: the task's thread, but for {@link #spill}, which any thread of the task may call.
 */
final class SortedRecords<K, C> extends MemoryConsumer {
  /** Sizes are measured of each of the first records, then of one of so many. */
  private static final int MEASURED = 64;

  private static final int FIRST_LENGTH = 1 << 10;

  /** Of the array itself and of what sorting it takes. */
  private static final int BYTES_OF_SLOT = 12;

  /** An array twice as long would be more than virtual machines grant. */
  private static final int MOST = 1 << 30;

  private static final long STEP = 1 << 20;

  private final SpilledRecords.Place place;
  private final Object lock = new Object();
  private Product2<K, C>[] records;
  private int count;
  private long bytesOfRecords;
  private long peak;
  private long spilled;

  // Guarded by the lock.
  private boolean handingOut;
  private int next;
  private SpilledRecords<K, C> rest;

  SortedRecords(TaskMemoryManager memory, SpilledRecords.Place place) {
    super(memory, memory.pageSizeBytes(), MemoryMode.ON_HEAP);
    this.place = place;
    this.records = array(FIRST_LENGTH);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <K, C> Product2<K, C>[] array(int length) {
    return new Product2[length];
  }

  /**
   * Keeps a record. The key and the value are not copied; the pair they came in may be used again.
   *
   * @return whether there was memory for it; if not, only {@link #drain} may follow
   */
  boolean insert(K key, C value) {
    Product2<K, C> record = new Tuple2<>(key, value);
    int weight = count < MEASURED ? 1 : count % MEASURED == 0 ? MEASURED : 0;
    if (weight > 0) {
      bytesOfRecords += weight * SizeEstimator.estimate(record);
    }
    if (count == records.length) {
      records = Arrays.copyOf(records, 2 * count);
    }
    records[count++] = record;
    long needed = bytesOfRecords + (long) records.length * BYTES_OF_SLOT;
    return count < MOST && (needed <= getUsed() || reserve(needed));
  }

  private boolean reserve(long needed) {
    // As much again, so that little is asked for often.
    acquireMemory(Math.max(STEP, 2 * needed - getUsed()));
    peak = Math.max(peak, getUsed());
    return needed <= getUsed();
  }

  /**
   * Gives what is there in the order of insertion, each forgotten as it goes, and then what is left
   * of the input; the memory goes back to Spark at once.
   */
  Iterator<Product2<K, C>> drain(Iterator<Product2<K, C>> input) {
    freeMemory(getUsed());
    Iterator<Product2<K, C>> kept = handOut();
    return new AbstractIterator<>() {
      @Override
      public boolean hasNext() {
        return kept.hasNext() || input.hasNext();
      }

      @Override
      public Product2<K, C> next() {
        return kept.hasNext() ? kept.next() : input.next();
      }
    };
  }

  /** Sorts what is there and begins to hand it out; of equal keys what came first comes first. */
  Iterator<Product2<K, C>> sorted(Comparator<? super K> order) {
    Arrays.sort(records, 0, count, (a, b) -> order.compare(a._1(), b._1()));
    synchronized (lock) {
      handingOut = true;
    }
    return handOut();
  }

  private Iterator<Product2<K, C>> handOut() {
    return new AbstractIterator<>() {
      @Override
      public boolean hasNext() {
        synchronized (lock) {
          return next < count;
        }
      }

      @Override
      public Product2<K, C> next() {
        return takeNext();
      }
    };
  }

  private Product2<K, C> takeNext() {
    synchronized (lock) {
      if (next >= count) {
        throw new NoSuchElementException("no more records");
      }
      if (rest != null) {
        next++;
        return rest.next();
      }
      Product2<K, C> record = records[next];
      records[next++] = null;
      return record;
    }
  }

  /** Writes to a file what was not handed out yet. */
  @Override
  public long spill(long size, MemoryConsumer trigger) throws IOException {
    synchronized (lock) {
      if (!handingOut || rest != null || next == count) {
        // Before that the task's thread says itself what happens when memory is refused.
        return 0;
      }
      rest = SpilledRecords.write(place, Arrays.asList(records).subList(next, count));
      records = array(0);
      long freed = getUsed();
      freeMemory(freed);
      spilled += freed;
      return freed;
    }
  }

  /** Frees everything, the file included; to be called when the task ends. Idempotent. */
  void free() {
    SpilledRecords<K, C> written;
    synchronized (lock) {
      handingOut = false;
      records = array(0);
      count = 0;
      written = rest;
      rest = null;
    }
    // Spark asks for memory under a lock of its own, under which it calls spill.
    freeMemory(getUsed());
    if (written != null) {
      written.close();
    }
  }

  /** Bytes of Spark's memory held at most. */
  long peakBytes() {
    return peak;
  }

  /** Bytes of Spark's memory given back by spilling. */
  long spilledBytes() {
    return spilled;
  }

  /** Bytes in the file. */
  long fileBytes() {
    synchronized (lock) {
      return rest == null ? 0 : rest.bytes();
    }
  }
}
