/* Connection ids, their events and the device contexts that they lead to. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jni_errors.h"
#include "objects.h"
#include "waits.h"

#define MOST_CONTEXTS 64

static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  struct vb_context *context;
  jlong handle;
} contexts[MOST_CONTEXTS];
static int contexts_used;
static struct rdma_event_channel *keepers_channel;

struct vb_cm_id *vb_id_lock(JNIEnv *env, const char *call, jlong handle) {
  struct vb_cm_id *id = vb_acquire(env, call, VB_CM_ID, handle);
  if (id != NULL) {
    pthread_mutex_lock(&id->channel->lock);
  }
  return id;
}

void vb_id_unlock(struct vb_cm_id *id, jlong handle) {
  pthread_mutex_unlock(&id->channel->lock);
  vb_release(handle);
}

/* An object and handle for an id; the caller holds the channel. 0 with an exception pending. */
static jlong open_id(JNIEnv *env, struct rdma_cm_id *id, struct vb_event_channel *channel,
                     jlong channel_handle) {
  struct vb_cm_id *object = calloc(1, sizeof *object);
  if (object == NULL) {
    vb_throw_errno(env, ENOMEM, "connection id");
    return 0;
  }
  object->id = id;
  object->channel = channel;
  object->channel_handle = channel_handle;
  object->last_event.type = -1;
  jlong handle = vb_open(env, VB_CM_ID, object, (jlong[VB_MAX_PARENTS]){channel_handle});
  if (handle == 0) {
    free(object);
    return 0;
  }
  id->context = (void *)(uintptr_t)handle;
  return handle;
}

jlong vb_create_id(JNIEnv *env, jlong channel_handle, enum rdma_port_space space) {
  struct vb_event_channel *channel =
      vb_acquire(env, "createId", VB_EVENT_CHANNEL, channel_handle);
  if (channel == NULL) {
    return 0;
  }
  jlong handle = 0;
  struct rdma_cm_id *id = NULL;
  if (rdma_create_id(channel->channel, &id, NULL, space) != 0) {
    vb_throw_errno(env, errno, "createId");
  } else {
    handle = open_id(env, id, channel, channel_handle);
    if (handle == 0) {
      rdma_destroy_id(id);
    }
  }
  vb_release(channel_handle);
  return handle;
}

static void copy_event(const struct rdma_cm_event *from, struct vb_cm_event *to) {
  const struct rdma_conn_param *conn = &from->param.conn;
  *to = (struct vb_cm_event){
      .id = (jlong)(uintptr_t)from->id->context,
      .listen_id =
          from->listen_id == NULL ? 0 : (jlong)(uintptr_t)from->listen_id->context,
      .type = (int)from->event,
      .status = from->status,
      .qp_num = conn->qp_num,
      .responder_resources = conn->responder_resources,
      .initiator_depth = conn->initiator_depth,
      .flow_control = conn->flow_control,
      .retry_count = conn->retry_count,
      .rnr_retry_count = conn->rnr_retry_count,
      .srq = conn->srq,
  };
  if (conn->private_data != NULL) {
    size_t length = conn->private_data_len;
    to->private_data_len = (uint16_t)(length < VB_PRIVATE_DATA_MAX ? length : VB_PRIVATE_DATA_MAX);
    memcpy(to->private_data, conn->private_data, to->private_data_len);
  }
}

/* What taking an event needs. */
struct taking {
  struct vb_event_channel *channel;
  jlong handle;
  struct vb_cm_event *event;
};

/* Under the channel's lock: 1 taken, 0 none there, -1 with an exception pending. */
static int take_event(JNIEnv *env, struct vb_event_channel *channel, jlong channel_handle,
                      struct vb_cm_event *event) {
  struct rdma_cm_event *taken = NULL;
  if (rdma_get_cm_event(channel->channel, &taken) != 0) {
    if (errno == EAGAIN || errno == EINTR) {
      return 0;
    }
    vb_throw_errno(env, errno, "getCmEvent");
    return -1;
  }
  copy_event(taken, event);
  struct rdma_cm_id *orphan = NULL;
  if (taken->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
    event->id = open_id(env, taken->id, channel, channel_handle);
    orphan = event->id == 0 ? taken->id : NULL;
  }
  struct vb_cm_id *id = vb_try_acquire(VB_CM_ID, event->id);
  if (id != NULL) {
    id->last_event = *event;
    vb_release(event->id);
  }
  /* At once, since closing an id waits for this: all that the event said has been copied. */
  rdma_ack_cm_event(taken);
  if (orphan != NULL) {
    rdma_destroy_id(orphan); /* the peer sees a rejection */
    return -1;
  }
  return 1;
}

static int take_locked(JNIEnv *env, void *argument) {
  struct taking *taking = argument;
  pthread_mutex_lock(&taking->channel->lock);
  int result = take_event(env, taking->channel, taking->handle, taking->event);
  pthread_mutex_unlock(&taking->channel->lock);
  return result;
}

int vb_next_cm_event(JNIEnv *env, jlong handle, jint timeout_millis, struct vb_cm_event *event) {
  const char *call = "getCmEvent";
  struct vb_event_channel *channel = vb_acquire(env, call, VB_EVENT_CHANNEL, handle);
  if (channel == NULL) {
    return -1;
  }
  struct taking taking = {.channel = channel, .handle = handle, .event = event};
  int result = vb_wait_taken(env, call, handle, channel->channel->fd, channel->wake_fd,
                             timeout_millis, take_locked, &taking);
  vb_release(handle);
  return result;
}

