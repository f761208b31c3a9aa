/*
 * What DiSNI cannot say: addresses of IPv6, connections with both READ depths, private data and
 * event status, remote access of queue pairs, registration of long ranges, waiting for several
 * completion queues, queries of devices, ports and limits. Native side of
 * io.verbena.transport.verbs.impl.VerbsNative.
 *
 * Handles are those of DiSNI's natives: a queue pair made here is posted to through DiSNI.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "handles.h"
#include "jni_errors.h"
#include "objects.h"

#define NATIVE(result, name) \
  JNIEXPORT result JNICALL Java_io_verbena_transport_verbs_impl_VerbsNative_##name

/* Layout of an event as VerbsNative reads it, in the machine's byte order. */
struct event_out {
  int32_t type;
  int32_t status;
  int64_t id;
  int64_t listen_id;
  int32_t initiator_depth;
  int32_t responder_resources;
  int32_t private_data_len;
  int32_t qp_num;
  uint8_t private_data[VB_PRIVATE_DATA_MAX];
};

/* Whether an array has at least so many elements; otherwise an exception is pending. */
static int has_length(JNIEnv *env, const char *call, jarray array, jsize least) {
  jsize length = array == NULL ? 0 : (*env)->GetArrayLength(env, array);
  if (length < least) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%s: an array of %d elements, %d are needed", call,
             (int)length, (int)least);
    return 0;
  }
  return 1;
}

/* Waits have an end; an exception is pending when this one would have none. */
static int has_end(JNIEnv *env, const char *call, jint timeout_millis) {
  if (timeout_millis < 0) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%s: a timeout of %d ms", call, (int)timeout_millis);
    return 0;
  }
  return 1;
}

/*
 * DiSNI's object with its native methods. Its constructor is its package's alone, and logs several
 * lines; none of what it prepares is used here.
 */
NATIVE(jobject, dispatcher)(JNIEnv *env, jclass class) {
  (void)class;
  jclass type = (*env)->FindClass(env, "com/ibm/disni/verbs/impl/NativeDispatcher");
  return type == NULL ? NULL : (*env)->AllocObject(env, type);
}

/* ---- addresses ------------------------------------------------------------------------------ */

/* A socket address of 4 or 16 bytes of address; 0, or -1 with an exception pending. */
static int socket_address(
    JNIEnv *env, jbyteArray bytes, jint scope, jint port, struct sockaddr_storage *out) {
  memset(out, 0, sizeof *out);
  jsize length = bytes == NULL ? 0 : (*env)->GetArrayLength(env, bytes);
  if ((length != 4 && length != 16) || port < 0 || port > 65535) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "an address of %d bytes, port %d", (int)length, (int)port);
    return -1;
  }
  if (length == 4) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    v4->sin_family = AF_INET;
    v4->sin_port = htons((uint16_t)port);
    (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte *)&v4->sin_addr);
  } else {
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons((uint16_t)port);
    v6->sin6_scope_id = (uint32_t)scope;
    (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte *)&v6->sin6_addr);
  }
  return (*env)->ExceptionCheck(env) ? -1 : 0;
}

NATIVE(void, bind)(
    JNIEnv *env, jclass class, jlong handle, jbyteArray address, jint scope, jint port) {
  (void)class;
  struct sockaddr_storage to;
  if (socket_address(env, address, scope, port, &to) != 0) {
    return;
  }
  struct vb_cm_id *id = vb_id_lock(env, "rdma_bind_addr", handle);
  if (id == NULL) {
    return;
  }
  if (rdma_bind_addr(id->id, (struct sockaddr *)&to) != 0) {
    vb_throw_errno(env, errno, "rdma_bind_addr");
  }
  vb_id_unlock(id, handle);
}

