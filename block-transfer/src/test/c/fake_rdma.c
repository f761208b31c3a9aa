/*
 * A device that is not there: the calls of libibverbs and librdmacm that the native library makes,
 * inside one process, for tests without RDMA hardware. Preloaded or linked, it takes their place.
 *
 * It is stricter than the real ones: where those would wait for ever or corrupt memory (an id
 * closed with events that nobody acknowledges, or with a queue pair) it says so and aborts.
 * Addresses: 10.x.x.x is the device's, any port; others have no route.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MOST_REGIONS 4096
#define QUEUE 1024
#define MOST_LISTENERS 64

struct fake_event {
  struct rdma_cm_event event;
  char private_data[256];
  struct fake_event *next;
};

struct fake_channel {
  struct rdma_event_channel channel;
  struct fake_event *first;
  struct fake_event *last;
  int ids;
};

struct fake_id {
  struct rdma_cm_id id;
  struct fake_id *peer;
  struct sockaddr_in local;
  int unacknowledged;
  int connected;
};

struct fake_cq {
  struct ibv_cq cq;
  struct ibv_wc completions[QUEUE];
  int first;
  int count;
  int armed;
  int events_out;
  int queue_pairs;
};

struct fake_comp_channel {
  struct ibv_comp_channel channel;
  struct fake_cq *events[QUEUE];
  int first;
  int count;
};

struct fake_pd {
  struct ibv_pd pd;
  int users;
};

struct fake_recv {
  uint64_t wr_id;
  uint64_t addr;
  uint32_t length;
};

struct fake_qp {
  struct ibv_qp qp;
  struct fake_id *id;
  struct ibv_qp_cap cap;
  uint32_t outstanding;
  struct fake_recv receives[QUEUE];
  int first;
  int count;
  int broken;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ibv_device device;
static struct ibv_context context;
static struct ibv_mr *regions[MOST_REGIONS];
static struct fake_id *listeners[MOST_LISTENERS];
static uint32_t next_key = 0x1000;
static uint32_t next_qp = 17;
static uint16_t next_port = 40000;

static void violated(const char *rule) {
  fprintf(stderr, "fake device: %s\n", rule);
  abort();
}

static int fail(int error) {
  errno = error;
  return -1;
}

static void signal_fd(int fd) {
  if (write(fd, &(uint64_t){1}, sizeof(uint64_t)) < 0) {
    violated("event counter is full");
  }
}

/* Waits, under the lock, as the real libraries do for acknowledgements, but not for ever. */
static void await_none(const int *out, const char *rule) {
  for (int turn = 0; *out != 0; turn++) {
    if (turn == 50000) {
      violated(rule);
    }
    pthread_mutex_unlock(&lock);
    usleep(100);
    pthread_mutex_lock(&lock);
  }
}

/* Takes one from a counter; 0, or -1 with errno. */
static int take_fd(int fd) {
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
    violated("completion queue overrun");
  }
  cq->completions[(cq->first + cq->count++) % QUEUE] = *wc;
  if (cq->armed && queue->channel != NULL) {
    struct fake_comp_channel *channel = (struct fake_comp_channel *)queue->channel;
    cq->armed = 0;
    channel->events[(channel->first + channel->count++) % QUEUE] = cq;
    signal_fd(channel->channel.fd);
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
  pthread_mutex_lock(&lock);
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
  pthread_mutex_unlock(&lock);
  return error;
}

static int post_recv(struct ibv_qp *queue, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct fake_qp *qp = (struct fake_qp *)queue;
  pthread_mutex_lock(&lock);
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
  pthread_mutex_unlock(&lock);
  return error;
}

static int poll_cq(struct ibv_cq *queue, int most, struct ibv_wc *wc) {
  struct fake_cq *cq = (struct fake_cq *)queue;
  pthread_mutex_lock(&lock);
  int polled = 0;
  while (polled < most && cq->count > 0) {
    wc[polled++] = cq->completions[cq->first];
    cq->first = (cq->first + 1) % QUEUE;
    cq->count--;
  }
  pthread_mutex_unlock(&lock);
  return polled;
}

