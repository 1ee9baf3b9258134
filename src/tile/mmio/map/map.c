/* SPDX-License-Identifier: Apache-2.0 */
/* Find the device of an address, by the map of the tile (tile/map.h). */
#include <string.h>

#include "tile/mmio/debug.h"
#include "tile/mmio/dram.h"
#include "tile/mmio/eth_tile.h"
#include "tile/mmio/mailbox.h"
#include "tile/mmio/map/map.h"
#include "tile/mmio/pcbuf.h"
#include "tile/mmio/pic.h"
#include "tile/mmio/polled_pic.h"
#include "tile/mmio/streams/stream.h"
#include "tile/state.h"
#include "tile/mmio/push.h"
#include "tile/niu_words.h"
#include "tile/riscv/hart/access_fault.h"
#include "tile/riscv/hart/stop.h"
#include "tile/riscv/control/view.h"
#include "tile/tensix/mover/mover.h"
#include "tile/tensix/whole/dst_window.h"
#include "tile/tensix/whole/tensix.h"
#include "tile/tensix/whole/window.h"

_Static_assert(TF_BY_NOC == 1u << TF_FROM_NOC && TF_BY_NC == 1u << TF_CORE_NC && TF_BY_T >> TF_CORE_T0 == 7,
               "who accesses is the number of its bit");

/* Accesses that a window refuses always record the same fault. */
#define REFUSES(name, category, why)                                                                          \
    static enum tf_access name##_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, \
                                      bool *pure)                                                             \
    {                                                                                                         \
        (void)value, (void)pure;                                                                              \
        return tf_mmio_fault(tile, from, category, address, why);                                             \
    }                                                                                                         \
                                                                                                              \
    static enum tf_access name##_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value) \
    {                                                                                                         \
        (void)value;                                                                                          \
        return tf_mmio_fault(tile, from, category, address, why);                                             \
    }

REFUSES(none, TF_FAULT_INTERNAL, "no device has this address")
REFUSES(missing, TF_FAULT_UNIMPLEMENTED, "registers that are not implemented")
REFUSES(gddr, TF_FAULT_UNIMPLEMENTED, "no public source says what registers of the GDDR controller do")
REFUSES(no_port, TF_FAULT_CONFIG, "the tile has no NIU")

static enum tf_access no_coprocessor(struct tf_tile *tile, unsigned from, uint32_t address)
{
    return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the tile has no Tensix coprocessor");
}

static enum tf_access tensix_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    if (tile->tensix == NULL)
        return no_coprocessor(tile, from, address);
    return tf_tensix_load(tile, from, address, value, pure);
}

static enum tf_access tensix_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    if (tile->tensix == NULL)
        return no_coprocessor(tile, from, address);
    return tf_tensix_store(tile, from, address, value);
}

/* Dst is not in the table of devices, because the meaning of an access depends on its size. */
static enum tf_access load_dst(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                               bool *pure)
{
    if (tile->tensix == NULL)
        return no_coprocessor(tile, from, address);
    return tf_dst_load(tile, from, address, size, value, pure);
}

static enum tf_access store_dst(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    if (tile->tensix == NULL)
        return no_coprocessor(tile, from, address);
    return tf_dst_store(tile, from, address, size, value);
}

/* README.md, "RISCV pc snapshot": B, NC, T0, T1, T2, which is the order of enum tf_core. */
static enum tf_access snapshot_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)from;
    struct tf_core_view view;
    tf_hart_look(tile, &tile->hart[(address - tile->arch->map->window[TF_AT_PC_SNAPSHOT].first) / 4], &view);
    *value = view.pc;
    *pure = false;
    return TF_ACCESS_OK;
}

static enum tf_access snapshot_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    (void)tile;
    (void)from;
    (void)address;
    (void)value;
    return TF_ACCESS_OK;
}

static enum tf_access push_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)value;
    (void)pure;
    return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "instruction buffers cannot be read");
}

/* A T core pushes to its own thread through the first window. */
static enum tf_access push_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    unsigned window = (address >> 16) - (tile->arch->map->window[TF_AT_PUSH0].first >> 16);
    if (from != TF_CORE_B && window != 0)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address,
                             "a T core's store to another thread's instruction buffer hangs the core");
    return tile->tensix != NULL ? tf_mmio_push(tile, from, window, value) : no_coprocessor(tile, from, address);
}

