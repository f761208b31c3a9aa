/*
 * Native side of DiSNI 2.1, devices and queues: com.ibm.disni.verbs.impl.NativeDispatcher and
 * com.ibm.disni.util.NativeAffinity. Connections are in disni_connections.c.
 *
 * A method that declares IOException throws it, with call, errno and its text: what DiSNI's Java
 * code would make of a result says no reason. A method that declares none returns 0 or an errno
 * value, and a misuse of it is an unchecked exception. Java passes structures as addresses of
 * direct memory, with the layout of rdma-core's.
 */
#define _GNU_SOURCE
#include "disni.h"

#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "objects.h"
#include "regions.h"
#include "waits.h"

/* What DiSNI's Java code compares with its own, refusing another. */
#define JVERBS_VERSION 32

#define UNUSED __attribute__((unused))

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm UNUSED, void *reserved UNUSED) {
  return JNI_VERSION_1_8;
}

DISPATCHER(jint, getVersion)(JNIEnv *env UNUSED, jobject self UNUSED) { return JVERBS_VERSION; }

DISPATCHER(jint, getSockAddrInSize)(JNIEnv *env UNUSED, jobject self UNUSED) {
  return sizeof(struct sockaddr_in);
}

DISPATCHER(jint, getIbvRecvWRSize)(JNIEnv *env UNUSED, jobject self UNUSED) {
  return sizeof(struct ibv_recv_wr);
}

DISPATCHER(jint, getIbvSendWRSize)(JNIEnv *env UNUSED, jobject self UNUSED) {
  return sizeof(struct ibv_send_wr);
}

DISPATCHER(jint, getIbvSgeSize)(JNIEnv *env UNUSED, jobject self UNUSED) {
  return sizeof(struct ibv_sge);
}

DISPATCHER(jint, getIbvWCSize)(JNIEnv *env UNUSED, jobject self UNUSED) {
  return sizeof(struct ibv_wc);
}

DISPATCHER(jint, getRemoteAddressOffset)(JNIEnv *env UNUSED, jobject self UNUSED) {
  return offsetof(struct ibv_send_wr, wr.rdma.remote_addr);
}

DISPATCHER(jint, getRKeyOffset)(JNIEnv *env UNUSED, jobject self UNUSED) {
  return offsetof(struct ibv_send_wr, wr.rdma.rkey);
}

/* What Java's classes fix and do not ask for. */
_Static_assert(offsetof(struct ibv_send_wr, wr_id) == 0 &&
                   offsetof(struct ibv_send_wr, next) == 8 &&
                   offsetof(struct ibv_send_wr, sg_list) == 16 &&
                   offsetof(struct ibv_send_wr, num_sge) == 24 &&
                   offsetof(struct ibv_send_wr, opcode) == 28 &&
                   offsetof(struct ibv_send_wr, send_flags) == 32 &&
                   offsetof(struct ibv_send_wr, imm_data) == 36,
               "layout of send requests");
_Static_assert(offsetof(struct ibv_recv_wr, wr_id) == 0 &&
                   offsetof(struct ibv_recv_wr, next) == 8 &&
                   offsetof(struct ibv_recv_wr, sg_list) == 16 &&
                   offsetof(struct ibv_recv_wr, num_sge) == 24,
               "layout of receive requests");
_Static_assert(offsetof(struct ibv_sge, addr) == 0 && offsetof(struct ibv_sge, length) == 8 &&
                   offsetof(struct ibv_sge, lkey) == 12,
               "layout of scatter entries");
_Static_assert(offsetof(struct ibv_wc, wr_id) == 0 && offsetof(struct ibv_wc, status) == 8 &&
                   offsetof(struct ibv_wc, opcode) == 12 &&
                   offsetof(struct ibv_wc, vendor_err) == 16 &&
                   offsetof(struct ibv_wc, byte_len) == 20 &&
                   offsetof(struct ibv_wc, imm_data) == 24 &&
                   offsetof(struct ibv_wc, qp_num) == 28 && offsetof(struct ibv_wc, src_qp) == 32 &&
                   offsetof(struct ibv_wc, wc_flags) == 36 &&
                   offsetof(struct ibv_wc, pkey_index) == 40 && offsetof(struct ibv_wc, slid) == 42 &&
                   offsetof(struct ibv_wc, sl) == 44 &&
                   offsetof(struct ibv_wc, dlid_path_bits) == 45,
               "layout of completions");

