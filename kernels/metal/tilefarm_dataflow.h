/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++: data movement kernels in the names of the vendor's dataflow API, over tilefarm_device.h. A kernel of tt-metal
 * compiles as it is: `names` has the files that it includes in place of this one. If it includes none, give
 * `tilefarm cc` the option `-include tilefarm_dataflow.h`. docs/dataflow.md says which functions there are, and how
 * they differ. Names and parameters are those of the public documentation of tt-metal ("Dataflow APIs"); code is our
 * own.
 *
 * The kernel defines kernel_main(). Arguments, buffers and semaphores come from tilefarm_params.h. Compile-time
 * arguments come from -DKERNEL_COMPILE_TIME_ARGS=1,2,3. The NOC of the kernel is -DNOC_INDEX=0|1, or the core's own.
 *
 * A NOC address has 64 bits: the address at the node in bits 35:0, x in bits 41:36, y in bits 47:42; that of a
 * multicast has the last corner there, and the first corner in bits 53:48 and 59:54.
 */
#ifndef TILEFARM_DATAFLOW_H
#define TILEFARM_DATAFLOW_H

#ifndef __ASSEMBLER__ /* with -include, the start file of `tilefarm cc` has this header as well */

#ifndef __cplusplus
#error "tilefarm_dataflow.h is C++: name the kernel FILE.cc, or use tilefarm_device.h"
#endif

#include <cstdint>
#include <utility>

#include "tilefarm_cb.h"
#include "tilefarm_device.h"
#include "tilefarm_dprint.h"
#include "tilefarm_params.h"
#include "tilefarm_print.h"

#ifndef NOC_INDEX
#define NOC_INDEX TF_NOC
#endif

void kernel_main();

int main()
{
    kernel_main();
    return 0;
}

[[maybe_unused]] constexpr uint8_t noc_index = NOC_INDEX;
constexpr uint32_t NUM_DRAM_BANKS = TF_K_DRAM_CHANNELS;
constexpr uint32_t DRAM_ALIGNMENT = TF_NOC_MASK_BYTES; /* 64 bytes on Blackhole, 32 on Wormhole */
constexpr uint32_t L1_ALIGNMENT = 16;
constexpr uint32_t VALID = 1, INVALID = 0;

/* ---- Arguments ---- */

