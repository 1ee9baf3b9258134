/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of breakpoints and watchpoints: byte code of GDB's agent expressions. A condition that cannot be computed
   counts as true: the chip stops, and GDB evaluates the condition. */
#include "debug/gdb/condition.h"
#include "debug/gdb/target.h"
#include "debug/gdb/parts.h"

#define STACK 64u

struct machine {
    struct tf_gdb *gdb;
    unsigned pid;
    const uint8_t *code;
    unsigned bytes, at, depth;
    int64_t stack[STACK];
    bool bad;
};

static int64_t pop(struct machine *m)
{
    m->bad |= m->depth == 0;
    return m->bad ? 0 : m->stack[--m->depth];
}

static void push(struct machine *m, int64_t value)
{
    m->bad |= m->depth == STACK;
    if (!m->bad)
        m->stack[m->depth++] = value;
}

/* Read an operand of the code, which is big-endian. */
static uint64_t operand(struct machine *m, unsigned bytes)
{
    uint64_t value = 0;
    m->bad |= bytes > m->bytes - m->at;
    for (unsigned i = 0; i < bytes && !m->bad; i++)
        value = value << 8 | m->code[m->at++];
    return value;
}

static void reference(struct machine *m, unsigned bytes)
{
    uint8_t data[8] = {0};
    uint64_t value = 0;
    m->bad |= !tf_gdb_read(m->gdb, m->pid, (uint32_t)pop(m), data, bytes);
    for (unsigned i = bytes; i-- > 0;)
        value = value << 8 | data[i];
    push(m, (int64_t)value);
}

static void binary(struct machine *m, unsigned op)
{
    int64_t b = pop(m), a = pop(m);
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    bool divides = op >= TF_AGENT_DIV_S && op <= TF_AGENT_REM_U;
    m->bad |= divides && (b == 0 || (b == -1 && a == INT64_MIN));
    if (m->bad)
        return;
    switch (op) {
    case TF_AGENT_ADD: push(m, (int64_t)(ua + ub)); return;
    case TF_AGENT_SUB: push(m, (int64_t)(ua - ub)); return;
    case TF_AGENT_MUL: push(m, (int64_t)(ua * ub)); return;
    case TF_AGENT_DIV_S: push(m, a / b); return;
    case TF_AGENT_DIV_U: push(m, (int64_t)(ua / ub)); return;
    case TF_AGENT_REM_S: push(m, a % b); return;
    case TF_AGENT_REM_U: push(m, (int64_t)(ua % ub)); return;
    case TF_AGENT_LSH: push(m, (int64_t)(ub > 63 ? 0 : ua << ub)); return;
    case TF_AGENT_RSH_S: push(m, a >> (ub > 63 ? 63 : ub)); return;
    case TF_AGENT_RSH_U: push(m, (int64_t)(ub > 63 ? 0 : ua >> ub)); return;
    case TF_AGENT_AND: push(m, a & b); return;
    case TF_AGENT_OR: push(m, a | b); return;
    case TF_AGENT_XOR: push(m, a ^ b); return;
    case TF_AGENT_EQUAL: push(m, a == b); return;
    case TF_AGENT_LESS_S: push(m, a < b); return;
    default: push(m, ua < ub); return;
    }
}

/* Sign-extend or zero-extend a number of so many bits. */
static void extend(struct machine *m, bool sign)
{
    unsigned bits = (unsigned)operand(m, 1);
    uint64_t value = (uint64_t)pop(m);
    if (bits == 0 || bits >= 64) {
        push(m, (int64_t)value);
        return;
    }
    value &= (1ull << bits) - 1;
    if (sign && (value >> (bits - 1) & 1) != 0)
        value |= ~0ull << bits;
    push(m, (int64_t)value);
}

static void load_register(struct machine *m)
{
    uint32_t value = m->gdb->writer;
    unsigned number = (unsigned)operand(m, 2);
    m->bad |= number != TF_AGENT_WRITER && !tf_gdb_register(m->gdb, m->pid, number, &value);
    push(m, (int64_t)(int32_t)value);
}

static void swap(struct machine *m)
{
    int64_t b = pop(m), a = pop(m);
    push(m, b);
    push(m, a);
}

static void jump(struct machine *m, bool taken)
{
    unsigned target = (unsigned)operand(m, 2);
    m->bad |= taken && target >= m->bytes;
    if (taken)
        m->at = target;
}

static void step(struct machine *m, unsigned op)
{
    int64_t value;
    switch (op) {
    case TF_AGENT_LOG_NOT: push(m, !pop(m)); return;
    case TF_AGENT_NOT: push(m, ~pop(m)); return;
    case TF_AGENT_EXT: extend(m, true); return;
    case TF_AGENT_ZERO_EXT: extend(m, false); return;
    case TF_AGENT_REF8: reference(m, 1); return;
    case TF_AGENT_REF16: reference(m, 2); return;
    case TF_AGENT_REF32: reference(m, 4); return;
    case TF_AGENT_REF64: reference(m, 8); return;
    case TF_AGENT_CONST8: push(m, (int64_t)operand(m, 1)); return;
    case TF_AGENT_CONST16: push(m, (int64_t)operand(m, 2)); return;
    case TF_AGENT_CONST32: push(m, (int64_t)operand(m, 4)); return;
    case TF_AGENT_CONST64: push(m, (int64_t)operand(m, 8)); return;
    case TF_AGENT_REG: load_register(m); return;
    case TF_AGENT_IF_GOTO:
        value = pop(m);
        jump(m, value != 0);
        return;
    case TF_AGENT_GOTO: jump(m, true); return;
    case TF_AGENT_DUP:
        value = pop(m);
        push(m, value);
        push(m, value);
        return;
    case TF_AGENT_POP: pop(m); return;
    case TF_AGENT_SWAP: swap(m); return;
    default:
        if (op >= TF_AGENT_ADD && op <= TF_AGENT_LESS_U)
            binary(m, op);
        else
            m->bad = true;
        return;
    }
}

static bool evaluate(struct tf_gdb *gdb, unsigned pid, const uint8_t *code, unsigned bytes)
{
    struct machine m = {.gdb = gdb, .pid = pid, .code = code, .bytes = bytes};
    for (unsigned steps = 0; steps < 10000 && !m.bad && m.at < bytes; steps++) {
        unsigned op = m.code[m.at++];
        if (op == TF_AGENT_END)
            return m.depth == 0 || m.stack[m.depth - 1] != 0;
        step(&m, op);
    }
    return true;
}

bool tf_gdb_condition(struct tf_gdb *gdb, const struct point *point)
{
    unsigned at = 0;
    if (point->condition == NULL)
        return true;
    while (at + 2 <= point->condition_bytes) {
        unsigned bytes = (unsigned)(point->condition[at] << 8 | point->condition[at + 1]);
        at += 2;
        if (bytes > point->condition_bytes - at || evaluate(gdb, point->pid, point->condition + at, bytes))
            return true;
        at += bytes;
    }
    return false;
}
