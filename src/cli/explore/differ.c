/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs side by side, in steps, for the first words of L1 in which they differ. */
#include <stdlib.h>
#include <string.h>

#include "cli/explore/explain.h"
#include "cli/explore/trial.h"
#include "cli/interrupt.h"
#include "cli/text.h"
#include "farm/chip/chip.h"
#include "host/extremes.h"

#define TILES_MAX 16u             /* tiles with programs; L1 of other tiles is not compared */
#define COMPARED_BYTES (1u << 30) /* at most so many bytes are compared before the steps get shorter */
#define CHUNK_BYTES 32768u
#define STEPS 64u                  /* between two cycles, of which the first difference is after the earlier one */
#define WHOLE_RUN (UINT64_MAX / 4) /* a cycle after all */

/* The usual order [0], and another one [1]. */
struct pair {
    const struct tf_hunt *hunt;
    struct tf_session session[2];
    struct tf_job job[2];
    bool over[2];
    unsigned begun;
    unsigned tile[TILES_MAX], tiles;
    uint32_t l1_bytes;
};

static bool has_program(const struct tf_job *job, unsigned tile)
{
    for (unsigned i = 0; i < job->loads; i++)
        if (job->load[i].tiles.has[tile])
            return true;
    return job->workload != NULL;
}

static void choose_tiles(struct pair *pair)
{
    struct tf_coord coord;
    struct tf_shape shape;
    const struct tf_arch *arch = tf_chip_arch(pair->session[0].chip);
    tf_arch_shape(arch, &shape);
    pair->l1_bytes = shape.l1_bytes;
    for (unsigned tile = 0; tf_tile_coord(arch, tile, &coord) == TF_OK && pair->tiles < TILES_MAX; tile++)
        if (has_program(&pair->job[0], tile))
            pair->tile[pair->tiles++] = tile;
}

static int begin(struct pair *pair, const struct tf_hunt *hunt, const struct tf_explore *const *explore)
{
    *pair = (struct pair){.hunt = hunt};
    for (unsigned i = 0; i < 2; i++) {
        int code = tf_trial_begin(hunt, explore[i], false, &pair->job[i], &pair->session[i]);
        if (code >= 0)
            return code;
        pair->begun++;
    }
    choose_tiles(pair);
    return -1;
}

static void end(struct pair *pair)
{
    for (unsigned i = 0; i < pair->begun; i++)
        tf_session_end(&pair->session[i]);
}

static uint64_t latest_cycle(const struct pair *pair)
{
    return tf_max(tf_chip_cycles(pair->session[0].chip), tf_chip_cycles(pair->session[1].chip));
}

/* Run both chips to a cycle. Returns an enum tf_error. */
static int advance(struct pair *pair, uint64_t cycle)
{
    for (unsigned i = 0; i < 2; i++) {
        struct tf_chip *chip = pair->session[i].chip;
        struct tf_run_options options = pair->job[i].run;
        uint64_t cycle_reached = tf_chip_cycles(chip), limit = options.cycles_max;
        enum tf_end why = TF_END_QUIET;
        pair->over[i] |= limit != 0 && cycle_reached >= limit;
        if (pair->over[i] || cycle_reached >= cycle)
            continue;
        options.pause_cycle = cycle;
        options.cycles_max = limit == 0 ? 0 : limit - cycle_reached;
        int error = tf_run(chip, &options, &why);
        if (error != TF_OK)
            return error;
        if (pair->hunt->start->cycle != NULL)
            atomic_store(pair->hunt->start->cycle, tf_chip_cycles(chip));
        pair->over[i] = why != TF_END_CYCLES || tf_chip_cycles(chip) < cycle;
    }
    return TF_OK;
}

