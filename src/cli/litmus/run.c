/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/interrupt.h"
#include "cli/litmus/litmus.h"
#include "cli/litmus/run.h"
#include "host/mix.h"
#include "images.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_explore.h"
#include "tilefarm_family.h"

#define CYCLES_MAX 1000000u
#define OTHER_RUNS 8u  /* in deterministic and in relaxed mode */
#define WAIT_MOST 150u /* cycles that an actor waits before a step */
#define RACES_READ 64u
#define SEEDS_LEAST 3u /* one of so many seeds is tried in any case */

/* Waits move the steps of the actors against each other; half of them are 0. */
static uint32_t wait_of(uint64_t seed, unsigned actor, unsigned step)
{
    uint64_t hash = tf_mix(seed * 1024 + actor * 64 + step);
    return hash & 1 ? 0 : (uint32_t)(hash >> 8) % WAIT_MOST;
}

/* The tile of an actor, in the form x | y << 6. */
static uint32_t place_of(const struct tf_arch *arch, unsigned tile, struct tf_coord *coord)
{
    *coord = (struct tf_coord){0, 0};
    tf_tile_coord(arch, tile, coord);
    return (uint32_t)coord->y << 6 | coord->x;
}

static uint32_t place_of_step(const struct tf_arch *arch, const struct tf_litmus_step *step)
{
    struct tf_coord coord;
    if (step->tile == TF_LITMUS_DRAM)
        return TF_K_DRAM_XY(0, 0);
    if (step->op == TF_LITMUS_MULTICAST)
        return place_of(arch, 1, &coord) << 12 | place_of(arch, step->tile, &coord);
    return place_of(arch, step->tile, &coord);
}

static int load_actor(struct tf_chip *chip, const struct tf_litmus *test, unsigned number, uint64_t seed)
{
    static const char *const program[TF_TILE_CORES] = {"litmus.b", "litmus.nc", "litmus.t0", "litmus.t1", "litmus.t2"};
    const struct tf_litmus_actor *actor = &test->actor[number];
    const struct tf_kernel_image *image = tf_kernel_find(program[actor->core]);
    const struct tf_arch *arch = tf_chip_arch(chip);
    uint32_t script[TF_LITMUS_STEPS][TF_LITMUS_STEP_WORDS] = {{0}};
    struct tf_coord coord;
    for (unsigned i = 0; i < TF_LITMUS_STEPS; i++) {
        const struct tf_litmus_step *step = &actor->step[i];
        const uint32_t words[TF_LITMUS_STEP_WORDS] = {
            step->op, step->a, step->b, step->c, place_of_step(arch, step), step->ctrl, wait_of(seed, number, i)};
        memcpy(script[i], words, sizeof words);
    }
    place_of(arch, actor->tile, &coord);
    int error = image == NULL ? TF_EFORMAT
                              : tf_load_elf(chip, actor->tile, (enum tf_core)actor->core, image->name, image->data,
                                            tf_kernel_bytes(image), NULL);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_LITMUS_SCRIPT(actor->core), script, sizeof script);
    return error;
}

static int load(struct tf_chip *chip, const struct tf_litmus *test, uint64_t seed)
{
    uint32_t ones[16];
    for (unsigned i = 0; i < 16; i++)
        ones[i] = 1;
    for (unsigned tile = 0; tile < 3; tile++) {
        struct tf_coord coord;
        place_of(tf_chip_arch(chip), tile, &coord);
        int error = tf_write(chip, coord, TF_LITMUS_FROM, ones, sizeof ones);
        if (error != TF_OK)
            return error;
    }
    for (unsigned i = 0; i < test->actors; i++) {
        int error = load_actor(chip, test, i, seed);
        if (error != TF_OK)
            return error;
    }
    for (unsigned i = 0; i < test->actors; i++) {
        int error = tf_core_start(chip, test->actor[i].tile, (enum tf_core)test->actor[i].core);
        if (error != TF_OK)
            return error;
    }
    return TF_OK;
}

static int see(struct tf_chip *chip, const struct tf_litmus *test, char *text)
{
    int length = 0;
    for (unsigned i = 0; i < test->seen; i++) {
        const struct tf_litmus_seen *seen = &test->see[i];
        const struct tf_litmus_actor *actor = &test->actor[seen->word ? 0 : seen->actor_or_tile];
        uint32_t address = seen->word ? seen->number : TF_LITMUS_RESULT(actor->core) + seen->number * 4, value = 0;
        struct tf_coord coord;
        const bool dram = seen->word && seen->actor_or_tile == TF_LITMUS_DRAM;
        place_of(tf_chip_arch(chip), seen->word ? seen->actor_or_tile : actor->tile, &coord);
        int error = dram ? tf_dram_read(chip, 0, address, &value, sizeof value)
                         : tf_read(chip, coord, address, &value, sizeof value);
        if (error != TF_OK)
            return error;
        length += snprintf(text + length, TF_LITMUS_TEXT - (size_t)length, "%s%u", i == 0 ? "" : " ", value);
    }
    return TF_OK;
}

/* The columns of Tensix tiles without the first one, as bits. */
static uint32_t other_columns(const struct tf_arch *arch)
{
    uint32_t columns = 0;
    for (unsigned tile = 0; tile < arch->tile[TF_TILE_TENSIX].tiles; tile++) {
        struct tf_coord node;
        tf_tile_coord(arch, tile, &node);
        columns |= 1u << node.x;
    }
    return columns & (columns - 1);
}

/* Create a chip for a mode. The family is Blackhole, for which the tests are written. A chip with one column of tiles
   takes the least time to create. */
