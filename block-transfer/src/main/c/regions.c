#define _GNU_SOURCE
#include "regions.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "jni_errors.h"
#include "objects.h"

/* More regions than the pool of any process has; a power of two. */
#define KEY_SLOTS (1u << 14)
#define MOST_KEYS (KEY_SLOTS - KEY_SLOTS / 4)

/* Keys are 32 bits: above them there is room to tell these apart. */
#define NO_KEY UINT64_C(0)
#define GONE_KEY (UINT64_C(1) << 32)
#define IN_USE (UINT64_C(1) << 33)

/*
 * Open addressing, written under the lock, read without. The key is written last and with
 * release order; who reads an entry while it is replaced uses a region that is being closed, and
 * the device refuses that anyway.
 */
struct region_key {
  _Atomic uint64_t key;
  _Atomic(const struct ibv_pd *) pd;
  _Atomic uint64_t address;
  _Atomic uint64_t length;
};

static struct region_key keys[KEY_SLOTS];
static pthread_mutex_t keys_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t keys_used;

static uint32_t home_of(const struct ibv_pd *pd, uint32_t lkey) {
  uint64_t mixed = (lkey ^ (uint64_t)(uintptr_t)pd) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(mixed >> 40) & (KEY_SLOTS - 1);
}

static struct region_key *find_key(const struct ibv_pd *pd, uint32_t lkey) {
  uint32_t at = home_of(pd, lkey);
  for (uint32_t tried = 0; tried < KEY_SLOTS; tried++, at = (at + 1) & (KEY_SLOTS - 1)) {
    uint64_t key = atomic_load_explicit(&keys[at].key, memory_order_acquire);
    if (key == NO_KEY) {
      return NULL;
    }
    if (key == (IN_USE | lkey) &&
        atomic_load_explicit(&keys[at].pd, memory_order_relaxed) == pd) {
      return &keys[at];
    }
  }
  return NULL;
}

static int add_key(const struct ibv_mr *mr) {
  pthread_mutex_lock(&keys_lock);
  int added = keys_used < MOST_KEYS;
  if (added) {
    uint32_t at = home_of(mr->pd, mr->lkey);
    while (atomic_load(&keys[at].key) & IN_USE) {
      at = (at + 1) & (KEY_SLOTS - 1);
    }
    atomic_store(&keys[at].pd, mr->pd);
    atomic_store(&keys[at].address, (uint64_t)(uintptr_t)mr->addr);
    atomic_store(&keys[at].length, (uint64_t)mr->length);
    atomic_store_explicit(&keys[at].key, IN_USE | mr->lkey, memory_order_release);
    keys_used++;
  }
  pthread_mutex_unlock(&keys_lock);
  return added;
}

static void remove_key(const struct ibv_mr *mr) {
  pthread_mutex_lock(&keys_lock);
  struct region_key *entry = find_key(mr->pd, mr->lkey);
  if (entry != NULL) {
    keys_used--;
    atomic_store(&entry->key, GONE_KEY);
    /* At the end of a chain nothing has to be passed over: free it and what is gone before it. */
    uint32_t at = (uint32_t)(entry - keys);
    if (atomic_load(&keys[(at + 1) & (KEY_SLOTS - 1)].key) == NO_KEY) {
      while (atomic_load(&keys[at].key) == GONE_KEY) {
        atomic_store(&keys[at].key, NO_KEY);
        at = (at - 1) & (KEY_SLOTS - 1);
      }
    }
  }
  pthread_mutex_unlock(&keys_lock);
}

