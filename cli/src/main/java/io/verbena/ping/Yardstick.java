package io.verbena.ping;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Bytes over the plain TCP connection of the two sides, to see what the network between them gives
 * without RDMA. It is not Spark's block transfer: one connection and no framing, but as there the
 * other side's processor copies every byte.
 *
 * <pre>
 *   ping  -> serve  int size
 *   serve -> ping   so many bytes; or int 0 for 0, which ends the exchange; nothing for -1, the end
 * </pre>
 */
final class Yardstick {
  static final String NAME = "tcp";
  private static final int END = 0;
  private static final int BYE = -1;

  private final PingSettings settings;
  private final Link link;

  Yardstick(PingSettings settings, Link link) {
    this.settings = settings;
    this.link = link;
  }

  /** Measures as {@link Measurement} does; {@code setupNanos} is what connecting took. */
  Measured run(long setupNanos) throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (int size : settings.sizes()) {
      samples.add(
          link.within(
              settings.time().multipliedBy(3).plus(settings.limit()),
              (in, out) -> sample(in, out, size)));
    }
    return new Measured(NAME, "", List.of(setupNanos), samples);
  }

  /** Whether the other side is still there: an exchange with nothing in it. */
  static void end(DataInputStream in, DataOutputStream out) throws IOException {
    out.writeInt(END);
    out.flush();
    if (in.readInt() != END) {
      throw new IOException("the other side has lost count");
    }
  }

  private Sample sample(DataInputStream in, DataOutputStream out, int size) throws IOException {
    byte[] bytes = new byte[size];
    Histogram latencies = Sample.newLatencies();
    long time = settings.time().toNanos();
    long start = System.nanoTime();
    for (long begun = start; begun - start < time; ) {
      out.writeInt(size);
      out.flush();
      in.readFully(bytes);
      long now = System.nanoTime();
      latencies.recordValue(now - begun);
      begun = now;
    }
    double rate = rate(in, out, bytes);
    end(in, out);
    return new Sample(size, latencies, rate);
  }

  private double rate(DataInputStream in, DataOutputStream out, byte[] bytes) throws IOException {
    long time = settings.time().toNanos();
    long start = System.nanoTime();
    long read = 0;
    int asked = 0;
    for (; asked < settings.depth(); asked++) {
      out.writeInt(bytes.length);
    }
    out.flush();
    while (asked > 0) {
      in.readFully(bytes);
      read += bytes.length;
      if (System.nanoTime() - start < time) {
        out.writeInt(bytes.length);
        out.flush();
      } else {
        asked--;
      }
    }
    return read * 1e9 / (System.nanoTime() - start);
  }

  /** Says that nothing more comes. */
  static void bye(DataOutputStream out) throws IOException {
    out.writeInt(BYE);
    out.flush();
  }

  /** The other side of one exchange; false when nothing more comes. */
  static boolean serve(DataInputStream in, DataOutputStream out) throws IOException {
    byte[] bytes = new byte[0];
    for (int size = in.readInt(); size != END; size = in.readInt()) {
      if (size == BYE) {
        return false;
      }
      if (size < 0 || size > PingSettings.MAX_SIZE) {
        throw new IOException(
            "%d bytes asked for: 1 to %d may be".formatted(size, PingSettings.MAX_SIZE));
      }
      if (bytes.length < size) {
        bytes = new byte[size];
      }
      out.write(bytes, 0, size);
      out.flush();
    }
    out.writeInt(END);
    out.flush();
    return true;
  }
}
