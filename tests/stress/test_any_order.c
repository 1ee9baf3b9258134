/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs that race, with an outcome that no order changes. Each core has a slot of its own in every tile and a
 * region of DRAM. It writes, reads, and changes them by atomics, in any mixture, and R2 orders these requests. So the
 * host knows all their data. All cores add to common words and streams; the sums are known, and answers of additions
 * form one chain. Requests go by transactions of one step, by packets, and by owners who perform them for others.
 *
 * Invariants R1 to R6, R8 and R9 of docs/design.md.
 *
 * TF_SEED takes the seed, TF_ROUNDS how many are tried from there on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "chip_wish.h"
#include "noc_request.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"

#define NODES_MAX 30u
#define TILES_MAX 12u
#define COMMON 0x20000u /* words that all cores add to, 16 bytes apart */
#define COMMON_WORDS 8u
#define SLOT(node) (0x24000u + (node)*SLOT_BYTES) /* in every tile, and in DRAM */
#define SLOT_BYTES 0x400u
#define SOURCE(core) (0x40000u + (core)*SOURCE_BYTES) /* data that the host puts there */
#define SOURCE_BYTES 0x1000u
#define SCRATCH(core) (0x48000u + (core)*0x1000u)   /* words that the core stores before it sends them */
#define LANDED(core) (0x60000u + (core)*LAND_BYTES) /* data of reads, one after another */
#define LAND_BYTES 0x12000u
#define ANSWERS(core) (0xC0000u + (core)*0x1000u) /* of atomics */
#define DRAM(node) (0x1000000u + (node)*SLOT_BYTES)
#define ACTIONS_MAX 70u
#define STREAMS 4u
#define SPACE_AVAILABLE(stream) (TF_STREAM_BASE + (stream)*0x1000u + 297 * 4)
#define SPACE_UPDATE(stream) (TF_STREAM_BASE + (stream)*0x1000u + 270 * 4)
#define SPACE_MASK 0x1FFFFu

/* An answered addition to a common word. */
struct answer {
    uint32_t delta, at; /* in the adder's tile */
    uint16_t node, tile, word;
};

struct node {
    unsigned tile, core, noc; /* tile: index of plan.tile */
    struct tf_coord port;     /* of DRAM */
    uint32_t scratch, landed, answers, asked;
};

/* What a chip holds after any run. */
struct model {
    struct plan plan;
    struct node node[NODES_MAX];
    unsigned nodes;
    uint8_t slot[TILES_MAX + 1][NODES_MAX][SLOT_BYTES]; /* the last ones are in DRAM */
    uint8_t source[TILES_MAX][TF_TILE_CORES][SOURCE_BYTES];
    uint8_t landed[NODES_MAX][LAND_BYTES];
    uint32_t own[NODES_MAX][ACTIONS_MAX]; /* answers of atomics on slots */
    bool is_own[NODES_MAX][ACTIONS_MAX];
    uint32_t sum[TILES_MAX][COMMON_WORDS], space[TILES_MAX][STREAMS];
    struct answer answer[NODES_MAX * ACTIONS_MAX];
    unsigned answered;
};

/* A program that is being written. */
struct writer {
    struct dice *dice;
    struct model *model;
    struct node *node;
    unsigned number;
    struct code *code;
};

static uint32_t xy(struct tf_coord at)
{
    return at.x | (uint32_t)at.y << 6;
}

static uint32_t self(const struct writer *to)
{
    return xy(to->model->plan.tile[to->node->tile]);
}

static void wait_answered(struct writer *to)
{
    li(to->code, 26, NIU_COUNTER(0, 16) + to->node->noc * 0x10000u + to->node->core * 4);
    unsigned loop = to->code->count;
    put(to->code, rv_i(LW, 27, 26, 0));
    branch_to(to->code, BNE, 27, 0, loop);
    to->node->asked = 0;
}

