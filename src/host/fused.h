/* SPDX-License-Identifier: Apache-2.0 */
/* a * b + c and a * b - c of vectors of numbers, rounded once. The file of kernels enables FMA of the host. */
#ifndef HOST_FUSED_H
#define HOST_FUSED_H

#include "host/lanes.h"

#if TF_HOST_WIDTH == 16
INLINE vf fused_add(vf a, vf b, vf c)
{
    return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

INLINE vf fused_subtract(vf a, vf b, vf c)
{
    return (vf)_mm512_fmsub_ps((__m512)a, (__m512)b, (__m512)c);
}
#elif TF_HOST_WIDTH == 8
INLINE vf fused_add(vf a, vf b, vf c)
{
    return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

INLINE vf fused_subtract(vf a, vf b, vf c)
{
    return (vf)_mm256_fmsub_ps((__m256)a, (__m256)b, (__m256)c);
}
#endif

#endif
