/* Queue pairs and what is posted to them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "jni_errors.h"
#include "objects.h"
#include "regions.h"

/* The largest message that the verbs know. */
#define MOST_BYTES (UINT64_C(1) << 31)

#define KNOWN_FLAGS (IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED | IBV_SEND_INLINE)

static int check_within(JNIEnv *env, const char *what, uint32_t value, uint32_t least,
                        uint32_t most) {
  if (value >= least && value <= most) {
    return 1;
  }
  vb_throw(env, VB_ILLEGAL_ARGUMENT, "createQP: %s is %u; this device takes %u to %u", what, value,
           least, most);
  return 0;
}

static int check_capacity(JNIEnv *env, const struct vb_context *context,
                          const struct ibv_qp_cap *cap) {
  const struct ibv_device_attr *attr = &context->attr;
  uint32_t depth = (uint32_t)attr->max_qp_wr;
  uint32_t entries = (uint32_t)attr->max_sge;
  return check_within(env, "max_send_wr", cap->max_send_wr, 1, depth) &&
         check_within(env, "max_recv_wr", cap->max_recv_wr, 0, depth) &&
         check_within(env, "max_send_sge", cap->max_send_sge, 1, entries) &&
         check_within(env, "max_recv_sge", cap->max_recv_sge, 0, entries);
}

struct parents {
  struct vb_cm_id *id;
  struct vb_pd *pd;
  struct vb_cq *send_cq;
  struct vb_cq *recv_cq;
};

static jlong create_with(JNIEnv *env, const struct parents *from, const jlong handles[],
                         struct ibv_qp_cap *cap) {
  struct rdma_cm_id *id = from->id->id;
  struct ibv_context *verbs = from->pd->pd->context;
  if (id->verbs != verbs || from->send_cq->cq->context != verbs ||
      from->recv_cq->cq->context != verbs) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT,
             "createQP: id (%s), protection domain and completion queues are not all of one device",
             id->verbs == NULL ? "bound to none yet" : ibv_get_device_name(id->verbs->device));
    return 0;
  }
  if (from->id->qp != 0) {
    vb_throw_errno(env, EBUSY, "createQP: the id has a queue pair already");
    return 0;
  }
  if (!check_capacity(env, from->pd->context, cap)) {
    return 0;
  }
  struct vb_qp *qp = malloc(sizeof *qp);
  if (qp == NULL) {
    vb_throw_errno(env, ENOMEM, "createQP");
    return 0;
  }
  struct ibv_qp_init_attr attr = {
      .send_cq = from->send_cq->cq,
      .recv_cq = from->recv_cq->cq,
      .cap = *cap,
      .qp_type = IBV_QPT_RC,
  };
  if (rdma_create_qp(id, from->pd->pd, &attr) != 0) {
    vb_throw_errno(env, errno, "createQP: %u send, %u receive requests, %u bytes inline",
                   cap->max_send_wr, cap->max_recv_wr, cap->max_inline_data);
    free(qp);
    return 0;
  }
  *qp = (struct vb_qp){
      .qp = id->qp,
      .max_send_wr = attr.cap.max_send_wr,
      .max_recv_wr = attr.cap.max_recv_wr,
      .max_send_sge = attr.cap.max_send_sge,
      .max_recv_sge = attr.cap.max_recv_sge,
      .max_inline = attr.cap.max_inline_data,
  };
  jlong handle = vb_open(env, VB_QP, qp, handles);
  if (handle == 0) {
    rdma_destroy_qp(id);
    free(qp);
    return 0;
  }
  from->id->qp = handle;
  *cap = attr.cap;
  return handle;
}

jlong vb_create_qp(JNIEnv *env, jlong id, jlong pd, jlong send_cq, jlong recv_cq,
                   struct ibv_qp_cap *cap) {
  const char *call = "createQP";
  const jlong handles[VB_MAX_PARENTS] = {id, pd, send_cq, recv_cq};
  struct parents from = {0};
  jlong handle = 0;
  if ((from.id = vb_id_lock(env, call, id)) != NULL &&
      (from.pd = vb_acquire(env, call, VB_PD, pd)) != NULL &&
      (from.send_cq = vb_acquire(env, call, VB_CQ, send_cq)) != NULL &&
      (from.recv_cq = vb_acquire(env, call, VB_CQ, recv_cq)) != NULL) {
    handle = create_with(env, &from, handles, cap);
  }
  if (from.recv_cq != NULL) {
    vb_release(recv_cq);
  }
  if (from.send_cq != NULL) {
    vb_release(send_cq);
  }
  if (from.pd != NULL) {
    vb_release(pd);
  }
  if (from.id != NULL) {
    vb_id_unlock(from.id, id);
  }
  return handle;
}

