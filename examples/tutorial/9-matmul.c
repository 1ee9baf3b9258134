/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Step 9: a product of matrices. A, B and the product are tensors of bf16 in DRAM. The host gives their sizes in tiles,
 * and says which tiles of the product this Tensix tile computes: `first`, first + `step`, and so on.
 *
 * B reads tiles of A and B, T0 unpacks them, T1 adds up products in Dst, T2 packs the sum, NC writes it to DRAM.
 */
#include "tilefarm_compute.h"
#include "tilefarm_params.h"

#define BYTES TF_TILE_BYTES(TF_BF16)
#define FIDELITY_PHASES 4
#ifndef AT_ONCE
#define AT_ONCE 1 /* tiles of A, and of B, that are under way together: up to TF_TENSOR_PAGES. Step 10 has 2 */
#endif

int main(void)
{
    const uint32_t rows = tf_common_argument(0), inner = tf_common_argument(1), columns = tf_common_argument(2);
    const uint32_t first = tf_common_argument(3), step = tf_common_argument(4);
    uint32_t pages = 0, results = 0;

#if TF_CORE == 0
    static const struct tf_tensor_kind kind = TF_KIND(TF_BF16, TF_BF16, 1, FIDELITY_PHASES, 0);
    tf_tensor_begin(&kind, false);
#else
    tf_tensor_wait_begin();
#endif
#if TF_CORE == 2
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
#elif TF_CORE == 3
    tf_multiply_begin();
#elif TF_CORE == 4
    tf_pack_begin();
#endif

    for (uint32_t tile = first; tile < rows * columns; tile += step, results++) {
#if TF_CORE == 3
        tf_math_take(results & 1);
        tf_math_zero(results & 1, true);
#endif
#if TF_CORE == 0
        for (uint32_t i = 0; i < inner; i += AT_ONCE) {
            const uint32_t count = inner - i < AT_ONCE ? inner - i : AT_ONCE;
            tf_cb_reserve_back(TF_PAGES_A, count, TF_TENSOR_PAGES);
            tf_cb_reserve_back(TF_PAGES_B, count, TF_TENSOR_PAGES);
            for (uint32_t j = i; j < i + count; j++, pages++) {
                tf_tensor_fetch(TF_TENSOR_A, tile / columns * inner + j, BYTES,
                                tf_tensor_page(TF_PAGES_A, pages, BYTES));
                tf_tensor_fetch(TF_TENSOR_B, j * columns + tile % columns, BYTES,
                                tf_tensor_page(TF_PAGES_B, pages, BYTES));
            }
            tf_noc_wait(TF_NOC);
            tf_cb_push_back(TF_PAGES_A, count);
            tf_cb_push_back(TF_PAGES_B, count);
        }
#endif
        for (uint32_t i = 0; i < inner && (TF_CORE == 2 || TF_CORE == 3); i++, pages++) {
#if TF_CORE == 2
            tf_cb_wait_front(TF_PAGES_A, 1);
            tf_cb_wait_front(TF_PAGES_B, 1);
            tf_unpack_tile(TF_UNPACKER_A, tf_tensor_page(TF_PAGES_B, pages, BYTES)); /* B goes to SrcA, A to SrcB */
            tf_unpack_tile(TF_UNPACKER_B, tf_tensor_page(TF_PAGES_A, pages, BYTES));
            tf_tt_wait_idle();
            tf_cb_pop_front(TF_PAGES_A, 1);
            tf_cb_pop_front(TF_PAGES_B, 1);
#elif TF_CORE == 3
            tf_multiply_tiles(FIDELITY_PHASES, true);
#endif
        }
#if TF_CORE == 1
        tf_tensor_drain(TF_PAGES_OUT, results, tile, BYTES);
#elif TF_CORE == 3
        tf_math_give();
#elif TF_CORE == 4
        tf_cb_reserve_back(TF_PAGES_OUT, 1, TF_TENSOR_PAGES);
        tf_pack_take();
        tf_pack_tile((results & 1) * TF_DST_HALF, tf_tensor_page(TF_PAGES_OUT, results, BYTES));
        tf_pack_give();
        tf_cb_push_back(TF_PAGES_OUT, 1);
#endif
    }
#if TF_CORE >= 2
    tf_tt_wait_idle();
#endif
    return 0;
}
