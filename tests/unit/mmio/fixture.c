/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <stdio.h>

#include "lines.h"
#include "host/zeroed.h"
#include "tile/eth/eth.h"
#include "tile/explore/decide.h"
#include "tile/explore/noted.h"
#include "tile/fault.h"
#include "tile/mmio/map/map.h"
#include "tile/why.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/hart/stop.h"
#include "tile/riscv/control/view.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/debug/debug.h"
#include "digest.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/mover/mover.h"
#include "tile/tensix/whole/dst_window.h"
#include "tile/tensix/whole/window.h"

/* No tile explores here. */
uint32_t tf_decide_at(struct tf_decider *decider, enum tf_freedom freedom, unsigned actor, uint32_t ordinal,
                      struct tf_decide_where where)
{
    (void)decider, (void)freedom, (void)actor, (void)ordinal, (void)where;
    fail();
    return 0;
}

void tf_noted_add(struct tf_tile *tile, const struct tf_noted_access *access, uint32_t bytes)
{
    (void)tile, (void)access, (void)bytes;
    fail();
}

/* Nor do units reach the mover's registers. */
enum tf_access tf_tdma_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)tile, (void)from, (void)address, (void)value, (void)pure;
    fail();
    return TF_ACCESS_FAULT;
}

enum tf_access tf_tdma_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    (void)tile, (void)from, (void)address, (void)value;
    fail();
    return TF_ACCESS_FAULT;
}

static struct fixture *of(const struct tf_tile *tile)
{
    return (struct fixture *)(uintptr_t)tile;
}

void tf_tile_fault(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                   uint64_t address, const char *format, ...)
{
    struct fixture *fixture = of(tile);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fixture->fault_text, sizeof fixture->fault_text, format, arguments);
    va_end(arguments);
    (void)instruction;
    fixture->faults++;
    fixture->fault_core = core;
    fixture->fault_category = category;
    fixture->fault_address = address;
}

/* Only a packet that arrives has such faults, and none does. */
void tf_tile_fault_record(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                          enum tf_fault_category category, uint32_t instruction, uint64_t address, const char *format,
                          ...)
{
    (void)core;
    (void)pc;
    (void)cycle;
    (void)category;
    (void)instruction;
    (void)address;
    (void)format;
    of(tile)->faults++;
}

void tf_tile_l1_written(struct tf_tile *tile, uint32_t address, uint32_t bytes)
{
    of(tile)->l1_writes++;
    of(tile)->l1_written = address;
    of(tile)->l1_written_bytes = bytes;
}

void tf_code_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer)
{
    (void)writer;
    tf_tile_l1_written(tile, address, bytes);
}

void tf_hart_reset(struct tf_tile *tile, struct tf_hart *hart)
{
    of(tile)->resets[hart->core]++;
    hart->state = TF_CORE_RESET;
}

void tf_hart_release(struct tf_tile *tile, struct tf_hart *hart, uint32_t pc, uint64_t cycle)
{
    of(tile)->releases[hart->core]++;
    of(tile)->release_pc[hart->core] = pc;
    of(tile)->release_cycle[hart->core] = cycle;
    hart->state = TF_CORE_RUNNING;
    hart->pc = pc;
}

void tf_hart_resume(struct tf_tile *tile, struct tf_hart *hart)
{
    of(tile)->resumes[hart->core]++;
    hart->state = TF_CORE_RUNNING;
}

void tf_hart_pause(struct tf_tile *tile, struct tf_hart *hart)
{
    of(tile)->pauses[hart->core]++;
    if (hart->state == TF_CORE_RUNNING || hart->state == TF_CORE_BLOCKED || hart->state == TF_CORE_PARKED)
        hart->state = TF_CORE_PAUSED;
}

void tf_hart_watch(struct tf_hart *hart, bool watched)
{
    hart->watched = watched;
}

void tf_hart_look(struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_view *view)
{
    memset(view, 0, sizeof *view);
    if (hart->state == TF_CORE_PARKED) {
        *view = of(tile)->view;
        return;
    }
    view->state = (enum tf_core_state)hart->state;
    view->pc = hart->pc;
    view->wait_address = hart->wait_address;
    memcpy(view->x, hart->x, sizeof view->x);
}

void tf_tensix_reset(struct tf_tile *tile)
{
    of(tile)->tensix_resets++;
    bool pure;
    assert_int_equal(tf_mmio_load(tile, NOC, SOFT_RESET_0, 4, &of(tile)->reset_seen, &pure), TF_ACCESS_OK);
}

