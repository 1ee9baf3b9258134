/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <string.h>

#include "rig.h"
#include "tilefarm_address.h"

#define L1_BYTES RIG_L1_BYTES

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return (uint32_t)(((uint64_t)word >> low) & (((uint64_t)1 << (high - low + 1)) - 1));
}

static uint32_t extend(uint32_t value, unsigned width)
{
    uint32_t sign = (uint32_t)1 << (width - 1);
    return (value ^ sign) - sign;
}

static int64_t as_signed(uint32_t value)
{
    return value < 0x80000000u ? (int64_t)value : (int64_t)value - ((int64_t)1 << 32);
}

static uint32_t reverse(uint32_t a, uint32_t control)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        if (a >> i & 1)
            result |= (uint32_t)1 << (i ^ control);
    return result;
}

static uint32_t count(uint32_t a, bool from_top)
{
    for (unsigned i = 0; i < 32; i++)
        if (a >> (from_top ? 31 - i : i) & 1)
            return i;
    return 32;
}

static uint32_t population(uint32_t a)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < 32; i++)
        n += a >> i & 1;
    return n;
}

static uint32_t rotate_left(uint32_t a, uint32_t by)
{
    for (by &= 31; by > 0; by--)
        a = a << 1 | a >> 31;
    return a;
}

static uint32_t arithmetic(uint32_t a, uint32_t by)
{
    for (by &= 31; by > 0; by--)
        a = a >> 1 | (a & 0x80000000u);
    return a;
}

static uint32_t multiply(uint32_t f3, uint32_t a, uint32_t b)
{
    switch (f3) {
    case 0: return a * b;
    case 1: return (uint32_t)((uint64_t)(as_signed(a) * as_signed(b)) >> 32);
    case 2: return (uint32_t)((uint64_t)(as_signed(a) * (int64_t)b) >> 32);
    case 3: return (uint32_t)((uint64_t)a * b >> 32);
    case 4: return b == 0 ? 0xffffffffu : (uint32_t)(as_signed(a) / as_signed(b));
    case 5: return b == 0 ? 0xffffffffu : a / b;
    case 6: return b == 0 ? a : (uint32_t)(as_signed(a) % as_signed(b));
    default: return b == 0 ? a : a % b;
    }
}

static bool op(uint32_t f7, uint32_t f3, uint32_t a, uint32_t b, uint32_t *to)
{
    bool less = as_signed(a) < as_signed(b);
    switch (f7 << 4 | f3) {
    case 0x000: *to = a + b; return true;
    case 0x200: *to = a - b; return true;
    case 0x001: *to = a << (b & 31); return true;
    case 0x002: *to = less; return true;
    case 0x003: *to = a < b; return true;
    case 0x004: *to = a ^ b; return true;
    case 0x005: *to = a >> (b & 31); return true;
    case 0x205: *to = arithmetic(a, b); return true;
    case 0x006: *to = a | b; return true;
    case 0x007: *to = a & b; return true;
    case 0x102: *to = a * 2 + b; return true;
    case 0x104: *to = a * 4 + b; return true;
    case 0x106: *to = a * 8 + b; return true;
    case 0x207: *to = a & ~b; return true;
    case 0x206: *to = a | ~b; return true;
    case 0x204: *to = a ^ ~b; return true;
    case 0x054: *to = less ? a : b; return true;
    case 0x055: *to = a < b ? a : b; return true;
    case 0x056: *to = less ? b : a; return true;
    case 0x057: *to = a < b ? b : a; return true;
    case 0x301: *to = rotate_left(a, b); return true;
    case 0x305: *to = rotate_left(a, 32 - (b & 31)); return true;
    case 0x044: *to = (a & 0xffff) | b << 16; return true;
    default: break;
    }
    if (f7 != 1)
        return false;
    *to = multiply(f3, a, b);
    return true;
}

static uint32_t orc(uint32_t a)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i += 8)
        if (a >> i & 0xff)
            result |= (uint32_t)0xff << i;
    return result;
}

