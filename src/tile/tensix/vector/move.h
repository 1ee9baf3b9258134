/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOAD and SFPSTORE between four rows of Dst and a register; part of kernels.h. Two adjacent data of 16 bits form a
 * lane's word: lane i has columns 2 * (i % 8) and the next of row i / 8.
 */
INLINE vu load_words(const uint16_t *rows, unsigned part)
{
    return *(const vu *)(const void *)(rows + part * TF_HOST_WIDTH * 2);
}

/* Lanes use their even column, their odd column, or a mixture. */
enum columns { EVEN, ODD, MIXED };

INLINE enum columns columns_of(const struct tf_dst_rows *rows)
{
    return rows->odd_lanes == 0 ? EVEN : rows->odd_lanes == TF_ALL_LANES ? ODD : MIXED;
}

INLINE vu column_shift(const struct tf_dst_rows *rows, unsigned part)
{
    return sel(m_of(rows->odd_lanes, part), splat(16), splat(0));
}

INLINE vu load16(const struct tf_dst_rows *rows, unsigned part)
{
    return load_words(rows->high, part) >> column_shift(rows, part) & 0xFFFF;
}

INLINE vu load32(const struct tf_dst_rows *rows, unsigned part)
{
    return load16(rows, part) << 16 | (load_words(rows->low, part) >> column_shift(rows, part) & 0xFFFF);
}

/* Sign, high mantissa, exponent, low mantissa: as in Dst32b; the exponent and mantissa change places. */
INLINE vu unshuffle(vu x)
{
    CONSTANT(exponent, 0x7F800000);
    CONSTANT(in_place, 0x8000FFFF);
    return choose_bits(in_place, x, choose_bits(exponent, x << 7, x >> 8));
}

INLINE vu shuffle(vu x)
{
    CONSTANT(mantissa, 0x7F000000);
    CONSTANT(in_place, 0x8000FFFF);
    return choose_bits(in_place, x, choose_bits(mantissa, x << 8, x >> 7));
}

/* The high halves of words, in place, with low halves of zero or of other words. */
INLINE vu high_halves(const struct tf_dst_rows *rows, unsigned part, bool odd)
{
    vu words = load_words(rows->high, part);
    return odd ? words & 0xFFFF0000 : words << 16;
}

INLINE vu both_halves(const struct tf_dst_rows *rows, unsigned part, bool odd)
{
    vu words = load_words(rows->high, part), low = load_words(rows->low, part);
    return odd ? join_halves(words, low >> 16) : join_halves(words << 16, low);
}

/* The frequent moves: BF16 and FP32 with all lanes in even or all in odd columns. */
INLINE void load_uniform(uint32_t *to, const struct tf_dst_rows *rows, uint32_t lanes, bool wide, bool odd)
{
    vu results[PARTS];
    EACH(part)
    results[part] = unshuffle(wide ? both_halves(rows, part, odd) : high_halves(rows, part, odd));
    put_results(to, lanes, results);
}

INLINE bool load_common(uint32_t *to, unsigned mod0, const struct tf_dst_rows *rows, uint32_t lanes)
{
    bool wide = mod0 == TF_FMT_FP32;
    if (columns_of(rows) == MIXED || (!wide && mod0 != TF_FMT_BF16))
        return false;
    if (columns_of(rows) == EVEN && wide)
        load_uniform(to, rows, lanes, true, false);
    else if (columns_of(rows) == EVEN)
        load_uniform(to, rows, lanes, false, false);
    else if (wide)
        load_uniform(to, rows, lanes, true, true);
    else
        load_uniform(to, rows, lanes, false, true);
    return true;
}

INLINE vu read_fp16(vu x, vm infinity)
{
    vu exponent = x & 0x1F, mantissa = x >> 5 & 0x3FF;
    vu wide = sel(eq(exponent, splat(0)), splat(0), exponent + 112) << 23 | mantissa << 13;
    wide = sel(infinity & eq(x & 0x7FFF, splat(0x7FFF)), splat(TF_FP32_INFINITY), wide);
    return (x & 0x8000) << 16 | wide;
}

static void capture_index(struct tf_vector *v, unsigned vd, const struct tf_dst_rows *rows, uint32_t lanes)
{
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        unsigned row = rows->row + lane / TF_LANE_COLUMNS;
        unsigned column = lane % TF_LANE_COLUMNS * 2 + (rows->odd_lanes >> lane & 1);
        if (lanes >> lane & 1)
            v->lreg[vd + 4][lane] = row << 4 | column;
    }
}