static int req_notify_cq(struct ibv_cq *queue, int solicited_only) {
  (void)solicited_only;
  pthread_mutex_lock(&lock);
  ((struct fake_cq *)queue)->armed = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

/* Verbs. */

__attribute__((constructor)) static void set_up(void) {
  strcpy(device.name, "fake0");
  context.device = &device;
  context.cmd_fd = 1;
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
  pthread_mutex_lock(&lock);
  await_none(&cq->events_out, "a completion queue is destroyed, its events stay unacknowledged");
  if (cq->queue_pairs != 0) {
    pthread_mutex_unlock(&lock);
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
  pthread_mutex_unlock(&lock);
  free(cq);
  return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *from, struct ibv_cq **queue, void **cq_context) {
  struct fake_comp_channel *channel = (struct fake_comp_channel *)from;
  struct fake_cq *cq;
  do {
    if (take_fd(from->fd) != 0) {
      return -1;
    }
    pthread_mutex_lock(&lock);
    cq = channel->events[channel->first];
    channel->first = (channel->first + 1) % QUEUE;
    channel->count--;
    if (cq != NULL) {
      cq->events_out++;
    }
    pthread_mutex_unlock(&lock);
  } while (cq == NULL);
  *queue = &cq->cq;
  *cq_context = cq->cq.cq_context;
  return 0;
}

void ibv_ack_cq_events(struct ibv_cq *queue, unsigned int count) {
  pthread_mutex_lock(&lock);
  ((struct fake_cq *)queue)->events_out -= (int)count;
  pthread_mutex_unlock(&lock);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
                                unsigned int access) {
  (void)iova;
  if (access & IBV_ACCESS_REMOTE_ATOMIC) {
    errno = EOPNOTSUPP;
    return NULL;
  }
  pthread_mutex_lock(&lock);
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
  pthread_mutex_unlock(&lock);
  if (mr == NULL) {
    errno = ENOMEM;
  }
  return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr) {
  pthread_mutex_lock(&lock);
  if (regions[mr->handle] != mr) {
    violated("a region is deregistered twice");
  }
  regions[mr->handle] = NULL;
  ((struct fake_pd *)mr->pd)->users--;
  pthread_mutex_unlock(&lock);
  free(mr);
  return 0;
}

int ibv_destroy_qp(struct ibv_qp *queue) {
  pthread_mutex_lock(&lock);
  ((struct fake_cq *)queue->send_cq)->queue_pairs--;
  ((struct fake_cq *)queue->recv_cq)->queue_pairs--;
  ((struct fake_pd *)queue->pd)->users--;
  pthread_mutex_unlock(&lock);
  free(queue);
  return 0;
}

/* Connections. */

struct rdma_event_channel *rdma_create_event_channel(void) {
  struct fake_channel *channel = calloc(1, sizeof *channel);
  channel->channel.fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
  return &channel->channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *of) {
  struct fake_channel *channel = (struct fake_channel *)of;
  if (channel->ids != 0) {
    violated("an event channel is destroyed with ids on it");
  }
  while (channel->first != NULL) {
    struct fake_event *event = channel->first;
    channel->first = event->next;
    free(event);
  }
  close(of->fd);
  free(channel);
}

static struct fake_id *new_id(struct rdma_event_channel *channel, void *id_context) {
  struct fake_id *id = calloc(1, sizeof *id);
  id->id.channel = channel;
  id->id.context = id_context;
  id->id.ps = RDMA_PS_TCP;
  ((struct fake_channel *)channel)->ids++;
  return id;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *id_context,
                   enum rdma_port_space space) {
  (void)space;
  pthread_mutex_lock(&lock);
  *id = &new_id(channel, id_context)->id;
  pthread_mutex_unlock(&lock);
  return 0;
}

/* Under the lock; each event counts against its id until it is acknowledged. */
static struct fake_event *raise(struct fake_id *on, struct fake_id *subject,
                                enum rdma_cm_event_type type) {
  struct fake_event *event = calloc(1, sizeof *event);
  struct fake_channel *channel = (struct fake_channel *)on->id.channel;
  event->event.id = &subject->id;
  event->event.event = type;
  if (channel->last == NULL) {
    channel->first = event;
  } else {
    channel->last->next = event;
  }
  channel->last = event;
  signal_fd(channel->channel.fd);
  return event;
}

int rdma_get_cm_event(struct rdma_event_channel *from, struct rdma_cm_event **event) {
  struct fake_channel *channel = (struct fake_channel *)from;
  struct fake_event *taken;
  do {
    if (take_fd(from->fd) != 0) {
      return -1;
    }
    pthread_mutex_lock(&lock);
    taken = channel->first;
    channel->first = taken->next;
    if (channel->first == NULL) {
      channel->last = NULL;
    }
    if (taken->event.id == NULL) { /* of an id that is gone */
      free(taken);
      taken = NULL;
    } else {
      ((struct fake_id *)taken->event.id)->unacknowledged++;
    }
    pthread_mutex_unlock(&lock);
  } while (taken == NULL);
  *event = &taken->event;
  return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event) {
  pthread_mutex_lock(&lock);
  ((struct fake_id *)event->id)->unacknowledged--;
  pthread_mutex_unlock(&lock);
  memset(event, 0xee, sizeof *event); /* who reads it now reads rubbish */
  free(event);
  return 0;
}

static void stop_listening(struct fake_id *id) {
  for (int i = 0; i < MOST_LISTENERS; i++) {
    if (listeners[i] == id) {
      listeners[i] = NULL;
    }
  }
}

int rdma_destroy_id(struct rdma_cm_id *of) {
  struct fake_id *id = (struct fake_id *)of;
  pthread_mutex_lock(&lock);
  await_none(&id->unacknowledged, "an id is destroyed, its events stay unacknowledged");
  if (of->qp != NULL) {
    violated("an id is destroyed with a queue pair");
  }
  struct fake_channel *channel = (struct fake_channel *)of->channel;
  for (struct fake_event *event = channel->first; event != NULL; event = event->next) {
    if (event->event.id == of) {
      event->event.id = NULL;
    }
  }
  channel->ids--;
  stop_listening(id);
  if (id->peer != NULL) {
    id->peer->peer = NULL;
  }
  pthread_mutex_unlock(&lock);
  free(id);
  return 0;
}

static int has_route(const struct sockaddr *address) {
  const struct sockaddr_in *in = (const struct sockaddr_in *)address;
  return in->sin_family == AF_INET && ntohl(in->sin_addr.s_addr) >> 24 == 10;
}

int rdma_bind_addr(struct rdma_cm_id *of, struct sockaddr *address) {
  struct fake_id *id = (struct fake_id *)of;
  if (!has_route(address)) {
    return fail(ENODEV);
  }
  pthread_mutex_lock(&lock);
  memcpy(&id->local, address, sizeof id->local);
  if (id->local.sin_port == 0) {
    id->local.sin_port = htons(next_port++);
  }
  memcpy(&of->route.addr.src_sin, &id->local, sizeof id->local);
  of->verbs = &context;
  of->port_num = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int rdma_listen(struct rdma_cm_id *of, int backlog) {
  (void)backlog;
  if (of->verbs == NULL) {
    return fail(EINVAL);
  }
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < MOST_LISTENERS && listeners[i] != NULL) {
    i++;
  }
  if (i < MOST_LISTENERS) {
    listeners[i] = (struct fake_id *)of;
  }
  pthread_mutex_unlock(&lock);
  return i < MOST_LISTENERS ? 0 : fail(ENOMEM);
}

int rdma_resolve_addr(struct rdma_cm_id *of, struct sockaddr *from, struct sockaddr *to,
                      int timeout) {
  (void)timeout;
  struct fake_id *id = (struct fake_id *)of;
  if (!has_route(to)) {
    return fail(ENETUNREACH);
  }
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001)};
  int bound = rdma_bind_addr(of, from == NULL ? (struct sockaddr *)&any : from);
  if (bound != 0) {
    return bound;
  }
  pthread_mutex_lock(&lock);
  memcpy(&of->route.addr.dst_sin, to, sizeof(struct sockaddr_in));
  raise(id, id, RDMA_CM_EVENT_ADDR_RESOLVED);
  pthread_mutex_unlock(&lock);
  return 0;
}

