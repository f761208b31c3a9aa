/*
 * Drives the native library without a JVM, on the fake device, for AddressSanitizer and valgrind:
 * DiSNI's native methods through a JNI environment that only throws. Exit code 0 when all held.
 */
#define _GNU_SOURCE
#include <jni.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <netinet/in.h>

#include "fake_rdma.h"
#include "objects.h"

#define METHOD(type, name, ...) \
  type Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name(JNIEnv *, jobject, ##__VA_ARGS__)

METHOD(jlong, createEventChannel);
METHOD(jlong, createId, jlong, jshort);
METHOD(jlong, createQP, jlong, jlong, jlong, jlong, jint, jint, jint, jint);
METHOD(void, bindAddr, jlong, jlong);
METHOD(void, listen, jlong, jint);
METHOD(void, resolveAddr, jlong, jlong, jlong, jint);
METHOD(void, resolveRoute, jlong, jint);
METHOD(jint, getCmEvent, jlong, jlong, jlong, jint);
METHOD(void, connect, jlong, jint, jint, jlong, jbyte);
METHOD(void, accept, jlong, jint, jint);
METHOD(jint, disconnect, jlong);
METHOD(jint, destroyEventChannel, jlong);
METHOD(jint, destroyCmId, jlong);
METHOD(jint, destroyQP, jlong);
METHOD(jlong, allocPd, jlong);
METHOD(jlong, createCompChannel, jlong);
METHOD(jlong, createCQ, jlong, jlong, jint, jint);
METHOD(jlong, regMr, jlong, jlong, jint, jint, jlong, jlong, jlong);
METHOD(void, deregMr, jlong);
METHOD(void, postSend, jlong, jlong);
METHOD(void, postRecv, jlong, jlong);
METHOD(jint, getCqEvent, jlong, jint);
METHOD(jint, pollCQ, jlong, jint, jlong);
METHOD(jint, reqNotifyCQ, jlong, jint);
METHOD(jint, destroyCompChannel, jlong);
METHOD(jint, deallocPd, jlong);
METHOD(jint, destroyCQ, jlong);
METHOD(jlong, getContext, jlong);
METHOD(jint, getQpNum, jlong);
METHOD(jint, getContextNumCompVectors, jlong);

#define CALL(name, ...) \
  Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name(&env, NULL, ##__VA_ARGS__)

/* The exception of the calling thread: class and message. */
static _Thread_local char thrown[64];
static _Thread_local char message[512];

static jclass find_class(JNIEnv *e, const char *name) {
  (void)e;
  return (jclass)(uintptr_t)name;
}

static jint throw_new(JNIEnv *e, jclass class, const char *text) {
  (void)e;
  snprintf(thrown, sizeof thrown, "%s", (const char *)class);
  snprintf(message, sizeof message, "%s", text);
  return 0;
}

static jboolean exception_check(JNIEnv *e) {
  (void)e;
  return thrown[0] != 0;
}

static void delete_local_ref(JNIEnv *e, jobject reference) {
  (void)e;
  (void)reference;
}

static const struct JNINativeInterface_ functions = {
    .FindClass = find_class,
    .ThrowNew = throw_new,
    .ExceptionCheck = exception_check,
    .DeleteLocalRef = delete_local_ref,
};
static JNIEnv env = &functions;

static void failed(int line, const char *what) {
  fprintf(stderr, "line %d: %s; pending: %s %s\n", line, what, thrown, message);
  exit(1);
}

#define CHECK(condition)            \
  do {                              \
    if (!(condition)) {             \
      failed(__LINE__, #condition); \
    }                               \
  } while (0)

/* After a call that must succeed. */
#define DONE() CHECK(thrown[0] == 0)

/* After a call that must throw; forgets the exception. */
#define THROWN(class, part)                                                    \
  do {                                                                         \
    CHECK(strcmp(thrown, class) == 0 && strstr(message, part) != NULL);        \
    thrown[0] = 0;                                                             \
  } while (0)

#define ARGUMENT "java/lang/IllegalArgumentException"
#define STATE "java/lang/IllegalStateException"
#define IO "java/io/IOException"

#define ADDRESS(of) ((jlong)(uintptr_t)(of))

struct side {
  jlong channel, id, pd, comp, cq, qp;
};

static jlong address(struct sockaddr_in *to, uint16_t port) {
  memset(to, 0xa5, sizeof *to);
  to->sin_family = AF_INET;
  to->sin_addr.s_addr = htonl(0x0a000001);
  to->sin_port = htons(port);
  return ADDRESS(to);
}

static void next(const struct side *of, int type, jlong *id) {
  jlong listening = -1;
  CHECK(CALL(getCmEvent, of->channel, ADDRESS(&listening), ADDRESS(id), 5000) == type);
  DONE();
}

static void make_queues(struct side *of) {
  jlong context = CALL(getContext, of->id);
  of->pd = CALL(allocPd, context);
  of->comp = CALL(createCompChannel, context);
  of->cq = CALL(createCQ, context, of->comp, 64, 0);
  of->qp = CALL(createQP, of->id, of->pd, of->cq, of->cq, IBV_QPT_RC, 16, 16, 0);
  DONE();
  CHECK(CALL(getQpNum, of->qp) > 0);
}

/* Connects `client` to `server`, whose ids are made; the listening id is returned. */
static jlong join(struct side *client, struct side *server, uint16_t port) {
  struct sockaddr_in at;
  jlong id;
  server->channel = CALL(createEventChannel);
  client->channel = CALL(createEventChannel);
  jlong listening = CALL(createId, server->channel, RDMA_PS_TCP);
  CALL(bindAddr, listening, address(&at, port));
  CALL(listen, listening, 8);
  client->id = CALL(createId, client->channel, RDMA_PS_TCP);
  CALL(resolveRoute, client->id, 1000);
  THROWN(IO, "ENODEV");
  CALL(connect, client->id, 7, 7, 0, 0);
  THROWN(STATE, "no queue pair");
  CALL(resolveAddr, client->id, 0, address(&at, port), 1000);
  next(client, RDMA_CM_EVENT_ADDR_RESOLVED, &id);
  CALL(resolveRoute, client->id, 1000);
  next(client, RDMA_CM_EVENT_ROUTE_RESOLVED, &id);
  CHECK(id == client->id);
  make_queues(client);
  uint64_t secret = 4711;
  CALL(connect, client->id, 7, 7, ADDRESS(&secret), sizeof secret);
  next(server, RDMA_CM_EVENT_CONNECT_REQUEST, &server->id);
  struct vb_cm_event event;
  CHECK(vb_last_cm_event(&env, server->id, &event) == 0);
  CHECK(event.private_data_len == 8 && memcmp(event.private_data, &secret, 8) == 0);
  CHECK(event.listen_id == listening && event.status == 0);
  make_queues(server);
  CALL(accept, server->id, 7, 7);
  next(client, RDMA_CM_EVENT_ESTABLISHED, &id);
  next(server, RDMA_CM_EVENT_ESTABLISHED, &id);
  DONE();
  return listening;
}

static void part(struct side *of) {
  CHECK(CALL(destroyCmId, of->id) == 0);
  CHECK(CALL(destroyCQ, of->cq) == 0);
  CHECK(CALL(destroyCompChannel, of->comp) == 0);
  CHECK(CALL(deallocPd, of->pd) == 0);
  DONE();
}

struct region {
  jlong handle;
  uint32_t lkey, rkey, number;
  char *memory;
  int size;
};

static struct region region(jlong pd, int size, int access) {
  struct region r = {.memory = malloc((size_t)size), .size = size};
  r.handle = CALL(regMr, pd, ADDRESS(r.memory), size, access, ADDRESS(&r.lkey), ADDRESS(&r.rkey),
                  ADDRESS(&r.number));
  DONE();
  return r;
}

static struct ibv_send_wr read_request(struct ibv_sge *sge, const struct region *from,
                                       const struct region *to) {
  *sge = (struct ibv_sge){(uintptr_t)to->memory, (uint32_t)to->size, to->lkey};
  struct ibv_send_wr wr = {.wr_id = 99, .sg_list = sge, .num_sge = 1, .opcode = IBV_WR_RDMA_READ,
                           .send_flags = IBV_SEND_SIGNALED};
  wr.wr.rdma.remote_addr = (uintptr_t)from->memory;
  wr.wr.rdma.rkey = from->rkey;
  return wr;
}

static void reads(void) {
  struct side client, server;
  jlong listening = join(&client, &server, 1);
  struct region from = region(server.pd, 4096, IBV_ACCESS_REMOTE_READ);
  struct region to = region(client.pd, 4096, IBV_ACCESS_LOCAL_WRITE);
  memset(from.memory, 7, 4096);
  memset(to.memory, 0, 4096);
  struct ibv_sge sge;
  struct ibv_send_wr wr = read_request(&sge, &from, &to);
  struct ibv_wc wc[4];
  CHECK(CALL(getCqEvent, client.comp, 0) == -1);
  DONE();
  CHECK(CALL(reqNotifyCQ, client.cq, 0) == 0);
  CALL(postSend, client.qp, ADDRESS(&wr));
  CHECK(CALL(getCqEvent, client.comp, 1000) == 0);
  CHECK(CALL(pollCQ, client.cq, 4, ADDRESS(wc)) == 1);
  CHECK(wc[0].status == IBV_WC_SUCCESS && wc[0].wr_id == 99);
  CHECK(memcmp(from.memory, to.memory, 4096) == 0);

  sge.addr++;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "not in their region of 4096 bytes");
  sge.addr = 1;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "not in their region");
  sge.lkey = from.lkey; /* the server's domain, not this queue pair's */
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "is of no region");
  wr = read_request(&sge, &from, &to);
  sge.length = 0;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "at least 1 byte");
  wr.num_sge = 5;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "takes 0 to 4");
  wr.num_sge = -1;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "takes 0 to 4");
  wr = read_request(&sge, &from, &to);
  wr.next = &wr;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "no end");
  wr.next = NULL;
  wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN("java/lang/UnsupportedOperationException", "opcode 5");
  wr.opcode = IBV_WR_RDMA_READ;
  wr.send_flags = 1 << 20;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "flags");
  wr.send_flags = IBV_SEND_INLINE;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "the limit is 0");
  wr.send_flags = 0;
  for (int i = 0; i < 16; i++) {
    CALL(postSend, client.qp, ADDRESS(&wr));
    DONE();
  }
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(IO, "0 of 1 requests posted; the queue holds 16: ENOMEM");

  struct ibv_recv_wr receive = {.sg_list = &sge, .num_sge = 1};
  CALL(postRecv, client.qp, ADDRESS(&receive));
  DONE();
  sge.length = 5000;
  CALL(postRecv, client.qp, ADDRESS(&receive));
  THROWN(ARGUMENT, "not in their region");

  CHECK(CALL(deallocPd, client.pd) == -1);
  THROWN(STATE, "still used by 2 open objects");
  CALL(deregMr, to.handle);
  DONE();
  sge.length = 4096;
  CALL(postSend, client.qp, ADDRESS(&wr));
  THROWN(ARGUMENT, "is of no region");
  CALL(deregMr, to.handle);
  THROWN(STATE, "is closed");
  CALL(deregMr, from.handle);
  CHECK(CALL(disconnect, client.id) == 0);
  CHECK(CALL(disconnect, client.id) == EINVAL);
  jlong qp = client.qp;
  part(&client);
  part(&server);
  CALL(postSend, qp, ADDRESS(&wr));
  THROWN(IO, "is closed: EBADF");
  CHECK(CALL(destroyQP, client.id) == -1);
  THROWN(STATE, "is closed");
  CHECK(CALL(destroyEventChannel, server.channel) == -1);
  THROWN(STATE, "still used by 1 open object,");
  CHECK(CALL(destroyCmId, listening) == 0);
  CHECK(CALL(destroyEventChannel, server.channel) == 0);
  CHECK(CALL(destroyEventChannel, client.channel) == 0);
  DONE();
  free(from.memory);
  free(to.memory);
}

