/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace of Tensix instructions: the events and their order. Threads of the host do not show in them, and the trace
 * does not show in the state. And the trace of a core.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "farm/chip/chip.h"
#include "random.h"
#include "stress/rv_emit.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tilefarm_address.h"

#define W(op) ((uint32_t)TF_OP_##op << 24)
#define V(op, field, value) ((uint32_t)(value) << (TF_FIELD_##op##_##field & 0xFF))
#define PUSH TF_INSTRN_BUF_BASE
#define CODE(core) (0x1000u * ((core) + 1))
#define EVENTS_MAX 64u
#define TILE 17u

struct events {
    struct tf_tensix_event event[EVENTS_MAX];
    size_t count;
};

static void keep(void *user, const struct tf_tensix_event *event)
{
    struct events *events = user;
    assert_true(events->count < EVENTS_MAX);
    events->event[events->count++] = *event;
}

/* A program that pushes words, and the pc of each store. */
static void load(struct tf_chip *chip, enum tf_core core, const uint32_t *word, unsigned count, uint32_t *pc)
{
    uint32_t text[256];
    struct code code = {.word = text, .capacity = 256};
    struct tf_coord node;
    li(&code, 5, PUSH);
    for (unsigned i = 0; i < count; i++) {
        li(&code, 6, word[i]);
        pc[i] = CODE(core) + code.count * 4;
        put(&code, rv_s(SW, 6, 5, 0));
    }
    jump_to(&code, 0, code.count);
    assert_int_equal(tf_tile_coord(NULL, TILE, &node), TF_OK);
    assert_int_equal(tf_write(chip, node, CODE(core), text, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, TILE, core, CODE(core)), TF_OK);
    assert_int_equal(tf_core_start(chip, TILE, core), TF_OK);
}

static struct tf_chip *create(struct chip_wish *config)
{
    struct tf_chip *chip;
    config->pin = false;
    assert_int_equal(chip_wish_create(config, &chip, NULL), TF_OK);
    return chip;
}

#define ADD(n) (W(ADDDMAREG) | V(ADDDMAREG, op_b_is_const, 1) | V(ADDDMAREG, op_b_reg_index, n))
#define POST (W(SEMPOST) | V(SEMPOST, sem_sel, 1))
#define WAIT (W(SEMWAIT) | V(SEMWAIT, sem_sel, 1) | V(SEMWAIT, wait_sem_cond, 1) | V(SEMWAIT, stall_res, 0x1FF))
/* Waits until the word at 0 is 0, which it is. With 5 it waits until an actor stores 5. */
#define CAS(old) (W(ATCAS) | V(ATCAS, cmp_val, old) | V(ATCAS, addr_reg_index, 60))
#define RECORD (W(REPLAY) | V(REPLAY, len, 2) | 1u)
#define PLAY (W(REPLAY) | V(REPLAY, len, 2))

/* An atomic that waits keeps other instructions out of the scalar unit. The last two of T2 are for a run of their
   own. */
static const uint32_t pushed[3][7] = {
    {ADD(1), RECORD, ADD(2), ADD(3), PLAY, POST, 0xFF000000u},
    {WAIT, CAS(0), ADD(4), W(NOP)},
    {W(DMANOP), CAS(5), ADD(5)},
};

/* The parts of it that pass, and the pushed word with which each came. */
static const struct {
    uint32_t word;
    unsigned from;
    const char *unit, *text;
} passes[3][6] = {
    {
        {ADD(1), 0, "scalar", "ADDDMAREG op_a_reg_index=0 op_b_reg_index=1 result_reg_index=0 op_b_is_const=1"},
        {ADD(2), 4, "scalar", NULL},
        {ADD(3), 4, "scalar", NULL},
        {POST, 5, "sync", "SEMPOST sem_sel=1"},
    },
    {{WAIT, 0, "sync", NULL}, {CAS(0), 1, "scalar", NULL}, {ADD(4), 2, "scalar", NULL}, {W(NOP), 3, NULL, "NOP"}},
    {{W(DMANOP), 0, "scalar", "DMANOP"}},
};