/* Listens; gives the port. */
NATIVE(jint, listen)(JNIEnv *env, jclass class, jlong handle, jint backlog) {
  (void)class;
  struct vb_cm_id *id = vb_id_lock(env, "rdma_listen", handle);
  if (id == NULL) {
    return 0;
  }
  jint port = 0;
  if (rdma_listen(id->id, backlog) != 0) {
    vb_throw_errno(env, errno, "rdma_listen");
  } else {
    port = ntohs(rdma_get_src_port(id->id));
  }
  vb_id_unlock(id, handle);
  return port;
}

NATIVE(void, resolveAddress)(
    JNIEnv *env, jclass class, jlong handle, jbyteArray from, jint from_scope, jbyteArray to,
    jint to_scope, jint port, jint timeout_millis) {
  (void)class;
  struct sockaddr_storage source;
  struct sockaddr_storage destination;
  if (socket_address(env, to, to_scope, port, &destination) != 0 ||
      (from != NULL && socket_address(env, from, from_scope, 0, &source) != 0)) {
    return;
  }
  struct vb_cm_id *id = vb_id_lock(env, "rdma_resolve_addr", handle);
  if (id == NULL) {
    return;
  }
  struct sockaddr *local = from == NULL ? NULL : (struct sockaddr *)&source;
  if (rdma_resolve_addr(id->id, local, (struct sockaddr *)&destination, timeout_millis) != 0) {
    vb_throw_errno(env, errno, "rdma_resolve_addr");
  }
  vb_id_unlock(id, handle);
}

/*
 * How long the queue pair waits for an answer: 4.096 us times a power of two. False where the
 * kernel does not know the option and keeps its own, longer time.
 */
NATIVE(jboolean, setAckTimeout)(JNIEnv *env, jclass class, jlong handle, jint exponent) {
  (void)class;
  struct vb_cm_id *id = vb_id_lock(env, "rdma_set_option", handle);
  if (id == NULL) {
    return JNI_FALSE;
  }
  uint8_t value = (uint8_t)exponent;
  int result =
      rdma_set_option(id->id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &value, sizeof value);
  vb_id_unlock(id, handle);
  return result == 0 ? JNI_TRUE : JNI_FALSE;
}

/* ---- what an id is bound to ----------------------------------------------------------------- */

/* Handle of the device that an id is bound to; 0 for none. */
NATIVE(jlong, context)(JNIEnv *env, jclass class, jlong handle) {
  (void)class;
  struct vb_cm_id *id = vb_id_lock(env, "rdma_cm_id", handle);
  if (id == NULL) {
    return 0;
  }
  jlong context = id->id->verbs == NULL ? 0 : vb_context_of(env, "rdma_cm_id", id);
  vb_id_unlock(id, handle);
  return context;
}

NATIVE(jstring, deviceName)(JNIEnv *env, jclass class, jlong handle) {
  (void)class;
  const struct vb_context *context = vb_acquire(env, "ibv_get_device_name", VB_CONTEXT, handle);
  if (context == NULL) {
    return NULL;
  }
  jstring name = (*env)->NewStringUTF(env, ibv_get_device_name(context->verbs->device));
  vb_release(handle);
  return name;
}

/* Port of the device that an id is bound to; 0 before. */
NATIVE(jint, port)(JNIEnv *env, jclass class, jlong handle) {
  (void)class;
  struct vb_cm_id *id = vb_id_lock(env, "rdma_cm_id", handle);
  if (id == NULL) {
    return 0;
  }
  jint port = id->id->port_num;
  vb_id_unlock(id, handle);
  return port;
}

/* Local GID of a bound id. */
NATIVE(jbyteArray, gid)(JNIEnv *env, jclass class, jlong handle) {
  (void)class;
  struct vb_cm_id *id = vb_id_lock(env, "rdma_cm_id", handle);
  if (id == NULL) {
    return NULL;
  }
  uint8_t raw[16];
  memcpy(raw, id->id->route.addr.addr.ibaddr.sgid.raw, sizeof raw);
  vb_id_unlock(id, handle);
  jbyteArray gid = (*env)->NewByteArray(env, sizeof raw);
  if (gid != NULL) {
    (*env)->SetByteArrayRegion(env, gid, 0, sizeof raw, (const jbyte *)raw);
  }
  return gid;
}

