/* The fake device's connections; see fake_rdma.h. */
#define _GNU_SOURCE
#include "fake_rdma.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MOST_LISTENERS 64
#define MOST_IDS 1024

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

static struct fake_id *listeners[MOST_LISTENERS];
static struct fake_id *ids[MOST_IDS];
static uint16_t next_port = 40000;

static int fail(int error) {
  errno = error;
  return -1;
}

struct rdma_event_channel *rdma_create_event_channel(void) {
  struct fake_channel *channel = calloc(1, sizeof *channel);
  channel->channel.fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
  return &channel->channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *of) {
  struct fake_channel *channel = (struct fake_channel *)of;
  if (channel->ids != 0) {
    fake_violated("an event channel is destroyed with ids on it");
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
  int i = 0;
  while (i < MOST_IDS - 1 && ids[i] != NULL) {
    i++;
  }
  ids[i] = id;
  return id;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *id_context,
                   enum rdma_port_space space) {
  (void)space;
  fake_lock();
  *id = &new_id(channel, id_context)->id;
  fake_unlock();
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
  fake_signal(channel->channel.fd);
  return event;
}

int rdma_get_cm_event(struct rdma_event_channel *from, struct rdma_cm_event **event) {
  struct fake_channel *channel = (struct fake_channel *)from;
  struct fake_event *taken;
  do {
    if (fake_take(from->fd) != 0) {
      return -1;
    }
    fake_lock();
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
    fake_unlock();
  } while (taken == NULL);
  *event = &taken->event;
  return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event) {
  fake_lock();
  ((struct fake_id *)event->id)->unacknowledged--;
  fake_unlock();
  memset(event, 0xee, sizeof *event); /* who reads it now reads rubbish */
  free(event);
  return 0;
}

static void forget(struct fake_id *id) {
  for (int i = 0; i < MOST_IDS; i++) {
    if (ids[i] == id) {
      ids[i] = NULL;
    }
  }
  for (int i = 0; i < MOST_LISTENERS; i++) {
    if (listeners[i] == id) {
      listeners[i] = NULL;
    }
  }
}

int rdma_destroy_id(struct rdma_cm_id *of) {
  struct fake_id *id = (struct fake_id *)of;
  fake_lock();
  fake_await_none(&id->unacknowledged, "an id is destroyed, its events stay unacknowledged");
  if (of->qp != NULL) {
    fake_violated("an id is destroyed with a queue pair");
  }
  struct fake_channel *channel = (struct fake_channel *)of->channel;
  for (struct fake_event *event = channel->first; event != NULL; event = event->next) {
    if (event->event.id == of) {
      event->event.id = NULL;
    }
  }
  channel->ids--;
  forget(id);
  if (id->peer != NULL) {
    id->peer->peer = NULL;
  }
  fake_unlock();
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
  fake_lock();
  memcpy(&id->local, address, sizeof id->local);
  if (id->local.sin_port == 0) {
    id->local.sin_port = htons(next_port++);
  }
  memcpy(&of->route.addr.src_sin, &id->local, sizeof id->local);
  of->verbs = fake_context();
  of->port_num = 1;
  fake_unlock();
  return 0;
}

int rdma_listen(struct rdma_cm_id *of, int backlog) {
  (void)backlog;
  if (of->verbs == NULL) {
    return fail(EINVAL);
  }
  fake_lock();
  int i = 0;
  while (i < MOST_LISTENERS && listeners[i] != NULL) {
    i++;
  }
  if (i < MOST_LISTENERS) {
    listeners[i] = (struct fake_id *)of;
  }
  fake_unlock();
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
  fake_lock();
  memcpy(&of->route.addr.dst_sin, to, sizeof(struct sockaddr_in));
  raise(id, id, RDMA_CM_EVENT_ADDR_RESOLVED);
  fake_unlock();
  return 0;
}

int rdma_resolve_route(struct rdma_cm_id *of, int timeout) {
  (void)timeout;
  (void)of->verbs->device->name[0]; /* as the real one: no device, no survival */
  fake_lock();
  raise((struct fake_id *)of, (struct fake_id *)of, RDMA_CM_EVENT_ROUTE_RESOLVED);
  fake_unlock();
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
  fake_lock();
  qp->id = (struct fake_id *)of;
  qp->cap = attr->cap;
  qp->qp = (struct ibv_qp){.context = pd->context,
                           .pd = pd,
                           .send_cq = attr->send_cq,
                           .recv_cq = attr->recv_cq,
                           .qp_num = fake_next_qp(),
                           .qp_type = IBV_QPT_RC};
  ((struct fake_cq *)attr->send_cq)->queue_pairs++;
  ((struct fake_cq *)attr->recv_cq)->queue_pairs++;
  ((struct fake_pd *)pd)->users++;
  of->qp = &qp->qp;
  fake_unlock();
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
  fake_lock();
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
    server->id.verbs = fake_context();
    server->id.port_num = 1;
    server->peer = id;
    id->peer = server;
    struct fake_event *event = raise(listener, server, RDMA_CM_EVENT_CONNECT_REQUEST);
    event->event.listen_id = &listener->id;
    copy_param(event, param);
  }
  fake_unlock();
  return 0;
}

int rdma_accept(struct rdma_cm_id *of, struct rdma_conn_param *param) {
  struct fake_id *id = (struct fake_id *)of;
  fake_lock();
  int error = id->peer == NULL ? fail(EINVAL) : 0;
  if (error == 0) {
    id->connected = id->peer->connected = 1;
    copy_param(raise(id->peer, id->peer, RDMA_CM_EVENT_ESTABLISHED), param);
    raise(id, id, RDMA_CM_EVENT_ESTABLISHED);
  }
  fake_unlock();
  return error;
}

int rdma_disconnect(struct rdma_cm_id *of) {
  struct fake_id *id = (struct fake_id *)of;
  fake_lock();
  int error = id->connected ? 0 : fail(EINVAL);
  if (error == 0) {
    id->connected = 0;
    raise(id, id, RDMA_CM_EVENT_DISCONNECTED);
    if (id->peer != NULL && id->peer->connected) {
      id->peer->connected = 0;
      raise(id->peer, id->peer, RDMA_CM_EVENT_DISCONNECTED);
    }
  }
  fake_unlock();
  return error;
}

void fake_device_removed(void) {
  fake_lock();
  for (int i = 0; i < MOST_IDS; i++) {
    if (ids[i] != NULL && ids[i]->id.verbs != NULL) {
      raise(ids[i], ids[i], RDMA_CM_EVENT_DEVICE_REMOVAL);
    }
  }
  fake_unlock();
}