enum tf_access tf_tensix_push(struct tf_tile *tile, unsigned thread, uint32_t word, bool from_b, unsigned core,
                              uint32_t pc)
{
    struct fixture *fixture = of(tile);
    if (from_b ? fixture->full_for_b[thread] : fixture->full[thread])
        return TF_ACCESS_BLOCK;
    fixture->pushes++;
    fixture->push_thread = thread;
    fixture->push_word = word;
    fixture->push_from_b = from_b;
    fixture->push_core = core;
    fixture->push_pc = pc;
    return TF_ACCESS_OK;
}

bool tf_tensix_push_would_block(const struct tf_tile *tile, unsigned thread, bool from_b)
{
    return from_b ? of(tile)->full_for_b[thread] : of(tile)->full[thread];
}

void tf_tensix_lose_pushes(struct tf_tile *tile, unsigned thread, uint64_t first)
{
    (void)tile, (void)thread, (void)first;
}

void tf_tensix_keep_pushes(struct tf_tile *tile, unsigned thread, uint64_t first)
{
    (void)tile, (void)thread, (void)first;
}

bool tf_tensix_push_full(const struct tf_tile *tile, unsigned thread)
{
    return of(tile)->full_for_b[thread];
}

bool tf_tensix_push_empty(const struct tf_tile *tile, unsigned thread)
{
    return of(tile)->empty_for_b[thread];
}

bool tf_tensix_thread_idle(const struct tf_tile *tile, unsigned thread, uint64_t before)
{
    (void)before;
    return of(tile)->idle[thread];
}

uint32_t tf_config_window_words(const struct tf_tile *tile)
{
    (void)tile;
    return 3 * 224 + 3 * 68;
}

uint32_t tf_config_word(const struct tf_tensix *tensix, unsigned bank, unsigned index)
{
    (void)tensix, (void)bank, (void)index;
    return 0;
}

uint32_t tf_code_word(const struct tf_tile *tile, uint32_t pc)
{
    uint32_t word;
    memcpy(&word, tile->l1 + pc, sizeof word);
    return word;
}

bool tf_config_reset_pc(const struct tf_tile *tile, unsigned core, uint32_t *pc)
{
    (void)tile, (void)core, (void)pc;
    return false;
}

enum tf_access tf_tensix_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    struct fixture *fixture = of(tile);
    if (fixture->window_blocks)
        return TF_ACCESS_BLOCK;
    fixture->tensix_loads++;
    fixture->tensix_from = from;
    fixture->tensix_address = address;
    *value = fixture->tensix_value;
    *pure = fixture->tensix_pure;
    return fixture->tensix_refuses ? TF_ACCESS_FAULT : TF_ACCESS_OK;
}

bool tf_tensix_signal(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *value)
{
    *value = of(tile)->probe_value + word;
    return daisy == 3 && signal == 2;
}

bool tf_tensix_debug_array(struct tf_tile *tile, uint32_t command, uint32_t *value)
{
    *value = ~command;
    return of(tile)->array_known;
}

enum tf_access tf_dst_load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                           bool *pure)
{
    struct fixture *fixture = of(tile);
    *pure = false;
    *value = fixture->dst_value;
    fixture->dst_address = address;
    fixture->dst_size = size;
    fixture->dst_from = from;
    return TF_ACCESS_OK;
}

enum tf_access tf_dst_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    struct fixture *fixture = of(tile);
    fixture->dst_value = value;
    fixture->dst_address = address;
    fixture->dst_size = size;
    fixture->dst_from = from;
    return TF_ACCESS_OK;
}

enum tf_access tf_tensix_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    struct fixture *fixture = of(tile);
    if (fixture->window_blocks)
        return TF_ACCESS_BLOCK;
    fixture->tensix_stores++;
    fixture->tensix_from = from;
    fixture->tensix_address = address;
    fixture->tensix_value = value;
    return TF_ACCESS_OK;
}

bool tf_tensix_access_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool is_store)
{
    (void)from;
    (void)address;
    (void)is_store;
    return of(tile)->window_blocks;
}

static enum tf_access niu_load(void *niu, uint32_t offset, uint32_t *value, bool *pure)
{
    struct fake_niu *fake = niu;
    fake->loads++;
    fake->offset = offset;
    *value = fake->value;
    *pure = fake->pure;
    return fake->answer;
}

static enum tf_access niu_store(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    struct fake_niu *fake = niu;
    fake->stores++;
    fake->offset = offset;
    fake->value = value;
    fake->core = core;
    fake->pc = pc;
    return fake->answer;
}

