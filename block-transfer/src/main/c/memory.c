/*
 * Mappings that Java cannot make: aligned to huge pages, and backed by them where the kernel will.
 * Native side of io.verbena.memory.NativeMemory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Values of the kernel's interface, for C libraries whose headers are older than it. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

#define MESSAGE_SIZE 512

static void throw_new(JNIEnv *env, const char *type, const char *message) {
  jclass class = (*env)->FindClass(env, type);
  if (class != NULL) {
    (*env)->ThrowNew(env, class, message);
  }
}

static void throw_errno(JNIEnv *env, const char *what, const char *path, int code) {
  char reason[128];
  char message[MESSAGE_SIZE];
  const char *text = strerror_r(code, reason, sizeof reason);
  snprintf(message, sizeof message, "%s %s: %s (errno %d)", what, path, text, code);
  throw_new(env, "java/io/IOException", message);
}

/* Maps a file at a multiple of `alignment`, or gives MAP_FAILED with errno. */
static void *map_aligned(int file, size_t length, size_t alignment, int protection) {
  size_t space = length + alignment;
  char *whole = mmap(NULL, space, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) {
    return MAP_FAILED;
  }
  char *aligned = (char *)(((uintptr_t)whole + alignment - 1) & ~(uintptr_t)(alignment - 1));
  void *mapped = mmap(aligned, length, protection, MAP_SHARED | MAP_FIXED, file, 0);
  if (mapped == MAP_FAILED) {
    int code = errno;
    munmap(whole, space);
    errno = code;
    return MAP_FAILED;
  }
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *end = aligned + ((length + page - 1) & ~(page - 1));
  if (aligned > whole) {
    munmap(whole, (size_t)(aligned - whole));
  }
  if (end < whole + space) {
    munmap(end, (size_t)(whole + space - end));
  }
  return mapped;
}

static void *map_file(JNIEnv *env, const char *path, size_t length, size_t alignment, int writable) {
  int file = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) {
    throw_errno(env, "cannot open", path, errno);
    return NULL;
  }
  void *mapped = NULL;
  struct stat status;
  if (fstat(file, &status) != 0) {
    throw_errno(env, "cannot look at", path, errno);
  } else if ((uint64_t)status.st_size < length) {
    char message[MESSAGE_SIZE];
    snprintf(message, sizeof message, "cannot map %s: it has %lld bytes, expected at least %zu", path,
             (long long)status.st_size, length);
    throw_new(env, "java/io/IOException", message);
  } else {
    mapped = map_aligned(file, length, alignment, writable ? PROT_READ | PROT_WRITE : PROT_READ);
    if (mapped == MAP_FAILED) {
      mapped = NULL;
      throw_errno(env, "cannot map", path, errno);
    }
  }
  close(file);
  return mapped;
}

JNIEXPORT jobject JNICALL Java_io_verbena_memory_NativeMemory_map(JNIEnv *env, jclass self,
                                                                   jstring path, jint length,
                                                                   jint alignment,
                                                                   jboolean writable) {
  (void)self;
  if (path == NULL || length <= 0 || alignment <= 0 || (alignment & (alignment - 1)) != 0) {
    throw_new(env, "java/lang/IllegalArgumentException",
              "a path, a length above 0 and an alignment that is a power of two are needed");
    return NULL;
  }
  const char *name = (*env)->GetStringUTFChars(env, path, NULL);
  if (name == NULL) {
    return NULL;
  }
  void *mapped = map_file(env, name, (size_t)length, (size_t)alignment, writable);
  (*env)->ReleaseStringUTFChars(env, path, name);
  if (mapped == NULL) {
    return NULL;
  }
  jobject buffer = (*env)->NewDirectByteBuffer(env, mapped, length);
  if (buffer == NULL) {
    munmap(mapped, (size_t)length);
  }
  return buffer;
}

JNIEXPORT void JNICALL Java_io_verbena_memory_NativeMemory_unmap(JNIEnv *env, jclass self,
                                                                  jobject mapping) {
  (void)self;
  void *address = mapping == NULL ? NULL : (*env)->GetDirectBufferAddress(env, mapping);
  if (address == NULL) {
    throw_new(env, "java/lang/IllegalArgumentException", "not a mapping");
    return;
  }
  size_t length = (size_t)(*env)->GetDirectBufferCapacity(env, mapping);
  if (munmap(address, length) != 0) {
    throw_errno(env, "cannot unmap", "a mapping", errno);
  }
}

/*
 * Gives huge pages to a part of a mapping. The kernel leaves a huge page without any memory alone,
 * so the first small page of each is made first; asking for it this way, not by touching it, makes
 * a full file system an errno and not a signal.
 */
JNIEXPORT jint JNICALL Java_io_verbena_memory_NativeMemory_collapse(JNIEnv *env, jclass self,
                                                                     jobject mapping, jint offset,
                                                                     jint length, jint huge) {
  (void)self;
  char *address = mapping == NULL ? NULL : (*env)->GetDirectBufferAddress(env, mapping);
  jlong capacity = address == NULL ? 0 : (*env)->GetDirectBufferCapacity(env, mapping);
  if (address == NULL || huge <= 0 || offset < 0 || length <= 0 || offset % huge != 0 ||
      length % huge != 0 || (jlong)offset + length > capacity) {
    throw_new(env, "java/lang/IllegalArgumentException",
              "offset and length must be whole huge pages inside a mapping");
    return 0;
  }
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (jlong at = offset; at < (jlong)offset + length; at += huge) {
    if (madvise(address + at, page, MADV_POPULATE_READ) != 0) {
      return errno;
    }
  }
  return madvise(address + offset, (size_t)length, MADV_COLLAPSE) == 0 ? 0 : errno;
}