static bool configure(struct tf_config *config, enum tf_litmus_mode mode, const struct tf_explore *explore)
{
    static const struct tf_board_text board = {.columns = "none"};
    tf_config_init(config);
    if (tf_board_parse(config->arch, &board, &config->board, NULL) != TF_OK)
        return false;
    config->board.columns_off = other_columns(tf_arch_find(NULL));
    config->threads = mode == TF_LITMUS_RELAXED ? 2 : 1;
    config->pin = false;
    if (mode == TF_LITMUS_RELAXED)
        config->mode = TF_MODE_RELAXED;
    if (mode != TF_LITMUS_EXPLORE)
        return true;
    config->explore = explore;
    config->slice_cycles = config->epoch_cycles_min = config->epoch_cycles_max = TF_EXPLORE_CYCLES;
    return true;
}

/* Does the checker report two accesses without an order? Loose ends do not count: the tests have some. */
static bool is_racy(struct tf_chip *chip)
{
    struct tf_race race[RACES_READ];
    const size_t races = tf_races(chip, race, RACES_READ);
    for (size_t i = 0; i < races && i < RACES_READ; i++)
        if (race[i].kind == TF_RACE_DATA || race[i].kind == TF_RACE_STALE_LINE || race[i].kind == TF_RACE_OVERTAKEN)
            return true;
    return false;
}

/* Run once. Returns NULL with the outcome in `text`, or a sentence about what failed. racy: NULL, or check for races.
   */
static const char *run_seed(const struct tf_litmus *test, enum tf_litmus_mode mode, uint64_t seed, char *text,
                            bool *racy)
{
    struct tf_explore explore = {.scheduled = false};
    struct tf_config config;
    struct tf_chip *chip;
    tf_explore_random(&explore, seed);
    for (unsigned freedom = 0; freedom < TF_FREEDOMS; freedom++) /* few places need a decision */
        explore.rate[freedom] = explore.rate[freedom] > 8192 ? 49152 : (uint16_t)(explore.rate[freedom] * 6);
    if (!configure(&config, mode, &explore))
        return "the chip cannot be created";
    config.check = racy != NULL;
    if (tf_chip_create(&config, &chip, NULL) != TF_OK)
        return "the chip cannot be created";
    const struct tf_run_options run = {.cycles_max = CYCLES_MAX};
    enum tf_end end = TF_END_QUIET;
    int error = load(chip, test, seed);
    if (error == TF_OK)
        error = tf_run(chip, &run, &end);
    if (error == TF_OK && end == TF_END_FAULT)
        snprintf(text, TF_LITMUS_TEXT, "fault");
    else if (error == TF_OK && end != TF_END_QUIET)
        snprintf(text, TF_LITMUS_TEXT, "no end");
    else if (error == TF_OK)
        error = see(chip, test, text);
    if (racy != NULL)
        *racy |= is_racy(chip);
    tf_chip_destroy(chip);
    return error == TF_OK ? NULL : tf_strerror(error);
}

/* Is an outcome in a list "0 1|1 1"? */
static bool is_in(const char *list, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = list; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, text, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    }
    return false;
}

static void note(const struct tf_litmus *test, enum tf_litmus_mode mode, uint64_t seed, const char *text,
                 struct tf_litmus_result *result)
{
    unsigned i = 0;
    while (i < result->outcomes && strcmp(result->outcome[i].text, text) != 0)
        i++;
    if (i == TF_LITMUS_OUTCOMES) {
        result->forbidden = true;
        return;
    }
    if (i == result->outcomes) {
        result->outcomes++;
        snprintf(result->outcome[i].text, TF_LITMUS_TEXT, "%s", text);
        result->outcome[i].allowed = is_in(test->allowed, text);
    }
    if (!result->outcome[i].allowed && !result->forbidden) {
        result->forbidden = true;
        result->forbidden_seed = seed;
    }
    result->reached += result->outcome[i].allowed && mode == TF_LITMUS_EXPLORE && result->outcome[i].runs[mode] == 0;
    result->outcome[i].runs[mode]++;
    result->runs[mode]++;
}

bool tf_litmus_has_race(const struct tf_litmus *test)
{
    return test->race == TF_LITMUS_RACE_WARM ||
           (test->race == TF_LITMUS_RACE_BY_OUTCOMES && strchr(test->allowed, '|') != NULL);
}

void tf_litmus_run(const struct tf_litmus *test, uint64_t seeds, struct tf_interrupt *interrupt,
                   struct tf_litmus_result *result)
{
    char text[TF_LITMUS_TEXT];
    *result = (struct tf_litmus_result){.wanted = 1};
    for (const char *at = strchr(test->allowed, '|'); at != NULL; at = strchr(at + 1, '|'))
        result->wanted++;
    for (unsigned mode = 0; mode < TF_LITMUS_MODES; mode++) {
        uint64_t runs = mode == TF_LITMUS_EXPLORE ? seeds : OTHER_RUNS;
        for (uint64_t seed = 1; seed <= runs && result->error == NULL && !tf_interrupt_received(interrupt); seed++) {
            if (mode == TF_LITMUS_EXPLORE && result->reached == result->wanted && seed > seeds / SEEDS_LEAST)
                break;
            result->error = run_seed(test, (enum tf_litmus_mode)mode, seed, text,
                                     mode == TF_LITMUS_DETERMINISTIC ? &result->racy : NULL);
            if (result->error == NULL)
                note(test, (enum tf_litmus_mode)mode, seed, text, result);
        }
    }
}
