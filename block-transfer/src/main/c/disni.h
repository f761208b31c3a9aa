/* What the two halves of DiSNI's native side share: names and checks of arguments. */
#ifndef VERBENA_DISNI_H
#define VERBENA_DISNI_H

#include <jni.h>
#include <stdint.h>

#include "jni_errors.h"

/* A native method of com.ibm.disni.verbs.impl.NativeDispatcher; their names begin with "_". */
#define DISPATCHER(type, method) \
  JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##method

/*
 * Memory whose address Java gives: a pointer, or NULL with an exception pending when it is zero
 * or not aligned. Whether something is mapped there cannot be checked at this price.
 */
static inline void *vb_memory(JNIEnv *env, const char *call, const char *what, jlong address,
                              unsigned alignment) {
  if (address == 0 || (uint64_t)address % alignment != 0) {
    vb_throw(env, VB_ILLEGAL_ARGUMENT, "%s: %s at %#llx, which is not aligned to %u bytes or zero",
             call, what, (unsigned long long)address, alignment);
    return NULL;
  }
  return (void *)(uintptr_t)address;
}

#endif
