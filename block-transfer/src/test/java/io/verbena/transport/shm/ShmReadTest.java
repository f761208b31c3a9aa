package io.verbena.transport.shm;

import io.verbena.transport.Transport;
import io.verbena.transport.TransportContract;

class ShmReadTest extends TransportContract {
  @Override
  protected Transport newTransport() {
    return new ShmTransport(ShmTransport.Mode.READ);
  }
}
