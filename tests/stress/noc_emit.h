/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to the NOC from programs that are put together word by word. */
#ifndef STRESS_NOC_EMIT_H
#define STRESS_NOC_EMIT_H

#include "rv_emit.h"

#define NIU 0xFFB20000u

enum { X_BASE = 26, X_VALUE };

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
    uint32_t base = NIU + initiator * 0x800;
    store(code, base + 0x00, request->targ);
    store(code, base + 0x08, request->targ_hi);
    store(code, base + 0x0C, request->ret);
    store(code, base + 0x14, request->ret_hi);
    store(code, base + 0x18, 1 << 10);
    store(code, base + 0x1C, request->ctrl | 1 << 4);
    store(code, base + 0x20, request->length);
    store(code, base + 0x28, 1);
}

/* Once the initiator whose registers x_initiator points to is free. */
static inline void send(struct code *code, unsigned x_initiator)
{
    unsigned wait = code->count;
    put(code, rv_i(LW, X_VALUE, x_initiator, 0x40));
    branch_to(code, BNE, X_VALUE, 0, wait);
    put(code, rv_i(ADDI, X_VALUE, 0, 1));
    put(code, rv_s(SW, X_VALUE, x_initiator, 0x40));
}

#endif
