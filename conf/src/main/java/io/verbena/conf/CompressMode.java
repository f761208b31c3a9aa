package io.verbena.conf;

/** When a map output is compressed, where {@code spark.shuffle.compress} gives leave to. */
public enum CompressMode implements DocumentedValue {
  /** As the state of the pool and the way to the readers demand. */
  AUTO("compresses when memory or the way to the readers is scarce"),

  /** Every run. */
  ALWAYS("compresses every run, as Spark's own shuffle does"),

  /** No run. */
  NEVER("compresses nothing: least CPU time, most memory");

  private final String doc;

  CompressMode(String doc) {
    this.doc = doc;
  }

  @Override
  public String doc() {
    return doc;
  }
}
