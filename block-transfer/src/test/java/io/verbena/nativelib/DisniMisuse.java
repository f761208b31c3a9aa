package io.verbena.nativelib;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatIbvCQ;
import com.ibm.disni.verbs.impl.NatIbvMr;
import com.ibm.disni.verbs.impl.NatIbvPd;
import com.ibm.disni.verbs.impl.NatIbvQP;
import com.ibm.disni.verbs.impl.NatRdmaEventChannel;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A program for a JVM of its own, which must end with "all held" and say nothing else: DiSNI as it
 * is meant to be used, then each of its native methods with arguments that are wrong. Its argument
 * is the address of a real device; without one it runs on the device that is not there.
 */
public final class DisniMisuse {
  private static final int SIZE = 1 << 16;
  private static final int WAIT_MILLIS = 5000;

  private final String address;
  private final boolean isFake;
  private final NativeDispatcher dispatcher;
  private final ByteBuffer registered = ByteBuffer.allocateDirect(64);
  private final List<Long> closed = new ArrayList<>();

  private DisniMisuse(String[] args) throws ReflectiveOperationException {
    isFake = args.length == 0;
    address = isFake ? "10.0.0.1" : args[0];
    Constructor<NativeDispatcher> constructor = NativeDispatcher.class.getDeclaredConstructor();
    constructor.setAccessible(true);
    dispatcher = constructor.newInstance();
  }

  public static void main(String[] args) throws Exception {
    DisniMisuse misuse = new DisniMisuse(args);
    misuse.useAndClose();
    misuse.callEachMethodWithWrongHandles();
    System.out.println("all held");
  }

  private static void check(boolean held, String what) {
    if (!held) {
      throw new AssertionError(what);
    }
  }

  private static void refused(Class<? extends Exception> type, String part, Callable<?> call) {
    try {
      Object result = call.call();
      throw new AssertionError("expected " + part + ", got " + result);
    } catch (Exception e) {
      check(type.isInstance(e) && String.valueOf(e.getMessage()).contains(part), part + ": " + e);
    }
  }

  @SuppressWarnings("EnumOrdinal") // DiSNI gives ordinals
  private static RdmaCmEvent next(RdmaEventChannel channel, EventType type) throws IOException {
    RdmaCmEvent event = channel.getCmEvent(WAIT_MILLIS);
    check(event != null && event.getEvent() == type.ordinal(), "event " + type);
    event.ackEvent();
    return event;
  }

  private static RdmaConnParam parameters() throws IOException {
    RdmaConnParam parameters = new RdmaConnParam();
    parameters.setRetry_count((byte) 7);
    parameters.setRnr_retry_count((byte) 7);
    return parameters;
  }

  /** Queues and a queue pair for an id. */
  private static final class Side {
    final RdmaCmId id;
    final IbvContext context;
    final IbvPd domain;
    final IbvCompChannel channel;
    final IbvCQ queue;
    final IbvQP queuePair;

    Side(RdmaCmId id) throws IOException {
      this.id = id;
      context = id.getVerbs();
      domain = context.allocPd();
      channel = context.createCompChannel();
      queue = context.createCQ(channel, 64, 0);
      IbvQPInitAttr attributes = new IbvQPInitAttr();
      attributes.cap().setMax_send_wr(8);
      attributes.cap().setMax_recv_wr(8);
      attributes.setQp_type(IbvQP.IBV_QPT_RC);
      attributes.setSend_cq(queue);
      attributes.setRecv_cq(queue);
      queuePair = id.createQP(domain, attributes);
    }

    IbvMr register(ByteBuffer buffer, int access) throws Exception {
      return domain.regMr(buffer, access).execute().free().getMr();
    }

    void close() throws Exception {
      check(id.destroyQP() == 0 && id.destroyId() == 0, "id");
      check(queue.destroyCQ() == 0 && channel.destroyCompChannel() == 0, "queue");
      check(domain.deallocPd() == 0, "domain");
    }
  }

