/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"
#include "rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/zeroed.h"
#include "tile/eth/eth.h"
#include "tile/eth/late.h"
#include "tile/explore/lag.h"
#include "tile/explore/transfers.h"
#include "tile/explore/units.h"
#include "tile/mmio/clock.h"
#include "tile/mmio/core_debug.h"
#include "tile/mmio/mailbox.h"
#include "tile/mmio/map/map.h"
#include "tile/mmio/pic.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/interp/instances.h"
#include "tile/state.h"
#include "tile/order/order.h"
#include "tile/riscv/hart/observed.h"
#include "tile/run/order_run.h"
#include "tile/tensix/frontend/status.h"
#include "tile/tensix/isa/disasm.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/whole/status.h"
#include "tile/tensix/whole/tensix.h"
#include "digest.h"
#include "tilefarm_address.h"

/* The scalar unit executes no instruction in batches. */
const struct tf_thcon_form tf_thcon_forms[256];

uint8_t tf_kind_of_other(uint32_t word)
{
    (void)word;
    return TF_KIND_OTHER;
}

/* The device's registers may change each other. Those of a test's own port are a NIU's. */
#define RIG_MAP(niu)                                                                   \
    {                                                                                  \
        .by_range = {[0xB2 ... 0xB3] = niu, [0xB4 ... 0xFF] = TF_AT_DEBUG},            \
        .window = {                                                                    \
            [TF_AT_NIU0] = {.first = TF_NIU_BASE(0), .last = TF_NIU_BASE(1) + 0xFFFF}, \
            [TF_AT_DEBUG] = {.first = RIG_PURE, .last = 0xFFFFFFFF},                   \
        },                                                                             \
    }

static const struct tf_map rig_map = RIG_MAP(TF_AT_DEBUG), rig_map_with_port = RIG_MAP(TF_AT_NIU0);

/* As on Blackhole: B and NC have interrupts, T2 has vectors. */
#define B_HAS (TF_EXT_ALL & ~TF_EXT_V)
#define T_HAS (B_HAS & ~TF_EXT_MACHINE)
#define RIG_EXTENSIONS                               \
    {                                                \
        B_HAS, B_HAS, T_HAS, T_HAS, T_HAS | TF_EXT_V \
    }

static const struct tf_tile_arch rig_arch = {
    .family = "Rig",
    .cores = TF_TILE_CORES,
    .coprocessor = true,
    .l1_bytes = RIG_L1_BYTES,
    .local_bytes = {8192, 8192, 4096, 4096, 4096},
    .extensions = RIG_EXTENSIONS,
    .map = &rig_map,
};

const struct tf_tile_arch rig_arch_with_port = {
    .family = "Rig",
    .cores = TF_TILE_CORES,
    .coprocessor = true,
    .l1_bytes = RIG_L1_BYTES,
    .local_bytes = {8192, 8192, 4096, 4096, 4096},
    .extensions = RIG_EXTENSIONS,
    .map = &rig_map_with_port,
};

int tf_tensix_disassemble(uint32_t word, char *text, unsigned bytes)
{
    return snprintf(text, bytes, "tensix 0x%x", word);
}

static struct rig_device *device_of(struct tf_tile *tile)
{
    return &((struct rig *)(void *)((char *)tile - offsetof(struct rig, tile)))->device;
}

void tf_mmio_init(struct tf_tile *tile)
{
    (void)tile;
}

bool tf_eth_create(struct tf_tile *tile)
{
    (void)tile;
    return true;
}

void tf_eth_destroy(struct tf_tile *tile)
{
    (void)tile;
}

void tf_eth_hash(const struct tf_tile *tile, struct tf_hash *hash)
{
    (void)tile, (void)hash;
}

void tf_mmio_fini(struct tf_tile *tile)
{
    (void)tile;
}

