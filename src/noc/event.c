/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the events by which observers see requests. */
#include <stdio.h>

#include "noc/coords.h"
#include "noc/event.h"
#include "noc/niu_counters.h"
#include "noc/niu_layout.h"
#include "noc/sent.h"
#include "tile/riscv/hart/stop.h"

const char *tf_noc_kind_name(unsigned kind)
{
    static const char *const names[] = {[TF_NOC_READ] = "read",
                                        [TF_NOC_WRITE] = "write",
                                        [TF_NOC_WRITE_BE] = "masked write",
                                        [TF_NOC_WRITE_INLINE] = "inline write",
                                        [TF_NOC_ATOMIC] = "atomic"};
    return kind < sizeof names / sizeof names[0] && names[kind] != NULL ? names[kind] : "request";
}

const char *tf_noc_place_text(const struct tf_niu *niu, struct tf_noc_xy at, char text[TF_NOC_PLACE_BYTES])
{
    struct tf_noc_xy raw = tf_noc_raw(niu->fabric->arch, niu->noc, tf_niu_translate(niu, at));
    bool other = raw.x != at.x || raw.y != at.y;
    if (other && raw.x < niu->fabric->arch->grid_x && raw.y < niu->fabric->arch->grid_y)
        snprintf(text, TF_NOC_PLACE_BYTES, "(%u,%u), which is (%u,%u),", at.x, at.y, raw.x, raw.y);
    else
        snprintf(text, TF_NOC_PLACE_BYTES, "(%u,%u)", at.x, at.y);
    return text;
}

void tf_noc_fault(const struct tf_niu *niu, struct tf_niu_issuer by, unsigned kind, enum tf_fault_category category,
                  const char *at, uint64_t address, const char *why)
{
    tf_tile_fault_at(niu->node->tile, by.core, by.pc, by.cycle, category, 0, address, "NOC %u %s to %s 0x%llX: %s (%s)",
                     niu->noc, tf_noc_kind_name(kind), at, (unsigned long long)address, why, niu->fabric->arch->title);
}

/* Convert a place from raw coordinates of a NOC to those of NOC 0. */
static struct tf_coord place(const struct tf_fabric *fabric, unsigned noc, uint8_t x, uint8_t y)
{
    struct tf_noc_xy at = tf_noc_raw(fabric->arch, noc, (struct tf_noc_xy){x, y});
    return (struct tf_coord){(uint8_t)at.x, (uint8_t)at.y};
}

static void multicast_of(const struct tf_fabric *fabric, const struct tf_noc_request *request,
                         struct tf_noc_event *event)
{
    uint16_t node[TF_NODES_MAX];
    event->recipients = tf_noc_recipients(fabric, request, node);
    event->target = place(fabric, request->noc, request->x0, request->y0);
    event->target_last = place(fabric, request->noc, request->x1, request->y1);
    event->source_include = request->source_include;
    event->major_y = request->major_y;
    event->exclude = request->exclude;
}

void tf_noc_event_of(const struct tf_fabric *fabric, const struct tf_noc_request *request, struct tf_noc_event *event)
{
    bool atomic = request->kind == TF_NOC_ATOMIC;
    *event = (struct tf_noc_event){
        .kind = (enum tf_noc_kind)request->kind,
        .initiator = fabric->node[request->source].coord,
        .answer = fabric->node[request->answered ? request->answer : request->source].coord,
        .recipients = 1,
        .noc = request->noc,
        .core = request->core < TF_TILE_CORES ? request->core : TF_CORE_NONE,
        .tid = request->tid,
        .answered = request->answered,
        .multicast = request->multicast,
        .pc = request->pc,
        .cycle = request->cycle,
        .address = request->address,
        .source_address = tf_noc_is_long_form(request->kind) ? request->source_address : 0,
        .return_address = request->kind == TF_NOC_READ || (atomic && request->answered) ? request->return_address : 0,
        .bytes = atomic ? 4 : request->length,
        .at_len_be = request->to_overlay ? 0 : request->at_len_be,
        .at_data = request->at_data,
    };
    if (request->kind == TF_NOC_WRITE_BE || request->kind == TF_NOC_WRITE_INLINE)
        event->byte_mask = request->byte_mask;
    if (request->multicast)
        multicast_of(fabric, request, event);
    else
        event->target = event->target_last = fabric->node[request->target].coord;
}

unsigned tf_noc_initiator_of(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint32_t *ctrl)
{
    const struct tf_niu *niu = &fabric->node[request->source].niu[request->noc];
    const void *place = (const char *)request - offsetof(struct tf_noc_sent, request);
    const unsigned i = tf_niu_sender_of(niu, place);
    uint32_t words[TF_NIU_INITIATOR_WORDS];
    if (i == TF_NIU_OVERLAY)
        *ctrl = niu->sent[i].regs[TF_NIU_CTRL];
    else
        *ctrl = tf_niu_words(niu, i, words)[TF_NIU_CTRL];
    return i;
}

void tf_noc_event_ctrl(uint32_t ctrl, struct tf_noc_event *event)
{
    event->vc_static = (ctrl & TF_NOC_CTRL_STATIC) != 0;
    event->vc_linked = (ctrl & TF_NOC_CTRL_LINKED) != 0;
    event->vc = event->vc_static ? TF_NOC_CTRL_VC(ctrl) : 0;
}

enum tf_access tf_niu_no_store(struct tf_niu *niu, uint32_t offset, unsigned core, enum tf_fault_category category,
                               const char *why)
{
    if (core != TF_FROM_NOC && niu->node->tile != NULL)
        tf_tile_fault(niu->node->tile, core, category, 0, TF_NIU_BASE(niu->noc) + offset,
                      "NIU %u, register 0x%X: %s (%s)", niu->noc, offset, why, niu->fabric->arch->title);
    return TF_ACCESS_FAULT;
}