/* Find the device of the first PCBuf window. For B all of it is PCBuf[0]. A T core has its PCBuf, then Manual TTSync,
   then semaphores. */
static bool is_pcbuf(const struct tf_tile *tile, unsigned from, uint32_t address)
{
    return from == TF_CORE_B || address < tile->arch->map->window[TF_AT_PCBUF0].first + 4;
}

static enum tf_access pcbuf_window_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value,
                                        bool *pure)
{
    return is_pcbuf(tile, from, address) ? tf_pcbuf_load(tile, from, address, value, pure)
                                         : tensix_load(tile, from, address, value, pure);
}

static enum tf_access pcbuf_window_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    return is_pcbuf(tile, from, address) ? tf_pcbuf_store(tile, from, address, value)
                                         : tensix_store(tile, from, address, value);
}

static enum tf_access eth_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    return tile->mmio.eth_calls->load(tile, from, address, value, pure);
}

static enum tf_access eth_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    return tile->mmio.eth_calls->store(tile, from, address, value);
}

/* The device of each window, and its name in faults. Core-local RAM has no functions here: see local_byte(). */
/* clang-format off */
static const struct device {
    const char *name;
    const char *noc_cannot;
    enum tf_access (*load)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
    enum tf_access (*store)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
} devices[TF_WINDOWS] = {
#define DEVICE(id, name, functions) \
    [TF_AT_##id] = {name, "the NOC cannot reach " name, functions##_load, functions##_store},
    DEVICE(OWN_LOCAL, "core-local RAM at MEM_LOCAL_BASE", none)
    DEVICE(TDMA, "the TDMA-RISC registers", tensix)
    DEVICE(DEBUG, "the debug registers", tf_debug)
    DEVICE(PIC, "the PIC", tf_pic)
    DEVICE(POLLED_PIC, "the PIC", tf_polled_pic)
    DEVICE(PC_SNAPSHOT, "the pc snapshots", snapshot)
    DEVICE(NIU0, "NIU 0", no_port)
    DEVICE(NIU1, "NIU 1", no_port)
    DEVICE(OVERLAY, "the overlay streams", tf_stream)
    DEVICE(MOP, "the MOP expander configuration", tensix)
    DEVICE(ETH_CONTROL, "the Ethernet cores' control registers", eth)
    DEVICE(ETH_LINK, "the Ethernet queues and the link", eth)
    DEVICE(DRAM_CONTROL, "the control registers of a DRAM tile's core", tf_dram_control)
    DEVICE(DRAM_DMA, "the DMA of a DRAM tile's core", tf_dram_dma)
    DEVICE(DRAM_MISSING, "the GDDR controller", gddr)
    DEVICE(DST, "Dst", none)
    DEVICE(GPRS, "the Tensix GPRs", tensix)
    DEVICE(PUSH0, "the instruction buffers", push)
    DEVICE(PUSH1, "the instruction buffers", push)
    DEVICE(PUSH2, "the instruction buffers", push)
    DEVICE(PCBUF0, "the PCBufs", pcbuf_window)
    DEVICE(PCBUF1, "PCBuf[1]", tf_pcbuf)
    DEVICE(PCBUF2, "PCBuf[2]", tf_pcbuf)
    DEVICE(MAILBOX, "the mailboxes", tf_mailbox)
    DEVICE(CONFIG, "the backend configuration", tensix)
    DEVICE(MISSING, "registers that are not implemented", missing)
#undef DEVICE
    [TF_AT_LOCAL_B ... TF_AT_LOCAL_T2] = {"core-local RAM", "the NOC cannot reach core-local RAM", NULL, NULL},
};
/* clang-format on */

static const uint8_t local_core[TF_WINDOWS] = {
    [TF_AT_LOCAL_B] = TF_CORE_B,   [TF_AT_LOCAL_NC] = TF_CORE_NC, [TF_AT_LOCAL_T0] = TF_CORE_T0,
    [TF_AT_LOCAL_T1] = TF_CORE_T1, [TF_AT_LOCAL_T2] = TF_CORE_T2,
};

static enum tf_access cannot_reach(struct tf_tile *tile, unsigned from, uint32_t address, enum tf_window_id id)
{
    if (from >= TF_FROM_NOC)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, devices[id].noc_cannot);
    tf_tile_fault(tile, from, TF_FAULT_UNDEFINED, 0, address, "%s cannot reach %s at 0x%08X",
                  tile->arch->core_name[from], devices[id].name, address);
    return TF_ACCESS_FAULT;
}