/* answers: how many come; the counter has 8 bits. */
static void ask(struct writer *to, const uint32_t word[NOC_WORDS], unsigned answers)
{
    struct noc_request request = {.noc = to->node->noc, .initiator = to->node->core % 3};
    memcpy(request.word, word, sizeof request.word);
    request.word[N_TAG] = to->node->core << 10;
    if (to->node->asked + answers > 200)
        wait_answered(to);
    to->node->asked += answers;
    emit_request(to->code, &request);
}

/* A place in the slot of some tile, or in DRAM: `where` is an index of model.slot. Returns its node. */
static uint32_t some_slot(struct writer *to, unsigned *where)
{
    *where = one_in(to->dice, 8) ? TILES_MAX : pick(to->dice, to->model->plan.tiles);
    return *where == TILES_MAX ? xy(to->node->port) : xy(to->model->plan.tile[*where]);
}

static uint32_t slot_at(const struct writer *to, unsigned where)
{
    return where == TILES_MAX ? DRAM(to->number) : SLOT(to->number);
}

static void some_range(struct dice *dice, uint32_t *at, uint32_t *bytes)
{
    *bytes = one_in(dice, 3) ? 4 : one_in(dice, 2) ? pick_between(dice, 1, 64) : pick_between(dice, 65, 900);
    *at = pick(dice, SLOT_BYTES - *bytes + 1);
}

/* A place in the core's source, equal to `at` modulo 64. */
static uint32_t some_source(struct dice *dice, uint32_t at)
{
    return pick(dice, (SOURCE_BYTES - SLOT_BYTES) / 64 - 1) * 64 + at % 64;
}

static void write_slot(struct writer *to)
{
    unsigned where;
    uint32_t at, bytes, target = some_slot(to, &where);
    bool answered = one_in(to->dice, 2);
    some_range(to->dice, &at, &bytes);
    uint32_t from = some_source(to->dice, at);
    const uint32_t word[NOC_WORDS] = {[N_TARG_LO] = SOURCE(to->node->core) + from, [N_TARG_HI] = self(to),
                                      [N_RET_LO] = slot_at(to, where) + at,        [N_RET_HI] = target,
                                      [N_CTRL] = 2 | (answered ? 1u << 4 : 0),     [N_AT_LEN] = bytes};
    ask(to, word, answered);
    memcpy(to->model->slot[where][to->number] + at, to->model->source[to->node->tile][to->node->core] + from, bytes);
}

/* Bytes that a mask chooses out of 64. */
static void write_masked(struct writer *to)
{
    unsigned where = pick(to->dice, to->model->plan.tiles);
    uint32_t at = pick(to->dice, SLOT_BYTES / 64) * 64, from = some_source(to->dice, 0);
    uint64_t mask = (uint64_t)roll(to->dice) << 32 | roll(to->dice);
    const uint32_t word[NOC_WORDS] = {[N_TARG_LO] = SOURCE(to->node->core) + from,
                                      [N_TARG_HI] = self(to),
                                      [N_RET_LO] = SLOT(to->number) + at,
                                      [N_RET_HI] = xy(to->model->plan.tile[where]),
                                      [N_CTRL] = 2 | 1u << 2 | 1u << 4,
                                      [N_AT_LEN] = (uint32_t)mask,
                                      [N_AT_LEN_1] = (uint32_t)(mask >> 32)};
    ask(to, word, 1);
    for (unsigned i = 0; i < 64; i++)
        if (mask >> i & 1)
            to->model->slot[where][to->number][at + i] = to->model->source[to->node->tile][to->node->core][from + i];
}

