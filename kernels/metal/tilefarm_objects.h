/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++: the objects of the vendor's second dataflow API (`experimental/noc.h` and its like), over the functions of
 * tilefarm_dataflow.h. A kernel of tt-metal that includes those headers compiles as it is. docs/dataflow.md says what
 * there is, and how it differs. Names and parameters are the vendor's; code is our own.
 *
 * A Noc moves data from one object to another: a circular buffer, memory of this tile, an address at a node, a bank, or
 * a page of a tensor. noc_traits_t says of each kind where its data lie.
 */
#ifndef TILEFARM_OBJECTS_H
#define TILEFARM_OBJECTS_H

#ifndef __cplusplus
#error "tilefarm_objects.h is C++: name the kernel FILE.cc, or use tilefarm_device.h"
#endif

#include <cstddef>

#include "tilefarm_dataflow.h"

enum class InlineWriteDst { DEFAULT, L1, REG };
enum class ProgrammableCoreType { TENSIX, ACTIVE_ETH, IDLE_ETH };

/* One packet carries as much as this. */
#if TF_NOC_MASK_BYTES == 32
constexpr uint32_t NOC_MAX_BURST_SIZE = 8192;
#else
constexpr uint32_t NOC_MAX_BURST_SIZE = 16384;
#endif
constexpr uint32_t NOC_UNICAST_WRITE_VC = 1;

namespace experimental
{
/*
 * Where the data of a kind of object lie. A specialisation has:
 *   src_args_type, dst_args_type  what a call adds to name a part of the object, as a source and as a target
 *   dst_args_mcast_type           the same of a target that is a rectangle of nodes
 *   local(object, args)           an address in L1 of this tile
 *   remote(object, args, noc)     a NOC address
 *   rectangle(object, args, noc)  the NOC address of a rectangle
 * It leaves out what the kind cannot be.
 */
template <typename T> struct noc_traits_t;

class Noc
{
  public:
    enum class AddressType { NOC, LOCAL_L1 };
    enum class TxnIdMode { ENABLED, DISABLED };
    enum class ResponseMode { NON_POSTED, POSTED };
    enum class BarrierMode { TXN_ID, FULL };
    enum class McastMode { INCLUDE_SRC, EXCLUDE_SRC };
    enum class VcSelection { DEFAULT, CUSTOM };
    static constexpr uint32_t INVALID_TXN_ID = 0xFFFFFFFF;

  private:
    static constexpr uint32_t any_size = NOC_MAX_BURST_SIZE + 1;
    template <typename T> using source = typename noc_traits_t<T>::src_args_type;
    template <typename T> using target = typename noc_traits_t<T>::dst_args_type;
    template <typename T> using targets = typename noc_traits_t<T>::dst_args_mcast_type;
    uint8_t number;

  public:
    Noc() : number(noc_index)
    {
    }
    explicit Noc(uint8_t noc) : number(noc)
    {
    }
    uint8_t get_noc_id() const
    {
        return number;
    }
    bool is_local_bank(uint32_t x, uint32_t y) const
    {
        return x == my_x[number] && y == my_y[number];
    }
    bool is_local_addr(uint64_t address) const
    {
        return tf_noc_xy_of(address) == tf_self_xy(number);
    }

    /* Requests. Channels (vc) and transaction ids are ignored: a barrier waits for all requests. */
    template <TxnIdMode ids = TxnIdMode::DISABLED, uint32_t most = any_size, bool traced = true, typename Src,
              typename Dst>
    void async_read(const Src &src, const Dst &dst, uint32_t bytes, const source<Src> &from, const target<Dst> &to,
                    [[maybe_unused]] uint32_t vc = 0, [[maybe_unused]] uint32_t trid = INVALID_TXN_ID) const
    {
        noc_async_read(noc_traits_t<Src>::remote(src, from, number), noc_traits_t<Dst>::local(dst, to), bytes, number);
    }

    template <TxnIdMode ids = TxnIdMode::DISABLED, ResponseMode response = ResponseMode::NON_POSTED,
              uint32_t most = any_size, bool traced = true, typename Src, typename Dst>
    void async_write(const Src &src, const Dst &dst, uint32_t bytes, const source<Src> &from, const target<Dst> &to,
                     [[maybe_unused]] uint32_t vc = 0, [[maybe_unused]] uint32_t trid = INVALID_TXN_ID) const
    {
        noc_async_write(noc_traits_t<Src>::local(src, from), noc_traits_t<Dst>::remote(dst, to, number), bytes, number);
    }