enum tf_access tf_mmio_load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                            bool *pure)
{
    struct rig_device *device = device_of(tile);
    assert_true(address >= RIG_L1_BYTES);
    assert_false(address - RIG_LOCAL < tile->hart[from].local_bytes);
    device->last_cycle = tile->cycle;
    *pure = false;
    if (++device->loads == device->load_stores)
        rig_set((struct rig *)(void *)((char *)tile - offsetof(struct rig, tile)), device->load_stores_at,
                device->load_stores_word);
    if (tile->port.load != NULL && tf_fast_reaches(address) && size == 4)
        return tile->port.load(tile->port.niu[address >> 16 & 1], address & 0xFFFF, value, pure);
    if (address - RIG_PURE < RIG_PURE_WORDS * 4) {
        *pure = true;
        *value = 0;
        memcpy(value, (const char *)device->pure + (address - RIG_PURE), size);
        return TF_ACCESS_OK;
    }
    if (address == RIG_POP) {
        *value = ++device->popped;
        return TF_ACCESS_OK;
    }
    if (address == RIG_GATE) {
        if (device->gate == 0)
            return TF_ACCESS_BLOCK;
        device->gate--;
        *value = 0x600d;
        return TF_ACCESS_OK;
    }
    tf_tile_fault(tile, from, TF_FAULT_UNDEFINED, 0, address, "nothing there");
    return TF_ACCESS_FAULT;
}

/* The device has no clock. */
uint32_t tf_clock_load(struct tf_tile *tile, uint32_t offset)
{
    (void)tile, (void)offset;
    return 0;
}

bool tf_mmio_load_acts_on(const struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address)
{
    (void)tile, (void)from, (void)window;
    return address == RIG_POP;
}

enum tf_access tf_mmio_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    struct rig_device *device = device_of(tile);
    assert_true(size == 4 || value >> (8 * size) == 0);
    device->last_cycle = tile->cycle;
    if (tile->port.store != NULL && tf_fast_reaches(address) && size == 4)
        return tile->port.store(tile->port.niu[address >> 16 & 1], address & 0xFFFF, value, from, tile->hart[from].pc);
    if (address == RIG_GATE) {
        if (device->gate == 0)
            return TF_ACCESS_BLOCK;
        device->gate--;
        device->stored = value;
        return TF_ACCESS_OK;
    }
    if (address == TF_INSTRN_BUF_BASE && size == 4 && from != TF_CORE_NC)
        return tf_tensix_push(tile, from == TF_CORE_B ? 0 : from - TF_CORE_T0, value, from == TF_CORE_B, from,
                              tile->hart[from].pc);
    if (address - RIG_PURE < RIG_PURE_WORDS * 4) {
        memcpy((char *)device->pure + (address - RIG_PURE), &value, size);
        return TF_ACCESS_OK;
    }
    if (address == RIG_CORE_RESET) {
        tf_hart_reset(tile, &tile->hart[value]);
        return TF_ACCESS_OK;
    }
    if (address == RIG_CORE_RELEASE) {
        tf_hart_release(tile, &tile->hart[value >> 20], value & 0xfffff, tile->cycle);
        return TF_ACCESS_OK;
    }
    if (address == RIG_COPY) {
        memcpy(tile->l1 + value, tile->l1 + RIG_COPIED, 1024);
        tf_code_written(tile, value, 1024, TF_WROTE_OTHER);
        return TF_ACCESS_OK;
    }
    tf_tile_fault(tile, from, TF_FAULT_UNDEFINED, 0, address, "nothing there");
    return TF_ACCESS_FAULT;
}

enum tf_access tf_mmio_load_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                               unsigned size, uint32_t *value, bool *pure)
{
    (void)window;
    return tf_mmio_load(tile, from, address, size, value, pure);
}

enum tf_access tf_mmio_load_word_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                                    uint32_t *value, bool *pure)
{
    return tf_mmio_load_at(tile, from, window, address, 4, value, pure);
}

enum tf_access tf_mmio_store_at(struct tf_tile *tile, unsigned from, enum tf_window_id window, uint32_t address,
                                unsigned size, uint32_t value)
{
    (void)window;
    return tf_mmio_store(tile, from, address, size, value);
}

bool tf_mmio_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store)
{
    (void)from;
    (void)store;
    return address == RIG_GATE && device_of(tile)->gate == 0;
}

void tf_explored_delay_register(struct tf_tile *tile, const struct tf_hart *hart, uint64_t slices)
{
    (void)tile, (void)hart, (void)slices;
}

void tf_explored_lag_due(struct tf_tile *tile)
{
    (void)tile;
}

bool tf_explored_lagging(const struct tf_tile *tile)
{
    (void)tile;
    return false;
}

void tf_explored_lag_free(struct tf_tile *tile)
{
    (void)tile;
}

void tf_explored_transfers_due(struct tf_tile *tile)
{
    (void)tile;
}

void tf_explored_unpack_due(struct tf_tile *tile)
{
    (void)tile;
}

unsigned tf_mailbox_room(const struct tf_tile *tile, unsigned writer)
{
    (void)tile;
    (void)writer;
    return 0;
}

