/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/value.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"

bool tf_value_bad(const char *option, const char *value, const char *form)
{
    tf_cli_error("%s: '%s' is not %s", option, value, form);
    return false;
}

void tf_value_no_tiles(const struct tf_arch *arch, const char *option, const char *tiles)
{
    struct tf_shape shape;
    tf_arch_shape(tf_arch_or_default(arch), &shape);
    tf_cli_error(
        "%s: '%s' names no tiles of %s; give an index from 0 to %u, x,y, first-last, all, or several joined by +",
        option, tiles, shape.title, shape.tensix_tiles - 1);
}

char *tf_value_cut(char *at)
{
    if (at == NULL)
        return NULL;
    *at = '\0';
    return at + 1;
}

char *tf_value_copy(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        tf_cli_error("too little memory");
    return copy;
}
