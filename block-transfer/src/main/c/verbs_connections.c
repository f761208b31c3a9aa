/*
 * What DiSNI cannot say of connections: addresses of IPv6, both READ depths and private data,
 * remote access of queue pairs. Native side of io.verbena.transport.verbs.impl.VerbsNative.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "handles.h"
#include "jni_errors.h"
#include "objects.h"
#include "verbs.h"

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
  if (!vb_has_length(env, "rdma_create_qp", caps, 4)) {
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
