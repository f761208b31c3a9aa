/*
 * Handles: what Java holds instead of pointers.
 *
 * A handle is a positive number made of kind, generation and slot. Every native method turns it
 * into the object behind it here, and only while the object cannot go away; a handle that is
 * zero, closed, of another kind or of another copy of this library ends in an exception.
 *
 * Acquiring and releasing take no lock and allocate nothing. Closing refuses new users, waits
 * for those that are inside (they do not block, or are woken) and only then frees: a region or
 * queue pair whose close has returned is no longer touched by the device.
 */
#ifndef VERBENA_HANDLES_H
#define VERBENA_HANDLES_H

#include <jni.h>
#include <stddef.h>

enum vb_kind {
  VB_EVENT_CHANNEL = 1,
  VB_CM_ID,
  VB_CONTEXT,
  VB_PD,
  VB_COMP_CHANNEL,
  VB_CQ,
  VB_QP,
  VB_MR,
  VB_KIND_COUNT
};

/* Most objects that one handle keeps alive: a queue pair has id, domain and two queues. */
#define VB_MAX_PARENTS 4

/*
 * Makes a handle for `object`. The parents (0 for none) must be acquired by the caller and cannot
 * be closed before the child. Returns 0 with an exception pending when the table is full.
 */
jlong vb_open(JNIEnv *env, enum vb_kind kind, void *object, const jlong parents[VB_MAX_PARENTS]);

/*
 * The object behind a handle, which stays until vb_release. NULL with an exception pending that
 * names `call`: IllegalArgumentException for zero, foreign or of another kind, IOException
 * (EBADF) for closed.
 */
void *vb_acquire(JNIEnv *env, const char *call, enum vb_kind kind, jlong handle);

/*
 * As vb_acquire, for methods that declare no IOException: closed is an IllegalStateException.
 */
void *vb_acquire_unchecked(JNIEnv *env, const char *call, enum vb_kind kind, jlong handle);

/* As vb_acquire, but NULL without an exception. */
void *vb_try_acquire(enum vb_kind kind, jlong handle);

void vb_release(jlong handle);

/* Whether somebody is closing a handle that the caller holds: waits end then. */
int vb_is_closing(jlong handle);

/*
 * Starts closing: no new user gets in, `wake` (may be NULL) is called to end waits, and the
 * present users leave. Returns the object, now the caller's alone, or NULL with an exception
 * pending: as vb_acquire_unchecked, and IllegalStateException while children are open or when a
 * user did not leave. Must be followed by vb_close_end, or by vb_close_undo when the object could not be freed.
 */
void *vb_close_begin(JNIEnv *env, const char *call, enum vb_kind kind, jlong handle,
                     void (*wake)(void *object));
/* As vb_close_begin, but NULL without an exception. */
void *vb_try_close(enum vb_kind kind, jlong handle);

void vb_close_end(jlong handle);
void vb_close_undo(jlong handle);

/* The kind's name as messages have it. */
const char *vb_kind_name(enum vb_kind kind);

#endif
