#define _GNU_SOURCE
#include "waits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "handles.h"
#include "jni_errors.h"
#include "objects.h"

static int64_t now_millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* 1 when `fd` can be read, 0 when the deadline has passed, -1 with an exception pending. */
static int wait_readable(JNIEnv *env, const char *call, jlong handle, int fd, int wake_fd,
                         int64_t deadline, jint timeout_millis) {
  for (;;) {
    int64_t left = deadline - now_millis();
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = wake_fd, .events = POLLIN}};
    int ready = poll(fds, 2, left > 0 ? (int)left : 0);
    if (ready < 0 && errno != EINTR) {
      vb_throw_errno(env, errno, "%s: cannot wait", call);
      return -1;
    }
    if (ready > 0 && fds[1].revents != 0) {
      if (vb_is_closing(handle)) {
        vb_throw_errno(env, EBADF, "%s: closed by another thread during the wait", call);
        return -1;
      }
      /* Closing was given up. */
      uint64_t count;
      if (read(wake_fd, &count, sizeof count) < 0 && errno != EAGAIN) {
        vb_throw_errno(env, errno, "%s: cannot wait", call);
        return -1;
      }
    }
    if (ready > 0 && fds[0].revents != 0) {
      return 1; /* also on an error of fd: reading it tells which */
    }
    if (left <= 0) {
      if (timeout_millis < 0) {
        vb_throw_errno(env, ETIMEDOUT,
                       "%s: nothing within %d ms, which is as long as a wait without limit lasts",
                       call, VB_LONGEST_WAIT_MILLIS);
        return -1;
      }
      return 0;
    }
  }
}

int vb_wait_taken(JNIEnv *env, const char *call, jlong handle, int fd, int wake_fd,
                  jint timeout_millis, int (*take)(JNIEnv *env, void *argument), void *argument) {
  int64_t deadline =
      now_millis() + (timeout_millis < 0 ? VB_LONGEST_WAIT_MILLIS : timeout_millis);
  for (;;) {
    int result = wait_readable(env, call, handle, fd, wake_fd, deadline, timeout_millis);
    if (result > 0) {
      result = take(env, argument);
      if (result == 0) {
        continue;
      }
    }
    return result;
  }
}

int vb_set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? errno : 0;
}

int vb_wake_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void vb_wake(int wake_fd) {
  /* Fails only when the counter is full, and it is readable then. */
  (void)!write(wake_fd, &(uint64_t){1}, sizeof(uint64_t));
}
