#define _GNU_SOURCE
#include "handles.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "jni_errors.h"

/* Handle: 0 | kind (7 bits) | generation (32 bits) | slot (24 bits). */
#define SLOT_BITS 24
#define KIND_SHIFT 56

#define CHUNK_SLOTS 1024
#define MAX_CHUNKS 256

/* State: generation (32 bits) | live | closing | users (30 bits). */
#define LIVE (UINT64_C(1) << 31)
#define CLOSING (UINT64_C(1) << 30)
#define USERS (CLOSING - 1)

/* A user that is inside a call leaves within microseconds; this is for one that never does. */
#define DRAIN_SECONDS 10
#define DRAIN_SPINS 100

struct slot {
  _Atomic uint64_t state;
  atomic_int children;
  /* Written before the slot goes live, constant while it is. */
  enum vb_kind kind;
  void *object;
  jlong parents[VB_MAX_PARENTS];
  uint32_t next_free;
};

#define NO_SLOT UINT32_MAX

static struct slot *_Atomic chunks[MAX_CHUNKS];
static atomic_uint slots_used;

/* Under the lock: allocation alone. */
static pthread_mutex_t allocation = PTHREAD_MUTEX_INITIALIZER;
static uint32_t free_head = NO_SLOT;
static uint32_t free_tail = NO_SLOT;

/* Where generations begin, so that another copy of this library gives other handles. */
static _Atomic uint32_t first_generation;
static int salted;

static const char *const kind_names[VB_KIND_COUNT] = {
    [0] = "unknown object",
    [VB_EVENT_CHANNEL] = "event channel",
    [VB_CM_ID] = "connection id",
    [VB_CONTEXT] = "device context",
    [VB_PD] = "protection domain",
    [VB_COMP_CHANNEL] = "completion channel",
    [VB_CQ] = "completion queue",
    [VB_QP] = "queue pair",
    [VB_MR] = "memory region",
};

const char *vb_kind_name(enum vb_kind kind) {
  return kind > 0 && kind < VB_KIND_COUNT ? kind_names[kind] : kind_names[0];
}

static uint32_t index_of(jlong handle) {
  return (uint32_t)handle & ((1u << SLOT_BITS) - 1);
}

static uint32_t generation_of(jlong handle) {
  return (uint32_t)((uint64_t)handle >> SLOT_BITS);
}

static enum vb_kind kind_of(jlong handle) {
  uint64_t kind = (uint64_t)handle >> KIND_SHIFT;
  return kind < VB_KIND_COUNT ? (enum vb_kind)kind : (enum vb_kind)0;
}

static struct slot *slot_at(uint32_t index) {
  if (index >= atomic_load_explicit(&slots_used, memory_order_acquire)) {
    return NULL;
  }
  struct slot *chunk =
      atomic_load_explicit(&chunks[index / CHUNK_SLOTS], memory_order_acquire);
  return &chunk[index % CHUNK_SLOTS];
}

/* Under the lock. */
static void salt(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, GRND_NONBLOCK) != (ssize_t)sizeof value) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    value = (uint32_t)now.tv_nsec ^ (uint32_t)(uintptr_t)&value;
  }
  atomic_store(&first_generation, value);
  salted = 1;
}

/* Under the lock: a free slot, or NO_SLOT when the table is full or memory is. */
static uint32_t take_slot(void) {
  if (!salted) {
    salt();
  }
  /* The one freed longest ago first: a stale handle is told from a foreign one for longer. */
  if (free_head != NO_SLOT) {
    uint32_t index = free_head;
    free_head = slot_at(index)->next_free;
    if (free_head == NO_SLOT) {
      free_tail = NO_SLOT;
    }
    return index;
  }
  uint32_t index = atomic_load(&slots_used);
  if (index == CHUNK_SLOTS * MAX_CHUNKS) {
    return NO_SLOT;
  }
  if (index % CHUNK_SLOTS == 0) {
    struct slot *chunk = calloc(CHUNK_SLOTS, sizeof *chunk);
    if (chunk == NULL) {
      return NO_SLOT;
    }
    for (int i = 0; i < CHUNK_SLOTS; i++) {
      atomic_init(&chunk[i].state, (uint64_t)atomic_load(&first_generation) << 32);
    }
    atomic_store_explicit(&chunks[index / CHUNK_SLOTS], chunk, memory_order_release);
  }
  atomic_store_explicit(&slots_used, index + 1, memory_order_release);
  return index;
}

