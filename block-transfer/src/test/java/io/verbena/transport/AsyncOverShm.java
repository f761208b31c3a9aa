package io.verbena.transport;

import io.verbena.store.StoreDescriptor;
import io.verbena.transport.shm.ShmTransport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A transport that completes READs later and on its own thread, as network transports do; the bytes
 * come by shm. Can hold completions back and break.
 */
public final class AsyncOverShm implements Transport {
  private final ShmTransport shm = new ShmTransport(ShmTransport.Mode.READ);
  private final Set<AsyncConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean held;
  private volatile boolean late;
  private final AtomicInteger failAfter = new AtomicInteger(Integer.MAX_VALUE);
  private volatile int largestInFlight;

  @Override
  public String name() {
    return "async";
  }

  /** While held, READs stay in flight. */
  public void hold(boolean hold) {
    held = hold;
    connections.forEach(AsyncConnection::wake);
  }

  /** Lets a READ come only when the thread that has posted it waits for something. */
  public AsyncOverShm late() {
    late = true;
    return this;
  }

  /** Lets connections break after some more READs. */
  public void failAfter(int reads) {
    failAfter.set(reads);
  }

  /** Bytes of the largest set of READs that were in flight on one connection. */
  public int largestInFlight() {
    return largestInFlight;
  }

  @Override
  public Connection connect(String executorId, StoreDescriptor peer) throws UnreachableException {
    AsyncConnection connection = new AsyncConnection(executorId, shm.connect(executorId, peer));
    connections.add(connection);
    return connection;
  }

  @Override
  public void close() {
    List.copyOf(connections).forEach(AsyncConnection::close);
    shm.close();
  }

  private final class AsyncConnection implements Connection {
    private final String executorId;
    private final Connection under;
    private final LinkedBlockingQueue<Read> queue = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "async-test-transport");
    private boolean closed;
    private int bytesInFlight;
    private Thread poster;

    AsyncConnection(String executorId, Connection under) {
      this.executorId = executorId;
      this.under = under;
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public boolean synchronous() {
      return false;
    }

    @Override
    public synchronized void post(List<Read> reads) throws IOException {
      if (closed) {
        throw new IOException("the connection to executor " + executorId + " is closed");
      }
      for (Read read : reads) {
        bytesInFlight += read.length();
      }
      largestInFlight = Math.max(largestInFlight, bytesInFlight);
      poster = Thread.currentThread();
      queue.addAll(reads);
      notifyAll();
    }

    private synchronized void wake() {
      notifyAll();
    }

    private synchronized Read next() throws InterruptedException {
      while (!closed && (held || queue.isEmpty())) {
        wait();
      }
      return closed ? null : queue.poll();
    }

    private void run() {
      try {
        for (Read read = next(); read != null; read = next()) {
          execute(read);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      List<Read> rest = new ArrayList<>();
      queue.drainTo(rest);
      rest.forEach(r -> r.completion().done(new IOException("flushed: connection closed")));
    }

    private synchronized boolean awaited() {
      return poster.getState() == Thread.State.WAITING
          || poster.getState() == Thread.State.TIMED_WAITING;
    }

    private void execute(Read read) {
      while (late && !awaited()) {
        LockSupport.parkNanos(10_000);
      }
      if (failAfter.decrementAndGet() < 0) {
        ended(read);
        read.completion().done(new IOException("the link went down"));
        return;
      }
      try {
        under.post(
            List.of(
                new Read(
                    read.region(),
                    read.offset(),
                    read.length(),
                    read.into(),
                    read.intoOffset(),
                    failure -> {
                      ended(read);
                      read.completion().done(failure);
                    })));
      } catch (IOException e) {
        ended(read);
        read.completion().done(e);
      }
    }

    private synchronized void ended(Read read) {
      bytesInFlight -= read.length();
    }

    @Override
    public void close() {
      synchronized (this) {
        closed = true;
        notifyAll();
      }
      boolean interrupted = false;
      while (thread.isAlive() && Thread.currentThread() != thread) {
        try {
          thread.join(10_000);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      under.close();
      connections.remove(this);
    }
  }
}
