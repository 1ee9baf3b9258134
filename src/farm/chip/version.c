/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/chip/version.h"

#include <string.h>

#include "tilefarm/tilefarm_chip.h"
#include "version.inc"

const char *tf_version_title(void)
{
    return "tilefarm " TF_VERSION;
}

const char *tf_version(void)
{
    return tf_version_title() + strlen("tilefarm ");
}

const char *tf_commit(void)
{
    return TF_COMMIT;
}
