package io.verbena.transport.shm;

import io.verbena.transport.Transport;
import io.verbena.transport.TransportContract;

class ShmMappedTest extends TransportContract {
  @Override
  protected Transport newTransport() {
    return new ShmTransport(ShmTransport.Mode.MAPPED);
  }
}