jlong vb_open(JNIEnv *env, enum vb_kind kind, void *object, const jlong parents[VB_MAX_PARENTS]) {
  pthread_mutex_lock(&allocation);
  uint32_t index = take_slot();
  pthread_mutex_unlock(&allocation);
  if (index == NO_SLOT) {
    vb_throw_errno(env, ENFILE, "no room for another %s: %d objects are open, the most there can be",
                   vb_kind_name(kind), CHUNK_SLOTS * MAX_CHUNKS);
    return 0;
  }
  struct slot *slot = slot_at(index);
  slot->kind = kind;
  slot->object = object;
  atomic_store(&slot->children, 0);
  for (int i = 0; i < VB_MAX_PARENTS; i++) {
    slot->parents[i] = parents == NULL ? 0 : parents[i];
    if (slot->parents[i] != 0) {
      atomic_fetch_add(&slot_at(index_of(slot->parents[i]))->children, 1);
    }
  }
  uint64_t generation = atomic_load(&slot->state) >> 32;
  atomic_store_explicit(&slot->state, generation << 32 | LIVE, memory_order_release);
  return (jlong)((uint64_t)kind << KIND_SHIFT | generation << SLOT_BITS | index);
}

/* Adds a user unless the handle is not this slot's, not live, or closing. */
static int enter(struct slot *slot, enum vb_kind kind, jlong handle) {
  uint64_t state = atomic_load_explicit(&slot->state, memory_order_relaxed);
  do {
    if (state >> 32 != generation_of(handle) || !(state & LIVE) || (state & CLOSING) ||
        (state & USERS) == USERS) {
      return 0;
    }
  } while (!atomic_compare_exchange_weak_explicit(&slot->state, &state, state + 1,
                                                  memory_order_acquire, memory_order_relaxed));
  if (slot->kind != kind) { /* a forged handle: kind and generation do not belong together */
    atomic_fetch_sub_explicit(&slot->state, 1, memory_order_release);
    return 0;
  }
  return 1;
}

void *vb_try_acquire(enum vb_kind kind, jlong handle) {
  if (handle <= 0 || kind_of(handle) != kind) {
    return NULL;
  }
  struct slot *slot = slot_at(index_of(handle));
  return slot != NULL && enter(slot, kind, handle) ? slot->object : NULL;
}

/* `unchecked`: whether the method declares no IOException. */
static void throw_unusable(JNIEnv *env, const char *call, enum vb_kind kind, jlong handle,
                           int unchecked) {
  const char *wanted = vb_kind_name(kind);
  if (handle == 0) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%s: 0 is no %s", call, wanted);
    return;
  }
  struct slot *slot = handle > 0 ? slot_at(index_of(handle)) : NULL;
  uint32_t first = atomic_load(&first_generation);
  uint32_t now = slot == NULL ? first : (uint32_t)(atomic_load(&slot->state) >> 32);
  uint32_t age = generation_of(handle) - first;
  int ours = slot != NULL && kind_of(handle) != 0 && age <= now - first;
  if (ours && kind_of(handle) != kind) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%s: handle %#llx is a %s, not a %s", call,
             (unsigned long long)handle, vb_kind_name(kind_of(handle)), wanted);
  } else if (ours && unchecked) {
    vb_throw(env, VB_ILLEGAL_STATE, "%s: %s %#llx is closed", call, wanted,
             (unsigned long long)handle);
  } else if (ours) {
    vb_throw_errno(env, EBADF, "%s: %s %#llx is closed", call, wanted,
                   (unsigned long long)handle);
  } else {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%s: handle %#llx is none of this library's %ss", call,
             (unsigned long long)handle, wanted);
  }
}

void *vb_acquire(JNIEnv *env, const char *call, enum vb_kind kind, jlong handle) {
  void *object = vb_try_acquire(kind, handle);
  if (object == NULL) {
    throw_unusable(env, call, kind, handle, 0);
  }
  return object;
}

