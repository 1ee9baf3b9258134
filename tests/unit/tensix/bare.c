/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"
#include "tile/tensix/mover/mover.h"
#include "tile/why.h"
#include "tile/riscv/hart/access_fault.h"
#include "tile/riscv/hart/stop.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/whole/status.h"
#include "unit/tensix/bare.h"

#include "host/hostile.h"
#include "host/zeroed.h"
#include "tile/state.h"
#include "tile/observe.h"
#include "tile/tensix/matrix/scratch.h"
#include "random.h"
#include "digest.h"

static size_t memory_bytes(const struct tf_arch *arch)
{
    return tf_tensix_body_bytes() + tf_tensix_head_bytes(&arch->tile[TF_TILE_TENSIX]);
}

static enum tf_access load(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t *value,
                           bool *pure)
{
    struct bare *bare = (struct bare *)tile;
    (void)from, (void)size;
    *pure = true;
    if (bare->fail_mmio)
        return TF_ACCESS_FAULT;
    *value = bare->mmio[(address & 0xFFFFF) / 4];
    return TF_ACCESS_OK;
}

static enum tf_access store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned size, uint32_t value)
{
    struct bare *bare = (struct bare *)tile;
    (void)from, (void)size;
    if (bare->fail_mmio)
        return TF_ACCESS_FAULT;
    bare->mmio[(address & 0xFFFFF) / 4] = value;
    bare->mmio_stores++;
    bare->stored_address = address;
    bare->stored_value = value;
    return TF_ACCESS_OK;
}

static const struct tf_mmio_bus bus = {.load = load,
                                       .store = store,
                                       .tdma_load = tf_tdma_load,
                                       .tdma_store = tf_tdma_store};

static int setup_of(void **state, const struct tf_arch *arch)
{
    struct bare *bare = zeroed_lines(sizeof *bare);
    assert_non_null(bare);
    bare->mmio = tf_zeroed_take(BARE_MMIO_BYTES);
    bare->tile.l1 = tf_zeroed_take(tf_code_bytes(&arch->tile[TF_TILE_TENSIX]));
    assert_true(bare->mmio != NULL && bare->tile.l1 != NULL);
    bare->tile.arch = &arch->tile[TF_TILE_TENSIX];
    uint8_t *memory = bare->tile.memory = tf_zeroed_take(memory_bytes(arch));
    assert_non_null(memory);
    bare->tile.mmio.bus = &bus;
    tf_tensix_create(&bare->tile, memory + tf_tensix_body_bytes(), memory);
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        bare->tile.hart[core].core = (uint8_t)core;
        bare->tile.hart[core].state = TF_CORE_RUNNING;
    }
    bare->scratch = tf_scratch_create();
    tf_scratch_lend(bare->scratch, &bare->tile);
    *state = bare;
    return 0;
}

int bare_setup(void **state)
{
    return setup_of(state, &tf_arch_blackhole);
}

int bare_setup_wormhole(void **state)
{
    return setup_of(state, &tf_arch_wormhole);
}

int bare_teardown(void **state)
{
    struct bare *bare = *state;
    tf_tensix_destroy(&bare->tile);
    tf_scratch_destroy(bare->scratch);
    tf_zeroed_give(bare->tile.memory, tf_tensix_body_bytes() + tf_tensix_head_bytes(bare->tile.arch));
    tf_zeroed_give(bare->tile.l1, tf_code_bytes(bare->tile.arch));
    tf_zeroed_give(bare->mmio, BARE_MMIO_BYTES);
    free(bare);
    return 0;
}

#define QUEUED (sizeof((struct bare *)0)->queue[0][0].entry / sizeof((struct bare *)0)->queue[0][0].entry[0])

static enum tf_access push_word(struct bare *bare, unsigned thread, uint32_t word, bool from_b, uint32_t pc)
{
    return tf_tensix_push(&bare->tile, thread, word, from_b, from_b ? (unsigned)TF_CORE_B : TF_CORE_T0 + thread, pc);
}

void bare_push_at(struct bare *bare, unsigned thread, uint32_t word, bool from_b, uint32_t pc)
{
    struct bare_queue *queue = &bare->queue[thread][from_b];
    if (queue->count == 0) {
        enum tf_access access = push_word(bare, thread, word, from_b, pc);
        if (access == TF_ACCESS_OK)
            return;
        assert_int_equal(access, TF_ACCESS_BLOCK);
    }
    assert_true(TF_HOSTILE);
    assert_true(queue->count < QUEUED);
    unsigned last = (queue->first + queue->count++) % QUEUED;
    queue->entry[last].word = word;
    queue->entry[last].pc = pc;
    queue->entry[last].cycle = bare->tile.cycle;
}

void bare_push(struct bare *bare, unsigned thread, uint32_t word)
{
    bare_push_at(bare, thread, word, false, 0x6000);
}

void bare_push_b(struct bare *bare, unsigned thread, uint32_t word)
{
    bare_push_at(bare, thread, word, true, 0x1000);
}