int vb_check_entries(JNIEnv *env, const char *call, const struct ibv_pd *pd,
                     const struct ibv_sge *entries, int count) {
  for (int i = 0; i < count; i++) {
    const struct ibv_sge *entry = &entries[i];
    const struct region_key *region = find_key(pd, entry->lkey);
    if (region == NULL) {
      vb_throw(env, VB_ILLEGAL_ARGUMENT,
               "%s: entry %d: local key %#x is of no region registered with the queue pair's "
               "protection domain",
               call, i, entry->lkey);
      return 0;
    }
    uint64_t start = atomic_load_explicit(&region->address, memory_order_relaxed);
    uint64_t length = atomic_load_explicit(&region->length, memory_order_relaxed);
    uint64_t offset = entry->addr - start;
    if (entry->length == 0 || entry->addr < start || offset > length ||
        entry->length > length - offset) {
      vb_throw(env, VB_ILLEGAL_ARGUMENT,
               "%s: entry %d: %u bytes at %#llx are not in their region of %llu bytes at %#llx "
               "(an entry has at least 1 byte)",
               call, i, entry->length, (unsigned long long)entry->addr,
               (unsigned long long)length, (unsigned long long)start);
      return 0;
    }
  }
  return 1;
}

static void throw_not_registered(JNIEnv *env, int error, uint64_t address, uint64_t length,
                                 int access) {
  struct rlimit limit;
  if (error == ENOMEM && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 &&
      limit.rlim_cur != RLIM_INFINITY) {
    vb_throw_errno(env, error,
                   "regMr: %llu bytes at %#llx, access %#x, not registered; locked memory is "
                   "limited to %llu bytes (ulimit -l)",
                   (unsigned long long)length, (unsigned long long)address, access,
                   (unsigned long long)limit.rlim_cur);
  } else {
    vb_throw_errno(env, error, "regMr: %llu bytes at %#llx, access %#x, not registered",
                   (unsigned long long)length, (unsigned long long)address, access);
  }
}

static jlong register_with(JNIEnv *env, struct vb_pd *pd, jlong pd_handle, uint64_t address,
                           uint64_t length, int access, struct ibv_mr **result) {
  struct vb_mr *region = malloc(sizeof *region);
  if (region == NULL) {
    vb_throw_errno(env, ENOMEM, "regMr");
    return 0;
  }
  errno = 0;
  struct ibv_mr *mr = ibv_reg_mr(pd->pd, (void *)(uintptr_t)address, length, access);
  if (mr == NULL) {
    throw_not_registered(env, errno, address, length, access);
    free(region);
    return 0;
  }
  region->mr = mr;
  jlong handle = 0;
  if (!add_key(mr)) {
    vb_throw_errno(env, ENFILE, "regMr: %u regions are registered, the most there can be",
                   MOST_KEYS);
  } else {
    handle = vb_open(env, VB_MR, region, (jlong[VB_MAX_PARENTS]){pd_handle});
    if (handle == 0) {
      remove_key(mr);
    }
  }
  if (handle == 0) {
    ibv_dereg_mr(mr);
    free(region);
    return 0;
  }
  *result = mr;
  return handle;
}

jlong vb_register(JNIEnv *env, jlong pd_handle, uint64_t address, uint64_t length, int access,
                  struct ibv_mr **mr) {
  if (address == 0 || length == 0 || address > UINTPTR_MAX - length) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "regMr: %llu bytes at %#llx are no memory",
             (unsigned long long)length, (unsigned long long)address);
    return 0;
  }
  struct vb_pd *pd = vb_acquire(env, "regMr", VB_PD, pd_handle);
  if (pd == NULL) {
    return 0;
  }
  jlong handle = register_with(env, pd, pd_handle, address, length, access, mr);
  vb_release(pd_handle);
  return handle;
}

int vb_deregister(JNIEnv *env, jlong handle) {
  struct vb_mr *region = vb_close_begin(env, "deregMr", VB_MR, handle, NULL);
  if (region == NULL) {
    return -1;
  }
  /* Before the device forgets it: the next region may be given the same key. */
  remove_key(region->mr);
  int error = ibv_dereg_mr(region->mr);
  if (error == EBUSY) {
    add_key(region->mr);
    vb_close_undo(handle);
  } else {
    vb_close_end(handle);
    free(region);
  }
  if (error != 0) {
    vb_throw_errno(env, error, "deregMr: memory region %#llx", (unsigned long long)handle);
    return -1;
  }
  return 0;
}
