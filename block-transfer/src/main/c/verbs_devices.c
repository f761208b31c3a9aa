/*
 * What DiSNI cannot say of devices: their names, limits, ports and GIDs. Native side of
 * io.verbena.transport.verbs.impl.VerbsNative.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "handles.h"
#include "jni_errors.h"
#include "objects.h"
#include "verbs.h"

NATIVE(jobjectArray, deviceNames)(JNIEnv *env, jclass class) {
  (void)class;
  int count = 0;
  struct ibv_device **devices = ibv_get_device_list(&count);
  if (devices == NULL && errno != ENOSYS) { /* without drivers there are no devices */
    vb_throw_errno(env, errno, "ibv_get_device_list");
    return NULL;
  }
  jclass string = (*env)->FindClass(env, "java/lang/String");
  jobjectArray names = string == NULL ? NULL : (*env)->NewObjectArray(env, count, string, NULL);
  for (int i = 0; names != NULL && i < count; i++) {
    jstring name = (*env)->NewStringUTF(env, ibv_get_device_name(devices[i]));
    if (name == NULL) {
      break;
    }
    (*env)->SetObjectArrayElement(env, names, i, name);
    (*env)->DeleteLocalRef(env, name);
  }
  if (devices != NULL) {
    ibv_free_device_list(devices);
  }
  return names;
}

static jlongArray longs(JNIEnv *env, const jlong *values, size_t count) {
  jlongArray result = (*env)->NewLongArray(env, (jsize)count);
  if (result != NULL) {
    (*env)->SetLongArrayRegion(env, result, 0, (jsize)count, values);
  }
  return result;
}

/* Limits of a device, in the order that VerbsNative says. */
NATIVE(jlongArray, queryDevice)(JNIEnv *env, jclass class, jlong handle) {
  (void)class;
  const struct vb_context *context = vb_acquire(env, "ibv_query_device", VB_CONTEXT, handle);
  if (context == NULL) {
    return NULL;
  }
  struct ibv_device_attr device;
  int code = ibv_query_device(context->verbs, &device);
  int iwarp = context->verbs->device->transport_type == IBV_TRANSPORT_IWARP;
  vb_release(handle);
  if (code != 0) {
    vb_throw_errno(env, code, "ibv_query_device");
    return NULL;
  }
  const jlong values[] = {
      device.max_qp_wr, device.max_cqe, (jlong)device.max_mr_size, device.max_qp_rd_atom,
      device.max_qp_init_rd_atom, iwarp};
  return longs(env, values, sizeof values / sizeof values[0]);
}

/* State of a port, in the order that VerbsNative says. */
NATIVE(jlongArray, queryPort)(JNIEnv *env, jclass class, jlong handle, jint port) {
  (void)class;
  const struct vb_context *context = vb_acquire(env, "ibv_query_port", VB_CONTEXT, handle);
  if (context == NULL) {
    return NULL;
  }
  struct ibv_port_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  int code = ibv_query_port(context->verbs, (uint8_t)port, &attributes);
  vb_release(handle);
  if (code != 0) {
    vb_throw_errno(env, code, "ibv_query_port %d", (int)port);
    return NULL;
  }
  const jlong values[] = {
      attributes.state, attributes.active_mtu, attributes.link_layer, attributes.gid_tbl_len,
      attributes.max_msg_sz};
  return longs(env, values, sizeof values / sizeof values[0]);
}

/*
 * Kind of a GID of a port as its index times 16 and its type (0 InfiniBand or RoCE v1, 1 RoCE v1,
 * 2 RoCE v2); -1 when the port has no such GID. Of several entries with one GID the last is the
 * one that librdmacm prefers.
 */
NATIVE(jint, gidType)(JNIEnv *env, jclass class, jlong handle, jint port, jbyteArray gid) {
  (void)class;
  union ibv_gid wanted;
  if (!vb_has_length(env, "ibv_query_gid_ex", gid, sizeof wanted.raw)) {
    return -1;
  }
  (*env)->GetByteArrayRegion(env, gid, 0, sizeof wanted.raw, (jbyte *)wanted.raw);
  const struct vb_context *context = vb_acquire(env, "ibv_query_gid_ex", VB_CONTEXT, handle);
  if (context == NULL) {
    return -1;
  }
  struct ibv_port_attr attributes;
  jint found = -1;
  if (ibv_query_port(context->verbs, (uint8_t)port, &attributes) == 0) {
    for (int i = 0; i < attributes.gid_tbl_len; i++) {
      struct ibv_gid_entry entry;
      if (ibv_query_gid_ex(context->verbs, (uint32_t)port, (uint32_t)i, &entry, 0) == 0 &&
          memcmp(entry.gid.raw, wanted.raw, sizeof wanted.raw) == 0) {
        found = (jint)(i << 4 | (int)entry.gid_type);
      }
    }
  }
  vb_release(handle);
  return found;
}
