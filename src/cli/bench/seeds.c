/* SPDX-License-Identifier: Apache-2.0 */
/* The rate of seeds of `tilefarm explore`: a short program on two tiles, with as many jobs as the side has threads. */
#include <stdlib.h>

#include "cli/bench/bench.h"
#include "cli/bench/refuse.h"
#include "cli/explore/search.h"
#include "cli/explore/trial.h"
#include "images.h"

/* A short program: its cycles take less time than the other work for a seed. */
static bool load(struct tf_request *request, const struct tf_arch *arch)
{
    const struct tf_kernel_image *image = tf_kernel_find("litmus.b");
    if (image == NULL)
        return false;
    tf_job_reset(&request->job, arch);
    request->job.load = request->load;
    request->job.loads = 1;
    request->load[0] = (struct tf_load){.path = (char *)image->name,
                                        .core = TF_CORE_B,
                                        .image = (void *)image->data,
                                        .bytes = tf_kernel_bytes(image)};
    request->load[0].tiles.has[0] = request->load[0].tiles.has[1] = true;
    return true;
}

/* As the command does before its seeds: run the usual order once, whose code is decoded then. */
static bool prepare(struct tf_hunt *hunt)
{
    const struct tf_explore none = {.scheduled = true};
    struct tf_trial baseline = {.decision = NULL};
    bool fine = tf_trials_begin(hunt) < 0;
    hunt->seeks = true;
    fine = fine && tf_trial_run(hunt, &none, &baseline, false) < 0 && tf_trials_advance(hunt, &baseline) < 0;
    hunt->seeks = false;
    free(baseline.decision);
    return fine;
}

/* Run a number of seeds. Returns their time with the start of the jobs, or a negative number after a failure. */
static double search_s(struct tf_hunt *hunt, unsigned jobs, uint32_t seeds)
{
    struct tf_search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return -1;
    search->hunt = hunt;
    search->first_seed = 1;
    search->seeds = seeds;
    search->all = true;
    search->jobs = jobs;
    const bool right = tf_search_run(search) < 0 && search->runs == seeds;
    const double wall_s = search->wall_s;
    free(search);
    return right ? wall_s : -1;
}

/* Seeds of a job until most pages that seeds write have been written once. Their time does not count. */
#define FIRST_SEEDS 100u

void bench_seeds_rate(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                      struct bench_sample *sample)
{
    struct tf_request *request = calloc(1, sizeof *request);
    struct tf_hunt hunt = {.request = request, .strategy = TF_STRATEGY_RANDOM};
    const unsigned jobs = engine->side->threads;
    (void)row;
    if (request == NULL || !load(request, engine->side->arch) || !prepare(&hunt))
        bench_refuse(engine, "the program cannot be loaded");
    else {
        const double start_s = search_s(&hunt, jobs, FIRST_SEEDS * jobs),
                     all_s = search_s(&hunt, jobs, FIRST_SEEDS * jobs + rounds);
        sample->right = start_s >= 0 && all_s >= 0;
        sample->work = rounds;
        sample->seconds = all_s > start_s ? all_s - start_s : 0;
    }
    if (!sample->right)
        snprintf(sample->why, sizeof sample->why, "%s", engine->why[0] != '\0' ? engine->why : "seeds are missing");
    tf_trials_end(&hunt);
    free(request);
}