static bool op_imm(uint32_t word, uint32_t a, uint32_t *to)
{
    uint32_t imm = extend(bits(word, 31, 20), 12);
    uint32_t f7 = bits(word, 31, 25);
    uint32_t by = bits(word, 24, 20);
    switch (bits(word, 14, 12)) {
    case 0: *to = a + imm; return true;
    case 2: *to = as_signed(a) < as_signed(imm); return true;
    case 3: *to = a < imm; return true;
    case 4: *to = a ^ imm; return true;
    case 6: *to = a | imm; return true;
    case 7: *to = a & imm; return true;
    case 1:
        if (f7 == 0)
            *to = a << by;
        else if (f7 == 0x30 && by == 0)
            *to = count(a, true);
        else if (f7 == 0x30 && by == 1)
            *to = count(a, false);
        else if (f7 == 0x30 && by == 2)
            *to = population(a);
        else if (f7 == 0x30 && by == 4)
            *to = extend(a & 0xff, 8);
        else if (f7 == 0x30 && by == 5)
            *to = extend(a & 0xffff, 16);
        else
            return false;
        return true;
    default:
        if (f7 == 0)
            *to = a >> by;
        else if (f7 == 0x20)
            *to = arithmetic(a, by);
        else if (f7 == 0x30)
            *to = rotate_left(a, 32 - by);
        else if (f7 == 0x34)
            *to = reverse(a, by);
        else if (f7 == 0x14 && by == 7)
            *to = orc(a);
        else
            return false;
        return true;
    }
}

static uint8_t *place(struct reference *r, uint32_t address, uint32_t size)
{
    if (address % size != 0)
        return NULL;
    if (address < L1_BYTES)
        return r->l1 + address;
    if (address >= TF_LOCAL_BASE && address - TF_LOCAL_BASE < r->local_bytes)
        return r->local + (address - TF_LOCAL_BASE);
    return NULL;
}

static bool load(struct reference *r, uint32_t word, uint32_t *to)
{
    uint32_t f3 = bits(word, 14, 12);
    uint32_t size = (uint32_t)1 << (f3 & 3);
    uint32_t address = r->x[bits(word, 19, 15)] + extend(bits(word, 31, 20), 12);
    if (f3 == 3 || f3 > 5)
        return false;
    const uint8_t *from = place(r, address, size);
    if (from == NULL)
        return false;
    *to = 0;
    for (uint32_t i = 0; i < size; i++)
        *to |= (uint32_t)from[i] << (8 * i);
    if (f3 < 2)
        *to = extend(*to, 8 * size);
    return true;
}