void *vb_acquire_unchecked(JNIEnv *env, const char *call, enum vb_kind kind, jlong handle) {
  void *object = vb_try_acquire(kind, handle);
  if (object == NULL) {
    throw_unusable(env, call, kind, handle, 1);
  }
  return object;
}

void vb_release(jlong handle) {
  atomic_fetch_sub_explicit(&slot_at(index_of(handle))->state, 1, memory_order_release);
}

int vb_is_closing(jlong handle) {
  return (atomic_load(&slot_at(index_of(handle))->state) & CLOSING) != 0;
}

/* Waits until nobody is inside; false when somebody stays. */
static int drain(struct slot *slot) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += DRAIN_SECONDS;
  for (unsigned turn = 0;; turn++) {
    if ((atomic_load_explicit(&slot->state, memory_order_acquire) & USERS) == 0) {
      return 1;
    }
    if (turn < DRAIN_SPINS) {
      sched_yield();
      continue;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec)) {
      return 0;
    }
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
}

/* Refuses new users, for one closer alone. */
static struct slot *begin(enum vb_kind kind, jlong handle) {
  struct slot *slot = handle > 0 ? slot_at(index_of(handle)) : NULL;
  if (slot == NULL || kind_of(handle) != kind || !enter(slot, kind, handle)) {
    return NULL;
  }
  uint64_t before = atomic_fetch_or(&slot->state, CLOSING);
  atomic_fetch_sub_explicit(&slot->state, 1, memory_order_release);
  return before & CLOSING ? NULL : slot;
}

/* Whether children are open: the close is given up then, with an exception pending. */
static int has_children(JNIEnv *env, const char *call, struct slot *slot, jlong handle) {
  int children = atomic_load(&slot->children);
  if (children == 0) {
    return 0;
  }
  vb_close_undo(handle);
  vb_throw(env, VB_ILLEGAL_STATE, "%s: %s %#llx is still used by %d open %s closed first", call,
           vb_kind_name(slot->kind), (unsigned long long)handle, children,
           children == 1 ? "object, which must be" : "objects, which must be");
  return 1;
}

void *vb_close_begin(JNIEnv *env, const char *call, enum vb_kind kind, jlong handle,
                     void (*wake)(void *object)) {
  struct slot *slot = begin(kind, handle);
  if (slot == NULL) {
    throw_unusable(env, call, kind, handle, 1);
    return NULL;
  }
  /* First, so that a close which cannot be disturbs no wait. */
  if (has_children(env, call, slot, handle)) {
    return NULL;
  }
  if (wake != NULL) {
    wake(slot->object);
  }
  if (!drain(slot)) {
    vb_close_undo(handle);
    vb_throw(env, VB_ILLEGAL_STATE, "%s: another thread stays inside %s %#llx for %d s", call,
             vb_kind_name(kind), (unsigned long long)handle, DRAIN_SECONDS);
    return NULL;
  }
  /* Again: children are made while their parents are held, so now none comes any more. */
  return has_children(env, call, slot, handle) ? NULL : slot->object;
}

void *vb_try_close(enum vb_kind kind, jlong handle) {
  struct slot *slot = begin(kind, handle);
  if (slot == NULL) {
    return NULL;
  }
  if (atomic_load(&slot->children) != 0 || !drain(slot) || atomic_load(&slot->children) != 0) {
    vb_close_undo(handle);
    return NULL;
  }
  return slot->object;
}

void vb_close_end(jlong handle) {
  struct slot *slot = slot_at(index_of(handle));
  slot->object = NULL;
  for (int i = 0; i < VB_MAX_PARENTS; i++) {
    if (slot->parents[i] != 0) {
      atomic_fetch_sub(&slot_at(index_of(slot->parents[i]))->children, 1);
    }
  }
  uint32_t next = generation_of(handle) + 1;
  atomic_store_explicit(&slot->state, (uint64_t)next << 32, memory_order_release);
  pthread_mutex_lock(&allocation);
  slot->next_free = NO_SLOT;
  if (free_tail == NO_SLOT) {
    free_head = index_of(handle);
  } else {
    slot_at(free_tail)->next_free = index_of(handle);
  }
  free_tail = index_of(handle);
  pthread_mutex_unlock(&allocation);
}

void vb_close_undo(jlong handle) {
  atomic_fetch_and(&slot_at(index_of(handle))->state, ~CLOSING);
}