static void reports_instructions_that_pass(void **state)
{
    (void)state;
    struct events events = {.count = 0};
    struct chip_wish config;
    uint32_t pc[3][7];
    unsigned seen[3] = {0}, expected[3] = {4, 4, 1};
    chip_wish_init(&config);
    config.on_tensix = keep;
    config.user = &events;
    config.go_on_after_fault = true;
    struct tf_chip *chip = create(&config);
    load(chip, TF_CORE_T0, pushed[0], 7, pc[0]);
    load(chip, TF_CORE_T1, pushed[1], 4, pc[1]);
    load(chip, TF_CORE_T2, pushed[2], 1, pc[2]);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    struct tf_coord node = chip->tiles.tile[TILE].coord;
    for (size_t i = 0; i < events.count; i++) {
        const struct tf_tensix_event *event = &events.event[i];
        unsigned t = event->thread, n = seen[t]++;
        char text[200];
        assert_true(n < expected[t]);
        assert_int_equal(event->instruction, passes[t][n].word);
        assert_int_equal(event->pc, pc[t][passes[t][n].from]);
        assert_memory_equal(&event->tile, &node, sizeof node);
        size_t length = tf_tensix_text(NULL, event->instruction, text, sizeof text);
        assert_int_equal(length, strlen(text));
        if (passes[t][n].text != NULL)
            assert_string_equal(text, passes[t][n].text);
        if (passes[t][n].unit != NULL)
            assert_string_equal(event->unit, passes[t][n].unit);
        if (i > 0)
            assert_true(event->cycle > event[-1].cycle || (event->cycle == event[-1].cycle && t > event[-1].thread));
    }
    assert_memory_equal(seen, expected, sizeof seen);
    assert_int_equal(chip->tiles.tile[TILE].tensix->frontend->passed, events.count);
    assert_int_equal(tf_fault_count(chip), 1);
    tf_chip_destroy(chip);
}

/* An atomic that waits is reported when it passes: in a later run, after a write of the host. */
static void later_runs_go_on(void **state)
{
    (void)state;
    struct events events = {.count = 0};
    struct chip_wish config;
    uint32_t pc[3], five = 5;
    chip_wish_init(&config);
    config.on_tensix = keep;
    config.user = &events;
    struct tf_chip *chip = create(&config);
    load(chip, TF_CORE_T2, pushed[2], 3, pc);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(events.count, 1);
    assert_int_equal(tf_write(chip, chip->tiles.tile[TILE].coord, 0, &five, 4), TF_OK);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(events.count, 3);
    assert_int_equal(events.event[1].instruction, CAS(5));
    assert_int_equal(events.event[2].instruction, ADD(5));
    assert_int_equal(chip->tiles.tile[TILE].tensix->frontend->passed, 3);
    tf_chip_destroy(chip);
}

/* A hash of all reported events, also for each tile, and a count of breaks of the order within a tile. */
struct sum {
    uint64_t hash, count, rounds; /* rounds: through the tiles, in the order of their indices */
    int last;
    struct {
        uint64_t hash, count, cycle;
        unsigned thread;
    } tile[TF_TENSIX_TILES];
    unsigned wrong;
};

static uint64_t mix_event(uint64_t hash, const struct tf_tensix_event *event)
{
    hash = test_mix(hash, (uint64_t)event->instruction << 32 | event->pc);
    return test_mix(hash, event->cycle << 20 | event->thread << 16 | event->tile.x << 8 | event->tile.y);
}

/* No tiles share anything here, because workers of relaxed mode run them at the same time. */
static void add_up_tile(void *user, const struct tf_tensix_event *event)
{
    struct sum *sum = user;
    int tile = tf_tile_index(NULL, event->tile);
    bool first = sum->tile[tile].count++ == 0;
    if (!first && (event->cycle < sum->tile[tile].cycle ||
                   (event->cycle == sum->tile[tile].cycle && event->thread <= sum->tile[tile].thread)))
        __atomic_fetch_add(&sum->wrong, 1, __ATOMIC_RELAXED);
    sum->tile[tile].cycle = event->cycle;
    sum->tile[tile].thread = event->thread;
    sum->tile[tile].hash = mix_event(sum->tile[tile].hash, event);
}

static void add_up(void *user, const struct tf_tensix_event *event)
{
    struct sum *sum = user;
    sum->hash = mix_event(sum->hash, event);
    sum->count++;
    sum->rounds += sum->count == 1 || tf_tile_index(NULL, event->tile) < sum->last;
    sum->last = tf_tile_index(NULL, event->tile);
    add_up_tile(user, event);
}

