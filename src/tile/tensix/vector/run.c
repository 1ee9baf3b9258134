/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches of the vector unit. The place of rows for SFPLOAD and SFPSTORE is looked up once, since only counters change
 * within a batch. An instruction of another kind (isa/vector_kind.h) ends the batch.
 */
#include "tile/tensix/vector/run.h"

#include "host/extremes.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/frontend/batch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/batch.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/vector/single.h"
#include "tile/tensix/isa/vector_kind.h"
#include "host/vectors.h"
#include "tile/hash.h"
#include "tile/tensix/vector/set.h"

bool tf_sfpu_look_up(struct tf_sfpu_batch *s)
{
    const struct tf_backend_config *config = s->tile->tensix->config;
    s->dst = s->tile->tensix->dst;
    s->map = tf_dst_map(s->tile);
    s->modifiers = config->thread[s->thread];
    s->offset = tf_sfpu_offset(config, s->thread, s->vector->stack_pointer[s->thread]);
    return s->dst != NULL;
}

unsigned tf_sfpu_as_srcb(struct tf_sfpu_batch *s)
{
    if (s->as_srcb == TF_FMT_SRCB)
        s->as_srcb = tf_sfpu_format(s->tile, s->thread, TF_FMT_SRCB);
    return s->as_srcb;
}

static uint32_t execute(struct tf_sfpu_batch *batch, const uint32_t *word, const uint8_t *kind, uint32_t count)
{
    struct tf_sfpu_words words = {.word = word, .kind = kind, .word_step = 4, .kind_step = 1, .count = count};
    return batch->vector->kernels->execute(batch, &words);
}

TF_ALWAYS_INLINE bool one(void *of, struct tf_tensix_thread *thread, uint32_t word, uint8_t kind, uint32_t pc)
{
    (void)thread, (void)pc;
    return execute(of, &word, &kind, 1) != 0;
}

TF_ALWAYS_INLINE uint32_t play(void *of, struct tf_tensix_thread *thread, uint32_t first, uint32_t count)
{
    struct tf_replay *replay = &thread->replay;
    for (uint32_t known = 0; known < count; known++)
        tf_kind_at(&replay->kind[first + known], replay->buffer[first + known]);
    return execute(of, &replay->buffer[first], &replay->kind[first], count);
}

/*
 * Decodes the kinds of the FIFO's entries from `index` on, before `end`. An entry that Auto TTSync counts has no kind.
 * Returns false if the first entry is counted, or was decoded earlier.
 */
static __attribute__((noinline)) bool decode_kinds(struct tf_fifo *fifo, uint32_t index, uint32_t end)
{
    uint32_t first = index;
    for (; index < end; index++) {
        struct tf_push *push = &fifo->entry[(fifo->first + index) % TF_FIFO_ENTRIES];
        if (push->kind != TF_KIND_UNKNOWN || push->resources != 0)
            break;
        push->kind = tf_kind_of(push->word);
    }
    return index != first;
}

TF_ALWAYS_INLINE uint32_t pass_fifo(void *of, struct tf_tensix_thread *thread, uint64_t limit, uint64_t deadline)
{
    struct tf_sfpu_batch *batch = of;
    struct tf_fifo *fifo = &thread->fifo;
    const uint64_t cycle = thread->cycle;
    const uint32_t ready = tf_batch_arrived(fifo, cycle, deadline);
    uint32_t done = 0;
    (void)limit; /* equal to the deadline */
    while (done < ready) {
        const uint32_t at = (fifo->first + done) % TF_FIFO_ENTRIES, adjacent = TF_FIFO_ENTRIES - at;
        const struct tf_push *head = &fifo->entry[at];
        const struct tf_sfpu_words words = {
            .word = &head->word,
            .kind = &head->kind,
            .word_step = sizeof *head,
            .kind_step = sizeof *head,
            .count = tf_min(ready - done, adjacent),
        };
        uint32_t passed = batch->vector->kernels->execute(batch, &words);
        done += passed;
        if (passed < words.count && !decode_kinds(fifo, done, ready))
            break;
    }
    if (done != 0)
        tf_batch_passed_fifo(thread, done, tf_batch_passes_at(fifo, done - 1, cycle) + 1);
    return done;
}

bool tf_sfpu_run(struct tf_tile *tile, unsigned t, uint64_t limit)
{
    static const struct tf_batch_unit unit = {.one = one, .play = play, .pass_fifo = pass_fifo};
    struct tf_tensix *tensix = tile->tensix;
    struct tf_vector *vector = tensix->vector;
    if (vector == NULL || vector->scheduled || vector->mask.dest_index != 0 || tensix->delay_cycles != 0)
        return false;
    struct tf_sfpu_batch batch = {.tile = tile, .thread = t, .vector = vector, .rwc = &tensix->rwc[t]};
    uint32_t done = tf_batch_pass(&unit, &batch, &tensix->thread[t], limit, limit);
    tensix->frontend->passed += done;
    if (done != 0)
        tile->cycle = tensix->thread[t].cycle - 1;
    return done != 0;
}
