/* SPDX-License-Identifier: Apache-2.0 */
/* B reads the pages of a tensor from DRAM, NC adds 1 to each word and writes them to another tensor. */
#include "tilefarm_dataflow.h"

void kernel_main()
{
    constexpr uint32_t buffer = 0;
    const uint32_t pages = get_arg_val<uint32_t>(0);
    constexpr auto args = TensorAccessorArgs<0>();
    const auto in = TensorAccessor(args, 0x1000, get_tile_size(buffer));
    const auto out = TensorAccessor(args, 0x100000, get_tile_size(buffer));
    for (uint32_t i = 0; i < pages; i++) {
        if (TF_CORE == 0) {
            cb_reserve_back(buffer, 1);
            noc_async_read_tile(i, in, get_write_ptr(buffer));
            noc_async_read_barrier();
            cb_push_back(buffer, 1);
        } else {
            cb_wait_front(buffer, 1);
            for (uint32_t at = 0; at < get_tile_size(buffer); at += 4)
                TF_WORD(get_read_ptr(buffer) + at) += 1;
            noc_async_write_tile(i, out, get_read_ptr(buffer));
            noc_async_writes_flushed();
            cb_pop_front(buffer, 1);
        }
    }
    noc_async_write_barrier();
}