/* Address of the other side: 4 or 16 bytes; NULL when there is none. */
NATIVE(jbyteArray, peerAddress)(JNIEnv *env, jclass class, jlong handle) {
  (void)class;
  struct vb_cm_id *id = vb_id_lock(env, "rdma_get_peer_addr", handle);
  if (id == NULL) {
    return NULL;
  }
  const struct sockaddr *peer = rdma_get_peer_addr(id->id);
  uint8_t raw[16];
  jsize length = 0;
  if (peer->sa_family == AF_INET) {
    length = 4;
    memcpy(raw, &((const struct sockaddr_in *)(const void *)peer)->sin_addr, 4);
  } else if (peer->sa_family == AF_INET6) {
    length = 16;
    memcpy(raw, &((const struct sockaddr_in6 *)(const void *)peer)->sin6_addr, 16);
  }
  vb_id_unlock(id, handle);
  jbyteArray address = length == 0 ? NULL : (*env)->NewByteArray(env, length);
  if (address != NULL) {
    (*env)->SetByteArrayRegion(env, address, 0, length, (const jbyte *)raw);
  }
  return address;
}

/* ---- queue pairs ---------------------------------------------------------------------------- */

/*
 * Makes the id's queue pair. `caps` is sends, receives, scatter entries and inline bytes: asked
 * for, then granted.
 */
NATIVE(jlong, createQp)(
    JNIEnv *env, jclass class, jlong id, jlong pd, jlong cq, jintArray caps) {
  (void)class;
  jint wanted[4];
  if (!has_length(env, "rdma_create_qp", caps, 4)) {
    return 0;
  }
  (*env)->GetIntArrayRegion(env, caps, 0, 4, wanted);
  struct ibv_qp_cap cap = {
      .max_send_wr = (uint32_t)wanted[0],
      .max_recv_wr = (uint32_t)wanted[1],
      .max_send_sge = (uint32_t)wanted[2],
      .max_recv_sge = (uint32_t)wanted[2],
      .max_inline_data = (uint32_t)wanted[3]};
  jlong handle = vb_create_qp(env, id, pd, cq, cq, &cap);
  if (handle != 0) {
    jint granted[4] = {
        (jint)cap.max_send_wr, (jint)cap.max_recv_wr, (jint)cap.max_send_sge,
        (jint)cap.max_inline_data};
    (*env)->SetIntArrayRegion(env, caps, 0, 4, granted);
  }
  return handle;
}

static void modify(JNIEnv *env, jlong handle, enum ibv_qp_state state, int access, int mask) {
  const struct vb_qp *qp = vb_acquire(env, "ibv_modify_qp", VB_QP, handle);
  if (qp == NULL) {
    return;
  }
  struct ibv_qp_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.qp_state = state;
  attributes.qp_access_flags = (unsigned int)access;
  int code = ibv_modify_qp(qp->qp, &attributes, mask);
  if (code != 0) {
    vb_throw_errno(env, code, "ibv_modify_qp");
  }
  vb_release(handle);
}

/* Lets the peer READ, or lets it do nothing. For a queue pair that is ready to send. */
NATIVE(void, allowRemoteRead)(JNIEnv *env, jclass class, jlong qp, jboolean allow) {
  (void)class;
  int access = allow ? IBV_ACCESS_REMOTE_READ : 0;
  modify(env, qp, IBV_QPS_RTS, access, IBV_QP_STATE | IBV_QP_ACCESS_FLAGS);
}

/* Ends all work of a queue pair: what is posted completes as flushed. */
NATIVE(void, stopQp)(JNIEnv *env, jclass class, jlong qp) {
  (void)class;
  modify(env, qp, IBV_QPS_ERR, 0, IBV_QP_STATE);
}

/* ---- connecting ----------------------------------------------------------------------------- */

