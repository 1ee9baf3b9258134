/* SPDX-License-Identifier: Apache-2.0 */
/* The model's Dst: what SFPLOAD and SFPSTORE do (SFPLOAD.md, SFPSTORE.md, Dst.md). */
#include "unit/tensix/sfpu_model_parts.h"

unsigned model_row16(const struct model *m, unsigned row)
{
    row &= 0x3FF;
    if (m->remap_addrs)
        row = (row & 0x3C7) ^ (row & 0x030) >> 1 ^ (row & 0x008) << 2;
    return row;
}

unsigned model_row32(const struct model *m, unsigned row)
{
    row = model_row16(m, row);
    if (m->swizzle_32b)
        row = (row & 0x3F3) ^ (row & 0x018) >> 1 ^ (row & 0x004) << 1;
    return (row & 0x1F8) << 1 | (row & 0x207);
}

static uint32_t unshuffle(uint32_t x)
{
    uint32_t hi = x >> 16;
    return ((hi & 0x8000) | (hi & 0xFF) << 7 | (hi & 0x7F00) >> 8) << 16 | (x & 0xFFFF);
}

static uint32_t shuffle(uint32_t x)
{
    uint32_t hi = x >> 16;
    return ((hi & 0x8000) | (hi & 0x7F) << 8 | (hi & 0x7F80) >> 7) << 16 | (x & 0xFFFF);
}

static uint32_t fp16_load(uint32_t x, bool infinity)
{
    uint32_t man = x >> 5 & 0x3FF, e = x & 31;
    if (infinity && e == 31 && man == 0x3FF)
        e = 255, man = 0;
    else if (e != 0)
        e += 112;
    return (x >> 15) << 31 | e << 23 | man << 13;
}

static uint32_t fp16_store(uint32_t x)
{
    int e = (int)(x >> 23 & 0xFF) - 112;
    uint32_t man = x >> 13 & 0x3FF;
    if (e <= 0)
        e = 0, man = 0;
    else if (e > 31)
        e = 31, man = 0x3FF;
    return (x >> 31) << 15 | man << 5 | (uint32_t)e;
}

/* Wormhole moves integers with modes 12 and 13 as two's complement. */
static uint32_t to_complement(uint32_t x)
{
    return x >> 31 ? 0u - (x & 0x7FFFFFFFu) : x;
}

static uint32_t to_magnitude(uint32_t x)
{
    return x >> 31 ? 0x80000000u | ((0u - x) & 0x7FFFFFFFu) : x;
}

struct place {
    unsigned address, mod;
};

static struct place find(struct model *m, uint32_t word, bool is_load)
{
    unsigned mod = bit_range(word, 16, 4);
    if (mod == 0)
        mod = m->srcb_format;
    if (mod != 10)
        return (struct place){((word & 0x3FF) + m->math_offset + m->dst_counter + (m->sp & 3)) & 0x3FF, mod};
    if (m->wormhole)
        return (struct place){((word & 0x3FF) + m->math_offset + (m->dst_counter & 3)) & 0x3FF, mod};
    if (is_load && m->sp != 0)
        m->sp = (m->sp - m->sp_step) & 0x3FF;
    struct place place = {((word & 0x3FF) + m->math_offset + m->sp + (m->dst_counter & 3)) & 0x3FF, mod};
    if (!is_load)
        m->sp = (m->sp + m->sp_step) & 0x3FF;
    return place;
}

