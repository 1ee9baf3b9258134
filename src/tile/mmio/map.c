/* SPDX-License-Identifier: Apache-2.0 */
/* The address map as a table, and the way from an address to the device. */
#include <string.h>

#include "tile/mmio/parts.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/tensix.h"

enum {
    BY_B = 1u << TF_CORE_B,
    BY_T = 1u << TF_CORE_T0 | 1u << TF_CORE_T1 | 1u << TF_CORE_T2,
    BY_BT = BY_B | BY_T,
    BY_ALL = BY_BT | 1u << TF_CORE_NC | 1u << TF_FROM_NOC,
    BY_NONE = 0,
};

/* Access sizes. WORD_STORES: loads of any size, stores of words (BackendConfiguration.md, "RISCV read"). */
enum { WORDS, WORD_STORES, ANY_SIZE };

/*
 * "Memory map" in TensixTile/BabyRISCV/README.md and EthernetTile/BabyRISCV/README.md: region, its name in a fault,
 * first and last address, who reaches it, sizes, device. In the push and PCBuf windows what a T core may do is the
 * device's to say.
 */
#define REGIONS(X)                                                                                                  \
    X(OWN_LOCAL, "core-local RAM at MEM_LOCAL_BASE", 0xFFB00000, 0xFFB01FFF, BY_NONE, WORDS, none)                  \
    X(TDMA, "the TDMA-RISC registers", 0xFFB11000, 0xFFB11FFF, BY_BT, WORDS, tensix)                                \
    X(DEBUG, "the debug registers", 0xFFB12000, 0xFFB12FFF, BY_ALL, WORDS, tf_debug)                                \
    X(PIC, "the PIC", 0xFFB13000, 0xFFB13137, BY_ALL, WORDS, tf_pic)                                                \
    X(PC_SNAPSHOT, "the pc snapshots", 0xFFB13138, 0xFFB1314B, BY_ALL, WORDS, snapshot)                             \
    X(NIU0, "NIU 0", 0xFFB20000, 0xFFB2FFFF, BY_ALL, WORDS, no_port)                                                \
    X(NIU1, "NIU 1", 0xFFB30000, 0xFFB3FFFF, BY_ALL, WORDS, no_port)                                                \
    X(OVERLAY, "the overlay streams", 0xFFB40000, 0xFFB7FFFF, BY_ALL, WORDS, tf_stream)                             \
    X(MOP, "the MOP expander configuration", 0xFFB80000, 0xFFB80023, BY_T, WORDS, tensix)                           \
    X(ETH_CONTROL, "the Ethernet cores' control registers", 0xFFB14000, 0xFFB14FFF, BY_ALL, WORDS, tf_eth)          \
    X(ETH_LINK, "the Ethernet queues and the link", 0xFFB90000, 0xFFBAFFFF, BY_ALL, WORDS, tf_eth)                  \
    X(DST, "Dst", 0xFFBD8000, 0xFFBDFFFF, BY_T, ANY_SIZE, none)                                                       \
    X(GPRS, "the Tensix GPRs", 0xFFE00000, 0xFFE00FFF, BY_BT, WORD_STORES, tensix)                                  \
    X(PUSH0, "the instruction buffers", 0xFFE40000, 0xFFE4FFFF, BY_BT, WORDS, push)                                 \
    X(PUSH1, "the instruction buffers", 0xFFE50000, 0xFFE5FFFF, BY_BT, WORDS, push)                                 \
    X(PUSH2, "the instruction buffers", 0xFFE60000, 0xFFE6FFFF, BY_BT, WORDS, push)                                 \
    X(PCBUF0, "the PCBufs", 0xFFE80000, 0xFFE8FFFF, BY_BT, WORDS, pcbuf_window)                                     \
    X(PCBUF1, "PCBuf[1]", 0xFFE90000, 0xFFE9FFFF, BY_B, WORDS, tf_pcbuf)                                            \
    X(PCBUF2, "PCBuf[2]", 0xFFEA0000, 0xFFEAFFFF, BY_B, WORDS, tf_pcbuf)                                            \
    X(MAILBOX, "the mailboxes", 0xFFEC0000, 0xFFEC3FFF, BY_BT, WORDS, tf_mailbox)                                   \
    X(CONFIG, "the backend configuration", 0xFFEF0000, 0xFFEFFFFF, BY_BT, WORD_STORES, tensix)

