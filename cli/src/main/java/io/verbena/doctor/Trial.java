package io.verbena.doctor;

import io.verbena.conf.RdmaConf;
import java.io.IOException;

/** Tries the RDMA device as executors would use it. */
@FunctionalInterface
public interface Trial {
  /**
   * Opens the device and reads through it; gives what executors would use.
   *
   * @param host this host as executors call it; empty when that is not set
   * @param rdma the shuffle's settings
   * @throws IOException when it does not work; says why and what helps
   */
  String run(String host, RdmaConf rdma) throws IOException;
}