int rdma_resolve_route(struct rdma_cm_id *of, int timeout) {
  (void)timeout;
  (void)of->verbs->device->name[0]; /* as the real one: no device, no survival */
  pthread_mutex_lock(&lock);
  raise((struct fake_id *)of, (struct fake_id *)of, RDMA_CM_EVENT_ROUTE_RESOLVED);
  pthread_mutex_unlock(&lock);
  return 0;
}

int rdma_create_qp(struct rdma_cm_id *of, struct ibv_pd *pd, struct ibv_qp_init_attr *attr) {
  if (of->qp != NULL || of->verbs != pd->context) {
    return fail(EINVAL);
  }
  if (attr->cap.max_inline_data > 256) {
    return fail(ENOMEM);
  }
  struct fake_qp *qp = calloc(1, sizeof *qp);
  pthread_mutex_lock(&lock);
  qp->id = (struct fake_id *)of;
  qp->cap = attr->cap;
  qp->qp = (struct ibv_qp){.context = pd->context,
                           .pd = pd,
                           .send_cq = attr->send_cq,
                           .recv_cq = attr->recv_cq,
                           .qp_num = next_qp++,
                           .qp_type = IBV_QPT_RC};
  ((struct fake_cq *)attr->send_cq)->queue_pairs++;
  ((struct fake_cq *)attr->recv_cq)->queue_pairs++;
  ((struct fake_pd *)pd)->users++;
  of->qp = &qp->qp;
  pthread_mutex_unlock(&lock);
  return 0;
}