/* Sign and `bits` of magnitude, above the exponent of Integer "8". */
INLINE vu read_integer8(vu x, uint32_t magnitude)
{
    return (x & 0x8000) << 16 | (x >> 5 & magnitude);
}

/* From sign and magnitude to two's complement, and back. */
INLINE vu to_complement(vu x)
{
    return sel(lt((vi)x, (vi)splat(0)), 0 - (x & ~TF_FP32_SIGN), x);
}

INLINE vu to_magnitude(vu x)
{
    return sel(lt((vi)x, (vi)splat(0)), TF_FP32_SIGN | ((0 - x) & ~TF_FP32_SIGN), x);
}

/* VD = expression of x, the datum. */
#define LOAD(width, expression)                             \
    EACH(part)                                              \
    {                                                       \
        vu x = load##width(rows, part);                     \
        put(to, part, m_of(rows->lanes, part), expression); \
    }                                                       \
    break

static __attribute__((noinline)) void load_any(struct tf_vector *v, unsigned mod0, unsigned vd,
                                               const struct tf_dst_rows *rows)
{
    uint32_t *to = v->lreg[vd];
    if (load_common(to, mod0, rows, rows->lanes))
        return;
    switch (mod0) {
    case TF_FMT_FP16: LOAD(16, read_fp16(x, m_of(v->mask.fp16_infinity, part)));
    case TF_FMT_BF16: LOAD(16, unshuffle(x << 16));
    case TF_FMT_FP32:
    case TF_FMT_INT32:
    case TF_FMT_INT32_ALL: LOAD(32, unshuffle(x));
    case TF_FMT_INT32_SM: LOAD(32, WORMHOLE ? to_complement(unshuffle(x)) : unshuffle(x));
    case TF_FMT_INT8: LOAD(16, read_integer8(x, WORMHOLE ? 0x7F : 0xFF));
    case TF_FMT_INT8_COMP: LOAD(16, WORMHOLE ? to_complement(read_integer8(x, 0x3FF)) : read_integer8(x, 0x3FF));
    case TF_FMT_LO16_ONLY: LOAD(16, (load(to, part) & 0xFFFF0000) | x);
    case TF_FMT_HI16_ONLY: LOAD(16, x << 16 | (load(to, part) & 0xFFFF));
    case TF_FMT_INT16: LOAD(16, (x & 0x8000) << 16 | (x & 0x7FFF));
    case TF_FMT_UINT16:
    case TF_FMT_LO16: LOAD(16, x);
    case TF_FMT_HI16: LOAD(16, x << 16);
    default: LOAD(16, x & 0);
    }
}

INLINE void load_lanes(struct tf_vector *v, unsigned mod0, unsigned vd, const struct tf_dst_rows *rows)
{
    if (rows->lanes != TF_ALL_LANES || !load_common(v->lreg[vd], mod0, rows, TF_ALL_LANES))
        load_any(v, mod0, vd, rows);
    uint32_t indexed = rows->lanes & v->mask.dest_index & v->mask.capture_index;
    if (vd < 4 && indexed != 0)
        capture_index(v, vd, rows, indexed);
}

INLINE void put_halves(uint16_t *rows, const struct tf_dst_rows *to, unsigned part, vu value)
{
    vu *words = (vu *)(void *)(rows + part * TF_HOST_WIDTH * 2), shift = column_shift(to, part);
    vu mask = 0xFFFFu << shift;
    *words = sel(m_of(to->lanes, part), (*words & ~mask) | value << shift, *words);
}

INLINE void put16(const struct tf_dst_rows *to, unsigned part, vu value)
{
    put_halves(to->high, to, part, value);
}

INLINE void put32(const struct tf_dst_rows *to, unsigned part, vu value)
{
    put_halves(to->high, to, part, value >> 16);
    put_halves(to->low, to, part, value & 0xFFFF);
}

INLINE vu flush(vu x)
{
    CONSTANT(exponent, TF_FP32_INFINITY);
    return only_where(x, x, exponent) | (x & TF_FP32_SIGN);
}