  private void useAndClose() throws Exception {
    InetSocketAddress at = new InetSocketAddress(address, 4711);
    RdmaEventChannel serverEvents = RdmaEventChannel.createEventChannel();
    RdmaEventChannel clientEvents = RdmaEventChannel.createEventChannel();
    RdmaCmId listening = serverEvents.createId(RdmaCm.RDMA_PS_TCP);
    refused(
        IOException.class,
        isFake ? "192.0.2.1:1: ENODEV (errno 19" : "192.0.2.1:1: E",
        () -> {
          listening.bindAddr(new InetSocketAddress("192.0.2.1", 1));
          return null;
        });
    check(listening.getSource() == null, "no address yet");
    listening.bindAddr(at);
    check(at.equals(listening.getSource()), "source " + listening.getSource());
    listening.listen(4);
    RdmaCmId id = clientEvents.createId(RdmaCm.RDMA_PS_TCP);
    refused(IOException.class, "the id has no device yet", id::getVerbs);
    id.resolveAddr(null, at, WAIT_MILLIS);
    next(clientEvents, EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
    id.resolveRoute(WAIT_MILLIS);
    next(clientEvents, EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
    Side client = new Side(id);
    id.connect(parameters());
    RdmaCmEvent request = next(serverEvents, EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
    check(request.getListenIdPriv() == listening, "listening id");
    Side server = new Side(request.getConnIdPriv());
    server.id.accept(parameters());
    next(clientEvents, EventType.RDMA_CM_EVENT_ESTABLISHED);
    next(serverEvents, EventType.RDMA_CM_EVENT_ESTABLISHED);
    check(clientEvents.getCmEvent(0) == null, "no more events");
    read(client, server);
    misuse(client);
    id.disconnect();
    next(serverEvents, EventType.RDMA_CM_EVENT_DISCONNECTED);
    client.close();
    server.close();
    check(listening.destroyId() == 0, "listening id");
    refused(IOException.class, "closed", () -> client.queue.reqNotification(false).execute());
    clientEvents.destroyEventChannel();
    serverEvents.destroyEventChannel();
    closed.add(((NatRdmaEventChannel) clientEvents).getObjId());
    closed.add(((NatCmaIdPrivate) id).getObjId());
    closed.add(((NatIbvPd) client.domain).getObjId());
    closed.add(((NatIbvCQ) client.queue).getObjId());
    closed.add(((NatIbvQP) client.queuePair).getObjId());
  }

  @SuppressWarnings("JdkObsolete") // DiSNI takes a LinkedList
  private static IbvSendWR request(IbvMr to, int length, IbvMr from) {
    IbvSge entry = new IbvSge();
    entry.setAddr(to.getAddr());
    entry.setLength(length);
    entry.setLkey(to.getLkey());
    IbvSendWR request = new IbvSendWR();
    request.setWr_id(4711);
    request.setSg_list(new LinkedList<>(List.of(entry)));
    request.setNum_sge(1);
    request.setOpcode(IbvSendWR.IBV_WR_RDMA_READ);
    request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
    request.getRdma().setRemote_addr(from.getAddr());
    request.getRdma().setRkey(from.getRkey());
    return request;
  }

  private void read(Side client, Side server) throws Exception {
    ByteBuffer from = ByteBuffer.allocateDirect(SIZE);
    ByteBuffer to = ByteBuffer.allocateDirect(SIZE);
    for (int i = 0; i < SIZE; i++) {
      from.put(i, (byte) (i >> 5));
    }
    IbvMr source = server.register(from, IbvMr.IBV_ACCESS_REMOTE_READ);
    IbvMr sink = client.register(to, IbvMr.IBV_ACCESS_LOCAL_WRITE);
    client.queue.reqNotification(false).execute().free();
    check(!client.channel.getCqEvent(client.queue, 0), "no completion yet");
    client.queuePair.postSend(List.of(request(sink, SIZE, source)), null).execute().free();
    check(client.channel.getCqEvent(client.queue, WAIT_MILLIS), "completion");
    client.queue.ackEvents(1);
    IbvWC[] completions = {new IbvWC(), new IbvWC()};
    int polled = client.queue.poll(completions, 2).execute().getPolls();
    check(polled == 1 && completions[0].getWr_id() == 4711, "completion of the request");
    check(completions[0].getStatus() == 0 && from.equals(to), "bytes");
    refused(
        IllegalArgumentException.class,
        "not in their region of " + SIZE + " bytes",
        () -> client.queuePair.postSend(List.of(request(sink, SIZE + 1, source)), null).execute());
    refused(
        IllegalArgumentException.class,
        "5 events, of 0",
        () -> dispatcher._ackCqEvent(handle(client), 5));
    long region = ((NatIbvMr) sink).getObjId();
    refused(
        IllegalArgumentException.class,
        "expPrefetchMr",
        () -> dispatcher._expPrefetchMr(region, sink.getAddr(), SIZE + 1));
    refused(
        IOException.class,
        "EOPNOTSUPP",
        () -> dispatcher._expPrefetchMr(region, sink.getAddr(), SIZE));
    sink.deregMr().execute();
    source.deregMr().execute();
    closed.add(region);
  }

  private static long handle(Side side) {
    return ((NatIbvCQ) side.queue).getObjId();
  }

  private void misuse(Side side) throws Exception {
    long queue = handle(side);
    long queuePair = ((NatIbvQP) side.queuePair).getObjId();
    long domain = ((NatIbvPd) side.domain).getObjId();
    ByteBuffer buffer = ByteBuffer.allocateDirect(256);
    long memory = MemoryUtils.getAddress(buffer) + 7 & -8;
    Class<IllegalArgumentException> argument = IllegalArgumentException.class;
    Class<UnsupportedOperationException> unsupported = UnsupportedOperationException.class;
    refused(argument, "at least 1", () -> dispatcher._pollCQ(queue, 0, memory));
    refused(argument, "not aligned", () -> dispatcher._pollCQ(queue, 1, memory + 1));
    refused(argument, "not aligned", () -> dispatcher._pollCQ(queue, 1, 0));
    refused(argument, "none", () -> dispatcher._pollCQ(queue ^ 1L << 40, 1, memory));
    refused(unsupported, "modifyQP", () -> dispatcher._modifyQP(queuePair, 0));
    refused(argument, "takes 1 to", () -> side.context.createCQ(side.channel, 0, 0));
    refused(argument, "takes 1 to", () -> side.context.createCQ(side.channel, 1 << 30, 0));
    refused(argument, "vectors 0 to", () -> side.context.createCQ(side.channel, 1, 99));
    refused(argument, "0 bytes", () -> register(domain, memory, 0, 0));
    refused(argument, "no memory", () -> register(domain, 0, 64, 0));
    refused(argument, "no memory", () -> register(domain, -8, 64, 0));
    if (isFake) {
      int atomic = IbvMr.IBV_ACCESS_REMOTE_ATOMIC;
      refused(IOException.class, "EOPNOTSUPP", () -> register(domain, memory, 64, atomic));
    } else {
      refused(IOException.class, "EFAULT", () -> register(domain, 1 << 16, 64, 0));
    }
    refused(argument, "ackCmEvent", () -> dispatcher._ackCmEvent(-1));
    long id = ((NatCmaIdPrivate) side.id).getObjId();
    refused(IOException.class, "EBUSY", () -> createQp(id, domain, queue, IbvQP.IBV_QPT_RC));
    refused(unsupported, "type 4", () -> createQp(id, domain, queue, IbvQP.IBV_QPT_UD));
    refused(unsupported, "port space 0x111", () -> dispatcher._createId(id, RdmaCm.RDMA_PS_UDP));
    refused(IllegalStateException.class, "still used", () -> dispatcher._destroyCQ(queue));
  }

  private long register(long domain, long address, int length, int access) throws IOException {
    long results = MemoryUtils.getAddress(registered) + 7 & -8;
    return dispatcher._regMr(domain, address, length, access, results, results + 4, results + 8);
  }

  private long createQp(long id, long domain, long queue, int type) throws IOException {
    return dispatcher._createQP(id, domain, queue, queue, type, 8, 8, 0);
  }

  /** All handles of a call the same, all wrong, with numbers that are small, none or large. */
  private void callEachMethodWithWrongHandles() throws IllegalAccessException {
    List<Long> handles = new ArrayList<>(closed);
    handles.addAll(List.of(0L, 1L, -1L, 8L, Long.MIN_VALUE, Long.MAX_VALUE, 0x0123456789abcdefL));
    for (Method method : NativeDispatcher.class.getDeclaredMethods()) {
      boolean takesHandle = Arrays.asList(method.getParameterTypes()).contains(long.class);
      if (Modifier.isNative(method.getModifiers()) && takesHandle) {
        for (long handle : handles) {
          for (int number : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            refusedByName(method, handle, number);
          }
        }
      }
    }
  }

  private void refusedByName(Method method, long handle, int number) throws IllegalAccessException {
    Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(t -> value(t, handle, number)).toArray();
    String call = method.getName() + Arrays.toString(arguments);
    try {
      throw new AssertionError(call + " gave " + method.invoke(dispatcher, arguments));
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      boolean named =
          thrown instanceof IOException
              || thrown instanceof IllegalArgumentException
              || thrown instanceof IllegalStateException
              || thrown instanceof UnsupportedOperationException;
      check(named && thrown.getMessage().contains(method.getName().substring(1)), call + thrown);
    }
  }

  private static Object value(Class<?> type, long handle, int number) {
    if (type == long.class) {
      return handle;
    }
    if (type == short.class) {
      return (short) number;
    }
    return type == byte.class ? (Object) (byte) number : (Object) number;
  }
}
