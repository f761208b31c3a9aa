package io.verbena.doctor;

import io.verbena.conf.RdmaConf;
import io.verbena.transport.verbs.VerbsTrial;
import io.verbena.transport.verbs.VerbsUnavailableException;
import java.io.IOException;
import java.net.InetAddress;

/** On the host that this process runs on. */
final class LiveTrial implements Trial {
  @Override
  public String run(String host, RdmaConf rdma) throws IOException {
    try {
      VerbsTrial worked =
          VerbsTrial.run(
              host.isEmpty() ? InetAddress.getLocalHost().getHostName() : host,
              rdma.verbsDevice(),
              rdma.verbsAddress());
      return worked.device() + ", address " + worked.address();
    } catch (VerbsUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
