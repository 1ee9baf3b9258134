/* SPDX-License-Identifier: Apache-2.0 */
/* Circular buffers in the names of the vendor's dataflow API. tilefarm_dataflow.h includes this file. */
#ifndef TILEFARM_CB_H
#define TILEFARM_CB_H

#ifndef __cplusplus
#error "tilefarm_cb.h is C++: name the kernel FILE.cc, or use tilefarm_device.h"
#endif

#include "tilefarm_device.h"
#include "tilefarm_params.h"

#define tt_l1_ptr
#define FORCE_INLINE inline __attribute__((always_inline))
#define ALWI inline __attribute__((always_inline))

constexpr uint32_t NUM_CIRCULAR_BUFFERS = TF_PARAMS_BUFFERS;

/* Wait until all stores of this core to L1 have arrived: they arrive in order, so the last one tells. */
FORCE_INLINE void tf_settle_all()
{
    __asm__ volatile("" ::: "memory"); /* plain stores of the kernel come before */
    TF_WORD(TF_SCRATCH + 0x3C) = 0;
    tf_settle(TF_SCRATCH + 0x3C);
}

namespace tt
{
/* clang-format off */
enum CBIndex : uint8_t {
    c_0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15,
    c_16, c_17, c_18, c_19, c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31, SIZE
};
/* The names of older kernels. */
enum CB : uint8_t {
    c_in0, c_in1, c_in2, c_in3, c_in4, c_in5, c_in6, c_in7, dataflow0, dataflow1, dataflow2, dataflow3, dataflow4,
    dataflow5, dataflow6, dataflow7, c_out0, c_out1, c_out2, c_out3, c_out4, c_out5, c_out6, c_out7, c_intermed0,
    c_intermed1, c_intermed2, c_intermed3, c_intermed4, c_intermed5, c_intermed6, c_intermed7
};
/* clang-format on */
} // namespace tt

/* Formats by the numbers of tilefarm_tensor.h, which are the vendor's. */
enum class DataFormat : uint8_t {
    Float32 = 0,
    Float16 = 1,
    Bfp8 = 2,
    Bfp4 = 3,
    Tf32 = 4,
    Float16_b = 5,
    Bfp8_b = 6,
    Bfp4_b = 7,
    Int32 = 8,
    UInt16 = 9,
    Lf8 = 10,
    Bfp2 = 11,
    Int8 = 14,
    Bfp2_b = 15,
    UInt32 = 24,
    UInt8 = 30,
    Invalid = 255,
};

/* Pages that this core has taken from, and put into, each buffer, modulo its pages. */
static uint16_t tf_page_read[TF_PARAMS_BUFFERS], tf_page_written[TF_PARAMS_BUFFERS];

FORCE_INLINE void tf_page_pass(uint16_t *page, uint32_t count, uint32_t pages)
{
    uint32_t next = *page + count;
    *page = (uint16_t)(next >= pages ? next - pages : next);
}

#ifdef TF_HOST_BUFFERS
FORCE_INLINE uint32_t get_tile_size(uint32_t buffer)
{
    return tf_buffer(buffer).page_bytes;
}

FORCE_INLINE DataFormat get_dataformat(uint32_t buffer)
{
    return (DataFormat)tf_buffer(buffer).format;
}
#else
FORCE_INLINE constexpr uint32_t get_tile_size(uint32_t)
{
    return TF_PARAMS_PAGE_BYTES;
}

FORCE_INLINE constexpr DataFormat get_dataformat(uint32_t)
{
    return (DataFormat)TF_PARAMS_FORMAT;
}
#endif

FORCE_INLINE uint32_t get_write_ptr(uint32_t buffer)
{
    const tf_params_buffer place = tf_buffer(buffer);
    return place.address + tf_page_written[buffer] * place.page_bytes;
}

FORCE_INLINE uint32_t get_read_ptr(uint32_t buffer)
{
    const tf_params_buffer place = tf_buffer(buffer);
    return place.address + tf_page_read[buffer] * place.page_bytes;
}

/* What programs ask of the vendor's interface of a buffer. */
struct tf_local_buffer {
    uint32_t fifo_page_size, fifo_num_pages, fifo_size, fifo_limit, fifo_rd_ptr, fifo_wr_ptr;
};

FORCE_INLINE tf_local_buffer get_local_cb_interface(uint32_t buffer)
{
    const tf_params_buffer place = tf_buffer(buffer);
    const uint32_t bytes = place.page_bytes * place.pages;
    return {place.page_bytes, place.pages, bytes, place.address + bytes, get_read_ptr(buffer), get_write_ptr(buffer)};
}

FORCE_INLINE bool cb_pages_available_at_front(uint32_t buffer, uint32_t pages)
{
    return tf_cb_filled(buffer) >= pages;
}

FORCE_INLINE bool cb_pages_reservable_at_back(uint32_t buffer, uint32_t pages)
{
    return tf_cb_filled(buffer) + pages <= tf_buffer(buffer).pages;
}

FORCE_INLINE void cb_reserve_back(uint32_t buffer, uint32_t pages)
{
    tf_cb_reserve_back(buffer, pages, tf_buffer(buffer).pages);
}

FORCE_INLINE void cb_push_back(uint32_t buffer, uint32_t pages)
{
    tf_settle_all();
    tf_cb_push_back(buffer, pages);
    tf_page_pass(&tf_page_written[buffer], pages, tf_buffer(buffer).pages);
}

FORCE_INLINE void cb_wait_front(uint32_t buffer, uint32_t pages)
{
    tf_cb_wait_front(buffer, pages);
}

FORCE_INLINE void cb_pop_front(uint32_t buffer, uint32_t pages)
{
    tf_cb_pop_front(buffer, pages);
    tf_page_pass(&tf_page_read[buffer], pages, tf_buffer(buffer).pages);
}

#endif
