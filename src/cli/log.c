/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log.h"

#include <stdarg.h>

#include "cli/text.h"

void tf_log_note(enum tf_log log, const char *format, ...)
{
    char line[400];
    va_list list;
    if (log != TF_LOG_DEBUG)
        return;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    tf_cli_error("%s", line);
}
