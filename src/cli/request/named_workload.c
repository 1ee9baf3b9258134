/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/named_workload.h"

#include <unistd.h>

#include "cli/guess.h"
#include "cli/request/request.h"
#include "cli/systems/list.h"
#include "cli/text.h"
#include "cli/workloads/list.h"

/* A workload that needs links. Returns -1, or an exit code after an error line. */
static int settle_system_workload(struct tf_request *request, const struct tf_system_workload *workload)
{
    struct tf_job *job = &request->job;
    const char *why = request->system == NULL    ? "needs several chips: name them with --system, as in --system n300"
                      : request->variant != NULL ? "has no variants"
                                                 : NULL;
    if (why == NULL && job->options.scale > workload->scale_max)
        tf_cli_error("--scale: workload %s accepts 1 to %u", workload->name, workload->scale_max);
    else if (why != NULL)
        tf_cli_error("%s %s", workload->name, why);
    else
        request->system_workload = workload;
    return request->system_workload != NULL ? -1 : TF_EXIT_USAGE;
}

int tf_request_workload(struct tf_request *request, const char *name)
{
    struct tf_job *job = &request->job;
    struct tf_guess guess = {.given = name, .prefix = ""};
    char meant[TF_GUESS_BYTES];
    const struct tf_system_workload *for_systems = tf_system_workload_find(name);
    if (for_systems != NULL)
        return settle_system_workload(request, for_systems);
    job->workload = tf_workload_find(name);
    if (job->workload == NULL) {
        for (const struct tf_workload *const *at = tf_workloads; *at != NULL; at++)
            tf_guess_offer(&guess, (*at)->name);
        for (const struct tf_system_workload *const *at = tf_system_workloads; *at != NULL; at++)
            tf_guess_offer(&guess, (*at)->name);
        if (access(name, F_OK) == 0)
            tf_cli_error("no workload '%s'; to run the program, use --load CORE=%s", name, name);
        else
            tf_cli_error("no workload '%s'%s; see 'tilefarm list'", name, tf_guess_text(&guess, meant));
        return TF_EXIT_USAGE;
    }
    int variant = request->variant == NULL ? 0 : tf_workload_variant(job->workload, request->variant);
    if (variant < 0) {
        guess.given = request->variant;
        for (const char *const *at = tf_workload_names(job->workload); *at != NULL; at++)
            tf_guess_offer(&guess, *at);
        tf_cli_error("--variant: %s has no variant '%s'%s; see 'tilefarm list'", name, request->variant,
                     tf_guess_text(&guess, meant));
        return TF_EXIT_USAGE;
    }
    if (job->options.scale > job->workload->scale_max) {
        tf_cli_error("--scale: workload %s accepts 1 to %u", name, job->workload->scale_max);
        return TF_EXIT_USAGE;
    }
    if (job->options.scale == 0)
        job->options.scale = job->workload->scale_default;
    job->options.variant = (uint32_t)variant;
    job->options.atomics = tf_job_atomics(job);
    return -1;
}
