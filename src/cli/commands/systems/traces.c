/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/systems/traces.h"

#include "cli/commands/systems/spread.h"
#include "cli/job.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "system/ranks.h"
#include "tilefarm/tilefarm_config.h"

enum { TENSIX, RISCV };

void tf_system_traces_begin(struct tf_system_traces *traces, const struct tf_job *job, struct tf_system *const *system)
{
    *traces = (struct tf_system_traces){.system = system, .file = {job->trace, job->riscv_trace}};
    for (unsigned i = 0; i < 2; i++)
        if (traces->file[i] != NULL)
            tf_texts_begin(&traces->text[i]);
}

void tf_system_traces_choose(const struct tf_system_traces *traces, struct tf_job *job)
{
    if (traces->text[TENSIX].stream != NULL)
        job->trace = traces->text[TENSIX].stream;
    if (traces->text[RISCV].stream != NULL)
        job->riscv_trace = traces->text[RISCV].stream;
}

static void take(const struct tf_session *session, unsigned which)
{
    struct tf_system_traces *traces = session->traces;
    if (traces->text[which].stream != NULL)
        tf_texts_take(&traces->text[which], tf_ranks_stage(*traces->system), session->job->chip);
}

static void keep_tensix(void *user, const struct tf_tensix_event *event)
{
    const struct tf_session *session = user;
    session->traces->on_tensix(user, event);
    take(session, TENSIX);
}

static void keep_riscv(void *user, const struct tf_riscv_event *event)
{
    const struct tf_session *session = user;
    session->traces->on_riscv(user, event);
    take(session, RISCV);
}

void tf_system_traces_keep(struct tf_system_traces *traces, struct tf_session *session, struct tf_config *config)
{
    session->traces = traces;
    if (traces->text[TENSIX].stream != NULL && config->on_tensix != NULL) {
        traces->on_tensix = config->on_tensix;
        config->on_tensix = keep_tensix;
    }
    if (traces->text[RISCV].stream != NULL && config->on_riscv != NULL) {
        traces->on_riscv = config->on_riscv;
        config->on_riscv = keep_riscv;
    }
}

bool tf_system_traces_collect(struct tf_system_traces *traces, const struct tf_spread *spread)
{
    for (unsigned i = 0; i < 2; i++) {
        struct tf_texts *text = &traces->text[i];
        if (traces->file[i] == NULL)
            continue;
        if (!tf_texts_collect(text, *traces->system, spread->transport.rank, spread->transport.ranks))
            return false;
        if (text->lost)
            tf_cli_error("too little memory: %s is incomplete", i == TENSIX ? "--trace" : "--riscv-trace");
        if (spread->transport.rank == 0)
            tf_texts_print(text, false, traces->file[i]);
    }
    return true;
}

void tf_system_traces_end(struct tf_system_traces *traces)
{
    for (unsigned i = 0; i < 2; i++)
        if (traces->file[i] != NULL)
            tf_texts_end(&traces->text[i]);
}
