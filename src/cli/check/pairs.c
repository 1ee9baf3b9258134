/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/check/pairs.h"
#include "cli/check/stress_chip.h"
#include "noc/niu_state.h"
#include "tile/niu_words.h"

#define NIU_COUNTER(counter) (TF_NIU_BASE(0) + TF_NIU_COUNTER + 4 * (counter))

/* Some 10 ms: a worker that sleeps begins in that time. */
#define SPINS 2000000u

static const struct {
    uint32_t loops, runs;
} programs[] = {
#define X(name, text, loops, runs) [TF_PAIR_##name] = {(loops), (runs)},
    TF_PAIRS_PROGRAMS(X)
#undef X
};

static bool failed(struct tf_stress_failure *failure, const char *what, int error)
{
    if (error != TF_OK)
        snprintf(failure->text, sizeof failure->text, "%s: %s", what, tf_strerror(error));
    return error != TF_OK;
}

/* The two tiles of a pair are far apart, where workers begin with them. */
static void choose_tiles(struct tf_pairs *pairs)
{
    unsigned tensix = pairs->arch->tile[TF_TILE_TENSIX].tiles, tiles = 2 * pairs->pairs;
    for (unsigned i = 0; i < tiles; i++) {
        struct tf_pairs_tile *tile = &pairs->pair[i % pairs->pairs][i / pairs->pairs];
        tile->tile = i * tensix / tiles;
        tf_tile_coord(pairs->arch, tile->tile, &tile->node);
        tf_tile_text(pairs->arch, tile->tile, tile->name);
    }
}

/* An atomic that changes nothing, if the family has it. */
static void choose_read(struct tf_pairs *pairs, enum tf_atomics profile)
{
    const struct tf_noc_atomic_row *rows;
    size_t count = tf_noc_atomic_rows(&rows);
    for (size_t i = 0; i < count && !pairs->has_read; i++) {
        pairs->has_read = rows[i].kind == TF_NOC_AT_READ && (rows[i].profiles >> profile & 1) &&
                          (pairs->arch->noc.atomics >> (rows[i].match >> 12) & 1);
        pairs->read = rows[i].match;
    }
}

static struct tf_pairs_tile *tile_of(struct tf_pairs *pairs, unsigned i)
{
    return &pairs->pair[i / 2][i % 2];
}

bool tf_pairs_open(struct tf_pairs *pairs, const struct tf_stress_wish *wish, struct tf_stress_failure *failure)
{
    unsigned count = wish->threads < 4 ? 1 : wish->threads / 2;
    *pairs = (struct tf_pairs){.arch = wish->arch,
                               .seed = wish->seed,
                               .pairs = count,
                               .spins = wish->threads == 1 ? 0 : SPINS};
    pairs->pair = calloc(count, sizeof *pairs->pair);
    if (failed(failure, "pairs", pairs->pair == NULL ? TF_ENOMEM : TF_OK))
        return false;
    choose_tiles(pairs);
    choose_read(pairs, wish->profile);
    struct tf_message message = {""};
    int error = tf_stress_create(wish, NULL, NULL, &pairs->chip, &message);
    bool fine = !failed(failure, message.text[0] ? message.text : "the chip cannot be created", error);
    for (unsigned i = 0; i < 2 * count && fine; i++)
        fine = tf_stress_start(pairs->arch, pairs->chip, tile_of(pairs, i)->tile, TF_CORE_B, "stress_pairs.b", failure);
    if (!fine)
        tf_pairs_close(pairs);
    return fine;
}

void tf_pairs_close(struct tf_pairs *pairs)
{
    tf_chip_destroy(pairs->chip);
    free(pairs->pair);
    *pairs = (struct tf_pairs){.chip = NULL};
}

/* Set the words of a tile to 0, and its parameters; `round` comes last. */
static int prepare(struct tf_pairs *pairs, unsigned i, enum tf_pairs_program program)
{
    static const uint8_t zero[128];
    static const uint32_t word[] = {TF_PAIRS_MINE, TF_PAIRS_THEIRS, TF_PAIRS_SOURCE, TF_PAIRS_FETCHED};
    struct tf_pairs_tile *tile = tile_of(pairs, i);
    struct tf_stress_place partner;
    int error = tf_stress_place(pairs->arch, pairs->chip, tile_of(pairs, i ^ 1)->node, &partner);
    const struct tf_pairs_params params = {
        .round = pairs->round,
        .program = program,
        .loops = programs[program].loops,
        .seed = pairs->seed + 0x9E3779B9u * pairs->round + i,
        .x = partner.x,
        .y = partner.y,
        .logical = partner.logical_x | (uint32_t)partner.logical_y << 6,
        .spins = pairs->spins,
        .read = pairs->read,
    };
    for (unsigned k = 0; k < sizeof word / sizeof word[0] && error == TF_OK; k++)
        error = tf_write(pairs->chip, tile->node, word[k], zero, 64);
    if (error == TF_OK)
        error = tf_write(pairs->chip, tile->node, TF_PAIRS_PLAIN, zero, 128);
    if (error == TF_OK)
        error = tf_read(pairs->chip, tile->node, NIU_COUNTER(TF_MST_WR_ACK_RECEIVED), &tile->acks, sizeof tile->acks);
    if (error == TF_OK)
        error = tf_write(pairs->chip, tile->node, TF_PAIRS_PARAMS, &params, sizeof params);
    return error;
}

