package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.host.HostFiles;
import io.verbena.memory.MemoryView;
import io.verbena.store.StoreDescriptor;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The device goes: everything of it is closed, whatever part of that fails. */
@Timeout(60)
class DeviceEndTest {
  private static final DeviceInfo INFO =
      new DeviceInfo(
          "fake0",
          1,
          true,
          "::1",
          "RoCE v2",
          4096,
          "Ethernet",
          false,
          64,
          1024,
          1 << 30,
          1 << 30,
          16,
          16);

  private final FakeDevice device = new FakeDevice();

  /** A device that remembers what is open on it. */
  private static final class FakeDevice {
    final Set<Long> open = ConcurrentHashMap.newKeySet();
    final LinkedBlockingQueue<FabricEvent.Kind> events = new LinkedBlockingQueue<>();
    final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong handles = new AtomicLong();
    volatile boolean refusesToClose;

    Fabric fabric() {
      return (Fabric)
          Proxy.newProxyInstance(
              Fabric.class.getClassLoader(),
              new Class<?>[] {Fabric.class},
              (proxy, method, arguments) -> call(method, arguments));
    }

    private Object call(Method method, Object[] arguments) throws Exception {
      return switch (method.getName()) {
        case "devices" -> List.of("fake0");
        case "bind" -> "fake0";
        case "open" -> INFO;
        case "listen" -> 4791;
        case "newId", "newCompletionQueue" -> opened();
        case "register" -> new Fabric.MemoryKeys(opened(), 1, 2);
        case "deregister" -> closed(((Fabric.MemoryKeys) arguments[0]).handle());
        case "destroyId" -> open.remove((Long) arguments[0]);
        case "nextEvent" -> next((FabricEvent) arguments[0], (Integer) arguments[1]);
        case "awaitCompletion" -> {
          Thread.sleep(1);
          yield false;
        }
        case "close" -> {
          closed.countDown();
          yield null;
        }
        default -> throw new AssertionError(method.getName());
      };
    }

    private long opened() {
      long handle = handles.incrementAndGet();
      open.add(handle);
      return handle;
    }

    private Object closed(long handle) throws IOException {
      if (refusesToClose) {
        throw new IOException("deregMr: another thread stays inside");
      }
      open.remove(handle);
      return null;
    }

    private boolean next(FabricEvent into, int millis) throws InterruptedException {
      FabricEvent.Kind kind = events.poll(millis, TimeUnit.MILLISECONDS);
      if (kind == null) {
        return false;
      }
      into.set(kind, "device event", 0, 0, 0, new byte[0]);
      return true;
    }
  }

  private VerbsTransport transport() throws Exception {
    VerbsTransport transport =
        VerbsTransport.open(device.fabric(), VerbsFixture.settings(), HostFiles.thisHost());
    MemoryView memory = MemoryView.of(ByteBuffer.allocateDirect(4096));
    assertThat(transport.export(memory)).isNotNull();
    transport.register(MemoryView.of(ByteBuffer.allocateDirect(4096)));
    assertThat(device.open).hasSize(3);
    return transport;
  }

  @ParameterizedTest
  @EnumSource(
      value = FabricEvent.Kind.class,
      names = {"DEVICE_REMOVED", "FATAL"})
  void removalAndFailureOfTheDeviceCloseEverythingAndLeaveTheReason(FabricEvent.Kind kind)
      throws Exception {
    VerbsTransport transport = transport();

    device.events.add(kind);

    assertThat(device.closed.await(30, TimeUnit.SECONDS)).as("the device is closed").isTrue();
    assertThat(device.open).as("handles that are open").isEmpty();
    assertThat(transport.export(MemoryView.of(ByteBuffer.allocateDirect(4096)))).isNull();
    assertThatThrownBy(() -> transport.connect("3", new StoreDescriptor(1, 2, List.of(), 4096)))
        .isInstanceOf(UnreachableException.class)
        .hasMessage(
            "RDMA device fake0: device event; executors are read by other transports from now on");
    transport.close();
  }

  @Test
  void memoryThatCannotBeDeregisteredKeepsNothingElseOpen() throws Exception {
    VerbsTransport transport = transport();
    device.refusesToClose = true;

    transport.close();

    assertThat(device.closed.getCount()).isZero();
    assertThat(device.open).as("both registrations").hasSize(2);
  }
}
