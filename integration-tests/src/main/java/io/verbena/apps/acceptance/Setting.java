package io.verbena.apps.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Options of Spark under which cases are run, each in an application of its own. */
public enum Setting {
  /** Kryo with every class registered; the shuffle decides itself what to compress. */
  KRYO,

  /** Java serialization, lz4. */
  JAVA,

  /** Kryo, snappy. */
  SNAPPY,

  /** Kryo, zstd. */
  ZSTD,

  /** Java serialization, lzf. */
  LZF,

  /** Kryo, no compression. */
  PLAIN,

  /** A little of everything, to see that an application gets on. */
  BRIEF,

  /** Kryo; map outputs get lost, or move to another executor. */
  FAULTS,

  /** Kryo; sizes at which implementations meet limits. */
  LARGE;

  /** Options of Spark, beside those that the application is submitted with. */
  Map<String, String> options() {
    return switch (this) {
      case KRYO, BRIEF -> Options.kryo();
      case FAULTS -> Options.faults();
      case JAVA -> Options.java("lz4");
      case SNAPPY -> Options.kryo("snappy");
      case ZSTD -> Options.kryo("zstd");
      case LZF -> Options.java("lzf");
      case PLAIN -> Options.kryo("none");
      case LARGE -> Options.large();
    };
  }

  /** Names of the cases that are run under it, in their order. */
  public List<String> caseNames() {
    return cases().stream().map(Case::name).toList();
  }

  List<Case> cases() {
    return switch (this) {
      case KRYO -> Cases.ALL;
      // SQL has a serializer of its own.
      case JAVA -> RddCases.all();
      case SNAPPY, ZSTD, LZF, PLAIN -> Cases.SAMPLES;
      case BRIEF -> Cases.BRIEF;
      case FAULTS -> FaultCases.all();
      case LARGE -> LargeCases.all();
    };
  }

  private static final class Cases {
    private static final Set<String> SAMPLE =
        Set.of("reduceByKey", "repartitionAndSortWithinPartitions", "records larger than a page");

    static final List<Case> ALL = new ArrayList<>(RddCases.all());
    static final List<Case> SAMPLES =
        RddCases.all().stream().filter(each -> SAMPLE.contains(each.name())).toList();
    static final List<Case> BRIEF = new ArrayList<>(SAMPLES);

    static {
      ALL.addAll(SqlCases.all());
      BRIEF.addAll(SqlCases.all().subList(0, 2));
    }
  }

  private static final class Options {
    static Map<String, String> kryo() {
      return Map.of(
          "spark.serializer",
          "org.apache.spark.serializer.KryoSerializer",
          "spark.kryo.registrationRequired",
          "true",
          "spark.kryo.registrator",
          Registrator.class.getName());
    }

    static Map<String, String> kryo(String codec) {
      return with(kryo(), codec);
    }

    static Map<String, String> java(String codec) {
      return with(Map.of("spark.serializer", "org.apache.spark.serializer.JavaSerializer"), codec);
    }

    private static Map<String, String> with(Map<String, String> options, String codec) {
      Map<String, String> all = new TreeMap<>(options);
      if (codec.equals("none")) {
        all.put("spark.shuffle.compress", "false");
      } else {
        all.put("spark.io.compression.codec", codec);
        // Otherwise the shuffle may leave compression out.
        all.put("spark.shuffle.rdma.compress", "always");
      }
      return all;
    }

    static Map<String, String> faults() {
      Map<String, String> all = new TreeMap<>(kryo());
      all.putAll(Decommissioning.OPTIONS);
      return all;
    }

    static Map<String, String> large() {
      Map<String, String> all = new TreeMap<>(kryo());
      all.put("spark.kryoserializer.buffer.max", "1g");
      // In pages of 1 MiB a record of that size takes two regions of G1, of which Spark counts one:
      // the heap is full before the task's share of it is.
      all.put("spark.buffer.pageSize", "8m");
      return all;
    }
  }
}