/* Numbers that were never handles, and handles of another kind. */
static void forged_handles(void) {
  uint64_t random = 88172645463325252u;
  struct ibv_wc wc;
  jlong channel = CALL(createEventChannel);
  for (int i = 0; i < 50000; i++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    jlong handle = i % 2 == 0 ? (jlong)random : (jlong)((uint64_t)channel ^ UINT64_C(1) << (i / 2 % 64));
    CHECK(CALL(pollCQ, handle, 1, ADDRESS(&wc)) == -1);
    CHECK(thrown[0] != 0);
    thrown[0] = 0;
    CHECK(CALL(destroyEventChannel, handle) == -1);
    CHECK(thrown[0] != 0);
    thrown[0] = 0;
  }
  CALL(pollCQ, channel, 1, ADDRESS(&wc));
  THROWN(ARGUMENT, "is a event channel, not a completion queue");
  CALL(pollCQ, 0, 1, ADDRESS(&wc));
  THROWN(ARGUMENT, "0 is no completion queue");
  CHECK(CALL(destroyEventChannel, channel) == 0);
}

/* Keys come and go; each is known exactly while its region is open. */
static void keys(void) {
  struct side client, server;
  jlong listening = join(&client, &server, 2);
  struct region regions[500];
  struct ibv_sge sge;
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 500; i++) {
      regions[i] = region(client.pd, 64, IBV_ACCESS_LOCAL_WRITE);
    }
    for (int i = 0; i < 500; i += 2) {
      CALL(deregMr, regions[i].handle);
    }
    for (int i = 0; i < 500; i++) {
      struct ibv_send_wr wr = read_request(&sge, &regions[i], &regions[i]);
      CALL(postSend, client.qp, ADDRESS(&wr));
      CHECK((thrown[0] != 0) == (i % 2 == 0));
      thrown[0] = 0;
      struct ibv_wc wc;
      CALL(pollCQ, client.cq, 1, ADDRESS(&wc));
    }
    for (int i = 0; i < 500; i++) {
      if (i % 2 != 0) {
        CALL(deregMr, regions[i].handle);
      }
      free(regions[i].memory);
    }
    DONE();
  }
  part(&client);
  part(&server);
  CALL(destroyCmId, listening);
  CALL(destroyEventChannel, client.channel);
  CALL(destroyEventChannel, server.channel);
  DONE();
}