/* Connection parameters; -1 with an exception pending when the private data does not fit. */
static int parameters(
    JNIEnv *env, jbyteArray data, jint initiator_depth, jint responder_resources,
    uint8_t space[UINT8_MAX], struct rdma_conn_param *out) {
  memset(out, 0, sizeof *out);
  jsize length = data == NULL ? 0 : (*env)->GetArrayLength(env, data);
  if (length > UINT8_MAX) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%d bytes of private data, at most %d fit", (int)length,
             UINT8_MAX);
    return -1;
  }
  if (length > 0) {
    (*env)->GetByteArrayRegion(env, data, 0, length, (jbyte *)space);
  }
  out->private_data = space;
  out->private_data_len = (uint8_t)length;
  out->initiator_depth = (uint8_t)initiator_depth;
  out->responder_resources = (uint8_t)responder_resources;
  return 0;
}

NATIVE(void, connect)(
    JNIEnv *env, jclass class, jlong handle, jbyteArray data, jint initiator_depth, jint retries,
    jint rnr_retries) {
  (void)class;
  uint8_t space[UINT8_MAX];
  struct rdma_conn_param param;
  if (parameters(env, data, initiator_depth, 0, space, &param) != 0) {
    return;
  }
  param.retry_count = (uint8_t)retries;
  param.rnr_retry_count = (uint8_t)rnr_retries;
  struct vb_cm_id *id = vb_id_lock(env, "rdma_connect", handle);
  if (id == NULL) {
    return;
  }
  if (id->qp == 0) { /* without a device librdmacm would follow a null pointer */
    vb_throw(env, VB_ILLEGAL_STATE, "rdma_connect: the connection id has no queue pair");
  } else if (rdma_connect(id->id, &param) != 0) {
    vb_throw_errno(env, errno, "rdma_connect");
  }
  vb_id_unlock(id, handle);
}

/* One step of a queue pair towards readiness, with all remote access off; an errno value. */
static int step(struct rdma_cm_id *id, enum ibv_qp_state state, int responder_resources) {
  struct ibv_qp_attr attributes;
  int mask = 0;
  memset(&attributes, 0, sizeof attributes);
  attributes.qp_state = state;
  if (rdma_init_qp_attr(id, &attributes, &mask) != 0) {
    return errno;
  }
  attributes.qp_access_flags = 0;
  attributes.max_dest_rd_atomic = (uint8_t)responder_resources;
  attributes.max_rd_atomic = 0;
  return ibv_modify_qp(id->qp, &attributes, mask);
}

/*
 * Accepts with all remote access off. librdmacm would switch it on as soon as READs are to be
 * answered, so the queue pair is made ready here and the library is told of its number alone.
 */
static int accept_closed(struct rdma_cm_id *id, struct rdma_conn_param *param, const char **call) {
  static const enum ibv_qp_state states[] = {IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS};
  *call = "ibv_modify_qp";
  for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
    int code = step(id, states[i], param->responder_resources);
    if (code != 0) {
      return code;
    }
  }
  *call = "rdma_accept";
  struct ibv_qp *qp = id->qp;
  param->qp_num = qp->qp_num;
  id->qp = NULL;
  int code = rdma_accept(id, param) == 0 ? 0 : errno;
  id->qp = qp;
  return code;
}

NATIVE(void, accept)(
    JNIEnv *env, jclass class, jlong handle, jbyteArray data, jint responder_resources) {
  (void)class;
  uint8_t space[UINT8_MAX];
  struct rdma_conn_param param;
  if (parameters(env, data, 0, responder_resources, space, &param) != 0) {
    return;
  }
  param.rnr_retry_count = 7;
  struct vb_cm_id *id = vb_id_lock(env, "rdma_accept", handle);
  if (id == NULL) {
    return;
  }
  if (id->id->qp == NULL) {
    vb_throw(env, VB_ILLEGAL_STATE, "rdma_accept: the connection id has no queue pair");
  } else {
    const char *call;
    int code = accept_closed(id->id, &param, &call);
    if (code != 0) {
      vb_throw_errno(env, code, "%s", call);
    }
  }
  vb_id_unlock(id, handle);
}

