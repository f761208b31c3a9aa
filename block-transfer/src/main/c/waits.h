/* Waits that end: with an event, in time, or because what is waited for is being closed. */
#ifndef VERBENA_WAITS_H
#define VERBENA_WAITS_H

#include <jni.h>
#include <stdint.h>

/*
 * When a wait of `timeout_millis` from now ends, on the clock of vb_wait_readable; a negative
 * timeout is taken as VB_LONGEST_WAIT_MILLIS.
 */
int64_t vb_deadline(jint timeout_millis);

/*
 * Waits until `fd` can be read. Returns 1 then, 0 when the deadline has passed and -1 with an
 * exception pending when somebody closes `handle`, which the caller holds, and woke `wake_fd`.
 * When `timeout_millis`, what the caller was given, is negative, 0 becomes an exception too.
 */
int vb_wait_readable(JNIEnv *env, const char *call, jlong handle, int fd, int wake_fd,
                     int64_t deadline, jint timeout_millis);

/* Makes reading `fd` never block; 0, or an errno value. */
int vb_set_nonblocking(int fd);

/* An event counter for wake_fd, or -1 with errno; vb_wake makes it readable. */
int vb_wake_open(void);
void vb_wake(int wake_fd);

#endif