/* Returns a runtime argument of this core. */
template <typename T = uint32_t> FORCE_INLINE T get_arg_val(int index)
{
    static_assert(sizeof(T) == 4, "an argument has 32 bits");
    uint32_t word = tf_argument((unsigned)index);
    T value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

/* Returns a runtime argument that the tile's cores have in common. */
template <typename T = uint32_t> FORCE_INLINE T get_common_arg_val(int index)
{
    static_assert(sizeof(T) == 4, "an argument has 32 bits");
    uint32_t word = tf_common_argument((unsigned)index);
    T value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

FORCE_INLINE uint32_t get_arg_addr(int index)
{
    return (uint32_t)(uintptr_t)&TF_PARAMS_BLOCK->argument[TF_CORE][index];
}

FORCE_INLINE uint32_t get_common_arg_addr(int index)
{
    return (uint32_t)(uintptr_t)&TF_PARAMS_BLOCK->common[index];
}

#ifdef KERNEL_COMPILE_TIME_ARGS
constexpr uint32_t kernel_compile_time_args[] = {KERNEL_COMPILE_TIME_ARGS};
#define get_compile_time_arg_val(index) (kernel_compile_time_args[index])
#else
#define get_compile_time_arg_val(index) (tf_no_compile_time_arguments<(index)>())
template <int I> constexpr uint32_t tf_no_compile_time_arguments()
{
    static_assert(I < 0, "compile with -DKERNEL_COMPILE_TIME_ARGS=...");
    return 0;
}
#endif

/* With -DKERNEL_COMPILE_TIME_ARG_MAP='{"pages", 4}, {"cb", 1}': an argument by its name. */
#ifdef KERNEL_COMPILE_TIME_ARG_MAP
struct tf_named_argument {
    const char *name;
    uint32_t value;
};
constexpr tf_named_argument tf_named_arguments[] = {KERNEL_COMPILE_TIME_ARG_MAP};
uint32_t tf_no_argument_of_this_name(); /* no constant: such a call does not compile */

constexpr uint32_t get_named_compile_time_arg_val(const char *name)
{
    for (const tf_named_argument &argument : tf_named_arguments) {
        const char *a = name, *b = argument.name;
        while (*a != 0 && *a == *b)
            a++, b++;
        if (*a == *b)
            return argument.value;
    }
    return tf_no_argument_of_this_name();
}
#endif

/* ---- Places ---- */

struct tf_own_coordinate {
    bool y;
    uint8_t operator[](unsigned noc) const
    {
        uint32_t xy = tf_self_xy(noc);
        return (uint8_t)(y ? xy >> 6 : xy & 63u);
    }
};
[[maybe_unused]] constexpr tf_own_coordinate my_x = {false}, my_y = {true};

/* Column and row of this tile among the Tensix tiles. The vendor's do not count what is fused off; these do. */
FORCE_INLINE uint32_t get_absolute_logical_x()
{
    return tf_my_tile() % TF_K_ROW;
}
FORCE_INLINE uint32_t get_absolute_logical_y()
{
    return tf_my_tile() / TF_K_ROW;
}

constexpr unsigned TF_NOC_ADDRESS_BITS = 36;

FORCE_INLINE constexpr uint64_t tf_noc_address(uint32_t xy, uint64_t address)
{
    return (uint64_t)xy << TF_NOC_ADDRESS_BITS | address;
}

FORCE_INLINE uint32_t tf_noc_xy_of(uint64_t address)
{
    return (uint32_t)(address >> TF_NOC_ADDRESS_BITS);
}

FORCE_INLINE uint64_t tf_noc_local_of(uint64_t address)
{
    return address & ((1ull << TF_NOC_ADDRESS_BITS) - 1);
}

/* Returns the NOC address of an address at a node. x, y: its NOC 0 coordinates. */
FORCE_INLINE uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t noc = noc_index)
{
    return tf_noc_address(tf_xy(noc, x, y), address);
}

/* Returns the NOC address of an address in this tile's L1. */
FORCE_INLINE uint64_t get_noc_addr(uint32_t address, uint8_t noc = noc_index)
{
    return tf_noc_address(tf_self_xy(noc), address);
}

/* Returns the NOC address of a rectangle. On NOC 1 the first corner is the one with the larger coordinates. */
FORCE_INLINE uint64_t get_noc_multicast_addr(uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end,
                                             uint32_t address, uint8_t noc = noc_index)
{
    return tf_noc_address(tf_xy(noc, x_start, y_start) << 12 | tf_xy(noc, x_end, y_end), address);
}

FORCE_INLINE uint32_t get_semaphore(uint32_t number)
{
    return tf_semaphore_address(number);
}

/* Wait for a number of cycles, or a little longer. */
FORCE_INLINE void riscv_wait(uint32_t cycles)
{
    const uint32_t begin = tf_cycle();
    while (tf_cycle() - begin < cycles)
        ;
}

/* ---- NOC requests ---- */

FORCE_INLINE void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index)
{
    tf_noc_read(noc, tf_noc_xy_of(from), tf_noc_local_of(from), to, bytes);
}

FORCE_INLINE void noc_async_read_one_packet(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index)
{
    noc_async_read(from, to, bytes, noc);
}

FORCE_INLINE void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc = noc_index)
{
    tf_settle_all();
    tf_noc_write(noc, tf_noc_xy_of(to), tf_noc_local_of(to), from, bytes);
}

FORCE_INLINE void noc_async_write_one_packet(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc = noc_index)
{
    noc_async_write(from, to, bytes, noc);
}

/* receivers, linked: not needed here. A write without responses: noc_async_write_barrier() waits until it has left. */
FORCE_INLINE void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                            bool linked = false, uint8_t noc = noc_index)
{
    (void)receivers, (void)linked;
    tf_settle_all();
    tf_noc_multicast(noc, tf_noc_xy_of(to), (uint32_t)tf_noc_local_of(to), from, bytes, false);
}

