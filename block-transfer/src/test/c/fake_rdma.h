/*
 * A device that is not there: the calls of libibverbs and librdmacm that the native library makes,
 * inside one process, for tests without RDMA hardware. Preloaded or linked, it takes their place.
 *
 * It is stricter than the real ones: where those would wait for ever or corrupt memory (an id
 * closed with events that nobody acknowledges, or with a queue pair) it says so and aborts.
 * Addresses: 10.x.x.x is the device's, any port; others have no route.
 */
#ifndef VERBENA_FAKE_RDMA_H
#define VERBENA_FAKE_RDMA_H

#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>

/* As if the device was pulled out: an event for each id on it. */
void fake_device_removed(void);

/* The rest is the fake's own. */

struct fake_id {
  struct rdma_cm_id id;
  struct fake_id *peer;
  struct sockaddr_in local;
  int unacknowledged;
  int connected;
};

#define QUEUE 1024

struct fake_cq {
  struct ibv_cq cq;
  struct ibv_wc completions[QUEUE];
  int first;
  int count;
  int armed;
  int events_out;
  int queue_pairs;
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

void fake_lock(void);
void fake_unlock(void);
struct ibv_context *fake_context(void);
uint32_t fake_next_qp(void);

/* Ends the process: the library broke a rule. */
void fake_violated(const char *rule) __attribute__((noreturn));

/* Waits, under the lock, as the real libraries do for acknowledgements, but not for ever. */
void fake_await_none(const int *out, const char *rule);

void fake_signal(int fd);

/* Takes one from a counter; 0, or -1 with errno. */
int fake_take(int fd);

#endif
