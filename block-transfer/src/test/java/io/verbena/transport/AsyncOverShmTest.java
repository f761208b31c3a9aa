package io.verbena.transport;

class AsyncOverShmTest extends TransportContract {
  @Override
  protected Transport newTransport() {
    return new AsyncOverShm();
  }
}
