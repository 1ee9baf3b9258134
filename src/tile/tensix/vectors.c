/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/vectors.h"

#include <string.h>

#include "tile/tensix/pack/rows.h"
#include "tile/tensix/state.h"

static const struct {
    const char *name;
    enum tf_fpu_choice fpu; /* of the unpackers too */
    enum tf_sfpu_choice sfpu;
    enum tf_pack_choice pack;
} choices[] = {
    [TF_VECTORS_BEST] = {"auto", TF_FPU_BEST, TF_SFPU_BEST, TF_PACK_BEST},
    [TF_VECTORS_PORTABLE] = {"portable", TF_FPU_PORTABLE, TF_SFPU_PORTABLE, TF_PACK_PORTABLE},
    [TF_VECTORS_AVX2] = {"avx2", TF_FPU_AVX2, TF_SFPU_AVX2, TF_PACK_AVX2},
    [TF_VECTORS_AVX512] = {"avx512", TF_FPU_AVX512, TF_SFPU_AVX512, TF_PACK_AVX512},
};

bool tf_vectors_exist(enum tf_vectors vectors)
{
    return tf_fpu_isa(choices[vectors].fpu) != NULL && tf_unpack_isa(choices[vectors].fpu) != NULL &&
           tf_sfpu_isa(choices[vectors].sfpu) != NULL && tf_pack_kernels(choices[vectors].pack) != NULL;
}

bool tf_vectors_choose(struct tf_tile *tile, enum tf_vectors vectors)
{
    if (!tf_vectors_exist(vectors))
        return false;
    tile->tensix->sfpu = choices[vectors].sfpu;
    if (tile->tensix->vector != NULL)
        tf_sfpu_choose(tile, choices[vectors].sfpu);
    return tf_fpu_choose(tile, choices[vectors].fpu) && tf_unpack_choose(tile, choices[vectors].fpu) &&
           tf_pack_choose(tile, choices[vectors].pack);
}

bool tf_vectors_parse(const char *text, enum tf_vectors *vectors)
{
    for (unsigned i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        if (strcmp(text, choices[i].name) == 0) {
            *vectors = (enum tf_vectors)i;
            return true;
        }
    }
    return false;
}

const char *tf_vectors_name(enum tf_vectors vectors)
{
    return choices[vectors].name;
}
