package io.verbena.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/** Heap that stays in use after full collections. */
final class HeapUse {
  private static final int COLLECTIONS = 4;
  private static final int CLASSES = 8;

  private HeapUse() {}

  /**
   * Living objects of this project's classes, without the arrays that they hold.
   *
   * @param bytes of all of them
   * @param largest the largest classes of any kind in this process, a line each
   */
  record Own(long bytes, List<String> largest) {}

  static Own own() throws JMException {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    // Number, instances, bytes, class; two lines of heading.
    List<String> lines = histogram.lines().map(String::strip).filter(HeapUse::counts).toList();
    long bytes =
        lines.stream()
            .filter(line -> line.contains(" io.verbena."))
            .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[2]))
            .sum();
    return new Own(bytes, lines.stream().limit(CLASSES).toList());
  }

  private static boolean counts(String line) {
    return line.matches("\\d+:\\s.*");
  }

  /** Bytes; the least of several collections, since references may need more than one. */
  static long afterCollection() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      memory.gc();
      least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
