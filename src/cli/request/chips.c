/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/chips.h"

#include <string.h>

#include "cli/request/request.h"
#include "cli/request/restored.h"
#include "cli/request/value.h"
#include "cli/systems.h"
#include "cli/text.h"
#include "system/saved/saved.h"

/* Options below name tiles. Options above decide which tiles the chip has. */
static bool take_tiles_of(struct tf_request *request)
{
    const struct tf_arch *arch = request->family;
    const bool settled = tf_board_settle(&request->board, &arch);
    tf_job_set_arch(&request->job, arch);
    return settled;
}

bool tf_take_arch(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    return tf_cli_arch(option, value, &request->family) && take_tiles_of(request);
}

bool tf_take_board(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    (void)option;
    request->board.text.name = value;
    return take_tiles_of(request);
}

bool tf_take_columns_off(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    (void)option;
    request->board.text.columns = value;
    return take_tiles_of(request);
}

bool tf_take_rows_off(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    (void)option;
    request->board.text.rows = value;
    return take_tiles_of(request);
}

bool tf_take_banks_off(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    (void)option;
    request->board.text.banks = value;
    return take_tiles_of(request);
}

bool tf_take_system(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    request->system = value;
    if (!tf_cli_system(option, value, &request->cluster))
        return false;
    tf_job_set_arch(&request->job, request->cluster.arch);
    return true;
}

/* The chip or the system is that of the file. If earlier options have named another chip, the file will not fit. */
bool tf_take_restore(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    request->job.restore = value;
    if (tf_system_is_saved(value))
        return tf_take_restored(request, option, value);
    if (request->system != NULL)
        return true; /* the run says why the file cannot be restored: rank 0 alone may have it */
    return tf_take_restored_chip(request, option, value);
}

/* Read CYCLE=FILE. */
static bool read_save(const char *value, struct tf_save *save)
{
    const char *equals = strchr(value, '=');
    char number[32];
    snprintf(number, sizeof number, "%.*s", equals != NULL ? (int)(equals - value) : 0, value);
    if (equals == NULL || equals[1] == '\0' || (size_t)(equals - value) >= sizeof number ||
        !tf_cli_u64(number, &save->cycle) || save->cycle == 0)
        return false;
    save->path = equals + 1;
    return true;
}

bool tf_take_save(void *into, const char *option, const char *value)
{
    struct tf_job *job = &((struct tf_request *)into)->job;
    struct tf_save save;
    if (!read_save(value, &save))
        return tf_value_bad(option, value, "CYCLE=FILE with a cycle from 1 on");
    if (job->saves == TF_SAVES_MAX) {
        tf_cli_error("%s: given more than %u times", option, TF_SAVES_MAX);
        return false;
    }
    unsigned at = job->saves++;
    for (; at > 0 && job->save[at - 1].cycle > save.cycle; at--)
        job->save[at] = job->save[at - 1];
    job->save[at] = save;
    return true;
}

bool tf_take_save_every(void *into, const char *option, const char *value)
{
    struct tf_job *job = &((struct tf_request *)into)->job;
    if (read_save(value, &job->save_every))
        return true;
    return tf_value_bad(option, value, "CYCLES=FILE with a number of cycles from 1 on");
}
