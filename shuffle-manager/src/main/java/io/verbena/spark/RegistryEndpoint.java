package io.verbena.spark;

import static io.verbena.log.LogKey.REASON;

import io.verbena.log.KeyedLogger;
import java.io.IOException;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.rpc.ThreadSafeRpcEndpoint;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/** The registry as an endpoint of Spark's RPC on the driver. Messages are byte arrays. */
final class RegistryEndpoint implements ThreadSafeRpcEndpoint {
  /** Name under which executors find it. */
  static final String NAME = "verbena-registry";

  private static final KeyedLogger LOG = KeyedLogger.of(RegistryEndpoint.class);

  private final RpcEnv rpcEnv;
  private final Registry registry;

  RegistryEndpoint(RpcEnv rpcEnv, Registry registry) {
    this.rpcEnv = rpcEnv;
    this.registry = registry;
  }

  @Override
  public RpcEnv rpcEnv() {
    return rpcEnv;
  }

  @Override
  public PartialFunction<Object, BoxedUnit> receive() {
    return new Handler(null);
  }

  @Override
  public PartialFunction<Object, BoxedUnit> receiveAndReply(RpcCallContext context) {
    return new Handler(context);
  }

  @Override
  public void onDisconnected(RpcAddress address) {
    registry.disconnected(address);
  }

  /** Handles a message; without a context nobody waits for an answer. */
  private final class Handler extends AbstractPartialFunction<Object, BoxedUnit> {
    private final RpcCallContext context;

    Handler(RpcCallContext context) {
      this.context = context;
    }

    @Override
    public boolean isDefinedAt(Object message) {
      return message instanceof byte[];
    }

    @Override
    public BoxedUnit apply(Object message) {
      try {
        RegistryReply reply =
            registry.handle(
                RegistryCodec.decodeMessage((byte[]) message),
                context == null ? null : context.senderAddress());
        if (context != null) {
          context.reply(RegistryCodec.encode(reply));
        }
      } catch (IOException e) {
        if (context != null) {
          context.sendFailure(e);
        } else {
          LOG.warn(
              "Dropped a message to the registry, by which only figures are lost: {}; use the same"
                  + " version of this jar on all hosts",
              REASON.is(e.getMessage()));
        }
      }
      return BoxedUnit.UNIT;
    }
  }
}