/* A run of three threads in lock-step, with MOPs and replays. The hash of the state. */
static uint64_t run_pipeline(struct chip_wish *config, struct sum *sum)
{
    const struct tf_workload *workload = tf_workload_find("pipeline");
    const struct tf_workload_options options = {.scale = 1, .seed = 1};
    struct tf_message message;
    enum tf_end end;
    void *state;
    memset(sum, 0, sizeof *sum);
    config->user = sum;
    struct tf_chip *chip = create(config);
    assert_int_equal(workload->setup(chip, &options, &state, &message), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    uint64_t hash = tf_state_hash(chip);
    struct tf_stats stats;
    tf_stats(chip, &stats);
    assert_true(sum->rounds <= stats.epochs);
    assert_int_equal(sum->wrong, 0);
    for (unsigned i = 0; i < TF_TENSIX_TILES && config->on_tensix != NULL; i++)
        assert_int_equal(sum->tile[i].count,
                         config->tensix_traced[i] ? chip->tiles.tile[i].tensix->frontend->passed : 0);
    workload->release(state);
    tf_chip_destroy(chip);
    return hash;
}

static void ways_to_run_do_not_show(void **state)
{
    (void)state;
    static const struct {
        unsigned threads;
        bool serial, parking;
    } ways[] = {{1, false, true}, {2, false, true}, {3, false, true}, {8, false, true}, {2, true, false}};
    struct sum *sum = malloc(2 * sizeof *sum);
    struct chip_wish config;
    assert_non_null(sum);
    chip_wish_init(&config);
    uint64_t hash = run_pipeline(&config, &sum[0]);
    assert_int_equal(sum[0].count, 0);
    config.on_tensix = add_up;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        config.threads = ways[i].threads;
        config.serial_delivery = ways[i].serial;
        config.parking = ways[i].parking;
        assert_true(run_pipeline(&config, &sum[i != 0]) == hash);
        assert_true(sum[0].count > TF_TENSIX_TILES);
        assert_memory_equal(&sum[0], &sum[i != 0], sizeof *sum);
    }
    free(sum);
}

static void reports_chosen_tiles(void **state)
{
    (void)state;
    struct sum *sum = malloc(3 * sizeof *sum);
    struct chip_wish config;
    assert_non_null(sum);
    chip_wish_init(&config);
    config.threads = 3;
    config.on_tensix = add_up;
    uint64_t hash = run_pipeline(&config, &sum[0]);
    memset(config.tensix_traced, 0, sizeof config.tensix_traced);
    config.tensix_traced[0] = config.tensix_traced[77] = true;
    assert_true(run_pipeline(&config, &sum[1]) == hash);
    assert_true(sum[1].count == sum[1].tile[0].count + sum[1].tile[77].count);
    assert_memory_equal(&sum[0].tile[0], &sum[1].tile[0], sizeof sum->tile[0]);
    assert_memory_equal(&sum[0].tile[77], &sum[1].tile[77], sizeof sum->tile[0]);
    /* Relaxed: run_pipeline() counts the instructions that passed. */
    config.mode = TF_MODE_RELAXED;
    config.on_tensix = add_up_tile;
    memset(config.tensix_traced, true, sizeof config.tensix_traced);
    run_pipeline(&config, &sum[2]);
    assert_true(sum[2].tile[77].count > 0);
    free(sum);
}

/* --- cores --- */

#define LUI(rd, upper) ((uint32_t)(upper) << 12 | (uint32_t)(rd) << 7 | 0x37u)
#define FMV_W_X(rd, rs1) ((uint32_t)(rs1) << 15 | (uint32_t)(rd) << 7 | 0xF0000053u)

/* Instructions, and what their events say: a register, 32 and on for f, and its value. */
static const struct {
    uint32_t word, rd, value;
} retired[] = {
    {LUI(5, 0x3F800), 5, 0x3F800000u},       {FMV_W_X(0, 5), 32, 0x3F800000u}, {0x00128F93u, 31, 0x3F800001u},
    {FMV_W_X(31, 31), 32 + 31, 0x3F800001u}, {FMV_W_X(1, 0), 33, 0},           {0x00100013u, 0, 0},
};

#define RETIRED (sizeof retired / sizeof retired[0])

struct retirements {
    struct tf_riscv_event event[RETIRED];
    size_t count;
};

static void keep_retired(void *user, const struct tf_riscv_event *event)
{
    struct retirements *events = user;
    if (events->count < RETIRED)
        events->event[events->count++] = *event;
}

static void keep_stores(void *user, const struct tf_riscv_event *event)
{
    if (event->stores)
        keep_retired(user, event);
}

