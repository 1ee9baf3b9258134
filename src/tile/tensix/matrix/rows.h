/* SPDX-License-Identifier: Apache-2.0 */
/* Moves of data between SrcA or SrcB and Dst, one row at a time. Part of kernels.h. */

/* RemoveLowMantissa, RemoveHighExponent of MOVA2D.md; TF32 has three more bits: the rest. */
static void to_dst(const struct tf_fpu_to_dst *how, const uint32_t *from, uint16_t *values, uint16_t *rest)
{
    const bool fp16 = how->style == TF_STYLE_FP16;
    const uint32_t upper = how->mask & (fp16 ? 0x7FF00u : 0x7F800u), lower = how->mask & (fp16 ? 0x1Fu : 0xFFu);
    EACH_VECTOR(part)
    {
        vu datum = how->broadcast_column ? splat(from[0]) : load_src(from, part);
        if (!how->keep_denormals)
            datum = zero_unless(test(datum, splat(0xFF)), datum);
        vu value = (datum & upper) >> 3 | (datum & lower);
        store_narrow(values, part, value);
        if (how->style == TF_STYLE_TF32)
            store_narrow(rest, part, (datum & how->mask & 0x700) << 5 | (how->low ? value : splat(0)));
    }
}

/* `low` is zero if Dst is 16 bits wide. */
static void from_dst(enum tf_fpu_style style, bool from_low, const uint16_t *high, const uint16_t *low, uint32_t *to)
{
    EACH_VECTOR(part)
    {
        vu upper = load_narrow(high, part), lower = load_narrow(low, part), value = from_low ? lower : upper, datum;
        if (style == TF_STYLE_FP16)
            datum = (value & 0xFFE0) << 3 | (value & 0x1F);
        else
            datum = (value & 0xFF00) << 3 | (value & 0xFF);
        if (style == TF_STYLE_TF32)
            datum = from_low ? lower & 0x1FFF : datum | (lower >> 13) << 8;
        memcpy(to + part * TF_HOST_WIDTH, &datum, sizeof datum);
    }
}
