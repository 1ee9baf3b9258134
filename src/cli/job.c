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
