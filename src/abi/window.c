/* SPDX-License-Identifier: Apache-2.0 */
/* Windows from BAR 0 and BAR 4 into the address spaces of tiles. Source: PCIExpressTile/HostToDeviceTLBs.md. */
#include "abi/window.h"

#include <string.h>

#include "debug/gdb/watch.h"
#include "farm/chip/access.h"
#include "abi/abi.h"
#include "abi/clock.h"
#include "noc/requests/act.h"
#include "noc/coords.h"

static uint32_t field(uint64_t bits, unsigned first, unsigned count)
{
    return (uint32_t)(bits >> first) & ((1u << count) - 1);
}

/* In all kinds of windows the address is followed by equal fields. The last fields lie in the third word. Ordering,
   linked and virtual channel have no effect: each access is done before the next one. */
static struct abi_target decode(const uint32_t word[WINDOW_WORDS], bool large)
{
    uint64_t bits = large ? word[1] | (uint64_t)word[2] << 32 : (word[1] | (uint64_t)word[2] << 32) >> 11;
    uint64_t address = large ? (uint64_t)word[0] << 32 : (word[0] | (uint64_t)(word[1] & 0x7FF) << 32) << 21;
    return (struct abi_target){
        .address = address,
        .x = (uint8_t)field(bits, 0, 6),
        .y = (uint8_t)field(bits, 6, 6),
        .x_start = (uint8_t)field(bits, 12, 6),
        .y_start = (uint8_t)field(bits, 18, 6),
        .noc = (uint8_t)field(bits, 24, 1),
        .multicast = field(bits, 26, 1),
    };
}

static const struct tf_niu *own_niu(const struct abi_device *device, unsigned noc)
{
    return &device->chip->fabric->node[device->chip->arch->pcie_node].niu[noc];
}

const char *abi_at_node(struct abi_device *device, unsigned node, unsigned noc, uint64_t address,
                        const struct abi_access *access)
{
    struct abi *abi = device->abi;
    const char *why = "the chip refuses the access";
    if (abi->gdb != NULL && access->into == NULL)
        tf_gdb_host_writes(abi->gdb);
    int error = access->into != NULL
                    ? tf_host_read(device->chip, node, noc, address, access->into, access->bytes, &why)
                    : tf_host_write(device->chip, node, noc, address, access->from, access->bytes, &why);
    if (abi->gdb != NULL && access->into == NULL)
        tf_gdb_host_wrote(abi->gdb, node, address, access->bytes);
    if (error == TF_OK && access->into == NULL)
        abi_written(abi, address, access);
    return error == TF_OK ? NULL : why;
}

static const char *off_grid = "the coordinates name no tile";

static const char *unicast(struct abi_device *device, const struct abi_target *to, uint64_t offset,
                           const struct abi_access *access)
{
    uint16_t node = tf_niu_node_of(own_niu(device, to->noc), tf_noc_pack_xy((struct tf_noc_xy){to->x, to->y}));
    return node == TF_NO_NODE ? off_grid : abi_at_node(device, node, to->noc, to->address + offset, access);
}

/* The exclusion of a strided word, in the layout of NOC_BRCST_EXCLUDE. */
static uint32_t exclusion(uint32_t strided)
{
    uint32_t patterns = field(strided, 0, 8);
    if (!field(strided, 19, 1))
        return patterns;
    return patterns | field(strided, 8, 5) << 8 | field(strided, 13, 4) << 14 | field(strided, 17, 2) << 20 | 1u << 22;
}

/* Find the tiles of the rectangle that a strided word includes. Returns NULL, or why the word is invalid. */
static const char *recipients(struct abi_device *device, const struct abi_target *to, uint32_t strided, uint16_t *node,
                              unsigned *count)
{
    const struct tf_niu *niu = own_niu(device, to->noc);
    struct tf_noc_corners corners = {.start = {to->x_start, to->y_start}, .end = {to->x, to->y}};
    if (!tf_niu_translate_corners(niu, &corners))
        return off_grid;
    if (!tf_noc_patterns_fit(strided, &corners))
        return "along an axis that wraps, the window's keep + skip is not a power of two";
    const struct tf_noc_request request = {
        .noc = to->noc,
        .multicast = true,
        .source = device->chip->arch->pcie_node,
        .exclude = exclusion(strided),
        .x0 = (uint8_t)corners.start.x,
        .y0 = (uint8_t)corners.start.y,
        .x1 = (uint8_t)corners.end.x,
        .y1 = (uint8_t)corners.end.y,
    };
    unsigned all = tf_noc_recipients(device->chip->fabric, &request, node);
    *count = 0;
    for (unsigned i = 0; i < all; i++)
        if (!tf_niu_opted_out(&device->chip->fabric->node[node[i]].niu[to->noc]))
            node[(*count)++] = node[i];
    return *count != 0 ? NULL : "the rectangle has no Tensix tile that receives";
}

/* num_destinations_override is the number of responses that hardware would wait for. */
static bool counted_right(uint32_t strided, unsigned count)
{
    bool keeps = (field(strided, 0, 2) && field(strided, 2, 2)) || (field(strided, 4, 2) && field(strided, 6, 2));
    unsigned given = field(strided, 21, 8);
    return given == count || (given == 0 && !keeps && !field(strided, 19, 1));
}

static const char *multicast(struct abi_device *device, const struct abi_target *to, uint32_t strided, uint64_t offset,
                             const struct abi_access *access)
{
    uint16_t node[TF_NODES_MAX];
    unsigned count = 0;
    if (access->into != NULL)
        return "a multicast window cannot be read";
    const char *why = recipients(device, to, strided, node, &count);
    if (why == NULL && !counted_right(strided, count))
        why = "num_destinations_override of the strided word differs from the number of tiles that receive";
    for (unsigned i = 0; i < count && why == NULL; i++)
        why = abi_at_node(device, node[i], to->noc, to->address + offset, access);
    return why;
}

const char *abi_through(struct abi_device *device, const struct abi_target *to, uint32_t strided, uint64_t offset,
                        const struct abi_access *access)
{
    return to->multicast ? multicast(device, to, strided, offset, access) : unicast(device, to, offset, access);
}

const char *abi_window(struct abi_device *device, unsigned window, uint64_t offset, const struct abi_access *access)
{
    bool large = window >= WINDOWS_SMALL;
    uint64_t bytes = large ? WINDOW_LARGE_BYTES : WINDOW_SMALL_BYTES;
    struct abi_target to = decode(device->window + window * WINDOW_WORDS, large);
    if (access->bytes > bytes - offset)
        return "the access runs past the end of its window";
    return abi_through(device, &to, window < STRIDED ? device->strided[window] : 0, offset, access);
}

const char *abi_at(struct abi_device *device, unsigned x, unsigned y, uint64_t address, const struct abi_access *access)
{
    if (x > 63 || y > 63)
        return off_grid;
    struct abi_target to = {.address = address, .x = (uint8_t)x, .y = (uint8_t)y};
    return unicast(device, &to, 0, access);
}