static int read_back(struct tf_pairs *pairs, unsigned i, uint32_t loops)
{
    struct tf_pairs_tile *tile = tile_of(pairs, i);
    tile->before = tile->result;
    int error = tf_read(pairs->chip, tile->node, TF_PAIRS_RESULT, &tile->result, sizeof tile->result);
    return error != TF_OK ? error
                          : tf_read(pairs->chip, tile->node, TF_PAIRS_LOG, tile->seen, loops * sizeof tile->seen[0]);
}

/* A core that has not come to the end missed a wake, or waits for an answer that was not counted. */
static bool finished(struct tf_pairs *pairs, unsigned i, struct tf_stress_failure *failure)
{
    const struct tf_pairs_tile *tile = tile_of(pairs, i);
    if (tile->result.done == pairs->round)
        return true;
    snprintf(failure->text, sizeof failure->text, "pairs: B at %s did not finish round %u", tile->name, pairs->round);
    uint32_t polled = tf_stress_tell_wait(pairs->chip, tile->tile, TF_CORE_B, failure), outstanding = 0;
    bool counts = polled == NIU_COUNTER(TF_MST_REQS_OUTSTANDING) &&
                  tf_read(pairs->chip, tile->node, polled, &outstanding, sizeof outstanding) == TF_OK;
    failure->invariant = counts && outstanding != 0 ? TF_STRESS_R8_OR_R9 : TF_STRESS_R5;
    return false;
}

/* Each answered write has its answer, and none is outstanding. */
static bool counted(struct tf_pairs *pairs, unsigned i, struct tf_stress_failure *failure)
{
    const struct tf_pairs_tile *tile = tile_of(pairs, i);
    uint32_t acks = 0, outstanding = 0, wanted = tile->acks + tile->result.writes - tile->before.writes;
    int error = tf_read(pairs->chip, tile->node, NIU_COUNTER(TF_MST_WR_ACK_RECEIVED), &acks, sizeof acks);
    if (error == TF_OK)
        error = tf_read(pairs->chip, tile->node, NIU_COUNTER(TF_MST_REQS_OUTSTANDING), &outstanding,
                        sizeof outstanding);
    if (failed(failure, "the counters cannot be read", error))
        return false;
    if (acks == wanted && outstanding == 0)
        return true;
    failure->invariant = TF_STRESS_R8;
    snprintf(failure->text, sizeof failure->text,
             "pairs: the NIU at %s has counted %u answers to writes, not %u, and %u outstanding requests", tile->name,
             acks, wanted, outstanding);
    return false;
}

static bool run_program(struct tf_pairs *pairs, enum tf_pairs_program program, bool *interrupted,
                        struct tf_stress_failure *failure)
{
    int error = TF_OK;
    uint32_t loops = programs[program].loops;
    pairs->round++;
    for (unsigned i = 0; i < 2 * pairs->pairs && error == TF_OK; i++)
        error = prepare(pairs, i, program);
    if (failed(failure, "pairs cannot be started", error) ||
        !tf_stress_run(pairs->arch, pairs->chip, interrupted, failure))
        return false;
    if (*interrupted)
        return true;
    for (unsigned i = 0; i < 2 * pairs->pairs && error == TF_OK; i++)
        error = read_back(pairs, i, loops);
    if (failed(failure, "pairs cannot be read", error))
        return false;
    for (unsigned i = 0; i < 2 * pairs->pairs; i++)
        if (!finished(pairs, i, failure) || !counted(pairs, i, failure))
            return false;
    for (unsigned i = 0; i < pairs->pairs; i++)
        if (!tf_pairs_check(pairs->pair[i], program, loops, failure))
            return false;
    return true;
}

bool tf_pairs_round(struct tf_pairs *pairs, uint64_t *loops, bool *interrupted, struct tf_stress_failure *failure)
{
    *interrupted = false;
    for (unsigned program = 0; program < TF_PAIRS_COUNT; program++) {
        bool left_out = program == TF_PAIR_SB_ATOMIC && !pairs->has_read;
        for (unsigned run = 0; run < programs[program].runs && !left_out && !*interrupted; run++) {
            if (!run_program(pairs, (enum tf_pairs_program)program, interrupted, failure))
                return false;
            *loops += 2ull * pairs->pairs * programs[program].loops;
        }
    }
    return true;
}
