/* Native side of DiSNI 2.1, connections; what it owes Java is said in disni.c. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "disni.h"
#include "objects.h"
#include "waits.h"

/* "Scatter lists of four": DiSNI's Java code cannot say how many entries it will use. */
#define SCATTER_ENTRIES 4

/* Three bits in the connection messages. */
#define MOST_RETRIES 7

#define UNUSED __attribute__((unused))

#define ADDRESS_TEXT_SIZE (INET_ADDRSTRLEN + 8)

static const char *address_text(const struct sockaddr_in *address, char text[ADDRESS_TEXT_SIZE]) {
  char ip[INET_ADDRSTRLEN] = "?";
  inet_ntop(AF_INET, &address->sin_addr, ip, sizeof ip);
  snprintf(text, ADDRESS_TEXT_SIZE, "%s:%u", ip, (unsigned)ntohs(address->sin_port));
  return text;
}

/* Java writes family, port and address, and leaves in the rest what was there before. */
static int read_address(JNIEnv *env, const char *call, jlong at, struct sockaddr_in *address) {
  const struct sockaddr_in *given =
      vb_memory(env, call, "socket address", at, _Alignof(struct sockaddr_in));
  if (given == NULL) {
    return 0;
  }
  if (given->sin_family != AF_INET) {
    vb_throw_errno(env, EAFNOSUPPORT, "%s: address family %d, only IPv4 (%d) is supported", call,
                   given->sin_family, AF_INET);
    return 0;
  }
  *address = (struct sockaddr_in){
      .sin_family = AF_INET, .sin_port = given->sin_port, .sin_addr = given->sin_addr};
  return 1;
}

/* As vb_id_lock, for methods that declare no IOException. */
static struct vb_cm_id *lock_unchecked(JNIEnv *env, const char *call, jlong handle) {
  struct vb_cm_id *id = vb_acquire_unchecked(env, call, VB_CM_ID, handle);
  if (id != NULL) {
    pthread_mutex_lock(&id->channel->lock);
  }
  return id;
}

static jint write_address(const struct sockaddr *from, struct sockaddr_in *to) {
  if (from->sa_family == AF_UNSPEC) {
    return EADDRNOTAVAIL;
  }
  if (from->sa_family != AF_INET) {
    return EAFNOSUPPORT;
  }
  memcpy(to, from, sizeof *to);
  return 0;
}

DISPATCHER(jlong, createEventChannel)(JNIEnv *env, jobject self UNUSED) {
  struct vb_event_channel *object = malloc(sizeof *object);
  if (object == NULL) {
    vb_throw_errno(env, ENOMEM, "createEventChannel");
    return 0;
  }
  object->wake_fd = vb_wake_open();
  object->channel = object->wake_fd < 0 ? NULL : rdma_create_event_channel();
  int error = object->channel == NULL ? errno : vb_set_nonblocking(object->channel->fd);
  jlong handle = 0;
  if (error != 0) {
    vb_throw_errno(env, error, "createEventChannel: the connection manager is not available");
  } else {
    pthread_mutex_init(&object->lock, NULL);
    handle = vb_open(env, VB_EVENT_CHANNEL, object, NULL);
  }
  if (handle == 0) {
    if (object->channel != NULL) {
      rdma_destroy_event_channel(object->channel);
    }
    if (object->wake_fd >= 0) {
      close(object->wake_fd);
    }
    free(object);
  }
  return handle;
}

static void wake_event_channel(void *object) {
  vb_wake(((struct vb_event_channel *)object)->wake_fd);
}

DISPATCHER(jint, destroyEventChannel)(JNIEnv *env, jobject self UNUSED, jlong handle) {
  struct vb_event_channel *channel =
      vb_close_begin(env, "destroyEventChannel", VB_EVENT_CHANNEL, handle, wake_event_channel);
  if (channel == NULL) {
    return -1;
  }
  vb_close_end(handle);
  rdma_destroy_event_channel(channel->channel);
  close(channel->wake_fd);
  pthread_mutex_destroy(&channel->lock);
  free(channel);
  return 0;
}

DISPATCHER(jlong, createId)(JNIEnv *env, jobject self UNUSED, jlong channel, jshort space) {
  if (space != RDMA_PS_TCP) {
    vb_throw(env, VB_UNSUPPORTED,
             "createId: port space %#x is not supported, only reliable connections (%#x) are",
             (unsigned)space, (unsigned)RDMA_PS_TCP);
    return 0;
  }
  return vb_create_id(env, channel, RDMA_PS_TCP);
}

