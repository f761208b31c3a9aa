/* What the parts of the native side of io.verbena.transport.verbs.impl.VerbsNative share. */
#ifndef VERBENA_VERBS_H
#define VERBENA_VERBS_H

#include <jni.h>

#define NATIVE(result, name) \
  JNIEXPORT result JNICALL Java_io_verbena_transport_verbs_impl_VerbsNative_##name

/* Whether an array has at least so many elements; otherwise an exception is pending. */
int vb_has_length(JNIEnv *env, const char *call, jarray array, jsize least);

#endif
