/* SPDX-License-Identifier: Apache-2.0 */
#include "abi/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/families.h"
#include "host/printable.h"

#define REPORTS_MAX 1000u /* a client that polls after a fault must not fill the disk */

void abi_report(struct abi *abi, const char *line)
{
    abi->errors++;
    snprintf(abi->error, sizeof abi->error, "%s", line);
    if (abi->reports < REPORTS_MAX)
        fprintf(stderr, "tilefarm: %s\n", line);
    else if (abi->reports == REPORTS_MAX)
        fputs("tilefarm: note: further reports are not printed\n", stderr);
    abi->reports += abi->reports <= REPORTS_MAX;
}

bool abi_reports(const struct abi *abi)
{
    return abi->reports < REPORTS_MAX;
}

void abi_say_nothing(struct abi *abi)
{
    abi->reports = REPORTS_MAX + 1;
}

void abi_leave_if_asked(struct abi *abi)
{
    if (!abi->exit_on_fault)
        return;
    if (abi->end_record != NULL)
        abi->end_record(abi);
    _Exit(1);
}

static void say(struct abi *abi, const char *line)
{
    abi_report(abi, line);
    abi_leave_if_asked(abi);
}

void abi_refuse(struct abi *abi, const char *format, ...)
{
    char text[300], printable[350], line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tf_printable(text, strlen(text), printable, sizeof printable); /* it may quote what the user has set */
    snprintf(line, sizeof line, "bad call: function=%s: %.340s", abi->call, printable);
    say(abi, line);
}

void abi_refuse_access(struct abi *abi, const struct abi_access *access, const char *why)
{
    abi_refuse(abi, "address=0x%llx size=%u: %s (%s)", (unsigned long long)access->address, access->bytes, why,
               tf_arch_find(abi_family(abi)->arch)->title);
}

const char *abi_of_chip(const struct abi_device *device, const char *between, const char *after,
                        char text[ABI_OF_CHIP_BYTES])
{
    text[0] = '\0';
    if (abi_has_several(device->abi))
        snprintf(text, ABI_OF_CHIP_BYTES, "chip%s%u%s", between, device->number, after);
    return text;
}