DISPATCHER(jlong, createQP)(JNIEnv *env, jobject self UNUSED, jlong id, jlong pd, jlong send_cq,
                            jlong recv_cq, jint type, jint send_requests, jint recv_requests,
                            jint inline_bytes) {
  if (type != IBV_QPT_RC) {
    vb_throw(env, VB_UNSUPPORTED,
             "createQP: type %d is not supported, only reliable connected (%d) is", type,
             IBV_QPT_RC);
    return 0;
  }
  if (inline_bytes < 0) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "createQP: max_inline_data is %d", inline_bytes);
    return 0;
  }
  struct ibv_qp_cap cap = {
      .max_send_wr = (uint32_t)send_requests,
      .max_recv_wr = (uint32_t)recv_requests,
      .max_send_sge = SCATTER_ENTRIES,
      .max_recv_sge = SCATTER_ENTRIES,
      .max_inline_data = (uint32_t)inline_bytes,
  };
  return vb_create_qp(env, id, pd, send_cq, recv_cq, &cap);
}

/* Destroys an id's queue pair, if any. Returns 0, an errno value, or -1: an exception pends. */
static int destroy_qp(JNIEnv *env, const char *call, jlong id_handle, int needed) {
  struct vb_cm_id *id = lock_unchecked(env, call, id_handle);
  if (id == NULL) {
    return -1;
  }
  jlong handle = id->qp;
  pthread_mutex_unlock(&id->channel->lock);
  int error = 0;
  struct vb_qp *qp = NULL;
  if (handle != 0) {
    qp = vb_close_begin(env, call, VB_QP, handle, NULL);
    error = qp == NULL ? -1 : 0;
  } else if (needed) {
    vb_throw(env, VB_ILLEGAL_STATE, "%s: the id has no queue pair", call);
    error = -1;
  }
  if (qp != NULL) {
    pthread_mutex_lock(&id->channel->lock);
    error = ibv_destroy_qp(qp->qp); /* not rdma_destroy_qp, which keeps the error to itself */
    if (error == EBUSY) {
      vb_close_undo(handle);
    } else {
      id->id->qp = NULL;
      id->qp = 0;
      vb_close_end(handle);
      free(qp);
    }
    pthread_mutex_unlock(&id->channel->lock);
  }
  vb_release(id_handle);
  return error;
}

static jint destroy_id(JNIEnv *env, const char *call, jlong handle) {
  int error = destroy_qp(env, call, handle, 0);
  if (error == -1 || error == EBUSY) {
    return error;
  }
  struct vb_cm_id *id = vb_close_begin(env, call, VB_CM_ID, handle, NULL);
  if (id == NULL) {
    return -1;
  }
  struct vb_event_channel *channel = id->channel;
  pthread_mutex_lock(&channel->lock);
  if (rdma_destroy_id(id->id) != 0 && error == 0) {
    error = errno;
  }
  pthread_mutex_unlock(&channel->lock);
  vb_close_end(handle);
  free(id);
  return error;
}

DISPATCHER(jint, destroyQP)(JNIEnv *env, jobject self UNUSED, jlong id) {
  return destroy_qp(env, "destroyQP", id, 1);
}

/* With its queue pair, if that is still there: an id must not outlive the call half closed. */
DISPATCHER(jint, destroyCmId)(JNIEnv *env, jobject self UNUSED, jlong id) {
  return destroy_id(env, "destroyCmId", id);
}

DISPATCHER(jint, destroyEp)(JNIEnv *env, jobject self UNUSED, jlong id) {
  return destroy_id(env, "destroyEp", id);
}

DISPATCHER(void, bindAddr)(JNIEnv *env, jobject self UNUSED, jlong handle, jlong address_at) {
  const char *call = "bindAddr";
  struct vb_cm_id *id = vb_id_lock(env, call, handle);
  if (id == NULL) {
    return;
  }
  struct sockaddr_in address;
  if (read_address(env, call, address_at, &address) &&
      rdma_bind_addr(id->id, (struct sockaddr *)&address) != 0) {
    int error = errno;
    char text[ADDRESS_TEXT_SIZE];
    vb_throw_errno(env, error, "%s: %s", call, address_text(&address, text));
  }
  vb_id_unlock(id, handle);
}

