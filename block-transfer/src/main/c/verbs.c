/*
 * What DiSNI cannot say, of things in general: events with status and private data, waiting for
 * several completion queues, registration of long ranges. Connections are in verbs_connections.c,
 * devices in verbs_devices.c. Native side of io.verbena.transport.verbs.impl.VerbsNative.
 *
 * Handles are those of DiSNI's natives: a queue pair made here is posted to through DiSNI.
 */
#define _GNU_SOURCE
#include "verbs.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>

#include "handles.h"
#include "jni_errors.h"
#include "objects.h"
#include "waits.h"

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
int vb_has_length(JNIEnv *env, const char *call, jarray array, jsize least) {
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
  if (poll(&file, 1, 0) > 0 && (file.revents & POLLIN) != 0 && vb_set_nonblocking(file.fd) == 0 &&
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
  } else if (ready > 0 && vb_set_nonblocking(files[0].fd) == 0) {
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
  if (!vb_has_length(env, "ibv_reg_mr", keys, 2)) {
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