/* A removed device is let go of with the last object on it, and can be used when it is back. */
static void device_removed(void) {
  struct side client, server;
  jlong listening = join(&client, &server, 4);
  jlong context = CALL(getContext, client.id);
  jlong id;
  fake_device_removed();
  next(&client, RDMA_CM_EVENT_DEVICE_REMOVAL, &id);
  CHECK(id == client.id);
  next(&server, RDMA_CM_EVENT_DEVICE_REMOVAL, &id);
  part(&client);
  CHECK(CALL(getContextNumCompVectors, context) == 2);
  part(&server);
  CALL(getContextNumCompVectors, context);
  THROWN(IO, "device context");
  CALL(destroyCmId, listening);
  CALL(destroyEventChannel, client.channel);
  CALL(destroyEventChannel, server.channel);
  listening = join(&client, &server, 5);
  CHECK(CALL(getContext, client.id) != context);
  part(&client);
  part(&server);
  CALL(destroyCmId, listening);
  CALL(destroyEventChannel, client.channel);
  CALL(destroyEventChannel, server.channel);
  DONE();
}

/* Threads use what another one closes: each call succeeds or throws. */

static _Atomic jlong shared_qp, shared_cq, shared_comp;
static atomic_int stop;
static atomic_long calls;

static void forget(void) {
  if (thrown[0] != 0) {
    CHECK(strcmp(thrown, IO) == 0 || strcmp(thrown, ARGUMENT) == 0);
    thrown[0] = 0;
  }
}