void rdma_destroy_qp(struct rdma_cm_id *id) {
  ibv_destroy_qp(id->qp);
  id->qp = NULL;
}

static void copy_param(struct fake_event *event, const struct rdma_conn_param *param) {
  struct rdma_conn_param *to = &event->event.param.conn;
  *to = *param;
  to->private_data = NULL;
  if (param->private_data != NULL) {
    memcpy(event->private_data, param->private_data, param->private_data_len);
    to->private_data = event->private_data;
  }
}

int rdma_connect(struct rdma_cm_id *of, struct rdma_conn_param *param) {
  struct fake_id *id = (struct fake_id *)of;
  if (param->private_data_len > 56) {
    return fail(EINVAL);
  }
  pthread_mutex_lock(&lock);
  struct fake_id *listener = NULL;
  for (int i = 0; i < MOST_LISTENERS; i++) {
    if (listeners[i] != NULL && listeners[i]->local.sin_port == of->route.addr.dst_sin.sin_port) {
      listener = listeners[i];
    }
  }
  if (listener == NULL) {
    raise(id, id, RDMA_CM_EVENT_REJECTED)->event.status = 8;
  } else {
    struct fake_id *server = new_id(listener->id.channel, listener->id.context);
    server->local = listener->local;
    memcpy(&server->id.route.addr.src_sin, &listener->local, sizeof listener->local);
    memcpy(&server->id.route.addr.dst_sin, &id->local, sizeof id->local);
    server->id.verbs = &context;
    server->id.port_num = 1;
    server->peer = id;
    id->peer = server;
    struct fake_event *event = raise(listener, server, RDMA_CM_EVENT_CONNECT_REQUEST);
    event->event.listen_id = &listener->id;
    copy_param(event, param);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

int rdma_accept(struct rdma_cm_id *of, struct rdma_conn_param *param) {
  struct fake_id *id = (struct fake_id *)of;
  pthread_mutex_lock(&lock);
  int error = id->peer == NULL ? fail(EINVAL) : 0;
  if (error == 0) {
    id->connected = id->peer->connected = 1;
    copy_param(raise(id->peer, id->peer, RDMA_CM_EVENT_ESTABLISHED), param);
    raise(id, id, RDMA_CM_EVENT_ESTABLISHED);
  }
  pthread_mutex_unlock(&lock);
  return error;
}

int rdma_disconnect(struct rdma_cm_id *of) {
  struct fake_id *id = (struct fake_id *)of;
  pthread_mutex_lock(&lock);
  int error = id->connected ? 0 : fail(EINVAL);
  if (error == 0) {
    id->connected = 0;
    raise(id, id, RDMA_CM_EVENT_DISCONNECTED);
    if (id->peer != NULL && id->peer->connected) {
      id->peer->connected = 0;
      raise(id->peer, id->peer, RDMA_CM_EVENT_DISCONNECTED);
    }
  }
  pthread_mutex_unlock(&lock);
  return error;
}