void model_load(struct model *m, uint32_t word)
{
    unsigned vd = bit_range(word, 20, 4);
    struct place p = find(m, word, true);
    for (unsigned i = 0; i < 32 && vd < 8; i++) {
        struct model_lane *l = &m->lane[i];
        if ((l->config & 0x20) || !(enabled(l, i) || p.mod == 10))
            continue;
        unsigned row = (p.address & ~3u) + i / 8, column = (i & 7) * 2;
        if ((p.address & 2) || (l->config & 0x40))
            column++;
        unsigned r16 = model_row16(m, row), r32 = model_row32(m, row);
        uint32_t d16 = m->undefined[r16] ? 0 : m->dst[r16][column];
        uint32_t d32 = m->undefined[r32] ? 0 : (uint32_t)m->dst[r32][column] << 16 | m->dst[r32 + 8][column];
        uint32_t old = l->lreg[vd], x = 0;
        switch (p.mod) {
        case 1: x = fp16_load(d16, l->config & 1); break;
        case 2: x = unshuffle(d16 << 16); break;
        case 3:
        case 4:
        case 10: x = unshuffle(d32); break;
        case 12: x = m->wormhole ? to_complement(unshuffle(d32)) : unshuffle(d32); break;
        case 5: x = (d16 >> 15) << 31 | (d16 >> 5 & (m->wormhole ? 0x7F : 0xFF)); break;
        case 6:
        case 9: x = d16; break;
        case 7: x = d16 << 16; break;
        case 8: x = (d16 >> 15) << 31 | (d16 & 0x7FFF); break;
        case 13: x = (d16 >> 15) << 31 | (d16 >> 5 & 0x3FF); break;
        case 14: x = (old & 0xFFFF0000u) | d16; break;
        case 15: x = d16 << 16 | (old & 0xFFFF); break;
        default: break;
        }
        if (m->wormhole && p.mod == 13)
            x = to_complement(x);
        l->lreg[vd] = x;
        if (vd < 4 && (l->config & 12) == 12)
            l->lreg[vd + 4] = row << 4 | column;
    }
}

static void put16(struct model *m, unsigned row, unsigned column, uint32_t x)
{
    unsigned r = model_row16(m, row);
    m->dst[r][column] = (uint16_t)x;
    m->undefined[r] = false;
}

static void put32(struct model *m, unsigned row, unsigned column, uint32_t x)
{
    unsigned r = model_row32(m, row);
    m->dst[r][column] = (uint16_t)(x >> 16);
    m->dst[r + 8][column] = (uint16_t)x;
    m->undefined[r] = false;
}

static void store_lane(struct model *m, unsigned mod, unsigned row, unsigned column, uint32_t x)
{
    uint32_t flushed = (x & 0x7F800000) == 0 ? x & 0x80000000u : x;
    if (m->wormhole && (mod == 12 || mod == 13))
        x = to_magnitude(x);
    switch (mod) {
    case 1: put16(m, row, column, fp16_store(x)); break;
    case 2: put16(m, row, column, shuffle(flushed) >> 16); break;
    case 3: put32(m, row, column, shuffle(flushed)); break;
    case 4:
    case 10:
    case 12: put32(m, row, column, shuffle(x)); break;
    case 5:
    case 13: put16(m, row, column, (x >> 31) << 15 | (x & 0x3FF) << 5 | 16); break;
    case 6:
    case 14: put16(m, row, column, x & 0xFFFF); break;
    case 15: put16(m, row, column, x >> 16); break;
    case 8: put16(m, row, column, (x >> 31) << 15 | (x & 0x7FFF)); break;
    case 9: put32(m, row, column, x << 16 | x >> 16); break;
    case 7: put32(m, row, column, x); break;
    default: put16(m, row, column, 0); break;
    }
}

void model_store(struct model *m, uint32_t word)
{
    unsigned vd = bit_range(word, 20, 4);
    struct place p = find(m, word, false);
    for (unsigned i = 0; i < 32; i++) {
        struct model_lane *l = &m->lane[i];
        if ((l->config & 0x10) || !(vd < 12 || no_backdoor(l)) || !(enabled(l, i) || p.mod == 10))
            continue;
        unsigned row = (p.address & ~3u) + i / 8, column = (i & 7) * 2;
        if ((p.address & 2) || (l->config & 0x80))
            column++;
        store_lane(m, p.mod, row, column, l->lreg[vd]);
    }
}