DISPATCHER(void, listen)(JNIEnv *env, jobject self UNUSED, jlong handle, jint backlog) {
  struct vb_cm_id *id = vb_id_lock(env, "listen", handle);
  if (id == NULL) {
    return;
  }
  int error = rdma_listen(id->id, backlog) == 0 ? 0 : errno;
  vb_id_unlock(id, handle);
  if (error != 0) {
    vb_throw_errno(env, error, "listen: backlog %d", backlog);
  }
}

static int check_timeout(JNIEnv *env, const char *call, jint timeout_millis) {
  if (timeout_millis < 1) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%s: a timeout of %d ms, at least 1 is needed", call,
             timeout_millis);
    return 0;
  }
  return 1;
}

DISPATCHER(void, resolveAddr)(JNIEnv *env, jobject self UNUSED, jlong handle, jlong source_at,
                              jlong destination_at, jint timeout_millis) {
  const char *call = "resolveAddr";
  if (!check_timeout(env, call, timeout_millis)) {
    return;
  }
  struct vb_cm_id *id = vb_id_lock(env, call, handle);
  if (id == NULL) {
    return;
  }
  struct sockaddr_in source;
  struct sockaddr_in destination;
  struct sockaddr *from = source_at == 0 ? NULL : (struct sockaddr *)&source;
  if (read_address(env, call, destination_at, &destination) &&
      (from == NULL || read_address(env, call, source_at, &source)) &&
      rdma_resolve_addr(id->id, from, (struct sockaddr *)&destination, timeout_millis) != 0) {
    int error = errno;
    char text[ADDRESS_TEXT_SIZE];
    vb_throw_errno(env, error, "%s: %s", call, address_text(&destination, text));
  }
  vb_id_unlock(id, handle);
}

/* Whether the id has a device, without which librdmacm would follow a null pointer. */
static int has_device(JNIEnv *env, const char *call, const struct vb_cm_id *id) {
  if (id->id->verbs == NULL) {
    vb_throw_errno(env, ENODEV,
                   "%s: the id has no device yet; bind it to an address or resolve one first",
                   call);
    return 0;
  }
  return 1;
}

DISPATCHER(void, resolveRoute)(JNIEnv *env, jobject self UNUSED, jlong handle,
                               jint timeout_millis) {
  const char *call = "resolveRoute";
  if (!check_timeout(env, call, timeout_millis)) {
    return;
  }
  struct vb_cm_id *id = vb_id_lock(env, call, handle);
  if (id == NULL) {
    return;
  }
  if (has_device(env, call, id) && rdma_resolve_route(id->id, timeout_millis) != 0) {
    vb_throw_errno(env, errno, "%s", call);
  }
  vb_id_unlock(id, handle);
}

static int check_retries(JNIEnv *env, const char *call, jint retries, jint rnr_retries) {
  if (retries < 0 || retries > MOST_RETRIES || rnr_retries < 0 || rnr_retries > MOST_RETRIES) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT,
             "%s: retry counts %d and %d (receiver not ready); both are 0 to %d", call, retries,
             rnr_retries, MOST_RETRIES);
    return 0;
  }
  return 1;
}

/* Whether a queue pair is there to be connected; without it librdmacm needs what it has not. */
static int has_qp(JNIEnv *env, const char *call, const struct vb_cm_id *id) {
  if (id->qp == 0) {
    vb_throw(env, VB_ILLEGAL_STATE, "%s: the id has no queue pair, create one first", call);
    return 0;
  }
  return has_device(env, call, id);
}

DISPATCHER(void, connect)(JNIEnv *env, jobject self UNUSED, jlong handle, jint retries,
                          jint rnr_retries, jlong private_data, jbyte private_length) {
  const char *call = "connect";
  if (!check_retries(env, call, retries, rnr_retries)) {
    return;
  }
  if (private_length < 0 || (private_length > 0 && private_data == 0)) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%s: %d bytes of private data at %#llx", call,
             private_length, (unsigned long long)private_data);
    return;
  }
  struct vb_cm_id *id = vb_id_lock(env, call, handle);
  if (id == NULL) {
    return;
  }
  if (has_qp(env, call, id)) {
    /* Depths that DiSNI's Java code does not know: as many READs as the device can have. */
    struct rdma_conn_param param = {
        .private_data = private_length > 0 ? (const void *)(uintptr_t)private_data : NULL,
        .private_data_len = (uint8_t)private_length,
        .responder_resources = RDMA_MAX_RESP_RES,
        .initiator_depth = RDMA_MAX_INIT_DEPTH,
        .retry_count = (uint8_t)retries,
        .rnr_retry_count = (uint8_t)rnr_retries,
    };
    if (rdma_connect(id->id, &param) != 0) {
      vb_throw_errno(env, errno, "%s: %d bytes of private data (56 fit on InfiniBand and RoCE)",
                     call, private_length);
    }
  }
  vb_id_unlock(id, handle);
}

