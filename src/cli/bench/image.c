/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workload in the chip of an engine, ours or a library's. It is set up in a chip of ours, whose memory is copied into
 * the engine's chip. After the run the results are copied back and checked. So both sides run it in memory that earlier
 * samples have touched. This works for workloads whose results lie in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/engine.h"
#include "cli/bench/measure.h"
#include "cli/bench/refuse.h"
#include "cli/check/compare.h"
#include "cli/check/compare_image.h"
#include "cli/interrupt.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/workloads/list.h"
#include "tilefarm_layout.h"

#define DONE_BYTES 0x1000u /* part of L1 with the done words */

/* Clear the words that an earlier run may have left, then write the image. */
static bool put_image(struct bench_engine *engine, const struct tf_image *image)
{
    static const uint8_t zeros[TF_K_SHARED + 0x1000 - TF_K_PARAMS];
    bool right = engine->ops->hold(engine) && engine->ops->write_all(engine, TF_K_PARAMS, zeros, sizeof zeros);
    for (size_t i = 0; i < image->befores && right; i++) {
        const struct tf_span *span = &image->before[i];
        right = engine->ops->put(engine, span->node, span->address, span->data, (uint32_t)span->bytes);
    }
    return right;
}

static bool fetch(struct bench_engine *engine, struct tf_session *session, struct tf_coord node, uint64_t address,
                  size_t bytes)
{
    uint8_t *data = malloc(bytes);
    bool right = data != NULL && engine->ops->get(engine, node, address, data, (uint32_t)bytes) &&
                 tf_write(session->chip, node, address, data, (uint32_t)bytes) == TF_OK;
    free(data);
    return right || bench_refuse(engine, "the results cannot be read back");
}

/* Copy back DRAM and the done words; also L1, for workloads with results there. Then check the results. */
static bool check(struct bench_engine *engine, const struct tf_image *image, struct tf_session *session)
{
    const struct tf_workload *workload = session->job->workload;
    struct tf_message message = {""};
    for (size_t i = 0; i < image->afters; i++) {
        const struct tf_span *span = &image->after[i];
        if ((workload->verify_memory != NULL || tf_node_kind(engine->side->arch, span->node) == TF_NODE_DRAM) &&
            !fetch(engine, session, span->node, span->address, span->bytes))
            return false;
    }
    for (unsigned tile = 0; tile < bench_tiles(engine); tile++) {
        struct tf_coord node = {0, 0};
        tf_tile_coord(engine->side->arch, tile, &node);
        if (!fetch(engine, session, node, TF_K_DONE / DONE_BYTES * DONE_BYTES, DONE_BYTES))
            return false;
    }
    int (*verify)(struct tf_chip *, void *,
                  struct tf_message *) = workload->verify_memory != NULL ? workload->verify_memory : workload->verify;
    if (verify(session->chip, session->state, &message) == TF_OK)
        return true;
    return bench_refuse(engine, "%s", message.text);
}

static bool run_image(struct bench_engine *engine, const struct tf_image *image, struct tf_session *session,
                      struct bench_sample *sample)
{
    struct bench_sample before;
    if (!put_image(engine, image))
        return false;
    if (engine->chip != NULL)
        bench_look(engine, &before);
    double began = tf_seconds();
    if (!engine->ops->start(engine, bench_tiles(engine), bench_all_cores(engine)) ||
        !engine->ops->finish(engine, bench_tiles(engine), bench_all_cores(engine)))
        return false;
    sample->seconds = tf_seconds() - began;
    if (engine->chip != NULL) {
        bench_look(engine, sample);
        bench_subtract(sample, &before);
        sample->has_stats = true;
    }
    return check(engine, image, session);
}

static void measure(const struct bench_row *row, struct bench_engine *engine, const struct tf_job *job,
                    struct tf_interrupt *interrupt, struct bench_sample *sample)
{
    struct tf_session session = {0};
    struct tf_image image = {.before = NULL};
    if (tf_session_begin(&session, job, interrupt) >= 0) {
        bench_refuse(engine, "the workload cannot be set up");
        return;
    }
    if (tf_image_take(&image, session.chip, true))
        sample->right = run_image(engine, &image, &session, sample);
    else
        bench_refuse(engine, "no memory");
    sample->work = row->work * job->options.scale;
    tf_image_free(&image);
    tf_session_end(&session);
}

void bench_workload_image(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                          struct bench_sample *sample)
{
    struct tf_job job = {.workload = tf_workload_find(row->workload)};
    struct tf_interrupt interrupt;
    bench_configure(engine->side, tf_job_config(&job));
    tf_job_use_one_thread(&job);
    job.options = (struct tf_workload_options){.scale = bench_scale(row, rounds), .seed = 1};
    if (row->variant != NULL)
        job.options.variant = (uint32_t)tf_workload_variant(job.workload, row->variant);
    if (tf_interrupt_start(&interrupt, NULL, 0)) {
        measure(row, engine, &job, &interrupt, sample);
        tf_interrupt_end(&interrupt, TF_EXIT_OK);
    } else {
        bench_refuse(engine, "the host refuses a thread");
    }
    if (!sample->right)
        bench_fail(engine, sample);
}