/* Core-local RAM, slow access path: region, first and last address, core. Every T core's RAM is there twice. */
#define LOCAL_REGIONS(X)                            \
    X(LOCAL_B, 0xFFB14000, 0xFFB15FFF, TF_CORE_B)   \
    X(LOCAL_NC, 0xFFB16000, 0xFFB17FFF, TF_CORE_NC) \
    X(LOCAL_T0, 0xFFB18000, 0xFFB19FFF, TF_CORE_T0) \
    X(LOCAL_T1, 0xFFB1A000, 0xFFB1BFFF, TF_CORE_T1) \
    X(LOCAL_T2, 0xFFB1C000, 0xFFB1DFFF, TF_CORE_T2)

enum region_id {
    UNMAPPED,
#define X(id, ...) id,
    REGIONS(X) LOCAL_REGIONS(X)
#undef X
    REGION_COUNT
};

struct region {
    uint32_t first, last;
    uint8_t reached_by, sizes;
    const char *name;
    const char *noc_cannot;
    enum tf_access (*load)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
    enum tf_access (*store)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
};

static enum tf_access none_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)value;
    (void)pure;
    return tf_mmio_fault(tile, from, TF_FAULT_INTERNAL, address, "no device has this address");
}

static enum tf_access none_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    (void)value;
    return tf_mmio_fault(tile, from, TF_FAULT_INTERNAL, address, "no device has this address");
}

static enum tf_access no_port_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)value;
    (void)pure;
    return tf_mmio_fault(tile, from, TF_FAULT_CONFIG, address, "the tile has no NIU");
}

static enum tf_access no_port_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    (void)value;
    return tf_mmio_fault(tile, from, TF_FAULT_CONFIG, address, "the tile has no NIU");
}

static enum tf_access tensix_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    if (tile->tensix == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the tile has no Tensix coprocessor");
    return tf_tensix_load(tile, from, address, value, pure);
}

static enum tf_access tensix_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    if (tile->tensix == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the tile has no Tensix coprocessor");
    return tf_tensix_store(tile, from, address, value);
}

/* What an access to Dst means depends on its size, so load_slow() and store_slow() know that too. */
static enum tf_access load_dst(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                               bool *pure)
{
    if (tile->tensix == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the tile has no Tensix coprocessor");
    return tf_dst_load(tile, from, address, size, value, pure);
}

static enum tf_access store_dst(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    if (tile->tensix == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the tile has no Tensix coprocessor");
    return tf_dst_store(tile, from, address, size, value);
}

/* README.md, "RISCV pc snapshot": B, NC, T0, T1, T2, which is the order of enum tf_core. */
static enum tf_access snapshot_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)from;
    struct tf_core_view view;
    tf_hart_look(tile, &tile->hart[(address - 0xFFB13138u) / 4], &view);
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

/* PushTensixInstruction.md: B names the thread by the window, a T core has the first window for its own. */
static enum tf_access push_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    unsigned thread = (address >> 16) - 0xFFE4u;
    if (from != TF_CORE_B) {
        if (thread != 0)
            return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address,
                                 "a T core's store to another thread's instruction buffer hangs the core");
        thread = from - TF_CORE_T0;
    }
    if (tile->tensix == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the tile has no Tensix coprocessor");
    if (tf_mmio_push_lost(&tile->mmio, thread))
        return TF_ACCESS_OK;
    return tf_tensix_push(tile, thread, value, from == TF_CORE_B, from, tile->hart[from].pc);
}

/* 0xFFE80000: for B all of it is PCBuf[0]; a T core has its PCBuf, then Manual TTSync, then the semaphores. */
static bool is_pcbuf(unsigned from, uint32_t address)
{
    return from == TF_CORE_B || address < 0xFFE80004u;
}

static enum tf_access pcbuf_window_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value,
                                        bool *pure)
{
    return is_pcbuf(from, address) ? tf_pcbuf_load(tile, from, address, value, pure)
                                   : tensix_load(tile, from, address, value, pure);
}

static enum tf_access pcbuf_window_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    return is_pcbuf(from, address) ? tf_pcbuf_store(tile, from, address, value)
                                   : tensix_store(tile, from, address, value);
}