/* The general case of check(): the access is refused, or it is smaller than a word. */
static __attribute__((noinline)) enum tf_access check_general(struct tf_tile *tile, unsigned from, uint32_t address,
                                                              unsigned size, bool store, enum tf_window_id id)
{
    const struct tf_window *window = &tile->arch->map->window[id];
    if (id == TF_AT_NOTHING)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "unmapped address");
    if (!(window->reached_by >> from & 1))
        return cannot_reach(tile, from, address, id);
    if (address & (size - 1))
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "misaligned access");
    if (size != 4 && (window->sizes == TF_WORDS || (store && window->sizes == TF_WORD_STORES)))
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address,
                             store ? "only whole words can be stored here" : "only whole words can be loaded here");
    return TF_ACCESS_OK;
}

/* Make the checks that all devices share. Returns TF_ACCESS_OK, or TF_ACCESS_FAULT after recording the fault. */
static inline enum tf_access check(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, bool store,
                                   enum tf_window_id id)
{
    bool good = id != TF_AT_NOTHING && tile->arch->map->window[id].reached_by >> from & 1 && size == 4 &&
                address % 4 == 0;
    return good ? TF_ACCESS_OK : check_general(tile, from, address, size, store, id);
}

static uint8_t *local_byte(struct tf_tile *tile, enum tf_window_id id, uint32_t address)
{
    struct tf_hart *hart = &tile->hart[local_core[id]];
    hart->local_zero = false;
    return hart->local + ((address - tile->arch->map->window[id].first) & (hart->local_bytes - 1));
}

static enum tf_access load_general(struct tf_tile *tile, unsigned from, enum tf_window_id id, uint32_t address,
                                   unsigned size, uint32_t *value, bool *pure)
{
    enum tf_access access = check(tile, from, address, size, false, id);
    if (access != TF_ACCESS_OK)
        return access;
    *value = 0;
    *pure = true;
    if (id == TF_AT_DST)
        return load_dst(tile, from, address, size, value, pure);
    if (devices[id].load == NULL) {
        memcpy(value, local_byte(tile, id, address), size);
        return TF_ACCESS_OK;
    }
    access = devices[id].load(tile, from, address & ~3u, value, pure);
    if (size != 4)
        *value = *value >> (address % 4 * 8) & (size == 1 ? 0xFFu : 0xFFFFu);
    return access;
}

enum tf_access tf_mmio_load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                            bool *pure)
{
    return tf_mmio_load_at(tile, from, tf_map_find(tile->arch->map, address), address, size, value, pure);
}

/* Registers of NIUs do not need the map. Rows `cb` and `atomic-inc-spread` pay for this path. */
enum tf_access tf_mmio_load_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                               unsigned size, uint32_t *value, bool *pure)
{
    if (!tf_fast_reaches(address) || size != 4 || tile->port.load == NULL)
        return load_general(tile, from, window, address, size, value, pure);
    enum tf_access access = tf_port_load(&tile->port, address, value, pure);
    if (access == TF_ACCESS_FAULT)
        tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address,
                      "NoC/MemoryMap.md does not describe this register of a NIU");
    return access;
}

enum tf_access tf_mmio_load_word_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                                    uint32_t *value, bool *pure)
{
    const uint32_t others = 1u << TF_AT_NOTHING | 1u << TF_AT_NIU0 | 1u << TF_AT_NIU1 | 1u << TF_AT_DST |
                            ~((1u << TF_AT_LOCAL_B) - 1);
    _Static_assert(TF_WINDOWS <= 32 && TF_AT_LOCAL_B + TF_TILE_CORES == TF_WINDOWS, "local RAMs come last");
    if ((others >> window & 1) != 0 || !(tile->arch->map->window[window].reached_by >> from & 1))
        return tf_mmio_load_at(tile, from, window, address, 4, value, pure);
    *value = 0;
    *pure = true;
    return devices[window].load(tile, from, address, value, pure);
}

