package io.verbena.conf;

/** A way of moving block bytes between two executors. Declared best first: the default order. */
public enum TransportKind implements DocumentedValue {
  /** Executors that can open each other's region files. */
  SHM("reads the region files of executors on the same host, mapped or with `pread`"),

  /** Executors on hosts with RDMA devices that reach each other. */
  VERBS("RDMA READ: InfiniBand, RoCE, iWARP and Soft-RoCE devices"),

  /** Any pair of executors, through Spark's own block transfer service. */
  NETTY("Spark's own block transfer service; reaches every executor");

  private final String doc;

  TransportKind(String doc) {
    this.doc = doc;
  }

  @Override
  public String doc() {
    return doc;
  }
}
