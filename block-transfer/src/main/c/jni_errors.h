/*
 * Exceptions out of native code. Each of these returns with the exception pending, so callers
 * return at once; an exception that is already pending is kept, the first one tells the cause.
 */
#ifndef VERBENA_JNI_ERRORS_H
#define VERBENA_JNI_ERRORS_H

#include <jni.h>

#define VB_ILLEGAL_ARGUMENT "java/lang/IllegalArgumentException"
#define VB_ILLEGAL_STATE "java/lang/IllegalStateException"
#define VB_IO "java/io/IOException"
#define VB_UNSUPPORTED "java/lang/UnsupportedOperationException"

/* Throws `class_name` with a formatted message. */
void vb_throw(JNIEnv *env, const char *class_name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Throws an IOException that ends with the name, number and text of `error`, an errno value;
 * the formatted part says which call failed, on what.
 */
void vb_throw_errno(JNIEnv *env, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
