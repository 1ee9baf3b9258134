/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: one line on stderr for each fault of the chip and each call that cannot be served. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "host/printable.h"

#define REPORTS_MAX 1000u /* a client that polls after a fault must not fill the disk */

static void print(struct abi *abi, const char *line)
{
    abi->errors++;
    snprintf(abi->error, sizeof abi->error, "%s", line);
    if (abi->reports < REPORTS_MAX)
        fprintf(stderr, "tilefarm: %s\n", line);
    else if (abi->reports == REPORTS_MAX)
        fputs("tilefarm: note: further reports are not printed\n", stderr);
    abi->reports += abi->reports <= REPORTS_MAX;
}

void abi_say_nothing(struct abi *abi)
{
    abi->reports = REPORTS_MAX + 1;
}

static void leave_if_asked(struct abi *abi)
{
    if (!abi->exit_on_fault)
        return;
    abi_record_end(abi);
    _Exit(1);
}

static void say(struct abi *abi, const char *line)
{
    print(abi, line);
    leave_if_asked(abi);
}

void abi_refuse(struct abi *abi, const char *format, ...)
{
    char text[200], printable[260], line[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tf_printable(text, strlen(text), printable, sizeof printable); /* it may quote what the user has set */
    snprintf(line, sizeof line, "bad call: function=%s: %.250s", abi->call, printable);
    say(abi, line);
}

void abi_refuse_access(struct abi *abi, const struct abi_access *access, const char *why)
{
    abi_refuse(abi, "address=0x%llx size=%u: %s (%s)", (unsigned long long)access->address, access->bytes, why,
               tf_arch_find(abi_family()->arch)->title);
}

const char *abi_of_chip(const struct abi_device *device, const char *between, const char *after,
                        char text[ABI_OF_CHIP_BYTES])
{
    text[0] = '\0';
    if (abi_has_several(device->abi))
        snprintf(text, ABI_OF_CHIP_BYTES, "chip%s%u%s", between, device->number, after);
    return text;
}

void abi_on_fault(void *user, const struct tf_fault *fault)
{
    const struct abi_device *device = user;
    struct abi *abi = device->abi;
    const struct tf_arch *arch = tf_arch_find(abi_family()->arch);
    char line[400], of_chip[ABI_OF_CHIP_BYTES];
    if (fault->hazard)
        return;
    abi->last.count++;
    abi->last.chip = device->number;
    abi->last.fault = *fault;
    snprintf(line, sizeof line,
             "fault: category=\"%s\" %stile=(%u,%u) core=%s pc=0x%08x instruction=0x%08x address=0x%llx cycle=%llu: %s",
             tf_fault_category_name(fault->category), abi_of_chip(device, "=", " ", of_chip), fault->tile.x,
             fault->tile.y, tf_core_name(arch, tf_node_kind(arch, fault->tile), fault->core), fault->pc,
             fault->instruction, (unsigned long long)fault->address, (unsigned long long)fault->cycle, fault->text);
    print(abi, line);
    if (abi->symbols != NULL && abi->reports < REPORTS_MAX)
        abi_debug_fault(device, fault);
    leave_if_asked(abi);
}

#define STATUS_MAGIC 0x4D524654u /* "TFRM" */
#define TEXT_AT 0x40u

uint32_t abi_status_word(const struct abi *abi, uint32_t offset)
{
    const struct tf_fault *fault = &abi->last.fault;
    const uint32_t words[] = {
        STATUS_MAGIC,
        abi->stopped,
        abi->last.count,
        fault->category,
        fault->tile.x | (uint32_t)fault->tile.y << 8,
        fault->core,
        fault->pc,
        fault->instruction,
        (uint32_t)fault->address,
        (uint32_t)(fault->address >> 32),
        (uint32_t)fault->cycle,
        (uint32_t)(fault->cycle >> 32),
        abi->last.chip,
    };
    uint32_t value = 0;
    if (offset < sizeof words)
        return words[offset / 4];
    if (offset >= TEXT_AT && offset - TEXT_AT < sizeof fault->text)
        memcpy(&value, fault->text + (offset - TEXT_AT), sizeof value);
    return value;
}