static const struct region regions[REGION_COUNT] = {
#define X(id, name, first, last, reached_by, sizes, device) \
    [id] = { first, last, reached_by, sizes, name, "the NOC cannot reach " name, device##_load, device##_store },
    REGIONS(X)
#undef X
#define X(id, first, last, core) \
    [id] = { first, last, BY_ALL, ANY_SIZE, "core-local RAM", "the NOC cannot reach core-local RAM", NULL, NULL },
    LOCAL_REGIONS(X)
#undef X
};

static const uint8_t local_core[REGION_COUNT] = {
#define X(id, first, last, core) [id] = core,
    LOCAL_REGIONS(X)
#undef X
};

/* By kind of tile: regions by bits 16..23 of the address; 0xFFB1xxxx, where several share a window, by bits 12..15. */
static const struct {
    uint8_t by_window[256];
    uint8_t by_block[16];
} maps[TF_TILE_KINDS] = {
    [TF_TILE_TENSIX] = {
        .by_window = {
            [0xB0] = OWN_LOCAL, [0xB2] = NIU0,   [0xB3] = NIU1,   [0xB4 ... 0xB7] = OVERLAY, [0xB8] = MOP,
            [0xBD] = DST,       [0xE0] = GPRS,   [0xE4] = PUSH0,  [0xE5] = PUSH1,            [0xE6] = PUSH2,
            [0xE8] = PCBUF0,    [0xE9] = PCBUF1, [0xEA] = PCBUF2, [0xEC] = MAILBOX,          [0xEF] = CONFIG,
        },
        .by_block = {
            [0x1] = TDMA,
            [0x2] = DEBUG,
            [0x3] = PIC,
            [0x4 ... 0x5] = LOCAL_B,
            [0x6 ... 0x7] = LOCAL_NC,
            [0x8 ... 0x9] = LOCAL_T0,
            [0xA ... 0xB] = LOCAL_T1,
            [0xC ... 0xD] = LOCAL_T2,
        },
    },
    [TF_TILE_ETH] = {
        .by_window = {
            [0xB0] = OWN_LOCAL, [0xB2] = NIU0, [0xB3] = NIU1, [0xB4 ... 0xB7] = OVERLAY, [0xB9 ... 0xBA] = ETH_LINK,
        },
        .by_block = {
            [0x2] = DEBUG,
            [0x4] = ETH_CONTROL,
        },
    },
};

static enum region_id find(const struct tf_tile *tile, uint32_t address)
{
    if (address >> 24 != 0xFF)
        return UNMAPPED;
    unsigned id = maps[tile->arch->kind].by_window[address >> 16 & 0xFF];
    if (address >> 16 == 0xFFB1)
        id = maps[tile->arch->kind].by_block[address >> 12 & 0xF];
    if (id == PIC && address > regions[PIC].last)
        id = PC_SNAPSHOT;
    if (address < regions[id].first || address > regions[id].last)
        return UNMAPPED;
    return (enum region_id)id;
}

/* The instruction that is accessing, for the report. */
static uint32_t instruction_of(const struct tf_tile *tile, unsigned core)
{
    uint32_t pc = tile->hart[core].pc;
    uint32_t word = 0;
    if (tile->l1 != NULL && pc % 4 == 0 && pc < tile->arch->l1_bytes)
        word = __atomic_load_n((const uint32_t *)(const void *)(tile->l1 + pc), __ATOMIC_RELAXED);
    return word;
}

enum tf_access tf_mmio_fault(struct tf_tile *tile, unsigned from, enum tf_fault_category category, uint32_t address,
                             const char *why)
{
    if (from < TF_FROM_NOC) {
        tf_tile_fault(tile, from, category, instruction_of(tile, from), address, "%s (0x%08X)", why, address);
        return TF_ACCESS_FAULT;
    }
    tile->mmio.why = why;
    tile->mmio.why_category = (uint8_t)category;
    return TF_ACCESS_FAULT;
}

static enum tf_access cannot_reach(struct tf_tile *tile, unsigned from, uint32_t address, const struct region *region)
{
    if (from >= TF_FROM_NOC)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, region->noc_cannot);
    tf_tile_fault(tile, from, TF_FAULT_UNDEFINED, instruction_of(tile, from), address, "%s cannot reach %s at 0x%08X",
                  tile->arch->core_name[from], region->name, address);
    return TF_ACCESS_FAULT;
}

/* What is wrong with an access, whatever the device: TF_ACCESS_OK when nothing is. */
static enum tf_access check(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, bool store,
                            enum region_id id)
{
    const struct region *region = &regions[id];
    if (id == UNMAPPED)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "unmapped address");
    if (!(region->reached_by >> from & 1))
        return cannot_reach(tile, from, address, region);
    if (address & (size - 1))
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "misaligned access");
    if (size != 4 && (region->sizes == WORDS || (store && region->sizes == WORD_STORES)))
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address,
                             store ? "only whole words can be stored here" : "only whole words can be loaded here");
    return TF_ACCESS_OK;
}

static uint8_t *local_byte(struct tf_tile *tile, enum region_id id, uint32_t address)
{
    struct tf_hart *hart = &tile->hart[local_core[id]];
    hart->local_zero = false;
    return hart->local + ((address - regions[id].first) & (hart->local_bytes - 1));
}

