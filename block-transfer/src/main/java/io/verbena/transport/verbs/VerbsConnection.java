package io.verbena.transport.verbs;

import io.verbena.memory.MemoryView;
import io.verbena.store.StoreDescriptor;
import io.verbena.table.Control;
import io.verbena.table.ControlReader;
import io.verbena.transport.Connection;
import io.verbena.transport.OutOfRegionException;
import io.verbena.transport.Read;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * One executor's memory, by a queue pair that is closed when nobody uses it and made again for the
 * next READ. What is known of the executor's regions stays.
 *
 * <p>A READ of a region that is not known yet waits for its region record, with a deadline.
 *
 * <p>Threads: any.
 */
final class VerbsConnection implements Connection {
  private static final int RECORDS_AT_A_TIME = 4096 / Control.RECORD_SIZE;

  private final VerbsDevice device;
  private final String executorId;
  private final StoreDescriptor store;
  private final InetSocketAddress to;
  private final PeerRegions regions = new PeerRegions();

  // Replaced under the lock.
  private volatile ReadChannel channel;
  private volatile boolean closed;

  private VerbsConnection(
      VerbsDevice device, String executorId, StoreDescriptor store, InetSocketAddress to) {
    this.device = device;
    this.executorId = executorId;
    this.store = store;
    this.to = to;
  }

  /** Connects and reads what there is of region records. */
  static VerbsConnection open(
      VerbsDevice device, String executorId, StoreDescriptor store, InetSocketAddress to)
      throws IOException {
    VerbsConnection connection = new VerbsConnection(device, executorId, store, to);
    try {
      connection.channel = ReadChannel.open(device, executorId, store, to);
      connection.checkControl(connection.channel);
      connection.readRecords(connection.channel);
      return connection;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public boolean synchronous() {
    return false;
  }

  @Override
  public void post(List<Read> reads) throws IOException {
    ReadChannel now = channel();
    try {
      post(now, reads);
    } catch (IOException e) {
      if (!now.retired() || closed) {
        throw e;
      }
      post(channel(), reads);
    }
  }

  /** Posts what can be read, then tells of what cannot. */
  private void post(ReadChannel now, List<Read> reads) throws IOException {
    OutOfRegionException[] wrong = null;
    int last = -1;
    for (int i = 0; i < reads.size(); i++) {
      OutOfRegionException failure = check(now, reads.get(i));
      if (failure == null) {
        last = i;
      } else {
        wrong = wrong == null ? new OutOfRegionException[reads.size()] : wrong;
        wrong[i] = failure;
      }
    }
    if (last >= 0) {
      now.post(reads, wrong, last, regions);
    }
    for (int i = 0; wrong != null && i < wrong.length; i++) {
      if (wrong[i] != null) {
        reads.get(i).completion().done(wrong[i]);
      }
    }
  }

  /** The queue pair, made again when it was closed for lack of use. */
  private ReadChannel channel() throws IOException {
    ReadChannel now = channel;
    return now.retired() ? reopened(now) : now;
  }

  private synchronized ReadChannel reopened(ReadChannel old) throws IOException {
    if (channel == old && !closed) {
      channel = ReadChannel.open(device, executorId, store, to);
    }
    return channel;
  }

  /** Why a READ names bytes that are not there; null when it does not. */
  private OutOfRegionException check(ReadChannel now, Read read) throws IOException {
    int region = read.region();
    if (region == CONTROL) {
      return read.outside(executorId, Control.size());
    }
    if (region < 0 || region >= Control.MAX_REGIONS) {
      return new OutOfRegionException(
          "region "
              + region
              + " of executor "
              + executorId
              + ": ids end at "
              + Control.MAX_REGIONS);
    }
    if (!regions.has(region)) {
      readRecords(now);
      if (!regions.has(region)) {
        return new OutOfRegionException("executor " + executorId + " has no region " + region);
      }
    }
    if (!regions.readable(region)) {
      throw new IOException(
          "region "
              + region
              + " of executor "
              + executorId
              + " is not registered with its RDMA device; its log says why");
    }
    return read.outside(executorId, regions.length(region));
  }

  private synchronized void checkControl(ReadChannel now) throws IOException {
    long length = now.control().length();
    if (length != Control.size()) {
      throw new IOException(
          "the control area of "
              + now.peer()
              + " has "
              + length
              + " bytes, expected "
              + Control.size()
              + "; use the same Verbena version on all executors");
    }
    now.readControl(0, Control.HEADER_SIZE);
    Optional<String> refusal =
        ControlReader.refusal(now.scratch(), store.nonceHigh(), store.nonceLow());
    if (refusal.isPresent()) {
      throw new IOException("the control area of " + now.peer() + ": " + refusal.get());
    }
  }

  private synchronized void readRecords(ReadChannel now) throws IOException {
    now.readControl(0, Control.HEADER_SIZE);
    int count = ControlReader.regions(now.scratch());
    while (regions.count() < count) {
      int first = regions.count();
      int some = Math.min(count - first, RECORDS_AT_A_TIME);
      now.readControl(Control.recordOffset(first), some * Control.RECORD_SIZE);
      MemoryView records = now.scratch();
      for (int i = 0; i < some; i++) {
        Optional<ControlReader.Region> record =
            ControlReader.record(records, i * Control.RECORD_SIZE, first + i);
        if (record.isEmpty()) {
          return;
        }
        regions.add(record.get());
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    ReadChannel now = channel;
    if (now != null) {
      now.close();
    }
    synchronized (this) {
      // One that was made again meanwhile.
      if (channel != null && channel != now) {
        channel.close();
      }
    }
  }
}