static bool store(struct reference *r, uint32_t word)
{
    uint32_t size = (uint32_t)1 << bits(word, 14, 12);
    uint32_t address = r->x[bits(word, 19, 15)] + extend(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
    if (size > 4)
        return false;
    uint8_t *to = place(r, address, size);
    if (to == NULL)
        return false;
    for (uint32_t i = 0; i < size; i++)
        to[i] = (uint8_t)(r->x[bits(word, 24, 20)] >> (8 * i));
    return true;
}

static bool atomic(struct reference *r, uint32_t word, uint32_t *to)
{
    uint32_t address = r->x[bits(word, 19, 15)];
    uint32_t b = r->x[bits(word, 24, 20)];
    if (bits(word, 14, 12) != 2 || address % 4 != 0 || address >= L1_BYTES)
        return false;
    uint32_t a;
    memcpy(&a, r->l1 + address, 4);
    *to = a;
    bool less = as_signed(a) < as_signed(b);
    switch (bits(word, 31, 27)) {
    case 0x00: a = a + b; break;
    case 0x01: a = b; break;
    case 0x04: a = a ^ b; break;
    case 0x08: a = a | b; break;
    case 0x0c: a = a & b; break;
    case 0x10: a = less ? a : b; break;
    case 0x14: a = less ? b : a; break;
    case 0x18: a = a < b ? a : b; break;
    case 0x1c: a = a < b ? b : a; break;
    default: return false;
    }
    memcpy(r->l1 + address, &a, 4);
    return true;
}

static bool taken(uint32_t f3, uint32_t a, uint32_t b)
{
    switch (f3) {
    case 0: return a == b;
    case 1: return a != b;
    case 4: return as_signed(a) < as_signed(b);
    case 5: return as_signed(a) >= as_signed(b);
    case 6: return a < b;
    default: return a >= b;
    }
}

enum outcome { RETIRED, TRANSFER, FAULT };

static enum outcome branch(uint32_t word, uint32_t a, uint32_t b, uint32_t *next)
{
    uint32_t f3 = bits(word, 14, 12);
    if (f3 == 2 || f3 == 3)
        return FAULT;
    uint32_t offset = bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 | bits(word, 30, 25) << 5 |
                      bits(word, 11, 8) << 1;
    if (taken(f3, a, b))
        *next += extend(offset, 13) - 4;
    return TRANSFER;
}

/* jalr, jal */
static enum outcome jump(uint32_t word, uint32_t pc, uint32_t a, uint32_t *next)
{
    if (bits(word, 6, 0) == 0x67) {
        *next = (a + extend(bits(word, 31, 20), 12)) & ~(uint32_t)1;
        return bits(word, 14, 12) == 0 ? TRANSFER : FAULT;
    }
    uint32_t offset = bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 | bits(word, 20, 20) << 11 |
                      bits(word, 30, 21) << 1;
    *next = pc + extend(offset, 21);
    return TRANSFER;
}

static enum outcome execute(struct reference *r, uint32_t word)
{
    uint32_t a = r->x[bits(word, 19, 15)];
    uint32_t b = r->x[bits(word, 24, 20)];
    uint32_t rd = bits(word, 11, 7);
    uint32_t next = r->pc + 4;
    uint32_t value = 0;
    bool good = true;
    enum outcome outcome = RETIRED;
    switch (word & 3) {
    case 3: break;
    default:
        r->pushed++;
        r->pc = next;
        return RETIRED;
    }
    switch (bits(word, 6, 0)) {
    case 0x03: good = load(r, word, &value); break;
    case 0x0f:
        good = bits(word, 14, 12) == 0;
        rd = 0;
        break;
    case 0x13: good = op_imm(word, a, &value); break;
    case 0x17: value = r->pc + (word & 0xfffff000u); break;
    case 0x23:
        good = store(r, word);
        rd = 0;
        break;
    case 0x2f: good = atomic(r, word, &value); break;
    case 0x33: good = op(bits(word, 31, 25), bits(word, 14, 12), a, b, &value); break;
    case 0x37: value = word & 0xfffff000u; break;
    case 0x63:
        outcome = branch(word, a, b, &next);
        rd = 0;
        break;
    case 0x67:
    case 0x6f:
        value = next;
        outcome = jump(word, r->pc, a, &next);
        break;
    case 0x07:
    case 0x27:
    case 0x43:
    case 0x47:
    case 0x4b:
    case 0x4f:
    case 0x53:
    case 0x57:
    case 0x73: r->lost = true; return FAULT;
    default: good = false; break;
    }
    if (!good || outcome == FAULT)
        return FAULT;
    if (rd != 0)
        r->x[rd] = value;
    r->pc = next;
    return outcome;
}

void reference_turn(struct reference *r, uint64_t deadline)
{
    if (r->cycle >= deadline)
        return;
    while (!r->stopped) {
        uint32_t word;
        if (r->pc % 4 != 0 || r->pc >= L1_BYTES) {
            r->stopped = true;
            break;
        }
        memcpy(&word, r->l1 + r->pc, 4);
        enum outcome outcome = execute(r, word);
        if (outcome == FAULT) {
            r->stopped = true;
            break;
        }
        r->cycle++;
        r->instret++;
        if (outcome == TRANSFER && r->cycle >= deadline)
            return;
    }
    if (r->cycle < deadline)
        r->cycle = deadline;
}