int tf_mmio_interrupt(struct tf_tile *tile, unsigned core, uint32_t *pc)
{
    *pc = device_of(tile)->interrupt_pc;
    return core == TF_CORE_B && device_of(tile)->interrupt ? 7 : -1;
}

bool tf_mmio_interrupt_to_come(const struct tf_tile *tile, unsigned core)
{
    (void)tile, (void)core;
    return false;
}

void tf_mmio_interrupt_taken(struct tf_tile *tile, unsigned core, unsigned number)
{
    assert_int_equal(core, TF_CORE_B);
    assert_int_equal(number, 7);
    device_of(tile)->taken++;
    device_of(tile)->interrupt = false;
}

void tf_core_debug_retired(struct tf_tile *tile, unsigned core, const struct tf_retired *retired)
{
    struct rig_device *device = device_of(tile);
    device->retired++;
    device->last_retired = *retired;
    if (retired->pc == device->pause_behind)
        tf_hart_pause(tile, &tile->hart[core]);
}

bool tf_eth_late_pending(const struct tf_tile *tile)
{
    (void)tile;
    return false;
}

void tf_eth_late_due(struct tf_tile *tile)
{
    (void)tile;
}

void tf_mmio_hash(struct tf_tile *tile, struct tf_hash *hash)
{
    const struct rig_device *device = device_of(tile);
    tf_hash_bytes(hash, device->pure, sizeof device->pure);
    tf_hash_u32(hash, device->popped);
    tf_hash_u32(hash, device->gate);
    tf_hash_u32(hash, device->stored);
    tf_hash_u32(hash, device->pushed);
}

size_t tf_tensix_head_bytes(const struct tf_tile_arch *arch)
{
    (void)arch;
    return 0;
}

size_t tf_tensix_body_bytes(void)
{
    return 0;
}

void tf_tensix_create(struct tf_tile *tile, void *head, void *body)
{
    (void)head;
    (void)body;
    tile->tensix = (struct tf_tensix *)(void *)device_of(tile);
    tile->asleep_until = TF_AWAKE; /* it does nothing before its turn, so no core ever waits for its clock */
}

void tf_tensix_delay(struct tf_tile *tile, uint32_t cycles)
{
    (void)tile, (void)cycles;
}

void tf_tensix_destroy(struct tf_tile *tile)
{
    (void)tile;
}

bool tf_tensix_turn(struct tf_tile *tile, uint64_t deadline)
{
    struct rig *rig = (struct rig *)(void *)((char *)tile - offsetof(struct rig, tile));
    uint32_t address = rig->device.coprocessor_stores;
    (void)deadline;
    if (address == 0)
        return false;
    rig_set(rig, address, 1);
    rig->device.coprocessor_stores = 0;
    return true;
}

void tf_tensix_catch_up(struct tf_tile *tile, uint64_t deadline)
{
    (void)tile;
    (void)deadline;
}

bool tf_tensix_waiting(struct tf_tile *tile)
{
    (void)tile;
    return true;
}

bool tf_tensix_thread_idle(const struct tf_tile *tile, unsigned thread, uint64_t before)
{
    (void)before;
    (void)tile;
    (void)thread;
    return true;
}

uint32_t tf_tensix_status(const struct tf_tile *tile, unsigned core, bool busy)
{
    (void)tile;
    (void)core;
    (void)busy;
    return 0;
}

void tf_tensix_hash(struct tf_tile *tile, struct tf_hash *hash)
{
    (void)tile;
    (void)hash;
}

uint64_t tf_tensix_clock(const struct tf_tile *tile)
{
    (void)tile;
    return UINT64_MAX;
}

uint64_t tf_tensix_not_before(const struct tf_tile *tile, unsigned thread, bool idle)
{
    (void)tile, (void)thread, (void)idle;
    return 0;
}

bool tf_tensix_run_to(struct tf_tile *tile, uint64_t cycle, bool halts)
{
    (void)tile;
    (void)cycle;
    (void)halts;
    return true;
}

bool tf_tensix_rest(struct tf_tile *tile, uint64_t cycle)
{
    (void)tile;
    (void)cycle;
    return false;
}

uint64_t tf_tensix_halted_at(const struct tf_tile *tile)
{
    (void)tile;
    return 0; /* tf_tensix_run_to() never halts here */
}

/* All pushes are ordered, take the slow path, and are observed. */
struct tf_fifo *tf_tensix_push_open(struct tf_tile *tile, unsigned core)
{
    (void)tile;
    (void)core;
    return NULL;
}