FORCE_INLINE void noc_async_write_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                                         bool linked = false, uint8_t noc = noc_index)
{
    (void)receivers, (void)linked;
    tf_settle_all();
    tf_noc_multicast(noc, tf_noc_xy_of(to), (uint32_t)tf_noc_local_of(to), from, bytes, true);
}

/* Write a word to a register of a node. On Blackhole it must not go to L1. */
FORCE_INLINE void noc_inline_dw_write(uint64_t to, uint32_t value, uint8_t byte_mask = 0xF, uint8_t noc = noc_index)
{
    (void)byte_mask;
    tf_settle_all();
    tf_noc_write_register(noc, tf_noc_xy_of(to), (uint32_t)tf_noc_local_of(to), value);
}

/* Let later loads of L1 see what others have stored. */
FORCE_INLINE void invalidate_l1_cache()
{
    tf_fence();
}

FORCE_INLINE void noc_async_read_barrier(uint8_t noc = noc_index)
{
    tf_noc_wait(noc);
}

FORCE_INLINE void noc_async_write_barrier(uint8_t noc = noc_index)
{
    tf_noc_wait_sent(noc);
    tf_noc_wait(noc);
}

FORCE_INLINE void noc_async_writes_flushed(uint8_t noc = noc_index)
{
    tf_noc_wait_sent(noc);
}

FORCE_INLINE void noc_async_posted_writes_flushed(uint8_t noc = noc_index)
{
    tf_noc_wait_sent(noc);
}

FORCE_INLINE void noc_async_atomic_barrier(uint8_t noc = noc_index)
{
    tf_noc_wait(noc);
}

FORCE_INLINE void noc_async_full_barrier(uint8_t noc = noc_index)
{
    noc_async_write_barrier(noc);
}

/* ---- Requests in parts: what is common to many, then each one ---- */

/* What the functions of `set_state` leave, by NOC. A kernel sets it before it uses it. */
struct tf_request_state {
    uint64_t place;
    uint32_t bytes;
};
static tf_request_state tf_read_state[2], tf_write_state[2];

FORCE_INLINE uint64_t tf_state_place(const tf_request_state &state, uint32_t address)
{
    return tf_noc_address(tf_noc_xy_of(state.place), address);
}

FORCE_INLINE void noc_async_read_set_state(uint64_t from, uint8_t noc = noc_index)
{
    tf_read_state[noc].place = from;
}

FORCE_INLINE void noc_async_read_with_state(uint32_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index)
{
    noc_async_read(tf_state_place(tf_read_state[noc], from), to, bytes, noc);
}

FORCE_INLINE void noc_async_read_one_packet_set_state(uint64_t from, uint32_t bytes, uint8_t vc = 0,
                                                      uint8_t noc = noc_index)
{
    (void)vc;
    tf_read_state[noc] = {from, bytes};
}

FORCE_INLINE void noc_async_read_one_packet_with_state(uint32_t from, uint32_t to, uint8_t vc = 0,
                                                       uint8_t noc = noc_index)
{
    (void)vc;
    noc_async_read_with_state(from, to, tf_read_state[noc].bytes, noc);
}

FORCE_INLINE void noc_async_write_one_packet_set_state(uint64_t to, uint32_t bytes, uint8_t noc = noc_index,
                                                       uint8_t vc = 0)
{
    (void)vc;
    tf_write_state[noc] = {to, bytes};
}

FORCE_INLINE void noc_async_write_one_packet_with_state(uint32_t from, uint32_t to, uint8_t noc = noc_index)
{
    noc_async_write(from, tf_state_place(tf_write_state[noc], to), tf_write_state[noc].bytes, noc);
}

/* Transaction ids: the barrier of one waits for the requests of all. */
FORCE_INLINE void noc_async_read_set_trid(uint32_t trid = 0, uint8_t noc = noc_index)
{
    (void)trid, (void)noc;
}

FORCE_INLINE void noc_async_write_set_trid(uint32_t trid = 0, uint8_t noc = noc_index)
{
    (void)trid, (void)noc;
}

FORCE_INLINE void noc_async_read_one_packet_with_state_with_trid(uint32_t from_base, uint32_t from, uint32_t to,
                                                                 uint32_t trid = 0, uint8_t noc = noc_index)
{
    (void)trid;
    noc_async_read_one_packet_with_state(from_base + from, to, 0, noc);
}

