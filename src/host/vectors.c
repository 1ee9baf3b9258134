/* SPDX-License-Identifier: Apache-2.0 */
#include "host/vectors.h"

#include <string.h>

static const char *const names[] = {
    [TF_VECTORS_BEST] = "auto",
    [TF_VECTORS_PORTABLE] = "portable",
    [TF_VECTORS_AVX2] = "avx2",
    [TF_VECTORS_AVX512] = "avx512",
};

/* The widest level that the host has. */
static enum tf_vectors widest(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!tf_vectors_have_avx2())
        return TF_VECTORS_PORTABLE;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return TF_VECTORS_AVX2;
    return TF_VECTORS_AVX512;
#else
    return TF_VECTORS_PORTABLE;
#endif
}

bool tf_vectors_exist(enum tf_vectors level)
{
    return (unsigned)level <= (unsigned)widest(); /* each level contains the levels below it */
}

enum tf_vectors tf_vectors_resolve(enum tf_vectors level)
{
    if (level == TF_VECTORS_BEST)
        return widest();
    return tf_vectors_exist(level) ? level : TF_VECTORS_BEST;
}

bool tf_vectors_parse(const char *text, enum tf_vectors *level)
{
    for (unsigned i = 0; i < TF_VECTOR_LEVELS; i++) {
        if (strcmp(text, names[i]) == 0) {
            *level = (enum tf_vectors)i;
            return true;
        }
    }
    return false;
}

const char *tf_vectors_name(enum tf_vectors level)
{
    return names[level];
}
