/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/job.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "tilefarm/tilefarm_config.h"

const struct tf_arch *tf_job_arch(const struct tf_job *job)
{
    return tf_job_config(job)->arch;
}

bool tf_job_is_relaxed(const struct tf_job *job)
{
    return tf_job_config(job)->mode == TF_MODE_RELAXED;
}

bool tf_job_checks(const struct tf_job *job)
{
    return tf_job_config(job)->check;
}

bool tf_job_is_timed(const struct tf_job *job)
{
    return tf_job_config(job)->timing;
}

bool tf_job_is_timed_coarsely(const struct tf_job *job)
{
    return tf_job_config(job)->timing_coarse;
}

enum tf_atomics tf_job_atomics(const struct tf_job *job)
{
    return tf_job_config(job)->atomics;
}

unsigned tf_job_threads(const struct tf_job *job)
{
    return tf_job_config(job)->threads;
}

void tf_job_reset(struct tf_job *job, const struct tf_arch *arch)
{
    tf_config_init(tf_job_config(job));
    tf_job_set_arch(job, arch);
}

void tf_job_set_arch(struct tf_job *job, const struct tf_arch *arch)
{
    tf_job_config(job)->arch = arch;
}

void tf_job_set_checks(struct tf_job *job, bool checks)
{
    tf_job_config(job)->check = checks;
}

void tf_job_set_timed(struct tf_job *job, bool timed)
{
    tf_job_config(job)->timing = timed;
}

void tf_job_use_one_thread(struct tf_job *job)
{
    tf_job_config(job)->threads = 1;
    tf_job_config(job)->pin = false;
}

char *tf_job_command(const struct tf_job *job)
{
    size_t bytes = sizeof "tilefarm";
    for (int i = 0; i < job->words; i++)
        bytes += strlen(job->word[i]) + 1;
    char *line = job->words == 0 ? NULL : malloc(bytes);
    struct tf_text text = {line, line == NULL ? 0 : bytes, 0};
    tf_text_add(&text, "tilefarm");
    for (int i = 0; i < job->words && line != NULL; i++)
        tf_text_add(&text, " %s", job->word[i]);
    return line;
}

const char *tf_job_name(const struct tf_job *job)
{
    return job->name != NULL       ? job->name
           : job->workload != NULL ? job->workload->name
           : job->restore != NULL  ? "restore"
           : job->replay != NULL   ? "replay"
                                   : "load";
}

const char *tf_job_variant(const struct tf_job *job)
{
    return job->workload != NULL ? tf_workload_names(job->workload)[job->options.variant] : NULL;
}