/* Call `each` for differences, until it returns false. */
static void compare(const struct pair *pair, bool (*each)(void *user, struct tf_difference difference), void *user)
{
    static _Thread_local uint32_t words[2][CHUNK_BYTES / 4];
    for (unsigned i = 0; i < pair->tiles; i++) {
        struct tf_coord coord;
        tf_tile_coord(tf_chip_arch(pair->session[0].chip), pair->tile[i], &coord);
        for (uint32_t at = 0; at + CHUNK_BYTES <= pair->l1_bytes; at += CHUNK_BYTES) {
            for (unsigned run = 0; run < 2; run++)
                if (tf_read(pair->session[run].chip, coord, at, words[run], CHUNK_BYTES) != TF_OK)
                    return;
            if (memcmp(words[0], words[1], CHUNK_BYTES) == 0)
                continue;
            for (uint32_t word = 0; word < CHUNK_BYTES / 4; word++)
                if (words[0][word] != words[1][word] &&
                    !each(user, (struct tf_difference){pair->tile[i], at + word * 4, words[0][word], words[1][word]}))
                    return;
        }
    }
}

static bool take_first(void *user, struct tf_difference difference)
{
    struct tf_explanation *explanation = user;
    explanation->differs = true;
    explanation->first = difference;
    return false;
}

static bool take_last(void *user, struct tf_difference difference)
{
    struct tf_explanation *explanation = user;
    if (explanation->last_count++ < TF_DIFFERENCES_TOLD)
        explanation->last[explanation->last_count - 1] = difference;
    return true;
}

/* Advance in steps up to the first difference. grows: steps get longer once one run is over, since the other may go on
   without an end. */
static int find_first(struct tf_explanation *explanation, struct pair *pair, uint64_t to, uint64_t step, bool grows)
{
    for (uint64_t cycle = explanation->equal_until;; explanation->equal_until = cycle) {
        if (grows && (pair->over[0] || pair->over[1]))
            step *= 2;
        cycle += step == TF_EXPLORE_CYCLES ? 1 : step; /* one epoch */
        int error = advance(pair, cycle);
        if (error != TF_OK)
            return error;
        cycle = latest_cycle(pair);
        explanation->differs_at = cycle;
        compare(pair, take_first, explanation);
        if (explanation->differs || cycle >= to || (pair->over[0] && pair->over[1]))
            return TF_OK;
    }
}

static int find_last(struct tf_explanation *explanation, struct pair *pair)
{
    int error = advance(pair, WHOLE_RUN);
    if (error == TF_OK)
        compare(pair, take_last, explanation);
    return error;
}

int tf_explain_differences(struct tf_explanation *explanation, const struct tf_hunt *hunt,
                           const struct tf_explore *explore, uint64_t from)
{
    const struct tf_explore none = {.scheduled = true};
    const struct tf_explore *const both[2] = {&none, explore};
    struct pair *pair = malloc(sizeof *pair);
    uint64_t to = WHOLE_RUN, step = 0;
    int code = pair == NULL ? TF_EXIT_FAILED : -1;
    explanation->equal_until = from;
    do { /* first over the whole run, then between the last two cycles in shorter steps */
        int error = TF_OK;
        if (code < 0)
            code = begin(pair, hunt, both);
        if (code < 0 && step == 0)
            step = hunt->baseline_cycles * pair->tiles / (COMPARED_BYTES / pair->l1_bytes) + TF_EXPLORE_CYCLES;
        step -= step % TF_EXPLORE_CYCLES;
        explanation->differs = false;
        if (code < 0)
            error = find_first(explanation, pair, to, step, to == WHOLE_RUN);
        if (code < 0 && error == TF_OK && explanation->last_count == 0)
            error = find_last(explanation, pair);
        if (error != TF_OK) {
            tf_cli_error("explore: %s", tf_strerror(error));
            code = TF_EXIT_FAILED;
        }
        const uint64_t between = explanation->differs_at - explanation->equal_until;
        bool exact = between <= TF_EXPLORE_CYCLES || (step == TF_EXPLORE_CYCLES && to != WHOLE_RUN) ||
                     !explanation->differs;
        to = explanation->differs_at;
        step = between / STEPS + TF_EXPLORE_CYCLES;
        if (pair != NULL)
            end(pair);
        if (exact)
            break;
    } while (code < 0);
    free(pair);
    return code;
}
