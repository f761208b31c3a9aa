package io.verbena.bench;

import java.util.List;

/**
 * What an executor's CPU time is spent on. Of a task's thread the topmost frame decides whose class
 * says anything: what a codec does with a shuffle's bytes is compression, and a JDK method is whose
 * it is called by.
 */
enum CpuUse {
  /** The same on every side: makes records before the shuffle, and takes them after it. */
  JOB(
      "the job itself",
      "io/verbena/bench/",
      "io/verbena/apps/",
      "org/apache/spark/sql/",
      "org/apache/spark/unsafe/types/",
      "org/apache/parquet/"),
  COMPRESSION("compression", "net/jpountz/", "com/github/luben/zstd/", "org/xerial/snappy/"),
  CHECKSUM("checksums", "java/util/zip/CRC32", "java/util/zip/Adler32"),
  SERIALIZATION(
      "serialisation",
      "com/esotericsoftware/",
      "com/twitter/chill/",
      "org/apache/spark/serializer/",
      "org/apache/spark/sql/execution/UnsafeRowSerializer",
      "java/io/ObjectOutputStream",
      "java/io/ObjectInputStream"),
  COLLECTIONS(
      "sort and aggregation by Spark's collections",
      "org/apache/spark/util/collection/",
      "org/apache/spark/Aggregator"),
  FILES(
      "calls of the system: files, shared memory",
      "sun/nio/ch/",
      "sun/nio/fs/",
      "java/io/FileOutputStream",
      "java/io/FileInputStream",
      "java/io/RandomAccessFile",
      "java/io/UnixFileSystem"),
  SHUFFLE(
      "the shuffle's own code",
      "io/verbena/",
      "org/apache/spark/shuffle/",
      "org/apache/spark/storage/",
      "org/apache/spark/network/",
      "org/apache/spark/io/",
      "io/netty/"),
  TASKS("what else tasks do: their start and end, for one"),
  COLLECTOR("garbage collection"),
  COMPILER("the compiler"),
  OTHER("other threads: messages to the driver, the network");

  private static final String TASK = "Executor task launch worker";
  private static final List<String> COLLECTORS = List.of("GC Thread", "G1 ", "VM Thread");
  private static final List<String> COMPILERS = List.of("C1 Comp", "C2 Comp");

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // Of List.of.
  private final List<String> classes;

  CpuUse(String title, String... classes) {
    this.title = title;
    this.classes = List.of(classes);
  }

  String title() {
    return title;
  }

  /**
   * What a sample is.
   *
   * @param thread its name
   * @param frames from the outermost to the innermost, {@code package/Class.method}
   */
  static CpuUse of(String thread, List<String> frames) {
    if (!thread.startsWith(TASK)) {
      return ofService(thread);
    }
    for (int i = frames.size() - 1; i >= 0; i--) {
      CpuUse use = ofFrame(frames.get(i));
      if (use != TASKS) {
        return use;
      }
    }
    return TASKS;
  }

  private static CpuUse ofService(String thread) {
    if (COLLECTORS.stream().anyMatch(thread::startsWith)) {
      return COLLECTOR;
    }
    return COMPILERS.stream().anyMatch(thread::startsWith) ? COMPILER : OTHER;
  }

  /** The longest name that fits: a package may be one thing, and a class in it another. */
  private static CpuUse ofFrame(String frame) {
    CpuUse found = TASKS;
    int length = 0;
    for (CpuUse use : values()) {
      for (String name : use.classes) {
        if (name.length() > length && frame.startsWith(name)) {
          found = use;
          length = name.length();
        }
      }
    }
    return found;
  }
}