    template <McastMode mode = McastMode::EXCLUDE_SRC, TxnIdMode ids = TxnIdMode::DISABLED,
              ResponseMode response = ResponseMode::NON_POSTED, uint32_t most = any_size, bool traced = true,
              typename Src, typename Dst>
    void async_write_multicast(const Src &src, const Dst &dst, uint32_t bytes, uint32_t receivers,
                               const source<Src> &from, const targets<Dst> &to, bool linked = false,
                               [[maybe_unused]] uint32_t trid = INVALID_TXN_ID) const
    {
        const uint32_t place = noc_traits_t<Src>::local(src, from);
        const uint64_t rectangle = noc_traits_t<Dst>::rectangle(dst, to, number);
        if constexpr (mode == McastMode::INCLUDE_SRC)
            noc_async_write_multicast_loopback_src(place, rectangle, bytes, receivers, linked, number);
        else
            noc_async_write_multicast(place, rectangle, bytes, receivers, linked, number);
    }

    /* Requests in parts: the node and the size, then each one. With a size of one packet, the size is that of the
       state. */
    template <VcSelection channel = VcSelection::DEFAULT, uint32_t most = any_size, typename Src>
    void set_async_read_state(const Src &src, uint32_t bytes, const source<Src> &from,
                              [[maybe_unused]] uint8_t vc = 0) const
    {
        noc_async_read_one_packet_set_state(noc_traits_t<Src>::remote(src, from, number), bytes, 0, number);
    }

    template <VcSelection channel = VcSelection::DEFAULT, uint32_t most = any_size, typename Src, typename Dst>
    void async_read_with_state(const Src &src, const Dst &dst, uint32_t bytes, const source<Src> &from,
                               const target<Dst> &to, [[maybe_unused]] uint8_t vc = 0) const
    {
        const uint32_t address = (uint32_t)noc_traits_t<Src>::remote(src, from, number);
        if constexpr (most <= NOC_MAX_BURST_SIZE)
            noc_async_read_one_packet_with_state(address, noc_traits_t<Dst>::local(dst, to), 0, number);
        else
            noc_async_read_with_state(address, noc_traits_t<Dst>::local(dst, to), bytes, number);
    }

    template <ResponseMode response = ResponseMode::NON_POSTED, uint32_t most = any_size, typename Dst>
    void set_async_write_state(const Dst &dst, uint32_t bytes, const target<Dst> &to,
                               [[maybe_unused]] uint8_t vc = 0) const
    {
        noc_async_write_one_packet_set_state(noc_traits_t<Dst>::remote(dst, to, number), bytes, number);
    }

    template <ResponseMode response = ResponseMode::NON_POSTED, uint32_t most = any_size, typename Src, typename Dst>
    void async_write_with_state(const Src &src, const Dst &dst, uint32_t bytes, const source<Src> &from,
                                const target<Dst> &to, [[maybe_unused]] uint8_t vc = 0) const
    {
        if constexpr (most > NOC_MAX_BURST_SIZE)
            tf_write_state[number].bytes = bytes;
        noc_async_write_one_packet_with_state(noc_traits_t<Src>::local(src, from),
                                              (uint32_t)noc_traits_t<Dst>::remote(dst, to, number), number);
    }

    /* Write a word to a register of a node. On Blackhole it must not go to L1. */
    template <TxnIdMode ids = TxnIdMode::DISABLED, InlineWriteDst kind = InlineWriteDst::DEFAULT,
              ResponseMode response = ResponseMode::NON_POSTED, typename Dst>
    void inline_dw_write(const Dst &dst, uint32_t value, const target<Dst> &to, uint8_t byte_mask = 0xF,
                         [[maybe_unused]] uint32_t vc = 0, [[maybe_unused]] uint32_t trid = INVALID_TXN_ID) const
    {
        noc_inline_dw_write(noc_traits_t<Dst>::remote(dst, to, number), value, byte_mask, number);
    }

