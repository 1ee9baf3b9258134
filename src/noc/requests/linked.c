/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linked transactions (NoC/MemoryMap.md, NOC_CMD_VC_LINKED). A request with the flag begins or continues one; the next
 * request of the NIU belongs to it, whichever initiator sends it. "All requests in the transaction must be to the same
 * destination", else "complete NoC failure"; with an incompatible virtual channel the NIU initiates no request at all.
 */
#include "noc/requests/linked.h"
#include "noc/noc.h"
#include "noc/requests/request.h"
#include "noc/sent.h"
#include "host/mix.h"

/* Where a request goes: a node, or the tree of routes to a rectangle. */
static uint64_t path_of(const struct tf_noc_command *command)
{
    if (!command->multicast)
        return tf_mix_split(command->target + 1u);
    return tf_mix_split(1ull << 40 | (uint64_t)command->major_y << 32 | (uint64_t)command->x0 << 24 |
                        (uint64_t)command->y0 << 16 | (uint64_t)command->x1 << 8 | command->y1);
}

static const char *why_not(const struct tf_noc_linked *open, uint64_t path, uint32_t ctrl)
{
    if (open->path != path)
        return "a linked transaction is open (NOC_CMD_VC_LINKED), and its next request goes to another destination: "
               "the NoC fails";
    if ((open->ctrl & ctrl & TF_NOC_CTRL_STATIC) != 0 && TF_NOC_CTRL_VC(open->ctrl) != TF_NOC_CTRL_VC(ctrl))
        return "a linked transaction is open (NOC_CMD_VC_LINKED), and its next request names another virtual channel: "
               "the NIU cannot send it";
    return NULL;
}

const char *tf_noc_link(struct tf_niu *niu, const struct tf_noc_command *command, uint32_t ctrl)
{
    struct tf_noc_linked *open = &niu->sent->linked;
    const bool links = (ctrl & TF_NOC_CTRL_LINKED) != 0;
    const uint64_t path = path_of(command);
    /* After a restore the destination is not known: the open transaction is that of the next request. */
    if ((niu->split & TF_NIU_LINKED) != 0 && open->path != 0) {
        const char *why = why_not(open, path, ctrl);
        if (why != NULL)
            return why;
    }
    if (links && (niu->split & TF_NIU_LINKED) == 0)
        tf_niu_forget(niu); /* kept packets would not come here */
    *open = (struct tf_noc_linked){.path = links ? path : 0, .ctrl = ctrl};
    niu->split = (uint8_t)((niu->split & ~TF_NIU_LINKED) | (links ? TF_NIU_LINKED : 0));
    return NULL;
}

bool tf_niu_is_linked(const struct tf_niu *niu)
{
    return (niu->split & TF_NIU_LINKED) != 0;
}
