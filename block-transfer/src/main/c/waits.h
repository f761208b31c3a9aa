/* Waits that end: with an event, in time, or because what is waited for is being closed. */
#ifndef VERBENA_WAITS_H
#define VERBENA_WAITS_H

#include <jni.h>
#include <stdint.h>

/*
 * Waits for `fd` and calls `take` until it has taken something (1) or failed (-1, an exception is
 * pending); it gives 0 when another thread was quicker. Returns 0 when time ran out; a negative
 * timeout is taken as VB_LONGEST_WAIT_MILLIS, and running out is an exception then. It is one too
 * when somebody closes `handle`, which the caller holds, and woke `wake_fd`.
 */
int vb_wait_taken(JNIEnv *env, const char *call, jlong handle, int fd, int wake_fd,
                  jint timeout_millis, int (*take)(JNIEnv *env, void *argument), void *argument);

/* Makes reading `fd` never block; 0, or an errno value. */
int vb_set_nonblocking(int fd);

/* An event counter for wake_fd, or -1 with errno; vb_wake makes it readable. */
int vb_wake_open(void);
void vb_wake(int wake_fd);

#endif