/* To all tiles of a rectangle between two of the plan. */
static void multicast(struct writer *to)
{
    const struct plan *plan = &to->model->plan;
    struct tf_coord a = plan->tile[pick(to->dice, plan->tiles)], b = plan->tile[pick(to->dice, plan->tiles)];
    uint32_t at, bytes, x0 = a.x < b.x ? a.x : b.x, y0 = a.y < b.y ? a.y : b.y;
    uint32_t x1 = a.x ^ b.x ^ x0, y1 = a.y ^ b.y ^ y0, first = x0 | y0 << 6, last = x1 | y1 << 6;
    some_range(to->dice, &at, &bytes);
    uint32_t from = some_source(to->dice, at);
    const uint32_t word[NOC_WORDS] = {[N_TARG_LO] = SOURCE(to->node->core) + from,
                                      [N_TARG_HI] = self(to),
                                      [N_RET_LO] = SLOT(to->number) + at,
                                      [N_RET_HI] = to->node->noc ? last << 12 | first : first << 12 | last,
                                      [N_CTRL] = 2 | 1u << 5 | 1u << 17, /* to this tile, too */
                                      [N_AT_LEN] = bytes};
    ask(to, word, 0);
    for (unsigned i = 0; i < plan->tiles; i++)
        if (plan->tile[i].x >= x0 && plan->tile[i].x <= x1 && plan->tile[i].y >= y0 && plan->tile[i].y <= y1)
            memcpy(to->model->slot[i][to->number] + at, to->model->source[to->node->tile][to->node->core] + from,
                   bytes);
}

/* A word that the core has just stored (R3). */
static void send_stored(struct writer *to)
{
    unsigned where;
    uint32_t target = some_slot(to, &where), value = roll(to->dice), at = pick(to->dice, SLOT_BYTES / 64) * 64;
    uint32_t from = to->node->scratch;
    to->node->scratch += 64;
    li(to->code, 26, from);
    li(to->code, 27, value);
    put(to->code, rv_s(SW, 27, 26, 0));
    put(to->code, rv_i(LW, 28, 26, 0));
    const uint32_t word[NOC_WORDS] = {[N_TARG_LO] = from,  [N_TARG_HI] = self(to), [N_RET_LO] = slot_at(to, where) + at,
                                      [N_RET_HI] = target, [N_CTRL] = 2,           [N_AT_LEN] = 4};
    ask(to, word, 0);
    memcpy(to->model->slot[where][to->number] + at, &value, 4);
}

static void read_range(struct writer *to, uint32_t target, unsigned where, uint32_t at, uint32_t bytes)
{
    uint32_t into = to->node->landed + at % 64;
    const uint32_t word[NOC_WORDS] = {[N_TARG_LO] = slot_at(to, where) + at,
                                      [N_TARG_HI] = target,
                                      [N_RET_LO] = LANDED(to->node->core) + into,
                                      [N_RET_HI] = self(to),
                                      [N_AT_LEN] = bytes};
    assert_true(into + bytes <= LAND_BYTES - 64);
    ask(to, word, 1);
    memcpy(to->model->landed[to->number] + into, to->model->slot[where][to->number] + at, bytes);
    to->node->landed = (into + bytes + 63) & ~63u;
}

static void read_slot(struct writer *to)
{
    unsigned where;
    uint32_t at, bytes, target = some_slot(to, &where);
    some_range(to->dice, &at, &bytes);
    read_range(to, target, where, at, bytes);
}

static uint32_t add(struct writer *to, unsigned tile, uint32_t address, uint32_t delta, bool answered)
{
    uint32_t into = to->node->answers;
    const uint32_t word[NOC_WORDS] = {[N_TARG_LO] = address,
                                      [N_TARG_HI] = xy(to->model->plan.tile[tile]),
                                      [N_RET_LO] = ANSWERS(to->node->core) + into,
                                      [N_RET_HI] = self(to),
                                      [N_CTRL] = 1 | (answered ? 1u << 4 : 0),
                                      [N_AT_LEN] = 0x1000 | 31u << 2 | (address >> 2 & 3),
                                      [N_AT_DATA] = delta};
    ask(to, word, answered);
    to->node->answers += 4;
    return into;
}

