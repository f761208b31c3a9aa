/*
 * The keys of registered memory, so that a post can be checked before the device sees it: a
 * scatter entry outside its region would end the connection, with a status that names neither.
 */
#ifndef VERBENA_REGIONS_H
#define VERBENA_REGIONS_H

#include <infiniband/verbs.h>
#include <jni.h>

/*
 * Whether the entries lie in regions of this domain. Takes no lock. On 0 an
 * IllegalArgumentException is pending that says which entry is wrong and where its region ends.
 */
int vb_check_entries(JNIEnv *env, const char *call, const struct ibv_pd *pd,
                     const struct ibv_sge *entries, int count);

/* Forgets a region's keys and deregisters it; -1 with an exception pending. */
int vb_deregister(JNIEnv *env, jlong handle);

#endif