static void *use(void *unused) {
  struct ibv_wc wc[4];
  while (!atomic_load(&stop)) {
    struct ibv_send_wr wr = {.opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED};
    CALL(postSend, atomic_load(&shared_qp), ADDRESS(&wr));
    forget();
    CALL(reqNotifyCQ, atomic_load(&shared_cq), 0);
    forget();
    CALL(pollCQ, atomic_load(&shared_cq), 4, ADDRESS(wc));
    forget();
    atomic_fetch_add(&calls, 3);
  }
  return unused;
}

static void *await(void *unused) {
  while (!atomic_load(&stop)) {
    CALL(getCqEvent, atomic_load(&shared_comp), 100000);
    forget();
    atomic_fetch_add(&calls, 1);
  }
  return unused;
}

static void closes_against_uses(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, await, NULL);
  for (int i = 1; i < 4; i++) {
    pthread_create(&threads[i], NULL, use, NULL);
  }
  for (int round = 0; round < 50; round++) {
    struct side client, server;
    jlong listening = join(&client, &server, 3);
    atomic_store(&shared_cq, client.cq);
    atomic_store(&shared_comp, client.comp);
    atomic_store(&shared_qp, client.qp);
    for (long until = atomic_load(&calls) + 20; atomic_load(&calls) < until;) {
      nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    }
    part(&client);
    part(&server);
    CALL(destroyCmId, listening);
    CALL(destroyEventChannel, client.channel);
    CALL(destroyEventChannel, server.channel);
    DONE();
  }
  atomic_store(&stop, 1);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
}

int main(void) {
  reads();
  forged_handles();
  keys();
  device_removed();
  closes_against_uses();
  puts("all held");
  return 0;
}