/* To a word of the slot, which writes change, too. */
static void add_own(struct writer *to)
{
    unsigned where = pick(to->dice, to->model->plan.tiles);
    uint32_t at = pick(to->dice, SLOT_BYTES / 4) * 4, delta = roll(to->dice), old;
    bool answered = !one_in(to->dice, 3);
    uint8_t *word = to->model->slot[where][to->number] + at;
    memcpy(&old, word, 4);
    unsigned index = add(to, where, SLOT(to->number) + at, delta, answered) / 4;
    to->model->own[to->number][index] = old;
    to->model->is_own[to->number][index] = answered;
    old += delta;
    memcpy(word, &old, 4);
}

/* To a word that all cores add to. No sum wraps, so that the answers have an order. */
static void add_common(struct writer *to)
{
    struct model *model = to->model;
    unsigned tile = pick(to->dice, model->plan.tiles), word = pick(to->dice, COMMON_WORDS);
    uint32_t delta = pick_between(to->dice, 1, 1000);
    bool answered = !one_in(to->dice, 4);
    uint32_t into = add(to, tile, COMMON + 16 * word, delta, answered);
    model->sum[tile][word] += delta;
    if (answered)
        model->answer[model->answered++] = (struct answer){delta, ANSWERS(to->node->core) + into, (uint16_t)to->number,
                                                           (uint16_t)tile, (uint16_t)word};
}

/* Only the owner of the tile may do this (R6). Later requests of this tile to that one wait for it. */
static void add_space(struct writer *to)
{
    unsigned tile = pick(to->dice, to->model->plan.tiles), stream = pick(to->dice, STREAMS);
    uint32_t delta = pick(to->dice, 64);
    bool answered = one_in(to->dice, 2);
    const uint32_t word[NOC_WORDS] = {[N_TARG_LO] = SPACE_UPDATE(stream),
                                      [N_TARG_HI] = xy(to->model->plan.tile[tile]),
                                      [N_CTRL] = 2 | 1u << 3 | (answered ? 1u << 4 : 0),
                                      [N_AT_LEN] = 0xF,
                                      [N_AT_DATA] = delta << 6};
    ask(to, word, answered);
    to->model->space[tile][stream] += delta;
}

static void linger(struct writer *to)
{
    if (one_in(to->dice, 2)) {
        wait_answered(to);
        return;
    }
    put(to->code, rv_i(ADDI, 28, 0, pick_between(to->dice, 1, 600)));
    unsigned loop = to->code->count;
    put(to->code, rv_i(ADDI, 28, 28, -1u));
    branch_to(to->code, BNE, 28, 0, loop);
}

static void write_program(struct writer *to)
{
    static void (*const actions[])(struct writer *) = {
        write_slot, write_slot, write_masked, multicast,  send_stored, read_slot,
        read_slot,  add_own,    add_own,      add_common, add_space,   linger,
    };
    to->node->scratch = SCRATCH(to->node->core);
    for (unsigned left = pick_between(to->dice, 5, ACTIONS_MAX); left > 0; left--)
        actions[pick(to->dice, sizeof actions / sizeof actions[0])](to);
    read_range(to, xy(to->node->port), TILES_MAX, 0, SLOT_BYTES); /* the host does not know this name of DRAM */
    wait_answered(to);
    put(to->code, rv_j(0, 0));
}

static void make_model(struct dice *dice, struct model *model)
{
    bool used[TF_TENSIX_TILES] = {false}, taken[TILES_MAX][TF_TILE_CORES] = {{false}};
    memset(model, 0, sizeof *model);
    model->plan.tiles = pick_between(dice, 2, TILES_MAX);
    for (unsigned i = 0; i < model->plan.tiles; i++) {
        unsigned tile;
        do
            tile = pick(dice, TF_TENSIX_TILES);
        while (used[tile]);
        used[tile] = true;
        tf_tile_coord(NULL, tile, &model->plan.tile[i]);
    }
    for (size_t i = 0; i < sizeof model->source; i++)
        ((uint8_t *)model->source)[i] = (uint8_t)roll(dice);
    model->nodes = pick_between(dice, 2, model->plan.tiles * 5 < NODES_MAX ? model->plan.tiles * 5 : NODES_MAX);
    for (unsigned i = 0; i < model->nodes; i++) {
        struct node *node = &model->node[i];
        do {
            node->tile = pick(dice, model->plan.tiles);
            node->core = pick(dice, TF_TILE_CORES);
        } while (taken[node->tile][node->core]);
        taken[node->tile][node->core] = true;
        /* Two pairs of cores share an initiator. Each core of a pair keeps to one NOC. */
        node->noc = node->core == 2 ? pick(dice, 2) : node->core >= 3;
        node->port = (struct tf_coord){.x = (uint8_t)(17 + pick(dice, 2)), .y = (uint8_t)pick_between(dice, 12, 23)};
    }
}

