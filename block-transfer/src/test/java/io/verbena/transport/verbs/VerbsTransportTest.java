package io.verbena.transport.verbs;

import io.verbena.store.RemoteAccess;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The contract by RDMA READ, from one open device of this process to another. */
@Tag(VerbsFixture.TAG)
class VerbsTransportTest extends TransportContract {
  private VerbsTransport owner;

  @Override
  protected Transport newTransport() throws Exception {
    return VerbsTransport.open(VerbsFixture.settings());
  }

  @Override
  protected RemoteAccess remoteAccess() throws Exception {
    owner = VerbsTransport.open(VerbsFixture.settings());
    return owner;
  }

  @AfterEach
  void closeOwner() {
    owner.close();
  }
}
