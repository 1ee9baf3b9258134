/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A NIU of Wormhole writes into the registers of an initiator as it takes a command. It writes translated coordinates,
 * and the ports by which the packet leaves the first router. Sources: WormholeB0/NoC/MemoryMap.md ("NOC_CMD_CTRL",
 * "NOC_CTRL"), RoutingPaths.md, and the program that draws its figures (Diagrams/Src/NoC.lua).
 */
#include "noc/requests/act.h"
#include "noc/coords.h"
#include "noc/requests/request.h"
#include "noc/requests/written_back.h"

#define PORT_NIU (1u << 10)
#define PORT_Y (1u << 11)
#define PORT_X (1u << 12)
#define PORTS (PORT_NIU | PORT_Y | PORT_X)

#define CORNER_BITS (2 * TF_NOC_COORDINATE_BITS)

/* Translate the coordinates of a node or of a rectangle. A rectangle has its end first, and its start in the next
   bits. */
static uint32_t translate_coordinates(const struct tf_niu *niu, uint32_t mid, bool rectangle)
{
    unsigned first = niu->fabric->arch->niu->address_high_bits;
    for (unsigned corner = 0; corner < (rectangle ? 2u : 1u); corner++) {
        unsigned at = first + corner * CORNER_BITS;
        struct tf_noc_xy to = tf_niu_translate(niu, tf_noc_unpack_xy(mid, at));
        mid &= ~(((1u << CORNER_BITS) - 1) << at);
        mid |= tf_noc_pack_xy(to) << at;
    }
    return mid;
}

/* A waiting request is decoded from its registers again, so translated coordinates would be translated twice. They are
   written only if a second translation does not change them. Tables that software has set may change them. */
static uint32_t unless_moved(const struct tf_niu *niu, uint32_t mid, uint32_t to, bool rectangle)
{
    return to == mid || translate_coordinates(niu, to, rectangle) == to ? to : mid;
}

/* `number`: the node that the decoder found there, or TF_NO_NODE. */
static uint32_t translated(const struct tf_niu *niu, uint32_t mid, uint16_t number, bool rectangle)
{
    if (number == TF_NO_NODE)
        return unless_moved(niu, mid, translate_coordinates(niu, mid, rectangle), rectangle);
    const uint32_t mask = (1u << CORNER_BITS) - 1;
    unsigned first = niu->fabric->arch->niu->address_high_bits;
    uint32_t at = niu->fabric->node[number].niu[niu->noc].node_id & mask;
    return unless_moved(niu, mid, (mid & ~(mask << first)) | at << first, false);
}

/* The number of coordinates in a span that may wrap, and whether one of them is `at`. */
static unsigned span_of(unsigned start, unsigned end, unsigned size, unsigned at, bool *within)
{
    unsigned count = (end + size - start) % size + 1;
    *within = (at + size - start) % size < count;
    return count;
}

/* A path goes along the major axis to the rectangle, then along the minor axis, and then along the major axis again. */
static uint32_t ports_of_multicast(const struct tf_niu *niu, const struct tf_noc_command *command, struct tf_noc_xy own)
{
    bool in_x, in_y;
    unsigned columns = span_of(command->x0, command->x1, niu->fabric->arch->grid_x, own.x, &in_x);
    unsigned rows = span_of(command->y0, command->y1, niu->fabric->arch->grid_y, own.y, &in_y);
    bool in_major = command->major_y ? in_y : in_x, in_minor = command->major_y ? in_x : in_y;
    uint32_t major = command->major_y ? PORT_Y : PORT_X, minor = command->major_y ? PORT_X : PORT_Y;
    unsigned along_major = command->major_y ? rows : columns, along_minor = command->major_y ? columns : rows;
    if (!in_major)
        return major;
    return (in_minor && along_major > 1 ? major : 0) | (along_minor > in_minor ? minor : 0) |
           (in_minor && command->source_include && !tf_niu_opted_out(niu) ? PORT_NIU : 0);
}

/* NOC 0 moves along x first, NOC 1 along y. */
static uint32_t ports_of(const struct tf_niu *niu, const struct tf_noc_command *command)
{
    struct tf_noc_xy own = tf_noc_unpack_xy(niu->node_id, 0);
    if (command->multicast)
        return ports_of_multicast(niu, command, own);
    struct tf_noc_xy to = tf_noc_unpack_xy(niu->fabric->node[command->target].niu[niu->noc].node_id, 0);
    bool other_x = to.x != own.x, other_y = to.y != own.y;
    if (other_x && other_y)
        return niu->noc == 0 ? PORT_X : PORT_Y;
    return other_x ? PORT_X : other_y ? PORT_Y : PORT_NIU;
}

void tf_niu_write_back(struct tf_niu *niu, unsigned i, const struct tf_noc_command *command)
{
    uint32_t *own = niu->initiator[i];
    bool to_return = command->kind == TF_NOC_WRITE || command->kind == TF_NOC_WRITE_BE;
    unsigned to = to_return ? TF_NIU_RET_MID : TF_NIU_TARG_MID, other = to_return ? TF_NIU_TARG_MID : TF_NIU_RET_MID;
    uint16_t answer = command->kind == TF_NOC_WRITE_INLINE ? TF_NO_NODE : command->answer; /* the NIU itself */
    own[to] = translated(niu, own[to], command->target, command->multicast);
    own[other] = translated(niu, own[other], answer, false);
    own[TF_NIU_CTRL] = (own[TF_NIU_CTRL] & ~PORTS) | ports_of(niu, command);
}