/* Pushes that wait in the FIFO have come in the cycles of their stores, which follow each other. */
static void stores_of_pushes_take_a_cycle_each(void **state)
{
    (void)state;
    struct retirements events = {.count = 0};
    uint32_t text[64];
    struct code code = {.word = text, .capacity = 64};
    uint64_t hash[2];
    li(&code, 5, PUSH);
    for (unsigned i = 0; i < 5; i++)
        li(&code, 6 + i, i == 0 ? CAS(5) : ADD(i));
    for (unsigned i = 0; i < 5; i++)
        put(&code, rv_s(SW, 6 + i, 5, 0));
    jump_to(&code, 0, code.count);
    for (unsigned traced = 0; traced < 2; traced++) {
        struct chip_wish config;
        chip_wish_init(&config);
        config.on_riscv = traced ? keep_retired : NULL;
        config.user = &events;
        config.riscv_traced[TILE] = 1u << TF_CORE_T2;
        struct tf_chip *chip = create(&config);
        assert_int_equal(tf_write(chip, chip->tiles.tile[TILE].coord, CODE(0), text, code.count * 4), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, TILE, TF_CORE_T2, CODE(0)), TF_OK);
        assert_int_equal(tf_core_start(chip, TILE, TF_CORE_T2), TF_OK);
        assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
        assert_int_equal(chip->tiles.tile[TILE].tensix->frontend->passed, 0);
        hash[traced] = tf_state_hash(chip);
        tf_chip_destroy(chip);
    }
    assert_int_equal(events.count, RETIRED);
    assert_true(hash[0] == hash[1]);
}