static enum tf_access load_slow(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                                bool *pure)
{
    enum region_id id = find(tile, address);
    enum tf_access access = check(tile, from, address, size, false, id);
    if (access != TF_ACCESS_OK)
        return access;
    *value = 0;
    *pure = true;
    if (id == DST)
        return load_dst(tile, from, address, size, value, pure);
    if (regions[id].load == NULL) {
        memcpy(value, local_byte(tile, id, address), size);
        return TF_ACCESS_OK;
    }
    access = regions[id].load(tile, from, address & ~3u, value, pure);
    if (size != 4)
        *value = *value >> (address % 4 * 8) & (size == 1 ? 0xFFu : 0xFFFFu);
    return access;
}

enum tf_access tf_mmio_load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                            bool *pure)
{
    if ((address & 0xFFFE0003u) != 0xFFB20000u || size != 4 || tile->port.load == NULL)
        return load_slow(tile, from, address, size, value, pure);
    enum tf_access access = tile->port.load(tile->port.niu[address >> 16 & 1], address & 0xFFFFu, value, pure);
    if (access == TF_ACCESS_FAULT)
        tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the NIU has no such register");
    return access;
}

static enum tf_access store_slow(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    enum region_id id = find(tile, address);
    enum tf_access access = check(tile, from, address, size, true, id);
    if (access != TF_ACCESS_OK)
        return access;
    if (id == DST)
        return store_dst(tile, from, address, size, value);
    if (regions[id].store == NULL) {
        memcpy(local_byte(tile, id, address), &value, size);
        return TF_ACCESS_OK;
    }
    return regions[id].store(tile, from, address, value);
}

enum tf_access tf_mmio_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    if ((address & 0xFFFE0003u) != 0xFFB20000u || size != 4 || tile->port.store == NULL)
        return store_slow(tile, from, address, size, value);
    uint32_t pc = from < TF_TILE_CORES ? tile->hart[from].pc : 0;
    enum tf_access access =
        tile->port.store(tile->port.niu[address >> 16 & 1], address & 0xFFFFu, value, from, pc);
    if (access == TF_ACCESS_FAULT && from >= TF_FROM_NOC)
        tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "the NIU refuses the store");
    return access;
}

bool tf_mmio_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store)
{
    enum region_id id = find(tile, address);
    if (!(regions[id].reached_by >> from & 1))
        return false;
    switch (id) {
    case MAILBOX:
        return tf_mailbox_would_block(tile, from, address, store);
    case PCBUF0:
    case PCBUF1:
    case PCBUF2:
        if (is_pcbuf(from, address))
            return tf_pcbuf_would_block(tile, from, address, store);
        break;
    case PUSH0:
    case PUSH1:
    case PUSH2: {
        unsigned thread = from == TF_CORE_B ? id - PUSH0 : from - TF_CORE_T0;
        bool lost = tf_mmio_push_lost(&tile->mmio, thread);
        return store && tile->tensix != NULL && !lost && (from == TF_CORE_B || id == PUSH0) &&
               tf_tensix_push_would_block(tile, thread, from == TF_CORE_B);
    }
    case TDMA:
    case MOP:
    case GPRS:
    case CONFIG:
        break;
    default:
        return false;
    }
    return tile->tensix != NULL && tf_tensix_access_would_block(tile, from, address & ~3u, store);
}

const char *tf_mmio_why(struct tf_tile *tile)
{
    return tile->mmio.why != NULL ? tile->mmio.why : "the access is refused";
}

enum tf_fault_category tf_mmio_why_category(const struct tf_tile *tile)
{
    return (enum tf_fault_category)tile->mmio.why_category;
}

bool tf_mmio_init(struct tf_tile *tile)
{
    tf_debug_init(tile);
    return tile->arch->kind != TF_TILE_ETH || tf_eth_create(tile);
}

void tf_mmio_fini(struct tf_tile *tile)
{
    tf_stream_fini(&tile->mmio);
    tf_eth_destroy(tile);
}

void tf_mmio_hash(struct tf_tile *tile, struct tf_hash *hash)
{
    tf_mailbox_hash(&tile->mmio, hash);
    tf_pcbuf_hash(&tile->mmio, hash);
    tf_pic_hash(&tile->mmio, hash);
    tf_debug_hash(&tile->mmio, hash);
    tf_stream_hash(&tile->mmio, hash);
    if (tile->mmio.eth != NULL)
        tf_eth_hash(&tile->mmio, hash);
}
