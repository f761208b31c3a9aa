/*
 * What handles stand for, and the steps that both native classes share. Functions that take a
 * JNIEnv report failures as pending exceptions.
 */
#ifndef VERBENA_OBJECTS_H
#define VERBENA_OBJECTS_H

#include <infiniband/verbs.h>
#include <jni.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdatomic.h>
#include <stdint.h>

#include "handles.h"

/* A wait without limit is one of this many milliseconds. */
#define VB_LONGEST_WAIT_MILLIS 60000

#define VB_PRIVATE_DATA_MAX 256

/* A connection event, copied before it was acknowledged. */
struct vb_cm_event {
  jlong id;
  jlong listen_id; /* 0 when there is none */
  int type;        /* enum rdma_cm_event_type */
  int status;      /* 0, a negative errno, or the reason of a rejection */
  uint32_t qp_num;
  uint8_t responder_resources;
  uint8_t initiator_depth;
  uint8_t flow_control;
  uint8_t retry_count;
  uint8_t rnr_retry_count;
  uint8_t srq;
  uint16_t private_data_len;
  uint8_t private_data[VB_PRIVATE_DATA_MAX];
};

/*
 * The lock serialises all connection calls on the channel's ids with taking events off it:
 * librdmacm touches an id's queue pair while it takes an event.
 */
struct vb_event_channel {
  struct rdma_event_channel *channel;
  pthread_mutex_t lock;
  int wake_fd;
};

struct vb_cm_id {
  struct rdma_cm_id *id;
  struct vb_event_channel *channel;
  jlong channel_handle;
  jlong qp;                      /* under the channel's lock; 0 when there is none */
  struct vb_cm_event last_event; /* under the channel's lock; type is -1 before the first */
};

/*
 * librdmacm's, which opens devices and may close them when they were removed and no id uses them.
 * The keeper is an id against that; it is given up when the device was removed and nothing of ours
 * is left on it.
 */
struct vb_context {
  struct ibv_context *verbs;
  struct rdma_cm_id *keeper;
  int removed;
  struct ibv_device_attr attr;
};

struct vb_pd {
  struct ibv_pd *pd;
  const struct vb_context *context;
};

struct vb_comp_channel {
  struct ibv_comp_channel *channel;
  int wake_fd;
};

struct vb_cq {
  struct ibv_cq *cq;
  atomic_int unacknowledged; /* events handed out and not yet confirmed by Java */
};

struct vb_qp {
  struct ibv_qp *qp;
  uint32_t max_send_wr;
  uint32_t max_recv_wr;
  uint32_t max_send_sge;
  uint32_t max_recv_sge;
  uint32_t max_inline;
};

struct vb_mr {
  struct ibv_mr *mr;
};

/* As rdma_create_id; 0 with an exception pending. */
jlong vb_create_id(JNIEnv *env, jlong channel, enum rdma_port_space space);

/* Acquires an id and takes its channel's lock; NULL with an exception pending. */
struct vb_cm_id *vb_id_lock(JNIEnv *env, const char *call, jlong handle);
void vb_id_unlock(struct vb_cm_id *id, jlong handle);

/*
 * Waits up to `timeout_millis` (below 0: VB_LONGEST_WAIT_MILLIS, and running out is an
 * exception then) for the channel's next connection event. Returns 1 with the event copied and
 * acknowledged, 0 when time ran out, -1 with an exception pending.
 */
int vb_next_cm_event(JNIEnv *env, jlong channel, jint timeout_millis, struct vb_cm_event *event);

/* The last event of an id, taken by whichever method; 0, or -1 with an exception pending. */
int vb_last_cm_event(JNIEnv *env, jlong id, struct vb_cm_event *event);

/* The handle of an id's device context, made on first use; 0 with an exception pending. */
jlong vb_context_of(JNIEnv *env, const char *call, struct vb_cm_id *id);

/* Gives up devices that were removed and have nothing open: to be called after closes. */
void vb_release_contexts(void);

/* As rdma_create_qp, with `cap` updated to what was granted. 0 with an exception pending. */
jlong vb_create_qp(JNIEnv *env, jlong id, jlong pd, jlong send_cq, jlong recv_cq,
                   struct ibv_qp_cap *cap);

/* Registers memory and makes its keys known to the checks of posts. 0 with an exception. */
jlong vb_register(JNIEnv *env, jlong pd, uint64_t address, uint64_t length, int access,
                  struct ibv_mr **mr);

/* Posts a chain of requests; -1 with an exception pending. */
int vb_post_send(JNIEnv *env, jlong qp, struct ibv_send_wr *first);
int vb_post_recv(JNIEnv *env, jlong qp, struct ibv_recv_wr *first);

#endif