/* Values out of range get the largest magnitude, the type's infinity. The exponent is already in the lowest bits. */
INLINE vu to_fp16(vu x)
{
    vi exponent = (vi)(x >> 23 & 0xFF) - 112;
    vu result = (x >> 13 & 0x3FF) << 5 | ((vu)exponent & 0x1F);
    result = sel(lt((vi)splat(31), exponent), splat(0x7FFF), result);
    result = sel(lt(exponent, (vi)splat(1)), splat(0), result);
    return (x >> 16 & 0x8000) | result;
}

/* Writes halves of words; of some lanes, unless `all`. */
INLINE void store_words(uint16_t *rows, unsigned part, uint32_t lanes, vu value, bool odd, bool all)
{
    vu *words = (vu *)(void *)(rows + part * TF_HOST_WIDTH * 2);
    vu joined = odd ? join_halves(value, *words) : join_halves(*words, value);
    *words = all ? joined : sel(m_of(lanes, part), joined, *words);
}

INLINE void store_values(const vu *values, const struct tf_dst_rows *rows, bool wide, bool odd, bool all)
{
    EACH(part)
    {
        vu high = odd ? values[part] : values[part] >> 16, low = odd ? values[part] << 16 : values[part];
        store_words(rows->high, part, rows->lanes, high, odd, all);
        if (wide)
            store_words(rows->low, part, rows->lanes, low, odd, all);
    }
}

INLINE void store_uniform(const uint32_t *from, const struct tf_dst_rows *rows, bool wide, bool odd, bool all)
{
    vu values[PARTS];
    EACH(part)
    values[part] = shuffle(flush(load(from, part)));
    store_values(values, rows, wide, odd, all);
}

INLINE bool store_common(const uint32_t *from, unsigned mod0, const struct tf_dst_rows *rows, bool all)
{
    bool wide = mod0 == TF_FMT_FP32;
    if (columns_of(rows) == MIXED || (!wide && mod0 != TF_FMT_BF16))
        return false;
    if (columns_of(rows) == EVEN && wide)
        store_uniform(from, rows, true, false, all);
    else if (columns_of(rows) == EVEN)
        store_uniform(from, rows, false, false, all);
    else if (wide)
        store_uniform(from, rows, true, true, all);
    else
        store_uniform(from, rows, false, true, all);
    return true;
}

INLINE vu integer8(vu x)
{
    return (x >> 16 & 0x8000) | (x & 0x3FF) << 5 | 16;
}

#define STORE(width, expression)            \
    EACH(part)                              \
    {                                       \
        vu x = load(from, part);            \
        put##width(rows, part, expression); \
    }                                       \
    break

static __attribute__((noinline)) void store_any(const uint32_t *from, unsigned mod0, const struct tf_dst_rows *rows)
{
    if (store_common(from, mod0, rows, false))
        return;
    switch (mod0) {
    case TF_FMT_FP16: STORE(16, to_fp16(x));
    case TF_FMT_BF16: STORE(16, shuffle(flush(x)) >> 16);
    case TF_FMT_FP32: STORE(32, shuffle(flush(x)));
    case TF_FMT_INT32:
    case TF_FMT_INT32_ALL: STORE(32, shuffle(x));
    case TF_FMT_INT32_SM: STORE(32, shuffle(WORMHOLE ? to_magnitude(x) : x));
    case TF_FMT_INT8: STORE(16, integer8(x));
    case TF_FMT_INT8_COMP: STORE(16, integer8(WORMHOLE ? to_magnitude(x) : x));
    case TF_FMT_LO16_ONLY:
    case TF_FMT_UINT16: STORE(16, x & 0xFFFF);
    case TF_FMT_HI16_ONLY: STORE(16, x >> 16);
    case TF_FMT_INT16: STORE(16, (x >> 16 & 0x8000) | (x & 0x7FFF));
    case TF_FMT_LO16: STORE(32, x << 16 | x >> 16);
    case TF_FMT_HI16: STORE(32, x);
    default: STORE(16, x & 0);
    }
}

INLINE void store_lanes(struct tf_vector *v, unsigned mod0, unsigned vd, const struct tf_dst_rows *rows)
{
    const uint32_t *from = v->lreg[vd];
    if (rows->lanes != TF_ALL_LANES || !store_common(from, mod0, rows, true))
        store_any(from, mod0, rows);
}