/* A number that an object carries; -1 with an exception pending. */
#define NUMBER_OF(method, kind, object_type, number)                                \
  DISPATCHER(jint, method)(JNIEnv *env, jobject self UNUSED, jlong handle) {        \
    const struct object_type *object = vb_acquire(env, #method, kind, handle);      \
    if (object == NULL) {                                                           \
      return -1;                                                                    \
    }                                                                               \
    jint result = (jint)(number);                                                   \
    vb_release(handle);                                                             \
    return result;                                                                  \
  }

NUMBER_OF(getContextFd, VB_CONTEXT, vb_context, object->verbs->cmd_fd)
NUMBER_OF(getContextNumCompVectors, VB_CONTEXT, vb_context, object->verbs->num_comp_vectors)
NUMBER_OF(getPdHandle, VB_PD, vb_pd, object->pd->handle)
NUMBER_OF(getQpNum, VB_QP, vb_qp, object->qp->qp_num)

/* Kinds of reliable connected access that work on demand; -1: none, below: a negative errno. */
DISPATCHER(jint, queryOdpSupport)(JNIEnv *env, jobject self UNUSED, jlong handle) {
  struct vb_context *context = vb_acquire_unchecked(env, "queryOdpSupport", VB_CONTEXT, handle);
  if (context == NULL) {
    return -1;
  }
  struct ibv_device_attr_ex attr = {0};
  int error = ibv_query_device_ex(context->verbs, NULL, &attr);
  vb_release(handle);
  if (error != 0) {
    return -abs(error);
  }
  if (!(attr.odp_caps.general_caps & IBV_ODP_SUPPORT)) {
    return -1;
  }
  return (jint)attr.odp_caps.per_transport_caps.rc_odp_caps;
}

static jlong alloc_pd(JNIEnv *env, struct vb_context *context, jlong context_handle) {
  struct vb_pd *object = malloc(sizeof *object);
  if (object == NULL) {
    vb_throw_errno(env, ENOMEM, "allocPd");
    return 0;
  }
  errno = 0;
  object->context = context;
  object->pd = ibv_alloc_pd(context->verbs);
  if (object->pd == NULL) {
    vb_throw_errno(env, errno, "allocPd");
    free(object);
    return 0;
  }
  jlong handle = vb_open(env, VB_PD, object, (jlong[VB_MAX_PARENTS]){context_handle});
  if (handle == 0) {
    ibv_dealloc_pd(object->pd);
    free(object);
  }
  return handle;
}

DISPATCHER(jlong, allocPd)(JNIEnv *env, jobject self UNUSED, jlong context_handle) {
  struct vb_context *context = vb_acquire(env, "allocPd", VB_CONTEXT, context_handle);
  if (context == NULL) {
    return 0;
  }
  jlong handle = alloc_pd(env, context, context_handle);
  vb_release(context_handle);
  return handle;
}

/*
 * Ends a close: an object that is in use stays open and can be closed later, on any other error
 * (the device is gone) it is given up, for nothing more can be done with it.
 */
static jint finish_close(jlong handle, void *object, int error) {
  if (error == EBUSY) {
    vb_close_undo(handle);
  } else {
    vb_close_end(handle);
    free(object);
  }
  return error;
}

DISPATCHER(jint, deallocPd)(JNIEnv *env, jobject self UNUSED, jlong handle) {
  struct vb_pd *pd = vb_close_begin(env, "deallocPd", VB_PD, handle, NULL);
  if (pd == NULL) {
    return -1;
  }
  jint error = finish_close(handle, pd, ibv_dealloc_pd(pd->pd));
  vb_release_contexts();
  return error;
}

static jlong create_comp_channel(JNIEnv *env, struct vb_context *context, jlong context_handle) {
  struct vb_comp_channel *object = malloc(sizeof *object);
  if (object == NULL) {
    vb_throw_errno(env, ENOMEM, "createCompChannel");
    return 0;
  }
  object->wake_fd = vb_wake_open();
  object->channel = object->wake_fd < 0 ? NULL : ibv_create_comp_channel(context->verbs);
  int error = object->channel == NULL ? errno : vb_set_nonblocking(object->channel->fd);
  jlong handle = 0;
  if (error != 0) {
    vb_throw_errno(env, error, "createCompChannel");
  } else {
    handle = vb_open(env, VB_COMP_CHANNEL, object, (jlong[VB_MAX_PARENTS]){context_handle});
  }
  if (handle == 0) {
    if (object->channel != NULL) {
      ibv_destroy_comp_channel(object->channel);
    }
    if (object->wake_fd >= 0) {
      close(object->wake_fd);
    }
    free(object);
  }
  return handle;
}

DISPATCHER(jlong, createCompChannel)(JNIEnv *env, jobject self UNUSED, jlong context_handle) {
  struct vb_context *context = vb_acquire(env, "createCompChannel", VB_CONTEXT, context_handle);
  if (context == NULL) {
    return 0;
  }
  jlong handle = create_comp_channel(env, context, context_handle);
  vb_release(context_handle);
  return handle;
}

static void wake_comp_channel(void *object) { vb_wake(((struct vb_comp_channel *)object)->wake_fd); }

DISPATCHER(jint, destroyCompChannel)(JNIEnv *env, jobject self UNUSED, jlong handle) {
  struct vb_comp_channel *channel =
      vb_close_begin(env, "destroyCompChannel", VB_COMP_CHANNEL, handle, wake_comp_channel);
  if (channel == NULL) {
    return -1;
  }
  int wake_fd = channel->wake_fd;
  int error = ibv_destroy_comp_channel(channel->channel);
  if (error != EBUSY) {
    close(wake_fd);
  }
  error = finish_close(handle, channel, error);
  vb_release_contexts();
  return error;
}

static jlong create_cq(JNIEnv *env, struct vb_context *context, struct vb_comp_channel *channel,
                       const jlong parents[VB_MAX_PARENTS], jint entries, jint vector) {
  if (entries < 1 || entries > context->attr.max_cqe || vector < 0 ||
      vector >= context->verbs->num_comp_vectors) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT,
             "createCQ: %d entries on completion vector %d; this device takes 1 to %d entries, "
             "vectors 0 to %d",
             entries, vector, context->attr.max_cqe, context->verbs->num_comp_vectors - 1);
    return 0;
  }
  if (channel->channel->context != context->verbs) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "createCQ: the completion channel is of another device");
    return 0;
  }
  struct vb_cq *object = malloc(sizeof *object);
  if (object == NULL) {
    vb_throw_errno(env, ENOMEM, "createCQ");
    return 0;
  }
  errno = 0;
  atomic_init(&object->unacknowledged, 0);
  object->cq = ibv_create_cq(context->verbs, entries, NULL, channel->channel, vector);
  if (object->cq == NULL) {
    vb_throw_errno(env, errno, "createCQ: %d entries", entries);
    free(object);
    return 0;
  }
  jlong handle = vb_open(env, VB_CQ, object, parents);
  if (handle == 0) {
    ibv_destroy_cq(object->cq);
    free(object);
    return 0;
  }
  object->cq->cq_context = (void *)(uintptr_t)handle;
  return handle;
}