struct fixture *fixture_create_kind(enum tf_tile_kind kind)
{
    struct fixture *fixture = zeroed_lines(sizeof *fixture);
    assert_non_null(fixture);
    struct tf_tile *tile = &fixture->tile;
    tile->arch = &tf_arch_blackhole.tile[kind];
    tile->l1 = tf_zeroed_take(tile->arch->l1_bytes);
    assert_non_null(tile->l1);
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        struct tf_hart *hart = &tile->hart[core];
        hart->core = (uint8_t)core;
        hart->state = TF_CORE_RUNNING;
        hart->pc = 0x1000 * (core + 1);
        hart->local_bytes = tile->arch->local_bytes[core];
        hart->local = calloc(1, hart->local_bytes);
        assert_non_null(hart->local);
    }
    for (unsigned i = 0; i < 3; i++)
        fixture->idle[i] = fixture->empty_for_b[i] = true;
    if (tile->arch->coprocessor)
        tile->tensix = (struct tf_tensix *)fixture; /* only compared with NULL */
    tile->port.load = niu_load;
    tile->port.store = niu_store;
    tile->port.niu[0] = &fixture->niu[0];
    tile->port.niu[1] = &fixture->niu[1];
    assert_true(tile->arch->kind != TF_TILE_ETH || tf_eth_create(tile));
    tf_mmio_init(tile);
    return fixture;
}

struct fixture *fixture_create(void)
{
    return fixture_create_kind(TF_TILE_TENSIX);
}

void fixture_destroy(struct fixture *fixture)
{
    tf_mmio_fini(&fixture->tile);
    tf_eth_destroy(&fixture->tile);
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        free(fixture->tile.hart[core].local);
    tf_zeroed_give(fixture->tile.l1, fixture->tile.arch->l1_bytes);
    free(fixture);
}

int fixture_setup(void **state)
{
    *state = fixture_create();
    return 0;
}

int fixture_teardown(void **state)
{
    fixture_destroy(*state);
    return 0;
}

enum tf_access try_load(struct fixture *fixture, unsigned from, uint32_t address, unsigned size, uint32_t *value)
{
    bool pure;
    return tf_mmio_load(&fixture->tile, from, address, size, value, &pure);
}

enum tf_access try_store(struct fixture *fixture, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    return tf_mmio_store(&fixture->tile, from, address, size, value);
}

uint32_t load(struct fixture *fixture, unsigned from, uint32_t address)
{
    uint32_t value = 0xDEADBEEF;
    assert_int_equal(try_load(fixture, from, address, 4, &value), TF_ACCESS_OK);
    return value;
}

uint32_t load_pure(struct fixture *fixture, unsigned from, uint32_t address, bool pure)
{
    uint32_t value = 0xDEADBEEF;
    bool said = !pure;
    assert_int_equal(tf_mmio_load(&fixture->tile, from, address, 4, &value, &said), TF_ACCESS_OK);
    assert_int_equal(said, pure);
    return value;
}

void store(struct fixture *fixture, unsigned from, uint32_t address, uint32_t value)
{
    assert_int_equal(try_store(fixture, from, address, 4, value), TF_ACCESS_OK);
}

static void check_fault(struct fixture *fixture, unsigned before, unsigned from, uint32_t address,
                        enum tf_fault_category category, const char *text)
{
    if (from == NOC) {
        assert_int_equal(fixture->faults, before);
        assert_non_null(strstr(tf_mmio_why(&fixture->tile), text));
        return;
    }
    assert_int_equal(fixture->faults, before + 1);
    assert_int_equal(fixture->fault_core, from);
    assert_int_equal(fixture->fault_category, category);
    assert_int_equal(fixture->fault_address, address);
    if (strstr(fixture->fault_text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", fixture->fault_text, text);
}

void load_faults(struct fixture *fixture, unsigned from, uint32_t address, unsigned size,
                 enum tf_fault_category category, const char *text)
{
    uint32_t value;
    unsigned before = fixture->faults;
    assert_int_equal(try_load(fixture, from, address, size, &value), TF_ACCESS_FAULT);
    check_fault(fixture, before, from, address, category, text);
}

void store_faults(struct fixture *fixture, unsigned from, uint32_t address, unsigned size,
                  enum tf_fault_category category, const char *text)
{
    unsigned before = fixture->faults;
    assert_int_equal(try_store(fixture, from, address, size, 0), TF_ACCESS_FAULT);
    check_fault(fixture, before, from, address, category, text);
}

static void hash_devices(struct tf_tile *tile, struct tf_hash *hash)
{
    tf_mmio_hash(tile, hash);
    if (tile->mmio.eth != NULL)
        tf_eth_hash(tile, hash);
}

uint64_t hash_of(struct fixture *fixture)
{
    return test_digest(&fixture->tile, hash_devices);
}
