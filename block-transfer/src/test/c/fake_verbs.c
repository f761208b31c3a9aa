/* The fake device's verbs; see fake_rdma.h. */
#define _GNU_SOURCE
#include "fake_rdma.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MOST_REGIONS 4096

struct fake_comp_channel {
  struct ibv_comp_channel channel;
  struct fake_cq *events[QUEUE];
  int first;
  int count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ibv_device device;
static struct ibv_context context;
static struct ibv_mr *regions[MOST_REGIONS];
static uint32_t next_key = 0x1000;
static uint32_t next_qp = 17;

void fake_lock(void) { pthread_mutex_lock(&lock); }

void fake_unlock(void) { pthread_mutex_unlock(&lock); }

struct ibv_context *fake_context(void) { return &context; }

uint32_t fake_next_qp(void) { return next_qp++; }

void fake_violated(const char *rule) {
  fprintf(stderr, "fake device: %s\n", rule);
  abort();
}

void fake_signal(int fd) {
  if (write(fd, &(uint64_t){1}, sizeof(uint64_t)) < 0) {
    fake_violated("event counter is full");
  }
}

void fake_await_none(const int *out, const char *rule) {
  for (int turn = 0; *out != 0; turn++) {
    if (turn == 50000) {
      fake_violated(rule);
    }
    fake_unlock();
    usleep(100);
    fake_lock();
  }
}

int fake_take(int fd) {
  uint64_t one;
  return read(fd, &one, sizeof one) < 0 ? -1 : 0;
}

/* Work requests, under the lock. */

static struct ibv_mr *region_of(uint32_t key, uint64_t addr, uint64_t length) {
  for (int i = 0; i < MOST_REGIONS; i++) {
    struct ibv_mr *mr = regions[i];
    if (mr != NULL && mr->rkey == key) {
      uint64_t start = (uint64_t)(uintptr_t)mr->addr;
      return addr >= start && addr - start <= mr->length && length <= mr->length - (addr - start)
                 ? mr
                 : NULL;
    }
  }
  return NULL;
}

static void complete(struct ibv_cq *queue, const struct ibv_wc *wc) {
  struct fake_cq *cq = (struct fake_cq *)queue;
  if (cq->count == QUEUE) {
    fake_violated("completion queue overrun");
  }
  cq->completions[(cq->first + cq->count++) % QUEUE] = *wc;
  if (cq->armed && queue->channel != NULL) {
    struct fake_comp_channel *channel = (struct fake_comp_channel *)queue->channel;
    cq->armed = 0;
    channel->events[(channel->first + channel->count++) % QUEUE] = cq;
    fake_signal(channel->channel.fd);
  }
}

static enum ibv_wc_status deliver(struct fake_qp *to, const struct ibv_send_wr *wr) {
  if (to == NULL || to->count == 0) {
    return IBV_WC_RNR_RETRY_EXC_ERR;
  }
  struct fake_recv *receive = &to->receives[to->first];
  struct ibv_wc wc = {.wr_id = receive->wr_id, .opcode = IBV_WC_RECV, .qp_num = to->qp.qp_num};
  for (int i = 0; i < wr->num_sge; i++) {
    if (wc.byte_len + wr->sg_list[i].length > receive->length) {
      return IBV_WC_REM_INV_REQ_ERR;
    }
    memcpy((char *)(uintptr_t)receive->addr + wc.byte_len, (void *)(uintptr_t)wr->sg_list[i].addr,
           wr->sg_list[i].length);
    wc.byte_len += wr->sg_list[i].length;
  }
  to->first = (to->first + 1) % QUEUE;
  to->count--;
  complete(to->qp.recv_cq, &wc);
  return IBV_WC_SUCCESS;
}

static enum ibv_wc_status move(struct fake_qp *qp, const struct ibv_send_wr *wr) {
  struct fake_id *peer = qp->id->peer;
  if (qp->broken || peer == NULL || !peer->connected) {
    return IBV_WC_WR_FLUSH_ERR;
  }
  if (wr->opcode == IBV_WR_SEND) {
    return deliver((struct fake_qp *)peer->id.qp, wr);
  }
  uint64_t remote = wr->wr.rdma.remote_addr;
  for (int i = 0; i < wr->num_sge; i++) {
    const struct ibv_sge *sge = &wr->sg_list[i];
    struct ibv_mr *mr = region_of(wr->wr.rdma.rkey, remote, sge->length);
    if (wr->opcode != IBV_WR_RDMA_READ || mr == NULL) {
      return IBV_WC_REM_ACCESS_ERR;
    }
    memcpy((void *)(uintptr_t)sge->addr, (void *)(uintptr_t)remote, sge->length);
    remote += sge->length;
  }
  return IBV_WC_SUCCESS;
}

static int post_send(struct ibv_qp *queue, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  struct fake_qp *qp = (struct fake_qp *)queue;
  fake_lock();
  int error = 0;
  for (; wr != NULL && error == 0; wr = wr->next) {
    if (qp->outstanding == qp->cap.max_send_wr) {
      *bad = wr;
      error = ENOMEM;
      break;
    }
    qp->outstanding++;
    struct ibv_wc wc = {.wr_id = wr->wr_id, .status = move(qp, wr), .qp_num = queue->qp_num};
    wc.opcode = wr->opcode == IBV_WR_RDMA_READ ? IBV_WC_RDMA_READ : IBV_WC_SEND;
    qp->broken |= wc.status != IBV_WC_SUCCESS;
    if (wc.status != IBV_WC_SUCCESS || (wr->send_flags & IBV_SEND_SIGNALED)) {
      complete(queue->send_cq, &wc);
      qp->outstanding = 0;
    }
  }
  fake_unlock();
  return error;
}

static int post_recv(struct ibv_qp *queue, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct fake_qp *qp = (struct fake_qp *)queue;
  fake_lock();
  int error = 0;
  for (; wr != NULL; wr = wr->next) {
    if ((uint32_t)qp->count == qp->cap.max_recv_wr) {
      *bad = wr;
      error = ENOMEM;
      break;
    }
    struct fake_recv receive = {.wr_id = wr->wr_id};
    if (wr->num_sge > 0) {
      receive.addr = wr->sg_list[0].addr;
      receive.length = wr->sg_list[0].length;
    }
    qp->receives[(qp->first + qp->count++) % QUEUE] = receive;
  }
  fake_unlock();
  return error;
}

static int poll_cq(struct ibv_cq *queue, int most, struct ibv_wc *wc) {
  struct fake_cq *cq = (struct fake_cq *)queue;
  fake_lock();
  int polled = 0;
  while (polled < most && cq->count > 0) {
    wc[polled++] = cq->completions[cq->first];
    cq->first = (cq->first + 1) % QUEUE;
    cq->count--;
  }
  fake_unlock();
  return polled;
}

static int req_notify_cq(struct ibv_cq *queue, int solicited_only) {
  (void)solicited_only;
  fake_lock();
  ((struct fake_cq *)queue)->armed = 1;
  fake_unlock();
  return 0;
}

/* Verbs. */

__attribute__((constructor)) static void set_up(void) {
  strcpy(device.name, "fake0");
  context.device = &device;
  context.cmd_fd = eventfd(0, EFD_CLOEXEC);
  context.async_fd = eventfd(0, EFD_CLOEXEC);
  context.num_comp_vectors = 2;
  context.ops.post_send = post_send;
  context.ops.post_recv = post_recv;
  context.ops.poll_cq = poll_cq;
  context.ops.req_notify_cq = req_notify_cq;
}

const char *ibv_get_device_name(struct ibv_device *of) { return of->name; }

int ibv_query_device(struct ibv_context *of, struct ibv_device_attr *attr) {
  (void)of;
  *attr = (struct ibv_device_attr){
      .max_qp = 128,
      .max_qp_wr = 256,
      .max_sge = 4,
      .max_cq = 64,
      .max_cqe = 512,
      .max_mr = MOST_REGIONS,
      .max_mr_size = UINT64_MAX,
      .max_qp_rd_atom = 16,
      .max_qp_init_rd_atom = 16,
      .phys_port_cnt = 1,
  };
  return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *of) {
  struct fake_pd *pd = calloc(1, sizeof *pd);
  pd->pd.context = of;
  pd->pd.handle = 5;
  return &pd->pd;
}

int ibv_dealloc_pd(struct ibv_pd *of) {
  struct fake_pd *pd = (struct fake_pd *)of;
  if (pd->users != 0) {
    return EBUSY;
  }
  free(pd);
  return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *of) {
  struct fake_comp_channel *channel = calloc(1, sizeof *channel);
  channel->channel.context = of;
  channel->channel.fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
  return &channel->channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
  if (channel->refcnt != 0) {
    return EBUSY;
  }
  close(channel->fd);
  free(channel);
  return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *of, int cqe, void *cq_context,
                             struct ibv_comp_channel *channel, int vector) {
  (void)vector;
  struct fake_cq *cq = calloc(1, sizeof *cq);
  cq->cq.context = of;
  cq->cq.channel = channel;
  cq->cq.cq_context = cq_context;
  cq->cq.cqe = cqe;
  if (channel != NULL) {
    channel->refcnt++;
  }
  return &cq->cq;
}

int ibv_destroy_cq(struct ibv_cq *queue) {
  struct fake_cq *cq = (struct fake_cq *)queue;
  fake_lock();
  fake_await_none(&cq->events_out, "a completion queue is destroyed, its events stay unacknowledged");
  if (cq->queue_pairs != 0) {
    fake_unlock();
    return EBUSY;
  }
  struct fake_comp_channel *channel = (struct fake_comp_channel *)queue->channel;
  if (channel != NULL) {
    channel->channel.refcnt--;
    for (int i = 0; i < channel->count; i++) {
      if (channel->events[(channel->first + i) % QUEUE] == cq) {
        channel->events[(channel->first + i) % QUEUE] = NULL;
      }
    }
  }
  fake_unlock();
  free(cq);
  return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *from, struct ibv_cq **queue, void **cq_context) {
  struct fake_comp_channel *channel = (struct fake_comp_channel *)from;
  struct fake_cq *cq;
  do {
    if (fake_take(from->fd) != 0) {
      return -1;
    }
    fake_lock();
    cq = channel->events[channel->first];
    channel->first = (channel->first + 1) % QUEUE;
    channel->count--;
    if (cq != NULL) {
      cq->events_out++;
    }
    fake_unlock();
  } while (cq == NULL);
  *queue = &cq->cq;
  *cq_context = cq->cq.cq_context;
  return 0;
}

void ibv_ack_cq_events(struct ibv_cq *queue, unsigned int count) {
  fake_lock();
  ((struct fake_cq *)queue)->events_out -= (int)count;
  fake_unlock();
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
                                unsigned int access) {
  (void)iova;
  if (access & IBV_ACCESS_REMOTE_ATOMIC) {
    errno = EOPNOTSUPP;
    return NULL;
  }
  fake_lock();
  struct ibv_mr *mr = NULL;
  for (int i = 0; i < MOST_REGIONS && mr == NULL; i++) {
    if (regions[i] == NULL) {
      mr = calloc(1, sizeof *mr);
      *mr = (struct ibv_mr){.context = pd->context, .pd = pd, .addr = addr, .length = length};
      mr->lkey = mr->rkey = next_key++;
      mr->handle = (uint32_t)i;
      regions[i] = mr;
      ((struct fake_pd *)pd)->users++;
    }
  }
  fake_unlock();
  if (mr == NULL) {
    errno = ENOMEM;
  }
  return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr) {
  fake_lock();
  if (regions[mr->handle] != mr) {
    fake_violated("a region is deregistered twice");
  }
  regions[mr->handle] = NULL;
  ((struct fake_pd *)mr->pd)->users--;
  fake_unlock();
  free(mr);
  return 0;
}

int ibv_destroy_qp(struct ibv_qp *queue) {
  fake_lock();
  ((struct fake_cq *)queue->send_cq)->queue_pairs--;
  ((struct fake_cq *)queue->recv_cq)->queue_pairs--;
  ((struct fake_pd *)queue->pd)->users--;
  fake_unlock();
  free(queue);
  return 0;
}

/* rdma-core's headers give the library's function a port's first fields alone. */
#undef ibv_query_port
int ibv_query_port(struct ibv_context *of, uint8_t port_num, struct _compat_ibv_port_attr *first) {
  struct ibv_port_attr *out = (struct ibv_port_attr *)first;
  if (of != &context || port_num != 1) {
    return EINVAL;
  }
  out->state = IBV_PORT_ACTIVE;
  out->active_mtu = IBV_MTU_4096;
  out->link_layer = IBV_LINK_LAYER_ETHERNET;
  out->max_msg_sz = 1U << 30;
  return 0;
}