NATIVE(void, reject)(JNIEnv *env, jclass class, jlong handle, jbyteArray data) {
  (void)class;
  uint8_t space[UINT8_MAX];
  struct rdma_conn_param param;
  if (parameters(env, data, 0, 0, space, &param) != 0) {
    return;
  }
  struct vb_cm_id *id = vb_id_lock(env, "rdma_reject", handle);
  if (id == NULL) {
    return;
  }
  if (rdma_reject(id->id, param.private_data, param.private_data_len) != 0) {
    vb_throw_errno(env, errno, "rdma_reject");
  }
  vb_id_unlock(id, handle);
}

/* ---- events --------------------------------------------------------------------------------- */

static struct event_out *event_buffer(JNIEnv *env, jobject buffer) {
  struct event_out *out = buffer == NULL ? NULL : (*env)->GetDirectBufferAddress(env, buffer);
  if (out == NULL || (*env)->GetDirectBufferCapacity(env, buffer) < (jlong)sizeof *out) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "the event buffer is not direct or has less than %zu bytes",
             sizeof *out);
    return NULL;
  }
  memset(out, 0, sizeof *out);
  return out;
}

/* Waits for a connection event of the channel, at most so long. */
NATIVE(jboolean, nextEvent)(
    JNIEnv *env, jclass class, jlong channel, jobject buffer, jint timeout_millis) {
  (void)class;
  struct event_out *out = event_buffer(env, buffer);
  if (out == NULL || !has_end(env, "rdma_get_cm_event", timeout_millis)) {
    return JNI_FALSE;
  }
  struct vb_cm_event event;
  if (vb_next_cm_event(env, channel, timeout_millis, &event) != 1) {
    return JNI_FALSE;
  }
  out->type = event.type;
  out->status = event.status;
  out->id = event.id;
  out->listen_id = event.listen_id;
  out->initiator_depth = event.initiator_depth;
  out->responder_resources = event.responder_resources;
  out->private_data_len = event.private_data_len;
  out->qp_num = (int32_t)event.qp_num;
  memcpy(out->private_data, event.private_data, event.private_data_len);
  return JNI_TRUE;
}

static int set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? flags : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

/* Fills in what an asynchronous event is about: a queue pair's number, or a port as status. */
static void describe(const struct ibv_async_event *event, struct event_out *out) {
  out->type = (int32_t)event->event_type;
  switch (event->event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
      out->qp_num = (int32_t)event->element.qp->qp_num;
      break;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
      out->status = event->element.port_num;
      break;
    default:
      break;
  }
}

/* Takes an asynchronous event of the device if there is one; never waits. */
NATIVE(jboolean, nextAsyncEvent)(JNIEnv *env, jclass class, jlong handle, jobject buffer) {
  (void)class;
  struct event_out *out = event_buffer(env, buffer);
  if (out == NULL) {
    return JNI_FALSE;
  }
  const struct vb_context *context = vb_acquire(env, "ibv_get_async_event", VB_CONTEXT, handle);
  if (context == NULL) {
    return JNI_FALSE;
  }
  struct pollfd file = {.fd = context->verbs->async_fd, .events = POLLIN};
  struct ibv_async_event event;
  jboolean taken = JNI_FALSE;
  if (poll(&file, 1, 0) > 0 && (file.revents & POLLIN) != 0 && set_nonblocking(file.fd) == 0 &&
      ibv_get_async_event(context->verbs, &event) == 0) {
    describe(&event, out);
    ibv_ack_async_event(&event);
    taken = JNI_TRUE;
  }
  vb_release(handle);
  return taken;
}

static jstring text(JNIEnv *env, const char *name) {
  return (*env)->NewStringUTF(env, name == NULL ? "unknown" : name);
}

NATIVE(jstring, eventName)(JNIEnv *env, jclass class, jint event) {
  (void)class;
  return text(env, rdma_event_str((enum rdma_cm_event_type)event));
}

