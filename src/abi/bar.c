/* SPDX-License-Identifier: Apache-2.0 */
/* The common parts of the BARs of all families. Source: ttsim's libttsim.cpp. */
#include "abi/bar.h"

#include <string.h>

#include "abi/abi.h"
#include "abi/fault.h"
#include "abi/families.h"
#include "abi/report.h"
#include "abi/window.h"
#include "noc/nodes/pcie.h"

const char *const abi_misaligned = "register accesses must be 4 bytes at a multiple of 4";

const char *abi_access_word(uint32_t *word, const struct abi_access *access)
{
    if (access->into != NULL)
        memcpy(access->into, word, sizeof *word);
    else
        memcpy(word, access->from, sizeof *word);
    return NULL;
}

static const char *access_status(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    uint32_t word = abi_status_word(device->abi, (uint32_t)(offset - STATUS_FIRST));
    return access->into != NULL ? abi_access_word(&word, access) : "the status page is read-only";
}

static const char *access_niu(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    const struct tf_arch *arch = device->chip->arch;
    const struct abi_family *family = abi_family(device->abi);
    for (unsigned noc = 0; noc < 2; noc++) {
        uint64_t inside = offset - family->niu.first - noc * family->niu.stride;
        if (inside < family->niu.bytes)
            return abi_at_node(device, arch->pcie_node, noc, arch->space.niu_first + arch->space.niu_high + inside,
                               access);
    }
    return "a reserved part of BAR 0";
}

const char *abi_access_rest(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    return offset - STATUS_FIRST < STATUS_BYTES ? access_status(device, offset, access)
                                                : access_niu(device, offset, access);
}

const char *abi_access_pcie(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    struct tf_pcie *pcie = device->chip->fabric->node[device->chip->arch->pcie_node].pcie;
    uint32_t value = 0;
    if (access->into == NULL) {
        memcpy(&value, access->from, sizeof value);
        return tf_pcie_store(pcie, offset, value);
    }
    const char *why = tf_pcie_load(pcie, offset, &value);
    if (why == NULL)
        memcpy(access->into, &value, sizeof value);
    return why;
}