bool tf_tensix_push_closed(const struct tf_tile *tile, unsigned core)
{
    (void)tile;
    (void)core;
    return false;
}

bool tf_tensix_push_free(const struct tf_tile *tile, unsigned thread)
{
    (void)thread;
    return device_of((struct tf_tile *)(uintptr_t)tile)->free_pushes;
}

enum tf_access tf_tensix_push(struct tf_tile *tile, unsigned thread, uint32_t word, bool from_b, unsigned core,
                              uint32_t pc)
{
    struct rig_device *device = device_of(tile);
    assert_int_equal(from_b, core == TF_CORE_B);
    assert_int_equal(thread, core == TF_CORE_B ? 0 : core - TF_CORE_T0);
    assert_int_equal(pc, tile->hart[core].pc);
    device->pushed++;
    device->last_push = word;
    return TF_ACCESS_OK;
}

struct rig *rig_new(struct tf_code_cache *cache, bool parking)
{
    struct rig *rig = zeroed_lines(sizeof *rig);
    assert_non_null(rig);
    rig->own_cache = cache == NULL;
    rig->cache = cache != NULL ? cache : tf_code_cache_create(TF_EXT_ALL, &tf_interp_instances);
    assert_non_null(rig->cache);
    uint8_t *l1 = tf_zeroed_take(RIG_L1_BYTES);
    assert_non_null(l1);
    void *memory = tf_zeroed_take(tf_tile_memory_bytes(&rig_arch));
    assert_non_null(memory);
    const struct tf_tile_rules rules = {.parking = parking};
    assert_true(tf_tile_init(&rig->tile, &rig_arch, (struct tf_coord){1, 2}, 0, l1,
                             tf_tile_memory_in(&rig_arch, memory), rig->cache, &rules));
    rig->tile.mmio.pic.sw_enabled[TF_CORE_B] = 1;
    rig->tile.interruptible = tf_mmio_interruptible(&rig->tile.mmio);
    return rig;
}

void rig_free(struct rig *rig)
{
    uint8_t *l1 = rig->tile.l1;
    tf_tile_fini(&rig->tile);
    tf_zeroed_give(rig->tile.memory, tf_tile_memory_bytes(&rig_arch));
    tf_zeroed_give(l1, RIG_L1_BYTES);
    if (rig->own_cache)
        tf_code_cache_destroy(rig->cache);
    free(rig);
}

void rig_put(struct rig *rig, uint32_t address, const uint32_t *words, size_t count)
{
    memcpy(rig->tile.l1 + address, words, count * 4);
    tf_tile_l1_written(&rig->tile, address, (uint32_t)count * 4);
}

struct tf_hart *rig_start(struct rig *rig, unsigned core, const uint32_t *words, size_t count)
{
    rig_put(rig, RIG_CODE, words, count);
    struct tf_hart *hart = &rig->tile.hart[core];
    tf_hart_release(&rig->tile, hart, RIG_CODE, hart->cycle);
    hart->x[7] = RIG_DATA;
    hart->x[4] = RIG_PURE;
    hart->x[3] = RIG_LOCAL;
    return hart;
}

void rig_turn(struct rig *rig, struct tf_hart *hart, uint64_t deadline)
{
    if (rig->tile.slice.deadline != deadline)
        rig->tile.slice.begin = rig->tile.slice.deadline;
    rig->tile.slice.deadline = deadline;
    if ((tf_hart_turn(&rig->tile, hart, deadline) & TF_TURN_YIELDED) != 0)
        tf_order_run(&rig->tile, deadline);
}

void rig_keep_running(struct tf_hart *hart)
{
    tf_hart_delay_probe(hart, UINT64_MAX);
}

uint32_t rig_word(const struct rig *rig, uint32_t address)
{
    uint32_t value;
    memcpy(&value, rig->tile.l1 + address, 4);
    return value;
}

void rig_set(struct rig *rig, uint32_t address, uint32_t value)
{
    rig_put(rig, address, &value, 1);
}

uint64_t rig_hash(struct rig *rig)
{
    return test_digest(&rig->tile, tf_tile_hash);
}

uint32_t rig_operand(uint64_t *random)
{
    static const uint32_t corner[] = {
        0,          1,          2,          3,          31,         32,         0x7f,
        0x80,       0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,
        0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xffff8000, 0xffffff80,
    };
    if (test_random_below(random, 2))
        return corner[test_random_below(random, sizeof corner / sizeof corner[0])];
    return test_random(random) >> test_random_below(random, 32);
}
