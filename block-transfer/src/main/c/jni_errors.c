#define _GNU_SOURCE
#include "jni_errors.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_SIZE 512

/* What verbs and connection calls end in; others show as their number. */
static const struct {
  int value;
  const char *name;
} names[] = {
    {EPERM, "EPERM"},
    {ENOENT, "ENOENT"},
    {EINTR, "EINTR"},
    {EIO, "EIO"},
    {ENXIO, "ENXIO"},
    {EBADF, "EBADF"},
    {EAGAIN, "EAGAIN"},
    {ENOMEM, "ENOMEM"},
    {EACCES, "EACCES"},
    {EFAULT, "EFAULT"},
    {EBUSY, "EBUSY"},
    {EEXIST, "EEXIST"},
    {ENODEV, "ENODEV"},
    {EINVAL, "EINVAL"},
    {ENFILE, "ENFILE"},
    {EMFILE, "EMFILE"},
    {ENOSPC, "ENOSPC"},
    {ERANGE, "ERANGE"},
    {ENOSYS, "ENOSYS"},
    {ENODATA, "ENODATA"},
    {EPROTO, "EPROTO"},
    {EOVERFLOW, "EOVERFLOW"},
    {EDESTADDRREQ, "EDESTADDRREQ"},
    {EPROTONOSUPPORT, "EPROTONOSUPPORT"},
    {EOPNOTSUPP, "EOPNOTSUPP"},
    {EAFNOSUPPORT, "EAFNOSUPPORT"},
    {EADDRINUSE, "EADDRINUSE"},
    {EADDRNOTAVAIL, "EADDRNOTAVAIL"},
    {ENETDOWN, "ENETDOWN"},
    {ENETUNREACH, "ENETUNREACH"},
    {ECONNABORTED, "ECONNABORTED"},
    {ECONNRESET, "ECONNRESET"},
    {ENOBUFS, "ENOBUFS"},
    {EISCONN, "EISCONN"},
    {ENOTCONN, "ENOTCONN"},
    {ETIMEDOUT, "ETIMEDOUT"},
    {ECONNREFUSED, "ECONNREFUSED"},
    {EHOSTUNREACH, "EHOSTUNREACH"},
    {EALREADY, "EALREADY"},
    {EREMOTEIO, "EREMOTEIO"},
    {ECANCELED, "ECANCELED"},
};

static const char *name_of(int error) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (names[i].value == error) {
      return names[i].name;
    }
  }
  return "error";
}

static void throw_message(JNIEnv *env, const char *class_name, const char *message) {
  jclass class = (*env)->FindClass(env, class_name);
  if (class != NULL) { /* otherwise the reason is pending */
    (*env)->ThrowNew(env, class, message);
    (*env)->DeleteLocalRef(env, class);
  }
}

void vb_throw(JNIEnv *env, const char *class_name, const char *format, ...) {
  if ((*env)->ExceptionCheck(env)) {
    return;
  }
  char message[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  throw_message(env, class_name, message);
}

void vb_throw_errno(JNIEnv *env, int error, const char *format, ...) {
  if ((*env)->ExceptionCheck(env)) {
    return;
  }
  char message[MESSAGE_SIZE];
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  int used = vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (used >= 0 && (size_t)used < sizeof message) {
    snprintf(message + used, sizeof message - (size_t)used, ": %s (errno %d, %s)",
             name_of(error), error, strerror_r(error, text, sizeof text));
  }
  throw_message(env, VB_IO, message);
}
