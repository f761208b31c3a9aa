package io.verbena.conf;

/** When a map output is compressed, where {@code spark.shuffle.compress} gives leave to. */
public enum CompressMode implements DocumentedValue {
  /** As the state of the pool and the transports that are allowed demand. */
  AUTO(
      "compresses when the pool fills up (`spark.shuffle.rdma.compress.poolThreshold`), and always"
          + " where map outputs take the network to other hosts by `netty`: when it is the only one"
          + " of `spark.shuffle.rdma.transports`, or executors are on several hosts and this one"
          + " uses no RDMA device. A fall to `netty` for one peer changes nothing"),

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