FORCE_INLINE void noc_async_write_one_packet_with_trid(uint32_t from, uint64_t to, uint32_t bytes, uint32_t trid)
{
    (void)trid;
    noc_async_write(from, to, bytes);
}

FORCE_INLINE void noc_async_read_barrier_with_trid(uint32_t trid, uint8_t noc = noc_index)
{
    (void)trid;
    noc_async_read_barrier(noc);
}

FORCE_INLINE void noc_async_write_barrier_with_trid(uint32_t trid, uint8_t noc = noc_index)
{
    (void)trid;
    noc_async_write_barrier(noc);
}

FORCE_INLINE void noc_async_write_flushed_with_trid(uint32_t trid, uint8_t noc = noc_index)
{
    (void)trid;
    noc_async_writes_flushed(noc);
}

/* ---- Semaphores ---- */

FORCE_INLINE void noc_semaphore_set(volatile uint32_t *sem, uint32_t value)
{
    tf_sem_set((uint32_t)(uintptr_t)sem, value);
}

FORCE_INLINE void noc_semaphore_wait(volatile uint32_t *sem, uint32_t value)
{
    tf_sem_wait((uint32_t)(uintptr_t)sem, value);
}

FORCE_INLINE void noc_semaphore_wait_min(volatile uint32_t *sem, uint32_t value)
{
    tf_sem_wait_min((uint32_t)(uintptr_t)sem, value);
}

/* Add to a semaphore at a node, and do not wait. Earlier stores of this core have arrived. Earlier writes need a
   barrier before it. */
FORCE_INLINE void noc_semaphore_inc(uint64_t to, uint32_t by, uint8_t noc = noc_index)
{
    uint32_t address = (uint32_t)tf_noc_local_of(to);
    tf_settle_all();
    tf_noc_atomic(noc, tf_noc_xy_of(to), address, TF_AT_INC(address, by), by, TF_SCRATCH + 0x10);
}

/* Add to the semaphores of a rectangle. There is no response, so no barrier waits for it. */
FORCE_INLINE void noc_semaphore_inc_multicast(uint64_t to, uint32_t by, uint32_t receivers, uint8_t noc = noc_index)
{
    (void)receivers;
    uint32_t address = (uint32_t)tf_noc_local_of(to);
    tf_settle_all();
    tf_noc_atomic_posted(noc, tf_noc_xy_of(to), true, address, TF_AT_INC(address, by), by);
}

/* Write the word of a semaphore of this tile to a node, or to a rectangle. */
FORCE_INLINE void noc_semaphore_set_remote(uint32_t from, uint64_t to, uint8_t noc = noc_index)
{
    noc_async_write(from, to, 4, noc);
}

FORCE_INLINE void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t receivers, bool linked = false,
                                              uint8_t noc = noc_index)
{
    noc_async_write_multicast(from, to, 4, receivers, linked, noc);
}

FORCE_INLINE void noc_semaphore_set_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t receivers,
                                                           bool linked = false, uint8_t noc = noc_index)
{
    noc_async_write_multicast_loopback_src(from, to, 4, receivers, linked, noc);
}

/* ---- Tensors whose pages lie in turn in the banks of DRAM, or in the L1 of tiles ---- */

FORCE_INLINE constexpr uint32_t tf_aligned(uint32_t bytes)
{
    return (bytes + DRAM_ALIGNMENT - 1) / DRAM_ALIGNMENT * DRAM_ALIGNMENT;
}

template <bool DRAM>
FORCE_INLINE uint64_t tf_page_address(uint32_t page, uint32_t base, uint32_t page_bytes, uint32_t offset, uint8_t noc)
{
    constexpr uint32_t banks = DRAM ? TF_K_DRAM_CHANNELS : TF_K_TILES;
    const uint32_t bank = page % banks, xy = DRAM ? TF_K_DRAM_XY(noc, bank) : tf_tile_xy(noc, bank);
    return tf_noc_address(xy, base + page / banks * tf_aligned(page_bytes) + offset);
}

/* Returns the NOC address in a bank: a channel of DRAM, or the L1 of a tile. */
template <bool DRAM>
FORCE_INLINE uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t noc = noc_index)
{
    return tf_page_address<DRAM>(bank, address, 0, 0, noc);
}