NATIVE(jstring, asyncEventName)(JNIEnv *env, jclass class, jint event) {
  (void)class;
  return text(env, ibv_event_type_str((enum ibv_event_type)event));
}

NATIVE(jstring, statusName)(JNIEnv *env, jclass class, jint status) {
  (void)class;
  return text(env, ibv_wc_status_str((enum ibv_wc_status)status));
}

/* ---- completions ---------------------------------------------------------------------------- */

/*
 * Waits for completions of any completion queue of the channel, at most so long, and takes and
 * acknowledges all notices that are there. DiSNI's wait does not tell which queue a notice was
 * for, so those of several queues could not be acknowledged.
 */
NATIVE(jboolean, awaitCompletion)(JNIEnv *env, jclass class, jlong handle, jint timeout_millis) {
  (void)class;
  if (!has_end(env, "ibv_get_cq_event", timeout_millis)) {
    return JNI_FALSE;
  }
  const struct vb_comp_channel *channel =
      vb_acquire(env, "ibv_get_cq_event", VB_COMP_CHANNEL, handle);
  if (channel == NULL) {
    return JNI_FALSE;
  }
  struct pollfd files[2] = {
      {.fd = channel->channel->fd, .events = POLLIN}, {.fd = channel->wake_fd, .events = POLLIN}};
  int ready = poll(files, 2, timeout_millis);
  if (ready < 0 && errno != EINTR) {
    vb_throw_errno(env, errno, "poll");
  } else if (ready > 0 && (files[0].revents & (POLLERR | POLLNVAL)) != 0) {
    vb_throw_errno(env, ENODEV, "ibv_get_cq_event");
  } else if (ready > 0 && set_nonblocking(files[0].fd) == 0) {
    struct ibv_cq *cq;
    void *cq_context;
    while (ibv_get_cq_event(channel->channel, &cq, &cq_context) == 0) {
      ibv_ack_cq_events(cq, 1);
    }
  }
  vb_release(handle);
  return ready > 0 ? JNI_TRUE : JNI_FALSE;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Registers memory; `keys` receives the local and the remote key. */
NATIVE(jlong, registerMemory)(
    JNIEnv *env, jclass class, jlong pd, jlong address, jlong length, jint access,
    jintArray keys) {
  (void)class;
  if (address == 0 || length <= 0) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "ibv_reg_mr: %lld bytes at %#llx", (long long)length,
             (unsigned long long)address);
    return 0;
  }
  if (!has_length(env, "ibv_reg_mr", keys, 2)) {
    return 0;
  }
  struct ibv_mr *mr;
  jlong handle = vb_register(env, pd, (uint64_t)address, (uint64_t)length, access, &mr);
  if (handle != 0) {
    jint both[2] = {(jint)mr->lkey, (jint)mr->rkey};
    (*env)->SetIntArrayRegion(env, keys, 0, 2, both);
  }
  return handle;
}

/* Bytes that this process may lock; -1 for no limit. */
NATIVE(jlong, lockedMemoryLimit)(JNIEnv *env, jclass class) {
  (void)class;
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) {
    vb_throw_errno(env, errno, "getrlimit");
    return 0;
  }
  return limit.rlim_cur == RLIM_INFINITY ? -1 : (jlong)limit.rlim_cur;
}

/* ---- devices -------------------------------------------------------------------------------- */

NATIVE(jobjectArray, deviceNames)(JNIEnv *env, jclass class) {
  (void)class;
  int count = 0;
  struct ibv_device **devices = ibv_get_device_list(&count);
  if (devices == NULL && errno != ENOSYS) { /* without drivers there are no devices */
    vb_throw_errno(env, errno, "ibv_get_device_list");
    return NULL;
  }
  jclass string = (*env)->FindClass(env, "java/lang/String");
  jobjectArray names = string == NULL ? NULL : (*env)->NewObjectArray(env, count, string, NULL);
  for (int i = 0; names != NULL && i < count; i++) {
    jstring name = (*env)->NewStringUTF(env, ibv_get_device_name(devices[i]));
    if (name == NULL) {
      break;
    }
    (*env)->SetObjectArrayElement(env, names, i, name);
    (*env)->DeleteLocalRef(env, name);
  }
  if (devices != NULL) {
    ibv_free_device_list(devices);
  }
  return names;
}