DISPATCHER(void, accept)(JNIEnv *env, jobject self UNUSED, jlong handle, jint retries,
                         jint rnr_retries) {
  const char *call = "accept";
  if (!check_retries(env, call, retries, rnr_retries)) {
    return;
  }
  struct vb_cm_id *id = vb_id_lock(env, call, handle);
  if (id == NULL) {
    return;
  }
  if (has_qp(env, call, id)) {
    /* These values mean: what the peer asked for, as far as the device can. */
    struct rdma_conn_param param = {
        .responder_resources = RDMA_MAX_RESP_RES,
        .initiator_depth = RDMA_MAX_INIT_DEPTH,
        .retry_count = (uint8_t)retries,
        .rnr_retry_count = (uint8_t)rnr_retries,
    };
    if (rdma_accept(id->id, &param) != 0) {
      vb_throw_errno(env, errno, "%s", call);
    }
  }
  vb_id_unlock(id, handle);
}

DISPATCHER(jint, disconnect)(JNIEnv *env, jobject self UNUSED, jlong handle) {
  struct vb_cm_id *id = lock_unchecked(env, "disconnect", handle);
  if (id == NULL) {
    return -1;
  }
  int error = 0;
  if (id->id->verbs == NULL) {
    error = ENOTCONN;
  } else if (rdma_disconnect(id->id) != 0) {
    error = errno;
  }
  vb_id_unlock(id, handle);
  return error;
}

/*
 * The event's type, with the handles of the listening id and of the id written to the addresses;
 * -1 when time ran out. A failure is an IOException though none is declared: DiSNI's Java code,
 * which declares it, takes each negative result for no event. The whole event is kept with its id.
 */
DISPATCHER(jint, getCmEvent)(JNIEnv *env, jobject self UNUSED, jlong channel, jlong listen_id_at,
                             jlong id_at, jint timeout_millis) {
  jlong *listen_id = vb_memory(env, "getCmEvent", "listening id", listen_id_at, sizeof(jlong));
  jlong *id = vb_memory(env, "getCmEvent", "id", id_at, sizeof(jlong));
  if (listen_id == NULL || id == NULL) {
    return -1;
  }
  struct vb_cm_event event;
  if (vb_next_cm_event(env, channel, timeout_millis, &event) != 1) {
    return -1;
  }
  *listen_id = event.listen_id;
  *id = event.id;
  return event.type;
}

/* Events are copied and acknowledged when they are taken; nothing is left to do. */
DISPATCHER(jint, ackCmEvent)(JNIEnv *env, jobject self UNUSED, jint type) {
  if (type < RDMA_CM_EVENT_ADDR_RESOLVED || type > RDMA_CM_EVENT_TIMEWAIT_EXIT) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "ackCmEvent: there is no event type %d", type);
    return -1;
  }
  return 0;
}

static jint address_of(JNIEnv *env, const char *call, jlong handle, jlong address_at,
                       struct sockaddr *(*which)(struct rdma_cm_id *)) {
  struct sockaddr_in *to =
      vb_memory(env, call, "socket address", address_at, _Alignof(struct sockaddr_in));
  if (to == NULL) {
    return -1;
  }
  struct vb_cm_id *id = lock_unchecked(env, call, handle);
  if (id == NULL) {
    return -1;
  }
  jint error = write_address(which(id->id), to);
  vb_id_unlock(id, handle);
  return error;
}

DISPATCHER(jint, getSrcAddr)(JNIEnv *env, jobject self UNUSED, jlong handle, jlong address_at) {
  return address_of(env, "getSrcAddr", handle, address_at, rdma_get_local_addr);
}

DISPATCHER(jint, getDstAddr)(JNIEnv *env, jobject self UNUSED, jlong handle, jlong address_at) {
  return address_of(env, "getDstAddr", handle, address_at, rdma_get_peer_addr);
}

DISPATCHER(jlong, getContext)(JNIEnv *env, jobject self UNUSED, jlong handle) {
  struct vb_cm_id *id = vb_id_lock(env, "getContext", handle);
  if (id == NULL) {
    return 0;
  }
  jlong context = vb_context_of(env, "getContext", id);
  vb_id_unlock(id, handle);
  return context;
}
