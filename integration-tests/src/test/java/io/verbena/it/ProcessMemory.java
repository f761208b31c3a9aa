package io.verbena.it;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a process of the same user has in its private memory, seen from outside. */
final class ProcessMemory {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SAMPLE = 1 << 10;
  private static final int WINDOW = 16 << 20;
  private static final int FILTER = 0xffff;

  /** Contents of files, and where in them eight bytes stand that are looked for in memory. */
  private record Samples(List<byte[]> contents, Map<Long, int[]> places, BitSet filter) {
    static Samples of(List<Path> files) throws IOException {
      Samples samples = new Samples(new ArrayList<>(), new HashMap<>(), new BitSet(FILTER + 1));
      for (Path file : files) {
        byte[] content = Files.readAllBytes(file);
        samples.contents.add(content);
        for (int at = SAMPLE; at + Long.BYTES <= content.length; at += SAMPLE) {
          samples.add(samples.contents.size() - 1, at);
        }
      }
      return samples;
    }

    private void add(int file, int at) {
      long value = (long) LONG.get(contents.get(file), at);
      // Short numbers and zeros are everywhere.
      if (value >>> 32 != 0 && (int) value != 0) {
        places.putIfAbsent(value, new int[] {file, at});
        filter.set((int) value & FILTER);
      }
    }
  }

  private ProcessMemory() {}

  /**
   * Stretches of files that stand in a process's anonymous memory, each as long as it goes on there
   * and at least {@code least} bytes: buffers that bytes were read into or written from.
   */
  static List<byte[]> stretches(long pid, List<Path> files, int least) throws IOException {
    Samples samples = Samples.of(files);
    List<byte[]> found = new ArrayList<>();
    try (RandomAccessFile memory = new RandomAccessFile("/proc/" + pid + "/mem", "r")) {
      for (long[] range : anonymous(pid)) {
        for (long from = range[0]; from < range[1]; from += WINDOW) {
          // Windows overlap, so that none cuts a buffer short of what is wanted.
          byte[] bytes = new byte[(int) Math.min(range[1] - from, WINDOW + 2L * least)];
          if (read(memory, from, bytes)) {
            find(samples, bytes, least, found);
          }
        }
      }
    }
    return found;
  }

  private static void find(Samples samples, byte[] memory, int least, List<byte[]> found) {
    for (int at = 0; at + Long.BYTES <= memory.length; at++) {
      long value = (long) LONG.get(memory, at);
      int[] place = samples.filter.get((int) value & FILTER) ? samples.places.get(value) : null;
      if (place != null) {
        byte[] content = samples.contents.get(place[0]);
        int before = 0;
        while (before < Math.min(at, place[1])
            && memory[at - before - 1] == content[place[1] - before - 1]) {
          before++;
        }
        int length = Arrays.mismatch(memory, at, memory.length, content, place[1], content.length);
        int end = length < 0 ? memory.length : at + length;
        if (end - at + before >= least) {
          found.add(Arrays.copyOfRange(memory, at - before, end));
        }
        at = Math.max(at, end - Long.BYTES);
      }
    }
  }

  /** Ranges that can be read and belong to no file. */
  private static List<long[]> anonymous(long pid) throws IOException {
    List<long[]> ranges = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
      String[] fields = line.split("\\s+", 6);
      boolean named = fields.length > 5 && fields[5].matches("/.*|\\[v.*");
      if (fields[1].startsWith("rw") && !named) {
        String[] ends = fields[0].split("-", 2);
        ranges.add(
            new long[] {Long.parseUnsignedLong(ends[0], 16), Long.parseUnsignedLong(ends[1], 16)});
      }
    }
    return ranges;
  }

  /** Whether the memory was there: the process runs on, and may have given it back. */
  private static boolean read(RandomAccessFile memory, long from, byte[] bytes) {
    try {
      memory.seek(from);
      memory.readFully(bytes);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