static void load(struct tf_chip *chip, struct dice *dice, struct model *model)
{
    static uint32_t word[CODE_WORDS];
    for (unsigned i = 0; i < model->plan.tiles; i++)
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            assert_int_equal(tf_write(chip, model->plan.tile[i], SOURCE(core), model->source[i][core], SOURCE_BYTES),
                             TF_OK);
    for (unsigned i = 0; i < model->nodes; i++) {
        struct code code = {.word = word, .capacity = CODE_WORDS};
        struct writer to = {.dice = dice, .model = model, .node = &model->node[i], .number = i, .code = &code};
        write_program(&to);
        assert_true(code.count < code.capacity);
        struct tf_coord tile = model->plan.tile[to.node->tile];
        assert_int_equal(tf_write(chip, tile, code_of(to.node->core), word, code.count * 4), TF_OK);
        assert_int_equal(tf_core_start(chip, (unsigned)tf_tile_index(NULL, tile), (enum tf_core)to.node->core), TF_OK);
    }
}

static bool equal(struct tf_chip *chip, struct tf_coord at, uint64_t address, const uint8_t *wanted, uint32_t bytes,
                  const char *what, unsigned node)
{
    static uint8_t got[LAND_BYTES];
    assert_int_equal(tf_read(chip, at, address, got, bytes), TF_OK);
    for (uint32_t i = 0; i < bytes; i++)
        if (got[i] != wanted[i]) {
            print_error("%s of node %u at (%u,%u), byte %u: 0x%02x, not 0x%02x\n", what, node, at.x, at.y, i, got[i],
                        wanted[i]);
            return false;
        }
    return true;
}

static bool word_equal(struct tf_chip *chip, struct tf_coord at, uint64_t address, uint32_t wanted, const char *what)
{
    uint32_t got;
    assert_int_equal(tf_read(chip, at, address, &got, 4), TF_OK);
    if (got != wanted)
        print_error("%s at (%u,%u), 0x%llx: %u, not %u\n", what, at.x, at.y, (unsigned long long)address, got, wanted);
    return got == wanted;
}

static bool data_are_right(struct tf_chip *chip, const struct model *model)
{
    bool right = true;
    for (unsigned i = 0; i < model->nodes; i++) {
        const struct node *node = &model->node[i];
        struct tf_coord home = model->plan.tile[node->tile];
        for (unsigned tile = 0; tile < model->plan.tiles; tile++)
            right &= equal(chip, model->plan.tile[tile], SLOT(i), model->slot[tile][i], SLOT_BYTES, "slot", i);
        right &= equal(chip, home, LANDED(node->core), model->landed[i], node->landed + 64, "what was read", i);
        for (unsigned k = 0; k < ACTIONS_MAX; k++)
            if (model->is_own[i][k])
                right &= word_equal(chip, home, ANSWERS(node->core) + 4 * k, model->own[i][k], "answer");
        right &= word_equal(chip, home, NIU_COUNTER(0, 16) + node->noc * 0x10000u + node->core * 4, 0, "outstanding");
    }
    return right;
}

struct step {
    uint32_t old, delta;
};

static int compare_steps(const void *left, const void *right)
{
    const struct step *a = left, *b = right;
    return (a->old > b->old) - (a->old < b->old);
}