/* The requests of a chain are numbered from 0 in messages. */
static int check_entry_list(JNIEnv *env, const char *call, const struct ibv_qp *qp, unsigned number,
                            const struct ibv_sge *entries, int count, uint32_t most) {
  if (count < 0 || (uint32_t)count > most || (count > 0 && entries == NULL)) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT,
             "%s: request %u has %d scatter entries at %p; the queue pair takes 0 to %u", call,
             number, count, (const void *)entries, most);
    return 0;
  }
  return vb_check_entries(env, call, qp->pd, entries, count);
}

static int check_send(JNIEnv *env, const struct vb_qp *qp, unsigned number,
                      const struct ibv_send_wr *request) {
  if ((unsigned)request->opcode > IBV_WR_RDMA_READ) {
    vb_throw(env, VB_UNSUPPORTED,
             "postSend: request %u has opcode %d; supported are 0 to 4 (write, write with "
             "immediate, send, send with immediate, read)",
             number, (int)request->opcode);
    return 0;
  }
  if (request->send_flags & ~(unsigned)KNOWN_FLAGS) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "postSend: request %u has flags %#x; known are %#x", number,
             request->send_flags, (unsigned)KNOWN_FLAGS);
    return 0;
  }
  if (!check_entry_list(env, "postSend", qp->qp, number, request->sg_list, request->num_sge,
                        qp->max_send_sge)) {
    return 0;
  }
  uint64_t bytes = 0;
  for (int i = 0; i < request->num_sge; i++) {
    bytes += request->sg_list[i].length;
  }
  uint64_t most = request->send_flags & IBV_SEND_INLINE ? qp->max_inline : MOST_BYTES;
  if (bytes > most) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "postSend: request %u has %llu bytes; the limit is %llu",
             number, (unsigned long long)bytes, (unsigned long long)most);
    return 0;
  }
  return 1;
}

static void throw_too_many(JNIEnv *env, const char *call, uint32_t most) {
  vb_throw(env, VB_ILLEGAL_ARGUMENT,
           "%s: the chain has more requests than the queue pair's %u, or no end", call, most);
}

static void throw_not_posted(JNIEnv *env, const char *call, int error, unsigned posted,
                             unsigned all, uint32_t depth) {
  vb_throw_errno(env, error, "%s: %u of %u requests posted; the queue holds %u", call, posted, all,
                 depth);
}

static int post_send(JNIEnv *env, struct vb_qp *qp, struct ibv_send_wr *first) {
  unsigned count = 0;
  for (const struct ibv_send_wr *request = first; request != NULL; request = request->next) {
    if (count == qp->max_send_wr) {
      throw_too_many(env, "postSend", qp->max_send_wr);
      return -1;
    }
    if (!check_send(env, qp, count, request)) {
      return -1;
    }
    count++;
  }
  struct ibv_send_wr *refused = NULL;
  int error = ibv_post_send(qp->qp, first, &refused);
  if (error != 0) {
    unsigned posted = 0;
    for (const struct ibv_send_wr *r = first; r != NULL && r != refused; r = r->next) {
      posted++;
    }
    throw_not_posted(env, "postSend", abs(error), posted, count, qp->max_send_wr);
    return -1;
  }
  return 0;
}

int vb_post_send(JNIEnv *env, jlong handle, struct ibv_send_wr *first) {
  struct vb_qp *qp = vb_acquire(env, "postSend", VB_QP, handle);
  if (qp == NULL) {
    return -1;
  }
  int result = post_send(env, qp, first);
  vb_release(handle);
  return result;
}

static int post_recv(JNIEnv *env, struct vb_qp *qp, struct ibv_recv_wr *first) {
  unsigned count = 0;
  for (const struct ibv_recv_wr *request = first; request != NULL; request = request->next) {
    if (count == qp->max_recv_wr) {
      throw_too_many(env, "postRecv", qp->max_recv_wr);
      return -1;
    }
    if (!check_entry_list(env, "postRecv", qp->qp, count, request->sg_list, request->num_sge,
                          qp->max_recv_sge)) {
      return -1;
    }
    count++;
  }
  struct ibv_recv_wr *refused = NULL;
  int error = ibv_post_recv(qp->qp, first, &refused);
  if (error != 0) {
    unsigned posted = 0;
    for (const struct ibv_recv_wr *r = first; r != NULL && r != refused; r = r->next) {
      posted++;
    }
    throw_not_posted(env, "postRecv", abs(error), posted, count, qp->max_recv_wr);
    return -1;
  }
  return 0;
}

int vb_post_recv(JNIEnv *env, jlong handle, struct ibv_recv_wr *first) {
  struct vb_qp *qp = vb_acquire(env, "postRecv", VB_QP, handle);
  if (qp == NULL) {
    return -1;
  }
  int result = post_recv(env, qp, first);
  vb_release(handle);
  return result;
}
