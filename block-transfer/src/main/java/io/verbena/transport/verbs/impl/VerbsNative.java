package io.verbena.transport.verbs.impl;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What DiSNI cannot say: IPv6, connections with READ depths, private data and event status, remote
 * access of queue pairs, long registrations, queries, waiting for several completion queues. Native
 * side in {@code verbs*.c}. Handles are DiSNI's.
 *
 * <p>Every method throws an {@link IOException} that ends with the number and text of the error,
 * and for a handle that is none of this library's an {@link IllegalArgumentException}.
 */
final class VerbsNative {
  /** Bytes of an event. */
  static final int EVENT_SIZE = 304;

  static final int EVENT_TYPE = 0;
  static final int EVENT_STATUS = 4;
  static final int EVENT_ID = 8;
  static final int EVENT_INITIATOR_DEPTH = 24;
  static final int EVENT_RESPONDER_RESOURCES = 28;
  static final int EVENT_PRIVATE_LENGTH = 32;
  static final int EVENT_PRIVATE_DATA = 40;

  /** Indexes of {@link #queryDevice}. */
  static final int MAX_WORK_REQUESTS = 0;

  static final int MAX_COMPLETIONS = 1;
  static final int MAX_REGISTRATION = 2;
  static final int READS_IN = 3;
  static final int READS_OUT = 4;
  static final int IS_IWARP = 5;

  /** Indexes of {@link #queryPort}. */
  static final int PORT_STATE = 0;

  static final int ACTIVE_MTU = 1;
  static final int LINK_LAYER = 2;
  static final int MAX_MESSAGE = 4;

  private VerbsNative() {}

  /** DiSNI's object with its native methods, made without its constructor, which logs. */
  static native NativeDispatcher dispatcher();

  static native void bind(long id, byte[] address, int scope, int port) throws IOException;

  static native int listen(long id, int backlog) throws IOException;

  static native void resolveAddress(
      long id, byte[] from, int fromScope, byte[] to, int toScope, int port, int timeoutMillis)
      throws IOException;

  static native boolean setAckTimeout(long id, int exponent) throws IOException;

  static native long context(long id) throws IOException;

  static native String deviceName(long context) throws IOException;

  static native int port(long id) throws IOException;

  static native byte[] gid(long id) throws IOException;

  static native byte[] peerAddress(long id) throws IOException;

  static native long createQp(long id, long pd, long cq, int[] caps) throws IOException;

  static native void allowRemoteRead(long qp, boolean allow) throws IOException;

  static native void stopQp(long qp) throws IOException;

  static native void connect(
      long id, byte[] privateData, int initiatorDepth, int retries, int rnrRetries)
      throws IOException;

  static native void accept(long id, byte[] privateData, int responderResources) throws IOException;

  static native void reject(long id, byte[] privateData) throws IOException;

  static native boolean nextEvent(long channel, ByteBuffer event, int timeoutMillis)
      throws IOException;

  static native boolean nextAsyncEvent(long context, ByteBuffer event) throws IOException;

  static native String eventName(int type);

  static native String asyncEventName(int type);

  static native String statusName(int status);

  static native boolean awaitCompletion(long channel, int timeoutMillis) throws IOException;

  static native long registerMemory(long pd, long address, long length, int access, int[] keys)
      throws IOException;

  static native long lockedMemoryLimit() throws IOException;

  static native String[] deviceNames() throws IOException;

  static native long[] queryDevice(long context) throws IOException;

  static native long[] queryPort(long context, int port) throws IOException;

  static native int gidType(long context, int port, byte[] gid) throws IOException;
}