static enum tf_access store_general(struct tf_tile *tile, unsigned from, enum tf_window_id id, uint32_t address,
                                    unsigned size, uint32_t value)
{
    enum tf_access access = check(tile, from, address, size, true, id);
    if (access != TF_ACCESS_OK)
        return access;
    if (id == TF_AT_DST)
        return store_dst(tile, from, address, size, value);
    if (devices[id].store == NULL) {
        memcpy(local_byte(tile, id, address), &value, size);
        return TF_ACCESS_OK;
    }
    return devices[id].store(tile, from, address, value);
}

enum tf_access tf_mmio_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    return tf_mmio_store_at(tile, from, tf_map_find(tile->arch->map, address), address, size, value);
}

enum tf_access tf_mmio_store_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                                unsigned size, uint32_t value)
{
    if (!tf_fast_reaches(address) || size != 4 || tile->port.store == NULL)
        return store_general(tile, from, window, address, size, value);
    uint32_t pc = from < TF_TILE_CORES ? tile->hart[from].pc : 0;
    enum tf_access access = tf_port_store(&tile->port, address, value, from, pc);
    if (access == TF_ACCESS_FAULT && from >= TF_FROM_NOC)
        tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the NIU refuses the store");
    return access;
}

/* tf_mmio_load_acts() has these windows in its mask. */
bool tf_mmio_load_acts_on(const struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address)
{
    address &= ~3u;
    if (!(tile->arch->map->window[window].reached_by >> from & 1))
        return false;
    switch (window) {
    case TF_AT_NIU0:
    case TF_AT_NIU1: return address % TF_NIU_BYTES == TF_NIU_RTZ_NUM;
    case TF_AT_OVERLAY: return tf_stream_load_acts(tile, address);
    case TF_AT_DEBUG: return tf_debug_load_acts(tile, address & 0xFFF);
    case TF_AT_PIC: return tf_pic_load_acts(tile, address);
    case TF_AT_POLLED_PIC: return tf_polled_pic_load_acts(tile, address);
    case TF_AT_MAILBOX: return tf_mailbox_load_acts(tile, from, address);
    case TF_AT_PCBUF0: return is_pcbuf(tile, from, address) && tf_pcbuf_load_acts(tile, from);
    default: return false;
    }
}

bool tf_mmio_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store)
{
    enum tf_window_id id = tf_map_find(tile->arch->map, address);
    if (!(tile->arch->map->window[id].reached_by >> from & 1))
        return false;
    switch (id) {
    case TF_AT_MAILBOX: return tf_mailbox_would_block(tile, from, address, store);
    case TF_AT_PCBUF0:
    case TF_AT_PCBUF1:
    case TF_AT_PCBUF2:
        if (is_pcbuf(tile, from, address))
            return tf_pcbuf_would_block(tile, from, address, store);
        break;
    case TF_AT_PUSH0:
    case TF_AT_PUSH1:
    case TF_AT_PUSH2: {
        unsigned thread = tf_mmio_pushed_thread(from, id - TF_AT_PUSH0);
        bool lost = tf_mmio_push_lost(&tile->mmio, thread);
        return store && tile->tensix != NULL && !lost && (from == TF_CORE_B || id == TF_AT_PUSH0) &&
               tf_tensix_push_would_block(tile, thread, from == TF_CORE_B);
    }
    case TF_AT_TDMA:
    case TF_AT_MOP:
    case TF_AT_GPRS:
    case TF_AT_CONFIG: break;
    default: return false;
    }
    return tile->tensix != NULL && tf_tensix_access_would_block(tile, from, address & ~3u, store);
}

void tf_mmio_init(struct tf_tile *tile)
{
    static const struct tf_mmio_bus bus = {.load = tf_mmio_load,
                                           .store = tf_mmio_store,
                                           .tdma_load = tf_tdma_load,
                                           .tdma_store = tf_tdma_store};
    tile->mmio.bus = &bus;
    tf_debug_init(tile);
}

void tf_mmio_fini(struct tf_tile *tile)
{
    tf_stream_fini(&tile->mmio);
}

void tf_mmio_hash(struct tf_tile *tile, struct tf_hash *hash)
{
    tf_mailbox_hash(&tile->mmio, hash);
    tf_pcbuf_hash(&tile->mmio, hash);
    tf_pic_hash(&tile->mmio, hash);
    tf_debug_hash(&tile->mmio, hash);
    tf_stream_hash(&tile->mmio, hash);
}