DISPATCHER(jlong, createCQ)(JNIEnv *env, jobject self UNUSED, jlong context_handle,
                            jlong channel_handle, jint entries, jint vector) {
  struct vb_context *context = vb_acquire(env, "createCQ", VB_CONTEXT, context_handle);
  if (context == NULL) {
    return 0;
  }
  jlong handle = 0;
  struct vb_comp_channel *channel = vb_acquire(env, "createCQ", VB_COMP_CHANNEL, channel_handle);
  if (channel != NULL) {
    handle = create_cq(env, context, channel,
                       (jlong[VB_MAX_PARENTS]){context_handle, channel_handle}, entries, vector);
    vb_release(channel_handle);
  }
  vb_release(context_handle);
  return handle;
}

DISPATCHER(jint, destroyCQ)(JNIEnv *env, jobject self UNUSED, jlong handle) {
  struct vb_cq *cq = vb_close_begin(env, "destroyCQ", VB_CQ, handle, NULL);
  if (cq == NULL) {
    return -1;
  }
  return finish_close(handle, cq, ibv_destroy_cq(cq->cq));
}

/* Takes one event off a channel: 1 taken, 0 none there, -1 with an exception pending. */
static int take_cq_event(JNIEnv *env, void *channel) {
  struct ibv_cq *cq;
  void *context;
  if (ibv_get_cq_event(channel, &cq, &context) != 0) {
    if (errno == EAGAIN || errno == EINTR) {
      return 0;
    }
    vb_throw_errno(env, errno, "getCqEvent");
    return -1;
  }
  jlong handle = (jlong)(uintptr_t)context;
  struct vb_cq *object = vb_try_acquire(VB_CQ, handle);
  if (object != NULL) {
    atomic_fetch_add(&object->unacknowledged, 1);
    vb_release(handle);
  }
  /* At once, since destroying the queue waits for this; last, since it may free the queue. */
  ibv_ack_cq_events(cq, 1);
  return 1;
}

