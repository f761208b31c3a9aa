package io.verbena.ping;

import io.verbena.memory.MemoryView;
import io.verbena.probe.ReadLoop;
import io.verbena.transport.Connection;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** READs of the other side's region, by one transport. */
final class Measurement {
  private static final int SETUPS = 5;

  private final PingSettings settings;
  private final Welcome welcome;
  private final Transport transport;
  private final Alive alive;

  Measurement(PingSettings settings, Welcome welcome, Transport transport, Alive alive) {
    this.settings = settings;
    this.welcome = welcome;
    this.transport = transport;
    this.alive = alive;
  }

  /** Asks whether the other side is still there. */
  @FunctionalInterface
  interface Alive {
    void check() throws IOException;
  }

  /**
   * Runs it.
   *
   * @throws IOException when the other side has gone, which says nothing about the transport
   */
  Measured run() throws IOException, InterruptedException {
    Measured measured = measure();
    alive.check();
    return measured;
  }

  private Measured measure() throws InterruptedException {
    List<Long> setups = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    try {
      for (int i = 0; i < SETUPS; i++) {
        long begun = System.nanoTime();
        Connection connection = connect();
        setups.add(System.nanoTime() - begun);
        connection.close();
      }
      try (Connection connection = connect()) {
        for (int size : settings.sizes()) {
          samples.add(sample(connection, size));
          alive.check();
        }
      }
      return new Measured(transport.name(), "", setups, samples);
    } catch (IOException e) {
      return Measured.out(transport.name(), e.getMessage());
    }
  }

  private Connection connect() throws IOException {
    return transport.connect(PolicyTrial.SERVE, welcome.store());
  }

  private Sample sample(Connection connection, int size) throws IOException, InterruptedException {
    MemoryView local = ReadLoop.memory(size, settings.depth());
    Transport.Registration registered = transport.register(local);
    try {
      Histogram latencies = Sample.newLatencies();
      ReadLoop one = loop(connection, local, size, 1);
      one.run(settings.time().dividedBy(4)); // warm-up: compiled code, pages that are there
      one.each(settings.time(), latencies::recordValue);
      ReadLoop many = loop(connection, local, size, settings.depth());
      return new Sample(size, latencies, many.run(settings.time()));
    } finally {
      registered.close();
    }
  }

  private ReadLoop loop(Connection connection, MemoryView local, int size, int depth) {
    return new ReadLoop(connection, welcome.regionSize(), local, size, depth, settings.limit());
  }
}
