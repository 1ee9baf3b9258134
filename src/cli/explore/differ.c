/* SPDX-License-Identifier: Apache-2.0 */
/* The words of L1 in which the end of a run differs from that of the usual order. */
#include <stdlib.h>
#include <string.h>

#include "cli/explore/hunt.h"

/* Does a tile run a program of the job? */
static bool has_program(const struct tf_job *job, unsigned tile)
{
    for (unsigned i = 0; i < job->loads; i++)
        if (job->load[i].tiles.has[tile])
            return true;
    return job->workload != NULL;
}

/* The words of tile `tile`; the caller frees them. NULL: there is no such tile, or too little memory. */
static uint32_t *words_of(struct tf_chip *chip, unsigned tile, struct tf_coord *coord, uint32_t *bytes)
{
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(chip), &shape);
    *bytes = shape.l1_bytes;
    uint32_t *words = tf_tile_coord(tf_chip_arch(chip), tile, coord) == TF_OK ? malloc(*bytes) : NULL;
    if (words != NULL && tf_read(chip, *coord, 0, words, *bytes) == TF_OK)
        return words;
    free(words);
    return NULL;
}

void tf_memories_take(void *user, struct tf_session *session)
{
    struct tf_memories *memories = user;
    struct tf_coord coord;
    uint32_t bytes;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES_MAX && memories->tiles < TF_MEMORIES_MAX; tile++) {
        if (!has_program(session->job, tile))
            continue;
        uint32_t *words = words_of(session->chip, tile, &coord, &bytes);
        if (words == NULL)
            return;
        memories->tile[memories->tiles] = tile;
        memories->word[memories->tiles++] = words;
    }
}

void tf_memories_free(struct tf_memories *memories)
{
    for (unsigned i = 0; i < memories->tiles; i++)
        free(memories->word[i]);
    memories->tiles = 0;
}

void tf_memories_differ(struct tf_memories *memories, struct tf_session *session)
{
    for (unsigned i = 0; i < memories->tiles; i++) {
        struct tf_coord coord;
        uint32_t bytes, *now = words_of(session->chip, memories->tile[i], &coord, &bytes);
        for (uint32_t at = 0; now != NULL && at < bytes / 4; at++) {
            if (now[at] == memories->word[i][at])
                continue;
            if (memories->differences++ < TF_DIFFERENCES_SHOWN)
                memories->difference[memories->differences - 1] = (struct tf_difference){.tile = memories->tile[i],
                                                                                         .address = at * 4,
                                                                                         .usual = memories->word[i][at],
                                                                                         .now = now[at]};
        }
        free(now);
    }
}