static jlongArray longs(JNIEnv *env, const jlong *values, size_t count) {
  jlongArray result = (*env)->NewLongArray(env, (jsize)count);
  if (result != NULL) {
    (*env)->SetLongArrayRegion(env, result, 0, (jsize)count, values);
  }
  return result;
}

/* Limits of a device, in the order that VerbsNative says. */
NATIVE(jlongArray, queryDevice)(JNIEnv *env, jclass class, jlong handle) {
  (void)class;
  const struct vb_context *context = vb_acquire(env, "ibv_query_device", VB_CONTEXT, handle);
  if (context == NULL) {
    return NULL;
  }
  struct ibv_device_attr device;
  int code = ibv_query_device(context->verbs, &device);
  int iwarp = context->verbs->device->transport_type == IBV_TRANSPORT_IWARP;
  vb_release(handle);
  if (code != 0) {
    vb_throw_errno(env, code, "ibv_query_device");
    return NULL;
  }
  const jlong values[] = {
      device.max_qp_wr, device.max_cqe, (jlong)device.max_mr_size, device.max_qp_rd_atom,
      device.max_qp_init_rd_atom, iwarp};
  return longs(env, values, sizeof values / sizeof values[0]);
}

/* State of a port, in the order that VerbsNative says. */
NATIVE(jlongArray, queryPort)(JNIEnv *env, jclass class, jlong handle, jint port) {
  (void)class;
  const struct vb_context *context = vb_acquire(env, "ibv_query_port", VB_CONTEXT, handle);
  if (context == NULL) {
    return NULL;
  }
  struct ibv_port_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  int code = ibv_query_port(context->verbs, (uint8_t)port, &attributes);
  vb_release(handle);
  if (code != 0) {
    vb_throw_errno(env, code, "ibv_query_port %d", (int)port);
    return NULL;
  }
  const jlong values[] = {
      attributes.state, attributes.active_mtu, attributes.link_layer, attributes.gid_tbl_len,
      attributes.max_msg_sz};
  return longs(env, values, sizeof values / sizeof values[0]);
}

/*
 * Kind of a GID of a port as its index times 16 and its type (0 InfiniBand or RoCE v1, 1 RoCE v1,
 * 2 RoCE v2); -1 when the port has no such GID. Of several entries with one GID the last is the
 * one that librdmacm prefers.
 */
NATIVE(jint, gidType)(JNIEnv *env, jclass class, jlong handle, jint port, jbyteArray gid) {
  (void)class;
  union ibv_gid wanted;
  if (!has_length(env, "ibv_query_gid_ex", gid, sizeof wanted.raw)) {
    return -1;
  }
  (*env)->GetByteArrayRegion(env, gid, 0, sizeof wanted.raw, (jbyte *)wanted.raw);
  const struct vb_context *context = vb_acquire(env, "ibv_query_gid_ex", VB_CONTEXT, handle);
  if (context == NULL) {
    return -1;
  }
  struct ibv_port_attr attributes;
  jint found = -1;
  if (ibv_query_port(context->verbs, (uint8_t)port, &attributes) == 0) {
    for (int i = 0; i < attributes.gid_tbl_len; i++) {
      struct ibv_gid_entry entry;
      if (ibv_query_gid_ex(context->verbs, (uint32_t)port, (uint32_t)i, &entry, 0) == 0 &&
          memcmp(entry.gid.raw, wanted.raw, sizeof wanted.raw) == 0) {
        found = (jint)(i << 4 | (int)entry.gid_type);
      }
    }
  }
  vb_release(handle);
  return found;
}
