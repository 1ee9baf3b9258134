/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs side by side, in steps, for the first words of L1 in which they differ. */
#include "cli/explore/differ.h"

#include <stdlib.h>
#include <string.h>

#include "cli/explore/trial.h"
#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "tile/numbered.h"
#include "host/extremes.h"

#define TILES_MAX 16u             /* tiles with programs; L1 of other tiles is not compared */
#define COMPARED_BYTES (1u << 30) /* at most so many bytes are compared before the steps get shorter */
#define CHUNK_BYTES 4096u
#define STEPS 64u                  /* between two cycles, of which the first difference is after the earlier one */
#define WHOLE_RUN (UINT64_MAX / 4) /* a cycle after all */

/* The usual order [0], and another one [1]. */
struct pair {
    const struct tf_hunt *hunt;
    struct tf_subject subject[2];
    struct tf_job job[2];
    bool over[2];
    uint64_t reached[2]; /* cycle */
    unsigned begun;
    struct {
        unsigned chip, tile;
    } tile[TILES_MAX];
    unsigned tiles;
    uint32_t l1_bytes;
};

/* kind, index: of a tile among its kind. */
static bool has_program(const struct tf_session *session, enum tf_tile_kind kind, unsigned index)
{
    const struct tf_job *job = session->job;
    for (unsigned i = 0; i < job->loads; i++) {
        const struct tf_load *load = &job->load[i];
        if (load->kind == kind && load->tiles.has[index] && (!load->of_chip || load->chip == job->chip))
            return true;
    }
    return job->workload != NULL && kind == TF_TILE_TENSIX;
}

/* Programs of a workload of a system may run on any tile with a link. */
static void choose_tiles_of(struct pair *pair, unsigned chip)
{
    const struct tf_session *session = &pair->subject[0].session[chip];
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    const bool of_system = pair->hunt->request->system_workload != NULL;
    struct tf_coord coord;
    for (unsigned tile = 0; tf_numbered_coord(arch, tile, &coord) && pair->tiles < TILES_MAX; tile++) {
        const bool eth = tf_node_kind(arch, coord) == TF_NODE_ETH;
        const unsigned index = eth ? tf_arch_port(arch, coord) : arch->place[tf_node_number(arch, coord)].index;
        if (has_program(session, eth ? TF_TILE_ETH : TF_TILE_TENSIX, index) || (of_system && eth)) {
            pair->tile[pair->tiles].chip = chip;
            pair->tile[pair->tiles++].tile = tile;
        }
    }
}

static void choose_tiles(struct pair *pair)
{
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(pair->subject[0].session[0].chip), &shape);
    pair->l1_bytes = shape.l1_bytes;
    for (unsigned i = 0; i < pair->subject[0].chips; i++)
        choose_tiles_of(pair, i);
}

static int begin(struct pair *pair, const struct tf_hunt *hunt, const struct tf_explore *const *explore)
{
    *pair = (struct pair){.hunt = hunt};
    for (unsigned i = 0; i < 2; i++) {
        int code = tf_trial_begin(hunt, explore[i], false, &pair->job[i], &pair->subject[i]);
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
        tf_subject_end(&pair->subject[i]);
}

static uint64_t latest_cycle(const struct pair *pair)
{
    return tf_max(pair->reached[0], pair->reached[1]);
}

/* Run both to a cycle. Where nothing happens, chips of a system may have a time before it. Returns an enum tf_error. */
static int advance(struct pair *pair, uint64_t cycle)
{
    for (unsigned i = 0; i < 2; i++) {
        struct tf_subject *subject = &pair->subject[i];
        struct tf_run_options options = pair->job[i].run;
        const uint64_t limit = options.cycles_max, now = tf_subject_cycles(subject);
        enum tf_end why = TF_END_QUIET;
        pair->over[i] |= limit != 0 && now >= limit;
        if (pair->over[i] || pair->reached[i] >= cycle)
            continue;
        options.pause_cycle = cycle;
        options.cycles_max = limit == 0 ? 0 : limit - now;
        int error = tf_subject_advance(subject, &options, &why);
        if (error != TF_OK)
            return error;
        pair->reached[i] = tf_subject_cycles(subject);
        if (pair->hunt->start->cycle != NULL)
            atomic_store(pair->hunt->start->cycle, pair->reached[i]);
        const bool several = subject->several != NULL;
        pair->over[i] = why != TF_END_CYCLES || (!several && pair->reached[i] < cycle);
        if (several && why == TF_END_CYCLES && cycle < WHOLE_RUN)
            pair->reached[i] = tf_max(pair->reached[i], cycle);
    }
    return TF_OK;
}

/* Read a piece of L1 of both runs. Returns false behind the end of L1: Ethernet tiles have less. */
static bool read_both(const struct pair *pair, unsigned chip, struct tf_coord coord, uint32_t at,
                      uint32_t words[2][CHUNK_BYTES / 4])
{
    for (unsigned run = 0; run < 2; run++)
        if (tf_read(pair->subject[run].session[chip].chip, coord, at, words[run], CHUNK_BYTES) != TF_OK)
            return false;
    return true;
}

/* Call `each` for differences, until it returns false. */
static void compare(const struct pair *pair, bool (*each)(void *user, struct tf_difference difference), void *user)
{
    uint32_t words[2][CHUNK_BYTES / 4];
    for (unsigned i = 0; i < pair->tiles; i++) {
        const unsigned chip = pair->tile[i].chip, tile = pair->tile[i].tile;
        struct tf_coord coord;
        tf_numbered_coord(tf_chip_arch(pair->subject[0].session[chip].chip), tile, &coord);
        for (uint32_t at = 0; at + CHUNK_BYTES <= pair->l1_bytes && read_both(pair, chip, coord, at, words);
             at += CHUNK_BYTES) {
            if (memcmp(words[0], words[1], CHUNK_BYTES) == 0)
                continue;
            for (uint32_t word = 0; word < CHUNK_BYTES / 4; word++)
                if (words[0][word] != words[1][word] &&
                    !each(user, (struct tf_difference){chip, tile, at + word * 4, words[0][word], words[1][word]}))
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