/* Push the words that are due in this cycle, while there is room. Returns whether more words wait. */
static bool feed(struct bare *bare)
{
    bool waits = false;
    for (unsigned i = 0; i < 6; i++) {
        struct bare_queue *queue = &bare->queue[i / 2][i % 2];
        if (i % 2 == 0 && bare->tile.hart[TF_CORE_T0 + i / 2].state == TF_CORE_RESET)
            queue->count = 0;
        if (queue->count != 0 && queue->entry[queue->first].cycle <= bare->tile.cycle &&
            push_word(bare, i / 2, queue->entry[queue->first].word, i % 2, queue->entry[queue->first].pc) ==
                TF_ACCESS_OK) {
            queue->first = (queue->first + 1) % QUEUED;
            queue->count--;
        }
        waits |= queue->count != 0;
    }
    return waits;
}

void bare_turn(struct bare *bare, uint64_t deadline)
{
    struct tf_tile *tile = &bare->tile;
    uint64_t kept = tile->cycle;
    for (uint64_t cycle = tf_tensix_clock(tile); cycle < deadline; cycle++) {
        tile->cycle = cycle;
        if (!feed(bare))
            break;
        tf_tensix_turn(tile, cycle + 1);
    }
    tile->cycle = kept;
    tf_tensix_turn(tile, deadline);
}

void bare_run(struct bare *bare, unsigned cycles)
{
    bare->tile.cycle += cycles;
    bare_turn(bare, bare->tile.cycle);
}

uint64_t bare_hash(struct bare *bare)
{
    return test_digest(&bare->tile, tf_tensix_hash);
}

static uint64_t random_state;

void bare_seed(void)
{
    random_state = test_seed(1);
}

uint32_t bare_random(void)
{
    return test_random(&random_state);
}

void bare_without_denormals(void (*run)(struct bare *bare), struct bare *bare)
{
#ifdef __x86_64__
    enum { FLUSH_TO_ZERO = 1 << 15, DENORMALS_ARE_ZEROS = 1 << 6 };
    unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZEROS);
    run(bare);
    __builtin_ia32_ldmxcsr(before);
#else
    run(bare);
#endif
}

static void record(struct tf_tile *tile, unsigned core, uint32_t pc, enum tf_fault_category category,
                   uint32_t instruction, bool hazard, const char *format, va_list arguments)
{
    struct tf_fault *fault = &tile->faults.entry[tile->faults.count % TF_TILE_FAULTS_MAX];
    tile->faults.count++;
    *fault = (struct tf_fault){
        .core = (uint8_t)core, .pc = pc, .category = category, .instruction = instruction, .hazard = hazard};
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
}

#define RECORD(core, pc, hazard)                                                  \
    do {                                                                          \
        va_list arguments;                                                        \
        va_start(arguments, format);                                              \
        record(tile, core, pc, category, instruction, hazard, format, arguments); \
        va_end(arguments);                                                        \
    } while (0)

void tf_tile_fault(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                   uint64_t address, const char *format, ...)
{
    (void)address;
    ((struct bare *)tile)->hart_faults++;
    RECORD(core, 0, false);
}

void tf_tile_fault_record(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                          enum tf_fault_category category, uint32_t instruction, uint64_t address, const char *format,
                          ...)
{
    (void)address;
    RECORD(core, pc, false);
    tile->faults.entry[(tile->faults.count - 1) % TF_TILE_FAULTS_MAX].cycle = cycle;
}

void tf_tile_hazard(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                    uint64_t address, const char *format, ...)
{
    (void)address;
    RECORD(core, 0, true);
}

void tf_tile_hazard_at(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                       enum tf_fault_category category, uint32_t instruction, const char *format, ...)
{
    RECORD(core, pc, true);
    tile->faults.entry[(tile->faults.count - 1) % TF_TILE_FAULTS_MAX].cycle = cycle;
}

enum tf_access tf_mmio_fault(struct tf_tile *tile, unsigned from, enum tf_fault_category category, uint32_t address,
                             const char *why)
{
    struct bare *bare = (struct bare *)tile;
    (void)from, (void)category, (void)address;
    bare->hart_faults++;
    snprintf(bare->why, sizeof bare->why, "%s", why);
    return TF_ACCESS_FAULT;
}

const char *tf_mmio_why(struct tf_tile *tile)
{
    (void)tile;
    return "the fake says no";
}

void tf_search_configured(struct tf_tile *tile, const uint32_t *config, unsigned index, uint32_t old, uint32_t value)
{
    (void)tile, (void)config, (void)index, (void)old, (void)value;
}

void tf_observe_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer)
{
    (void)tile, (void)address, (void)bytes, (void)writer;
}

void tf_code_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer)
{
    (void)writer;
    struct bare *bare = (struct bare *)tile;
    bare->noted_address = address;
    bare->noted_bytes = bytes;
}