int vb_last_cm_event(JNIEnv *env, jlong handle, struct vb_cm_event *event) {
  struct vb_cm_id *id = vb_id_lock(env, "last event", handle);
  if (id == NULL) {
    return -1;
  }
  *event = id->last_event;
  vb_id_unlock(id, handle);
  return 0;
}

/* A channel for keepers, whose events are looked at now and then. Under the lock of contexts. */
static struct rdma_event_channel *keepers(void) {
  if (keepers_channel == NULL) {
    keepers_channel = rdma_create_event_channel();
    if (keepers_channel != NULL && vb_set_nonblocking(keepers_channel->fd) != 0) {
      rdma_destroy_event_channel(keepers_channel);
      keepers_channel = NULL;
    }
  }
  return keepers_channel;
}

/*
 * An id of our own on the same device. Without one librdmacm would close a device that was removed
 * as soon as no connection uses it, and leave domains, queues and regions with a context that is
 * freed. NULL when there is none to be had: then that danger stays.
 */
static struct rdma_cm_id *make_keeper(struct vb_context *context, struct rdma_cm_id *like) {
  struct sockaddr_storage address = {0};
  const struct sockaddr *local = rdma_get_local_addr(like);
  if (local->sa_family == AF_INET) {
    memcpy(&address, local, sizeof(struct sockaddr_in));
    ((struct sockaddr_in *)&address)->sin_port = 0;
  } else if (local->sa_family == AF_INET6) {
    memcpy(&address, local, sizeof(struct sockaddr_in6));
    ((struct sockaddr_in6 *)&address)->sin6_port = 0;
  } else {
    return NULL;
  }
  struct rdma_cm_id *keeper = NULL;
  if (keepers() == NULL || rdma_create_id(keepers(), &keeper, context, RDMA_PS_TCP) != 0) {
    return NULL;
  }
  if (rdma_bind_addr(keeper, (struct sockaddr *)&address) != 0 || keeper->verbs != like->verbs) {
    rdma_destroy_id(keeper);
    return NULL;
  }
  return keeper;
}

/* Under the lock of contexts: marks those whose device was removed. */
static void note_removals(void) {
  struct rdma_cm_event *event;
  while (keepers_channel != NULL && rdma_get_cm_event(keepers_channel, &event) == 0) {
    if (event->event == RDMA_CM_EVENT_DEVICE_REMOVAL) {
      ((struct vb_context *)event->id->context)->removed = 1;
    }
    rdma_ack_cm_event(event);
  }
}

/*
 * Lets go of a removed device's files; a driver that cannot be cut off from its users waits for
 * that. librdmacm would close them, but does not notice that the last device is gone, and a
 * descriptor that it will close one day must stay one: so it becomes another file's.
 */
static void let_go(const struct ibv_context *verbs) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0) {
    dup3(nothing, verbs->async_fd, O_CLOEXEC);
    dup3(nothing, verbs->cmd_fd, O_CLOEXEC);
    close(nothing);
  }
}

void vb_release_contexts(void) {
  pthread_mutex_lock(&contexts_lock);
  note_removals();
  for (int i = contexts_used - 1; i >= 0; i--) {
    struct vb_context *context = contexts[i].context;
    if ((context->keeper != NULL && !context->removed) ||
        vb_try_close(VB_CONTEXT, contexts[i].handle) == NULL) {
      continue;
    }
    if (context->keeper != NULL) {
      let_go(context->verbs);
      rdma_destroy_id(context->keeper);
    }
    vb_close_end(contexts[i].handle);
    free(context);
    contexts[i] = contexts[--contexts_used];
  }
  pthread_mutex_unlock(&contexts_lock);
}

/* Under the lock of contexts. */
static jlong open_context(JNIEnv *env, struct rdma_cm_id *id) {
  const char *device = ibv_get_device_name(id->verbs->device);
  if (contexts_used == MOST_CONTEXTS) {
    vb_throw_errno(env, ENFILE, "device %s: %d devices are in use, the most there can be", device,
                   MOST_CONTEXTS);
    return 0;
  }
  struct vb_context *context = calloc(1, sizeof *context);
  if (context == NULL) {
    vb_throw_errno(env, ENOMEM, "device %s", device);
    return 0;
  }
  context->verbs = id->verbs;
  int error = ibv_query_device(id->verbs, &context->attr);
  if (error != 0) {
    vb_throw_errno(env, error, "attributes of device %s", device);
    free(context);
    return 0;
  }
  jlong handle = vb_open(env, VB_CONTEXT, context, NULL);
  if (handle == 0) {
    free(context);
    return 0;
  }
  context->keeper = make_keeper(context, id);
  contexts[contexts_used].context = context;
  contexts[contexts_used].handle = handle;
  contexts_used++;
  return handle;
}

jlong vb_context_of(JNIEnv *env, const char *call, struct vb_cm_id *id) {
  if (id->id->verbs == NULL) {
    vb_throw_errno(env, ENODEV,
                   "%s: the id has no device yet; bind it to an address or resolve one first",
                   call);
    return 0;
  }
  jlong handle = 0;
  pthread_mutex_lock(&contexts_lock);
  for (int i = 0; i < contexts_used && handle == 0; i++) {
    if (contexts[i].context->verbs == id->id->verbs) {
      handle = contexts[i].handle;
    }
  }
  if (handle == 0) {
    handle = open_context(env, id->id);
  }
  pthread_mutex_unlock(&contexts_lock);
  return handle;
}
