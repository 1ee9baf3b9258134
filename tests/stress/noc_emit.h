/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to the NOC from programs that are put together word by word. */
#ifndef STRESS_NOC_EMIT_H
#define STRESS_NOC_EMIT_H

#include "rv_emit.h"
#include "tilefarm_address.h"

#define NIU TF_NIU_BASE(0)

enum { X_BASE = 26, X_VALUE };

/* Where a family's initiators have their registers. Wormhole joins coordinates and the high bits of an address. */
struct niu_layout {
    uint32_t stride, targ_hi, ret_hi, at_data, command;
    unsigned xy_shift;
};

static const struct niu_layout niu_blackhole = {0x800, 0x08, 0x14, 0x28, 0x40, 0},
                               niu_wormhole = {0x400, 0x04, 0x10, 0x24, 0x28, 4};
static const struct niu_layout *niu_words = &niu_blackhole;

static inline uint32_t initiator_at(unsigned initiator)
{
    return NIU + initiator * niu_words->stride;
}

/* An increment of a word, answered. */
#define INCREMENT_CTRL 1u
#define INCREMENT_LENGTH 0x107Cu

static inline void store(struct code *code, uint32_t address, uint32_t value)
{
    li(code, X_BASE, address);
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_BASE, 0));
}

struct request {
    uint32_t targ, targ_hi, ret, ret_hi, ctrl, length;
};

/* The registers of an initiator; x26 and x27 are used. */
static inline void fill(struct code *code, unsigned initiator, const struct request *request)
{
    uint32_t base = initiator_at(initiator);
    store(code, base + 0x00, request->targ);
    store(code, base + niu_words->targ_hi, request->targ_hi << niu_words->xy_shift);
    store(code, base + 0x0C, request->ret);
    store(code, base + niu_words->ret_hi, request->ret_hi << niu_words->xy_shift);
    store(code, base + 0x18, 1 << 10);
    store(code, base + 0x1C, request->ctrl | 1 << 4);
    store(code, base + 0x20, request->length);
    store(code, base + niu_words->at_data, 1);
}

/* Once the initiator whose registers x_initiator points to is free. */
static inline void send(struct code *code, unsigned x_initiator)
{
    unsigned wait = code->count;
    put(code, rv_i(LW, X_VALUE, x_initiator, niu_words->command));
    branch_to(code, BNE, X_VALUE, 0, wait);
    put(code, rv_i(ADDI, X_VALUE, 0, 1));
    put(code, rv_s(SW, X_VALUE, x_initiator, niu_words->command));
}

#endif
