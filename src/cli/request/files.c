/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/files.h"

#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/request/outputs.h"
#include "cli/request/request.h"
#include "cli/systems.h"
#include "cli/text.h"

static void name_inputs(const struct tf_request *request, struct tf_distinct *files)
{
    for (unsigned i = 0; i < request->job.loads; i++)
        tf_distinct_input(files, request->load[i].flat ? "--flat" : "--load", request->load[i].path);
    for (unsigned i = 0; i < request->inputs; i++)
        tf_distinct_input(files, "--write", request->input[i].path);
    for (unsigned i = 0; i < request->job.names; i++)
        tf_distinct_input(files, "--symbols", request->job.named[i].path);
    tf_distinct_input(files, "--restore", request->job.restore);
    tf_distinct_chips(files, "--restore", request->job.restore);
    if (request->system != NULL && tf_cli_system_is_file(request->system))
        tf_distinct_input(files, "--system", request->system);
    tf_distinct_input(files, "--schedule", request->schedule);
    tf_distinct_input(files, "--suppress", request->suppress);
    if (request->job.replay != NULL)
        tf_distinct_input(files, "replay", request->job.replay->path);
}

static void name_outputs(const struct tf_request *request, struct tf_distinct *files)
{
    for (unsigned i = 0; i < TF_OUTS; i++)
        tf_distinct_output(files, tf_out_option((enum tf_out)i), request->out[i]);
    for (unsigned i = 0; i < request->dumps; i++)
        tf_distinct_output(files, "--dump", request->dump[i].path);
    for (unsigned i = 0; i < request->job.saves; i++)
        tf_distinct_save(files, "--save-at", request->job.save[i].path);
    const char *every = request->job.save_every.path, *restored = request->job.restore;
    if (every != NULL && (restored == NULL || strcmp(every, restored) != 0)) /* a restored run may go on saving there */
        tf_distinct_save(files, "--save-every", every);
}

bool tf_request_distinct(const struct tf_request *request, struct tf_distinct *files)
{
    name_inputs(request, files);
    name_outputs(request, files);
    return tf_distinct_end(files);
}

bool tf_request_open_suppressions(struct tf_request *request)
{
    if (request->suppress == NULL)
        return true;
    size_t bytes;
    struct tf_message message;
    char *text = tf_cli_read_file(request->suppress, &bytes);
    if (text == NULL)
        return false;
    request->job.suppressions = tf_suppressions_read(text, bytes, &message);
    free(text);
    if (request->job.suppressions == NULL)
        tf_cli_error("--suppress: %s: %s", request->suppress, message.text);
    return request->job.suppressions != NULL;
}