/* 0 with an event, -1 when time ran out: what DiSNI's Java code takes for true and false. */
DISPATCHER(jint, getCqEvent)(JNIEnv *env, jobject self UNUSED, jlong handle, jint timeout_millis) {
  const char *call = "getCqEvent";
  struct vb_comp_channel *channel = vb_acquire(env, call, VB_COMP_CHANNEL, handle);
  if (channel == NULL) {
    return -1;
  }
  int result = vb_wait_taken(env, call, handle, channel->channel->fd, channel->wake_fd,
                             timeout_millis, take_cq_event, channel->channel);
  vb_release(handle);
  return result == 1 ? 0 : -1;
}

/* The device had its acknowledgement already; this one is checked and counted. */
DISPATCHER(jint, ackCqEvent)(JNIEnv *env, jobject self UNUSED, jlong handle, jint count) {
  struct vb_cq *cq = vb_acquire_unchecked(env, "ackCqEvent", VB_CQ, handle);
  if (cq == NULL) {
    return -1;
  }
  int had = atomic_load(&cq->unacknowledged);
  int enough;
  do {
    enough = count >= 0 && count <= had;
  } while (enough && !atomic_compare_exchange_weak(&cq->unacknowledged, &had, had - count));
  vb_release(handle);
  if (!enough) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "ackCqEvent: %d events, of %d that were handed out", count,
             had);
    return -1;
  }
  return 0;
}

DISPATCHER(jint, pollCQ)(JNIEnv *env, jobject self UNUSED, jlong handle, jint count,
                         jlong address) {
  struct ibv_wc *completions =
      vb_memory(env, "pollCQ", "completions", address, _Alignof(struct ibv_wc));
  if (completions == NULL) {
    return -1;
  }
  if (count < 1) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "pollCQ: room for %d completions, at least 1 is needed",
             count);
    return -1;
  }
  struct vb_cq *cq = vb_acquire(env, "pollCQ", VB_CQ, handle);
  if (cq == NULL) {
    return -1;
  }
  int polled = ibv_poll_cq(cq->cq, count, completions);
  vb_release(handle);
  if (polled < 0) {
    vb_throw_errno(env, EIO, "pollCQ: the device gives %d instead of completions", polled);
    return -1;
  }
  return polled;
}

DISPATCHER(jint, reqNotifyCQ)(JNIEnv *env, jobject self UNUSED, jlong handle, jint solicited) {
  struct vb_cq *cq = vb_acquire(env, "reqNotifyCQ", VB_CQ, handle);
  if (cq == NULL) {
    return -1;
  }
  int error = ibv_req_notify_cq(cq->cq, solicited != 0);
  vb_release(handle);
  if (error != 0) {
    vb_throw_errno(env, abs(error), "reqNotifyCQ");
    return -1;
  }
  return 0;
}