/* Additions to a word find distinct values, each at least the sum of the answered additions before it. */
static bool answers_are_right(struct tf_chip *chip, const struct model *model, unsigned tile, unsigned word)
{
    static struct step step[NODES_MAX * ACTIONS_MAX];
    unsigned steps = 0;
    for (unsigned i = 0; i < model->answered; i++) {
        const struct answer *answer = &model->answer[i];
        if (answer->tile != tile || answer->word != word)
            continue;
        step[steps].delta = answer->delta;
        assert_int_equal(tf_read(chip, model->plan.tile[model->node[answer->node].tile], answer->at, &step[steps++].old,
                                 4),
                         TF_OK);
    }
    qsort(step, steps, sizeof step[0], compare_steps);
    uint32_t least = 0;
    for (unsigned i = 0; i < steps; i++) {
        if (step[i].old < least || step[i].old + step[i].delta > model->sum[tile][word]) {
            print_error("an addition to common word %u of tile %u found %u\n", word, tile, step[i].old);
            return false;
        }
        least = step[i].old + step[i].delta;
    }
    return true;
}

static bool sums_are_right(struct tf_chip *chip, const struct model *model)
{
    bool right = true;
    for (unsigned tile = 0; tile < model->plan.tiles; tile++) {
        for (unsigned word = 0; word < COMMON_WORDS; word++)
            right &= word_equal(chip, model->plan.tile[tile], COMMON + 16 * word, model->sum[tile][word], "common") &&
                     answers_are_right(chip, model, tile, word);
        for (unsigned stream = 0; stream < STREAMS; stream++)
            right &= word_equal(chip, model->plan.tile[tile], SPACE_AVAILABLE(stream),
                                model->space[tile][stream] & SPACE_MASK, "space");
    }
    return right;
}

static void choose_config(struct dice *dice, struct chip_wish *config, bool relaxed)
{
    static const uint32_t slices[] = {16, 100, 1024, 4000};
    static const uint8_t threads[] = {2, 3, 4, 1};
    chip_wish_init(config);
    config->slice_cycles = slices[pick(dice, 4)];
    config->epoch_cycles_min = config->slice_cycles << pick(dice, 5);
    config->epoch_cycles_max = config->epoch_cycles_min << pick(dice, 6);
    config->niu_requests_max = one_in(dice, 2) ? pick_between(dice, 1, 4) : 64;
    config->threads = threads[pick(dice, 4)];
    config->parking = !one_in(dice, 4);
    config->pin = false;
    config->mode = relaxed ? TF_MODE_RELAXED : TF_MODE_DETERMINISTIC;
}

static bool outcome_is_right(uint64_t seed, bool relaxed)
{
    static struct model model;
    struct dice dice = {seed};
    make_model(&dice, &model);
    struct dice other = {seed * 2 + relaxed};
    struct chip_wish config;
    struct tf_chip *chip;
    choose_config(&other, &config, relaxed);
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    load(chip, &dice, &model);
    struct tf_run_options options = {.cycles_max = 100000000};
    enum tf_end end;
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    const bool data = data_are_right(chip, &model), sums = sums_are_right(chip, &model); /* both print */
    bool right = data && sums;
    right = right && end == TF_END_QUIET && tf_fault_count(chip) == 0;
    struct tf_fault fault = {.text = ""};
    if (!right && tf_fault_get(chip, 0, &fault) == TF_OK)
        print_error("%s\n", fault.text);
    if (!right)
        print_error("seed %llu: %s, %u threads%s, slice %u, niu %u: end %d, %zu faults\n", (unsigned long long)seed,
                    relaxed ? "relaxed" : "deterministic", config.threads, config.parking ? "" : ", no parking",
                    config.slice_cycles, config.niu_requests_max, end, tf_fault_count(chip));
    tf_chip_destroy(chip);
    return right;
}

static void no_order_changes_the_outcome(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), rounds = test_rounds(30);
    unsigned failures = 0;
    for (uint64_t i = 0; i < rounds; i++)
        failures += !outcome_is_right(seed + i, i % 4 != 0);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_order_changes_the_outcome)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