    template <BarrierMode mode = BarrierMode::FULL>
    void async_read_barrier([[maybe_unused]] uint32_t trid = INVALID_TXN_ID) const
    {
        noc_async_read_barrier(number);
    }
    template <BarrierMode mode = BarrierMode::FULL>
    void async_write_barrier([[maybe_unused]] uint32_t trid = INVALID_TXN_ID) const
    {
        noc_async_write_barrier(number);
    }
    template <ResponseMode response = ResponseMode::NON_POSTED, BarrierMode mode = BarrierMode::FULL>
    void async_writes_flushed([[maybe_unused]] uint32_t trid = INVALID_TXN_ID) const
    {
        noc_async_writes_flushed(number);
    }
    void async_atomic_barrier() const
    {
        noc_async_atomic_barrier(number);
    }
    void async_full_barrier() const
    {
        noc_async_full_barrier(number);
    }
};

/* What scoped_lock() returns. It locks nothing: the vendor's tells a debugger of NOC requests. */
template <typename F> class Lock
{
    F release;

  public:
    explicit Lock(F function) : release(function)
    {
    }
    ~Lock()
    {
        release();
    }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;
};

/* ---- Circular buffers ---- */

class CircularBuffer
{
    uint32_t number;

  public:
    enum class AddrSelector { WRITE_PTR, READ_PTR };
    using AddrSel = AddrSelector; /* the name in older kernels */

