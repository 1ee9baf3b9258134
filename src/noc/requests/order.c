/* SPDX-License-Identifier: Apache-2.0 */
/* Sources: WormholeB0/NoC/Ordering.md; BlackholeA0/NoC/MemoryMap.md, "NOC_CTRL". */
#include "noc/requests/act.h"
#include "noc/requests/order.h"

#include "host/mix.h"
#include "noc/nodes/space.h"

#define NONE TF_NOC_RULE_NONE
#define ONE TF_NOC_RULE_1
#define TWO TF_NOC_RULE_2
#define THREE TF_NOC_RULE_3
#define FOUR TF_NOC_RULE_4
#define FIVE TF_NOC_RULE_5
#define SIX TF_NOC_RULE_6

/* clang-format off */
const uint8_t tf_noc_rules[TF_NOC_ACTS][TF_NOC_ACTS] = {
    /* second:                          write register  read register linked register atomic posted */
    [TF_NOC_ACT_WRITE]                = {FOUR, NONE,    ONE,  ONE,    ONE,  ONE,      NONE,  NONE},
    [TF_NOC_ACT_WRITE_REGISTER]       = {NONE, FIVE,    ONE,  ONE,    ONE,  ONE,      NONE,  NONE},
    [TF_NOC_ACT_READ]                 = {NONE, NONE,    NONE, SIX,    NONE, SIX,      NONE,  NONE},
    [TF_NOC_ACT_READ_REGISTER]        = {NONE, NONE,    SIX,  SIX,    SIX,  SIX,      NONE,  NONE},
    [TF_NOC_ACT_READ_LINKED]          = {TWO,  TWO,     TWO,  TWO,    TWO,  TWO,      TWO,   TWO},
    [TF_NOC_ACT_READ_REGISTER_LINKED] = {TWO,  TWO,     TWO,  TWO,    TWO,  TWO,      TWO,   TWO},
    [TF_NOC_ACT_ATOMIC]               = {NONE, NONE,    NONE, NONE,   NONE, NONE,     THREE, THREE},
    [TF_NOC_ACT_ATOMIC_POSTED]        = {NONE, NONE,    NONE, NONE,   NONE, NONE,     NONE,  NONE},
};
/* clang-format on */

enum tf_noc_act tf_noc_act_of(const struct tf_node *recipient, const struct tf_noc_request *request, uint32_t ctrl)
{
    if (request->kind == TF_NOC_ATOMIC)
        return request->answered ? TF_NOC_ACT_ATOMIC : TF_NOC_ACT_ATOMIC_POSTED;
    const bool in_register = tf_node_place(recipient, request->address) == TF_PLACE_REGISTER;
    if (request->kind != TF_NOC_READ)
        return in_register ? TF_NOC_ACT_WRITE_REGISTER : TF_NOC_ACT_WRITE;
    if ((ctrl & TF_NOC_CTRL_LINKED) != 0)
        return in_register ? TF_NOC_ACT_READ_REGISTER_LINKED : TF_NOC_ACT_READ_LINKED;
    return in_register ? TF_NOC_ACT_READ_REGISTER : TF_NOC_ACT_READ;
}

/* The channel of a request, which is that of the transaction under way; 0: the NIU and the routers choose it. */
static uint64_t channel_of(struct tf_noc_transaction *open, uint32_t ctrl)
{
    uint64_t channel = open->channel;
    if (channel == 0 && (ctrl & TF_NOC_CTRL_STATIC) != 0)
        channel = 8u | TF_NOC_CTRL_VC(ctrl);
    else if (channel == 0 && (ctrl & TF_NOC_CTRL_LINKED) != 0)
        channel = 16u + open->count++;
    open->channel = (ctrl & TF_NOC_CTRL_LINKED) != 0 ? channel : 0;
    return channel;
}

/* The tree of routes to a rectangle, or the route to a node. */
static uint64_t path_of(const struct tf_noc_request *request)
{
    if (!request->multicast)
        return request->target;
    const uint64_t rectangle = (uint64_t)request->x0 << 24 | (uint64_t)request->y0 << 16 | (uint64_t)request->x1 << 8 |
                               request->y1;
    return tf_mix_split(1ull << 32 | rectangle) ^ ((uint64_t)request->exclude << 1 | request->major_y);
}

uint64_t tf_noc_channel(struct tf_noc_transaction *open, const struct tf_noc_request *request, uint32_t ctrl)
{
    const uint64_t channel = channel_of(open, ctrl);
    return channel == 0 ? 0 : tf_mix_split(path_of(request) << 1 | request->noc) ^ tf_mix_split(channel);
}