DISPATCHER(jlong, regMr)(JNIEnv *env, jobject self UNUSED, jlong pd, jlong address, jint length,
                         jint access, jlong lkey_address, jlong rkey_address,
                         jlong handle_address) {
  uint32_t *lkey = vb_memory(env, "regMr", "lkey", lkey_address, sizeof(uint32_t));
  uint32_t *rkey = vb_memory(env, "regMr", "rkey", rkey_address, sizeof(uint32_t));
  uint32_t *number = vb_memory(env, "regMr", "handle", handle_address, sizeof(uint32_t));
  if (lkey == NULL || rkey == NULL || number == NULL) {
    return 0;
  }
  if (length <= 0) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "regMr: %d bytes; 1 to %d can be registered", length,
             INT32_MAX);
    return 0;
  }
  struct ibv_mr *mr;
  jlong handle = vb_register(env, pd, (uint64_t)address, (uint64_t)length, access, &mr);
  if (handle != 0) {
    *lkey = mr->lkey;
    *rkey = mr->rkey;
    *number = mr->handle;
  }
  return handle;
}

DISPATCHER(void, deregMr)(JNIEnv *env, jobject self UNUSED, jlong handle) {
  vb_deregister(env, handle);
}

DISPATCHER(jint, expPrefetchMr)(JNIEnv *env, jobject self UNUSED, jlong handle, jlong address,
                                jint length) {
  const char *call = "expPrefetchMr";
  struct vb_mr *region = vb_acquire(env, call, VB_MR, handle);
  if (region == NULL) {
    return -1;
  }
  int error = 0;
  struct ibv_sge range = {
      .addr = (uint64_t)address, .length = (uint32_t)length, .lkey = region->mr->lkey};
  if (vb_check_entries(env, call, region->mr->pd, &range, 1)) {
    error = ibv_advise_mr(region->mr->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &range, 1);
  }
  vb_release(handle);
  if (error != 0) {
    vb_throw_errno(env, abs(error), "%s: %d bytes at %#llx", call, length,
                   (unsigned long long)address);
    return -1;
  }
  return 0;
}

DISPATCHER(jint, modifyQP)(JNIEnv *env, jobject self UNUSED, jlong handle,
                           jlong attributes UNUSED) {
  if (vb_acquire(env, "modifyQP", VB_QP, handle) == NULL) {
    return -1;
  }
  vb_release(handle);
  vb_throw(env, VB_UNSUPPORTED,
           "modifyQP: not supported, DiSNI's Java code does not pass the attributes on");
  return -1;
}

DISPATCHER(void, postSend)(JNIEnv *env, jobject self UNUSED, jlong qp, jlong address) {
  struct ibv_send_wr *first =
      vb_memory(env, "postSend", "requests", address, _Alignof(struct ibv_send_wr));
  if (first != NULL) {
    vb_post_send(env, qp, first);
  }
}

DISPATCHER(void, postRecv)(JNIEnv *env, jobject self UNUSED, jlong qp, jlong address) {
  struct ibv_recv_wr *first =
      vb_memory(env, "postRecv", "requests", address, _Alignof(struct ibv_recv_wr));
  if (first != NULL) {
    vb_post_recv(env, qp, first);
  }
}

/* Which of the first 64 processors the calling thread may run on, a bit each. */
JNIEXPORT void JNICALL Java_com_ibm_disni_util_NativeAffinity__1setAffinity(JNIEnv *env,
                                                                           jclass class UNUSED,
                                                                           jlong mask) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu = 0; cpu < 64; cpu++) {
    if ((uint64_t)mask >> cpu & 1) {
      CPU_SET(cpu, &set);
    }
  }
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "setAffinity: no processor of mask %#llx can be used here",
             (unsigned long long)mask);
  }
}

JNIEXPORT jlong JNICALL Java_com_ibm_disni_util_NativeAffinity__1getAffinity(JNIEnv *env,
                                                                            jclass class UNUSED) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) {
    vb_throw(env, VB_ILLEGAL_STATE, "getAffinity: the thread's processors cannot be read (errno %d)",
             errno);
    return 0;
  }
  uint64_t mask = 0;
  for (int cpu = 0; cpu < 64; cpu++) {
    if (CPU_ISSET(cpu, &set)) {
      mask |= UINT64_C(1) << cpu;
    }
  }
  return (jlong)mask;
}
