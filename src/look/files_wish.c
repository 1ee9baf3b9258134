/* SPDX-License-Identifier: Apache-2.0 */
#include "look/files_wish.h"

#include "host/zeroed.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_files.h"

const char *tf_files_why_not(const struct tf_files_wish *wish, const struct tf_config *config)
{
    if (!tf_zeroed_is((const uint8_t *)wish->reserved, sizeof wish->reserved))
        return "the program asks for a file that only a later version of tilefarm writes";
    bool ordered = wish->timeline != NULL || wish->report != NULL || wish->noc_trace != NULL;
    if (config->mode == TF_MODE_RELAXED && ordered)
        return "relaxed mode supports only a profile and coverage";
    if (config->explore != NULL && ordered)
        return "a chip that explores supports only a profile and coverage";
    return NULL;
}
