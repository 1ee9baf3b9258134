/* SPDX-License-Identifier: Apache-2.0 */
#include "abi/fault.h"

#include <stdio.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/debug.h"
#include "abi/families.h"
#include "abi/report.h"

void abi_on_fault(void *user, const struct tf_fault *fault)
{
    const struct abi_device *device = user;
    struct abi *abi = device->abi;
    const struct tf_arch *arch = tf_arch_find(abi_family(abi)->arch);
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
    abi_report(abi, line);
    if (abi->symbols != NULL && abi_reports(abi))
        abi_debug_fault(device, fault);
    abi_leave_if_asked(abi);
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
