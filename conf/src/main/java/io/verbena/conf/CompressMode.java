package io.verbena.conf;

/** When a map output is compressed, where {@code spark.shuffle.compress} gives leave to. */
public enum CompressMode implements DocumentedValue {
  /** As the state of the pool and the transports that are allowed demand. */
  AUTO(
      "compresses when the pool fills up (`spark.shuffle.rdma.compress.poolThreshold`), and always"
          + " where `spark.shuffle.rdma.transports` is `netty` alone; a fall to `netty` changes"
          + " nothing"),

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