    explicit CircularBuffer(uint32_t buffer) : number(buffer)
    {
    }
    uint32_t get_cb_id() const
    {
        return number;
    }
    void reserve_back(int32_t pages)
    {
        cb_reserve_back(number, (uint32_t)pages);
    }
    void push_back(int32_t pages)
    {
        cb_push_back(number, (uint32_t)pages);
    }
    void wait_front(int32_t pages)
    {
        cb_wait_front(number, (uint32_t)pages);
    }
    void pop_front(int32_t pages)
    {
        cb_pop_front(number, (uint32_t)pages);
    }
    bool pages_reservable_at_back(int32_t pages) const
    {
        return cb_pages_reservable_at_back(number, (uint32_t)pages);
    }
    bool pages_available_at_front(int32_t pages) const
    {
        return cb_pages_available_at_front(number, (uint32_t)pages);
    }
    uint32_t get_tile_size() const
    {
        return ::get_tile_size(number);
    }
    DataFormat get_dataformat() const
    {
        return ::get_dataformat(number);
    }
    uint32_t get_write_ptr() const
    {
        return ::get_write_ptr(number);
    }
    uint32_t get_read_ptr() const
    {
        return ::get_read_ptr(number);
    }
    [[nodiscard]] auto scoped_lock()
    {
        return Lock([] {});
    }
};

/* A buffer by its pointer for reads or for writes, where a call would take the other one. */
template <CircularBuffer::AddrSelector POINTER> struct CircularBufferView {
    const CircularBuffer &buffer;
};

template <CircularBuffer::AddrSelector POINTER> constexpr CircularBufferView<POINTER> use(const CircularBuffer &buffer)
{
    return {buffer};
}

/* Arguments without a constructor or a base, as {.offset_bytes = 64} asks. */
struct tf_offset {
    uint32_t offset_bytes = 0;
};
struct tf_rectangle_offset {
    uint32_t noc_x_start = 0, noc_y_start = 0, noc_x_end = 0, noc_y_end = 0, offset_bytes = 0;
};

template <typename A> FORCE_INLINE uint64_t tf_rectangle_at(const A &at, uint32_t address, uint8_t noc)
{
    return get_noc_multicast_addr(at.noc_x_start, at.noc_y_start, at.noc_x_end, at.noc_y_end, address, noc);
}

template <> struct noc_traits_t<CircularBuffer> {
    /* Two types, since a source is at the pointer for reads, and a target at that for writes. */
    struct src_args_type {
        uint32_t offset_bytes = 0;
    };
    struct dst_args_type {
        uint32_t offset_bytes = 0;
    };
    using dst_args_mcast_type = tf_rectangle_offset;
    static uint32_t local(const CircularBuffer &buffer, const src_args_type &at)
    {
        return buffer.get_read_ptr() + at.offset_bytes;
    }
    static uint32_t local(const CircularBuffer &buffer, const dst_args_type &at)
    {
        return buffer.get_write_ptr() + at.offset_bytes;
    }
    static uint64_t rectangle(const CircularBuffer &buffer, const dst_args_mcast_type &at, uint8_t noc)
    {
        return tf_rectangle_at(at, buffer.get_write_ptr() + at.offset_bytes, noc);
    }
};

template <CircularBuffer::AddrSelector POINTER> struct noc_traits_t<CircularBufferView<POINTER>> {
    using view = CircularBufferView<POINTER>;
    using src_args_type = tf_offset;
    using dst_args_type = tf_offset;
    using dst_args_mcast_type = tf_rectangle_offset;
    static uint32_t local(const view &of, const tf_offset &at)
    {
        constexpr bool read = POINTER == CircularBuffer::AddrSelector::READ_PTR;
        return (read ? of.buffer.get_read_ptr() : of.buffer.get_write_ptr()) + at.offset_bytes;
    }
    static uint64_t rectangle(const view &of, const dst_args_mcast_type &at, uint8_t noc)
    {
        return tf_rectangle_at(at, local(of, {at.offset_bytes}), noc);
    }
};

/* ---- Addresses at nodes, in rectangles and in banks ---- */

struct UnicastEndpoint {
};
struct MulticastEndpoint {
};
enum AllocatorBankType { L1, DRAM };
template <AllocatorBankType TYPE> struct AllocatorBank {
};

template <> struct noc_traits_t<UnicastEndpoint> {
    struct src_args_type {
        uint32_t noc_x = 0, noc_y = 0, addr = 0;
    };
    using dst_args_type = src_args_type;
    static uint32_t local(const UnicastEndpoint &, const src_args_type &at)
    {
        return at.addr;
    }
    static uint64_t remote(const UnicastEndpoint &, const src_args_type &at, uint8_t noc)
    {
        return get_noc_addr(at.noc_x, at.noc_y, at.addr, noc);
    }
};

template <> struct noc_traits_t<MulticastEndpoint> {
    struct dst_args_mcast_type {
        uint32_t noc_x_start = 0, noc_y_start = 0, noc_x_end = 0, noc_y_end = 0, addr = 0;
    };
    static uint64_t rectangle(const MulticastEndpoint &, const dst_args_mcast_type &at, uint8_t noc)
    {
        return tf_rectangle_at(at, at.addr, noc);
    }
};

template <AllocatorBankType TYPE> struct noc_traits_t<AllocatorBank<TYPE>> {
    struct src_args_type {
        uint32_t bank_id = 0, addr = 0;
    };
    using dst_args_type = src_args_type;
    static uint64_t remote(const AllocatorBank<TYPE> &, const src_args_type &at, uint8_t noc)
    {
        return get_noc_addr_from_bank_id<TYPE == AllocatorBankType::DRAM>(at.bank_id, at.addr, noc);
    }
};

/* ---- Pages of tensors ---- */

template <bool IN_DRAM> struct noc_traits_t<TensorAccessor<IN_DRAM>> {
    struct src_args_type {
        uint32_t page_id = 0, offset_bytes = 0;
    };
    using dst_args_type = src_args_type;
    static uint64_t remote(const TensorAccessor<IN_DRAM> &tensor, const src_args_type &at, uint8_t noc)
    {
        return tensor.get_noc_addr(at.page_id, at.offset_bytes, noc);
    }
};

/* ---- Memory of this tile ---- */

/* A pointer to L1 that knows its address. */
template <typename T, typename A = uintptr_t> class CoreLocalMem
{
    A address;

  public:
    CoreLocalMem(A at) : address(at)
    {
    }
    CoreLocalMem(T *pointer) : address((A)pointer)
    {
    }
    T *get_unsafe_ptr() const
    {
        return (T *)address;
    }
    A get_address() const
    {
        return address;
    }
    T &operator[](uint32_t index) const
    {
        return get_unsafe_ptr()[index];
    }
    T &operator*() const
    {
        return *get_unsafe_ptr();
    }
    T *operator->() const
    {
        return get_unsafe_ptr();
    }
    CoreLocalMem &operator+=(int32_t count)
    {
        address += (A)count * sizeof(T);
        return *this;
    }
    CoreLocalMem &operator-=(int32_t count)
    {
        return *this += -count;
    }
    CoreLocalMem &operator++()
    {
        return *this += 1;
    }
    CoreLocalMem &operator--()
    {
        return *this += -1;
    }
    CoreLocalMem operator++(int)
    {
        CoreLocalMem before = *this;
        *this += 1;
        return before;
    }
    CoreLocalMem operator--(int)
    {
        CoreLocalMem before = *this;
        *this += -1;
        return before;
    }
    CoreLocalMem operator+(int32_t count) const
    {
        return CoreLocalMem(*this) += count;
    }
    CoreLocalMem operator-(int32_t count) const
    {
        return CoreLocalMem(*this) += -count;
    }
    int32_t operator-(const CoreLocalMem &other) const
    {
        return (int32_t)(address - other.address) / (int32_t)sizeof(T);
    }
    bool operator==(const CoreLocalMem &other) const
    {
        return address == other.address;
    }
    bool operator!=(const CoreLocalMem &other) const
    {
        return address != other.address;
    }
    bool operator<(const CoreLocalMem &other) const
    {
        return address < other.address;
    }
    bool operator<=(const CoreLocalMem &other) const
    {
        return address <= other.address;
    }
    bool operator>(const CoreLocalMem &other) const
    {
        return address > other.address;
    }
    bool operator>=(const CoreLocalMem &other) const
    {
        return address >= other.address;
    }
    explicit operator bool() const
    {
        return address != 0;
    }
    [[nodiscard]] auto scoped_lock(size_t)
    {
        return Lock([] {});
    }
};

template <typename T, typename A> struct noc_traits_t<CoreLocalMem<T, A>> {
    using src_args_type = tf_offset;
    using dst_args_type = tf_offset;
    static uint32_t local(const CoreLocalMem<T, A> &memory, const tf_offset &at)
    {
        return (uint32_t)memory.get_address() + at.offset_bytes;
    }
};

/* ---- Semaphores ---- */

template <ProgrammableCoreType TYPE = ProgrammableCoreType::TENSIX> class Semaphore
{
    uint32_t address;

    volatile uint32_t *word() const
    {
        return (volatile uint32_t *)(uintptr_t)address;
    }

  public:
    explicit Semaphore(uint32_t number) : address(get_semaphore(number))
    {
    }
    /* Add to the semaphore of this tile. Two cores that do so at once may lose an update. */
    void up(uint32_t by)
    {
        noc_semaphore_set(word(), *word() + by);
    }
    /* Add to the semaphore of this number at a node, as one operation. */
    void up(const Noc &noc, uint32_t x, uint32_t y, uint32_t by, [[maybe_unused]] uint8_t vc = 0)
    {
        noc_semaphore_inc(get_noc_addr(x, y, address, noc.get_noc_id()), by, noc.get_noc_id());
    }
    void down(uint32_t by)
    {
        noc_semaphore_wait_min(word(), by);
        noc_semaphore_set(word(), *word() - by);
    }
    void wait(uint32_t value)
    {
        noc_semaphore_wait(word(), value);
    }
    void wait_min(uint32_t value)
    {
        noc_semaphore_wait_min(word(), value);
    }
    void set(uint32_t value)
    {
        noc_semaphore_set(word(), value);
    }
    template <Noc::McastMode mode = Noc::McastMode::EXCLUDE_SRC>
    void set_multicast(const Noc &noc, uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end,
                       uint32_t receivers, bool linked = false)
    {
        const uint8_t number = noc.get_noc_id();
        const uint64_t to = get_noc_multicast_addr(x_start, y_start, x_end, y_end, address, number);
        if constexpr (mode == Noc::McastMode::INCLUDE_SRC)
            noc_semaphore_set_multicast_loopback_src(address, to, receivers, linked, number);
        else
            noc_semaphore_set_multicast(address, to, receivers, linked, number);
    }
    void inc_multicast(const Noc &noc, uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end, uint32_t by,
                       uint32_t receivers)
    {
        const uint8_t number = noc.get_noc_id();
        noc_semaphore_inc_multicast(get_noc_multicast_addr(x_start, y_start, x_end, y_end, address, number), by,
                                    receivers, number);
    }
};
} // namespace experimental

#endif