template <bool DRAM> struct InterleavedAddrGen {
    uint32_t bank_base_address;
    uint32_t page_size;

    uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        return tf_page_address<DRAM>(page, bank_base_address, page_size, offset, noc);
    }
};

template <bool DRAM> struct InterleavedAddrGenFast {
    uint32_t bank_base_address;
    uint32_t page_size;
    DataFormat data_format;

    uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        return tf_page_address<DRAM>(page, bank_base_address, page_size, offset, noc);
    }
};

/* One compile-time argument describes a tensor: bit 1 is set if it lies in DRAM. Sharded tensors have none. */
template <unsigned OFFSET> struct TensorAccessorArgs {
    static constexpr unsigned next_compile_time_args_offset()
    {
        return OFFSET + 1;
    }
    static constexpr bool is_dram()
    {
#ifdef KERNEL_COMPILE_TIME_ARGS
        return get_compile_time_arg_val(OFFSET) & 2;
#else
        return true;
#endif
    }
};

template <bool DRAM> struct TensorAccessor {
    uint32_t base, page_bytes;

    template <unsigned OFFSET>
    TensorAccessor(TensorAccessorArgs<OFFSET>, uint32_t address, uint32_t bytes) : base(address), page_bytes(bytes)
    {
    }
    uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t noc = noc_index) const
    {
        return tf_page_address<DRAM>(page, base, page_bytes, offset, noc);
    }
    uint32_t get_aligned_page_size() const
    {
        return page_bytes;
    }
};
template <unsigned OFFSET>
TensorAccessor(TensorAccessorArgs<OFFSET>, uint32_t, uint32_t) -> TensorAccessor<TensorAccessorArgs<OFFSET>::is_dram()>;

/* A class that has addresses of pages. Without this condition get_noc_addr(1, 2, 0x100), whose numbers are of type int,
   would be a call with a tensor. */
template <bool CLASS, typename T> struct tf_if_class {
};
template <typename T> struct tf_if_class<true, T> {
    using type = T;
};
/* The compiler takes its own word in no signature of a function. */
template <typename G> struct tf_is_class {
    static constexpr bool value = __is_class(G);
};

/* Returns the NOC address of a page of a tensor. */
template <typename G>
FORCE_INLINE typename tf_if_class<tf_is_class<G>::value, uint64_t>::type get_noc_addr(uint32_t page, const G &tensor,
                                                                                      uint32_t offset = 0,
                                                                                      uint8_t noc = noc_index)
{
    return tensor.get_noc_addr(page, offset, noc);
}

FORCE_INLINE uint32_t tf_bytes_of_page(const TensorAccessor<true> &tensor)
{
    return tensor.page_bytes;
}
FORCE_INLINE uint32_t tf_bytes_of_page(const TensorAccessor<false> &tensor)
{
    return tensor.page_bytes;
}
template <typename G> FORCE_INLINE uint32_t tf_bytes_of_page(const G &tensor)
{
    return tensor.page_size;
}

template <typename G>
FORCE_INLINE void noc_async_read_page(uint32_t page, const G &tensor, uint32_t to, uint32_t offset = 0,
                                      uint8_t noc = noc_index)
{
    noc_async_read(tensor.get_noc_addr(page, offset, noc), to, tf_bytes_of_page(tensor) - offset, noc);
}

template <typename G>
FORCE_INLINE void noc_async_write_page(uint32_t page, const G &tensor, uint32_t from, uint8_t noc = noc_index)
{
    noc_async_write(from, tensor.get_noc_addr(page, 0, noc), tf_bytes_of_page(tensor), noc);
}

template <typename G>
FORCE_INLINE void noc_async_read_tile(uint32_t page, const G &tensor, uint32_t to, uint32_t offset = 0,
                                      uint8_t noc = noc_index)
{
    noc_async_read_page(page, tensor, to, offset, noc);
}

template <typename G>
FORCE_INLINE void noc_async_write_tile(uint32_t page, const G &tensor, uint32_t from, uint8_t noc = noc_index)
{
    noc_async_write_page(page, tensor, from, noc);
}

#endif

#endif
