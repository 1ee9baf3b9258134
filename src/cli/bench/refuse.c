/* SPDX-License-Identifier: Apache-2.0 */
/* Why an engine cannot run. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/bench/refuse.h"

bool bench_refuse(struct bench_engine *engine, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(engine->why, sizeof engine->why, format, list);
    va_end(list);
    return false;
}