/* What a store, or an atomic, has left in memory: its own bytes. */
static void reports_stored_values(void **state)
{
    (void)state;
    static const struct {
        unsigned bytes;
        uint32_t stored;
    } expected[] = {{1, 0x78}, {2, 0x5678}, {4, 0x12345678}, {4, 0x2468ACF0}};
    enum { AMOADD_W = 0x202F };
    struct retirements events = {.count = 0};
    uint32_t text[16];
    struct code code = {.word = text, .capacity = 16};
    struct chip_wish config;
    chip_wish_init(&config);
    config.on_riscv = keep_stores;
    config.user = &events;
    config.riscv_traced[TILE] = 1u << TF_CORE_B;
    struct tf_chip *chip = create(&config);
    li(&code, 5, 0x20000);
    li(&code, 6, 0x12345678);
    put(&code, rv_s(SB, 6, 5, 16));
    put(&code, rv_s(SH, 6, 5, 32));
    put(&code, rv_s(SW, 6, 5, 0));
    put(&code, rv_r(AMOADD_W, 7, 5, 6));
    jump_to(&code, 0, code.count);
    assert_int_equal(tf_write(chip, chip->tiles.tile[TILE].coord, CODE(0), text, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, TILE, TF_CORE_B, CODE(0)), TF_OK);
    assert_int_equal(tf_core_start(chip, TILE, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(events.count, sizeof expected / sizeof expected[0]);
    for (unsigned i = 0; i < events.count; i++) {
        assert_int_equal(events.event[i].bytes, expected[i].bytes);
        assert_int_equal(events.event[i].stored, expected[i].stored);
    }
    tf_chip_destroy(chip);
}

static void reports_registers(void **state)
{
    (void)state;
    struct retirements events = {.count = 0};
    struct chip_wish config;
    struct tf_coord node;
    chip_wish_init(&config);
    config.on_riscv = keep_retired;
    config.user = &events;
    config.riscv_traced[TILE] = 1u << TF_CORE_B;
    struct tf_chip *chip = create(&config);
    assert_int_equal(tf_tile_coord(NULL, TILE, &node), TF_OK);
    for (unsigned i = 0; i < RETIRED; i++)
        assert_int_equal(tf_write(chip, node, CODE(TF_CORE_B) + 4 * i, &retired[i].word, 4), TF_OK);
    const uint32_t jump_to_itself = rv_j(0, 0);
    assert_int_equal(tf_write(chip, node, CODE(TF_CORE_B) + 4 * RETIRED, &jump_to_itself, 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, TILE, TF_CORE_B, CODE(TF_CORE_B)), TF_OK);
    assert_int_equal(tf_core_start(chip, TILE, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(events.count, RETIRED);
    for (unsigned i = 0; i < RETIRED; i++) {
        assert_int_equal(events.event[i].instruction, retired[i].word);
        assert_int_equal(events.event[i].rd, retired[i].rd);
        assert_int_equal(events.event[i].value, retired[i].value);
    }
    tf_chip_destroy(chip);
}

/* Counts instructions: reported, and skipped before these. */
static void count_retired(void *user, const struct tf_riscv_event *event)
{
    *(uint64_t *)user += 1 + event->skipped;
}

/* With parking off, loops of a tile are reported while the tile is quiet, up to the end of the run. */
static void reports_executed_loops(void **state)
{
    (void)state;
    uint64_t events = 0;
    uint32_t text[8];
    struct code code = {.word = text, .capacity = 8};
    struct chip_wish config;
    struct tf_stats stats;
    chip_wish_init(&config);
    config.parking = false;
    config.on_riscv = count_retired;
    config.user = &events;
    config.riscv_traced[TILE] = 1u << TF_CORE_B;
    struct tf_chip *chip = create(&config);
    put(&code, rv_j(0, 0));
    li(&code, 5, 50000);
    put(&code, rv_i(ADDI, 5, 5, -1u));
    put(&code, rv_b(BNE, 5, 0, -4));
    jump_to(&code, 0, code.count);
    for (unsigned tile = TILE; tile <= TILE + 1; tile++) { /* the second one skips the first word */
        struct tf_coord node;
        assert_int_equal(tf_tile_coord(NULL, tile, &node), TF_OK);
        assert_int_equal(tf_write(chip, node, CODE(TF_CORE_B), text, code.count * 4), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_B, CODE(TF_CORE_B) + (tile != TILE) * 4), TF_OK);
        assert_int_equal(tf_core_start(chip, tile, TF_CORE_B), TF_OK);
    }
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    tf_stats(chip, &stats);
    assert_true(stats.cycles > 100000);
    assert_int_equal(events, stats.cycles);
    tf_chip_destroy(chip);
}

/* Wormhole: NC's instruction RAM is no code for another core, whether that core is traced or not. */
static void other_cores_lack_instruction_ram(void **state)
{
    (void)state;
    for (unsigned traced = 0; traced < 2; traced++) {
        struct retirements events = {.count = 0};
        uint32_t text[4];
        struct code code = {.word = text, .capacity = 4};
        struct chip_wish config;
        struct tf_coord node;
        struct tf_fault fault;
        chip_wish_init(&config);
        config.arch = tf_arch_find("wormhole");
        config.on_riscv = keep_retired;
        config.user = &events;
        config.riscv_traced[TILE] = (uint8_t)(traced << TF_CORE_T0);
        struct tf_chip *chip = create(&config);
        assert_int_equal(tf_tile_coord(config.arch, TILE, &node), TF_OK);
        li(&code, 5, TF_IRAM_BASE);
        put(&code, rv_i(JALR, 0, 5, 0));
        assert_int_equal(tf_write(chip, node, CODE(TF_CORE_T0), text, code.count * 4), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, TILE, TF_CORE_T0, CODE(TF_CORE_T0)), TF_OK);
        assert_int_equal(tf_core_start(chip, TILE, TF_CORE_T0), TF_OK);
        assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
        assert_int_equal(events.count, traced * code.count);
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_int_equal(fault.pc, TF_IRAM_BASE);
        assert_string_equal(fault.text, "instruction fetch outside L1");
        tf_chip_destroy(chip);
    }
}

/* --- memory --- */

static bool refuses;

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    return refuses ? NULL : __real_realloc(old, bytes);
}

static void count_event(void *user, const struct tf_riscv_event *event)
{
    (void)event;
    ++*(uint64_t *)user;
}

/* A fault tells that events are lost. Once there is memory again, no more is lost. */
static void losses_end(void **state)
{
    (void)state;
    const uint32_t code[] = {0x00128293, 0xFFDFF06F}; /* addi t0, t0, 1; j -4 */
    const struct tf_run_options some = {.cycles_max = 5000};
    struct chip_wish config;
    struct tf_chip *chip;
    struct tf_fault fault;
    uint64_t events = 0;
    chip_wish_init(&config);
    config.threads = 1;
    config.go_on_after_fault = true;
    config.on_riscv = count_event;
    config.user = &events;
    config.riscv_traced[0] = 1;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(tf_write(chip, (struct tf_coord){1, 2}, 0, code, sizeof code), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    refuses = true;
    assert_int_equal(tf_run(chip, &some, NULL), TF_OK);
    refuses = false;
    const size_t faults = tf_fault_count(chip);
    assert_true(faults != 0 && events == 0);
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_non_null(strstr(fault.text, "no memory for the trace"));
    assert_int_equal(tf_run(chip, &some, NULL), TF_OK);
    assert_int_equal(tf_fault_count(chip), faults);
    assert_true(events > 4000);
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_end),
        cmocka_unit_test(reports_instructions_that_pass),
        cmocka_unit_test(later_runs_go_on),
        cmocka_unit_test(ways_to_run_do_not_show),
        cmocka_unit_test(reports_chosen_tiles),
        cmocka_unit_test(reports_registers),
        cmocka_unit_test(reports_stored_values),
        cmocka_unit_test(stores_of_pushes_take_a_cycle_each),
        cmocka_unit_test(reports_executed_loops),
        cmocka_unit_test(other_cores_lack_instruction_ram),
    };
    cmocka_set_test_filter(getenv("TF_TEST"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
