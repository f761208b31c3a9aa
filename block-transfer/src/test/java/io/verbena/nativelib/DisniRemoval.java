package io.verbena.nativelib;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program for a machine of its own, which must end with "all held": a device is removed while it
 * is in use, let go of, added again and used again. Its argument is the device's address.
 */
public final class DisniRemoval {
  private static final int WAIT_MILLIS = 20_000;

  private DisniRemoval() {}

  public static void main(String[] args) throws Exception {
    InetSocketAddress at = new InetSocketAddress(InetAddress.getByName(args[0]), 0);
    RdmaEventChannel events = RdmaEventChannel.createEventChannel();
    RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
    id.bindAddr(at);
    Use use = new Use(id);
    Process removal = start("rdma", "link", "delete", "rxe0");
    RdmaCmEvent event = events.getCmEvent(WAIT_MILLIS);
    check(event != null && isRemoval(event), "removal is told");
    use.close();
    check(id.destroyId() == 0, "id");
    check(removal.waitFor(WAIT_MILLIS, TimeUnit.MILLISECONDS), "the kernel goes on");
    check(removal.exitValue() == 0, "the removal succeeded");
    RdmaCmId none = events.createId(RdmaCm.RDMA_PS_TCP);
    try {
      none.bindAddr(at);
      throw new AssertionError("bound to a device that is gone");
    } catch (IOException e) {
      check(e.getMessage().contains("ENODEV"), e.toString());
    }
    check(none.destroyId() == 0, "id without a device");
    Process back = start("rdma", "link", "add", "rxe0", "type", "rxe", "netdev", "eth0");
    check(back.waitFor(WAIT_MILLIS, TimeUnit.MILLISECONDS), "the device comes back");
    RdmaCmId again = events.createId(RdmaCm.RDMA_PS_TCP);
    again.bindAddr(at);
    new Use(again).close();
    check(again.destroyId() == 0 && events.destroyEventChannel() == 0, "end");
    System.out.println("all held");
  }

  @SuppressWarnings("EnumOrdinal") // DiSNI gives ordinals
  private static boolean isRemoval(RdmaCmEvent event) {
    return event.getEvent() == EventType.RDMA_CM_EVENT_DEVICE_REMOVAL.ordinal();
  }

  private static Process start(String... command) throws IOException {
    return new ProcessBuilder(List.of(command)).inheritIO().start();
  }

  private static void check(boolean held, String what) {
    if (!held) {
      throw new AssertionError(what);
    }
  }

  /** Objects on an id's device. */
  private static final class Use {
    private final IbvPd domain;
    private final IbvCompChannel channel;
    private final IbvCQ queue;
    private final IbvMr region;

    Use(RdmaCmId id) throws Exception {
      IbvContext context = id.getVerbs();
      domain = context.allocPd();
      channel = context.createCompChannel();
      queue = context.createCQ(channel, 8, 0);
      ByteBuffer memory = ByteBuffer.allocateDirect(4096);
      region = domain.regMr(memory, IbvMr.IBV_ACCESS_REMOTE_READ).execute().free().getMr();
    }

    void close() throws Exception {
      region.deregMr().execute();
      check(queue.destroyCQ() == 0 && channel.destroyCompChannel() == 0, "queue");
      check(domain.deallocPd() == 0, "domain");
    }
  }
}
