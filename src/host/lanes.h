/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of 32 lanes as vectors of the host. A file of kernels defines TF_HOST_WIDTH, the lanes of a vector, before
 * it includes this: 16 for AVX-512, 8 for AVX2, 4 for any host. Every width gives the same bits.
 */
#ifndef HOST_LANES_H
#define HOST_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if TF_HOST_WIDTH > 4
#include <immintrin.h>
#endif

#define TF_HOST_LANES 32u /* lanes of a register: a register of the vector unit, or two rows of SrcA, SrcB or Dst */

#define INLINE static inline __attribute__((always_inline))

typedef uint32_t vu __attribute__((vector_size(TF_HOST_WIDTH * 4)));
typedef int32_t vi __attribute__((vector_size(TF_HOST_WIDTH * 4)));
typedef float vf __attribute__((vector_size(TF_HOST_WIDTH * 4)));

#define PARTS (TF_HOST_LANES / TF_HOST_WIDTH)
#define PART_LANES ((uint32_t)((1ull << TF_HOST_WIDTH) - 1))

/* One value in all lanes, loaded from memory. Compilers would build it from immediates, which takes longer. */
#if TF_HOST_WIDTH > 4
#define CONSTANT(name, value)                  \
    static const uint32_t name##_bits = value; \
    vu name;                                   \
    __asm__("vpbroadcastd %1, %0" : "=v"(name) : "m"(name##_bits))
#else
#define CONSTANT(name, value) const vu name = (vu){0} + (value)
#endif

/* For each vector of a register. */
#define EACH(part) _Pragma("GCC unroll 8") for (unsigned part = 0; part < PARTS; part++)

INLINE vu splat(uint32_t value)
{
    return (vu){0} + value;
}

INLINE vu load(const uint32_t *row, unsigned part)
{
    return *(const vu *)(const void *)(row + part * TF_HOST_WIDTH);
}

INLINE void store(uint32_t *row, unsigned part, vu value)
{
    *(vu *)(void *)(row + part * TF_HOST_WIDTH) = value;
}

/* A condition per lane: vm. & | and the functions below work on it. */
#if TF_HOST_WIDTH == 16
typedef __mmask16 vm;

INLINE vm m_not(vm a)
{
    return _knot_mask16(a);
}

INLINE vm m_or(vm a, vm b)
{
    return _kor_mask16(a, b);
}

INLINE vm m_and(vm a, vm b)
{
    return _kand_mask16(a, b);
}

INLINE vm m_of(uint32_t lanes, unsigned part)
{
    return (vm)(lanes >> part * 16);
}

INLINE uint32_t m_bits(vm a, unsigned part)
{
    return (uint32_t)a << part * 16;
}

INLINE bool m_any(vm a)
{
    return !_kortestz_mask16_u8(a, a);
}

INLINE bool m_all(vm a)
{
    return _kortestc_mask16_u8(a, a);
}

INLINE vu sel(vm condition, vu yes, vu no)
{
    return (vu)_mm512_mask_blend_epi32(condition, (__m512i)no, (__m512i)yes);
}

#define COMPARE(name, type, operator, intrinsic)  \
    INLINE vm name(type a, type b)                \
    {                                             \
        return intrinsic((__m512i)a, (__m512i)b); \
    }
COMPARE(eq, vu, ==, _mm512_cmpeq_epu32_mask)
COMPARE(ne, vu, !=, _mm512_cmpneq_epu32_mask)
COMPARE(lt, vi, <, _mm512_cmplt_epi32_mask)
COMPARE(ltu, vu, <, _mm512_cmplt_epu32_mask)
COMPARE(geu, vu, >=, _mm512_cmpge_epu32_mask)
#undef COMPARE

/* Lanes in which a & b is not 0. */
INLINE vm test(vu a, vu b)
{
    return _mm512_test_epi32_mask((__m512i)a, (__m512i)b);
}

INLINE vu leading_zeros(vu a)
{
    return (vu)_mm512_lzcnt_epi32((__m512i)a);
}

INLINE vu zero_unless(vm condition, vu a)
{
    return (vu)_mm512_maskz_mov_epi32(condition, (__m512i)a);
}

/* Bits of `yes` where `bits` has ones, of `no` where it has zeros. */
INLINE vu choose_bits(vu bits, vu yes, vu no)
{
    return (vu)_mm512_ternarylogic_epi32((__m512i)bits, (__m512i)yes, (__m512i)no, 0xCA);
}

INLINE vu or_if(vm condition, vu a, vu b)
{
    return (vu)_mm512_mask_or_epi32((__m512i)a, condition, (__m512i)a, (__m512i)b);
}

INLINE vu halve_if(vm condition, vu a)
{
    return (vu)_mm512_mask_srli_epi32((__m512i)a, condition, (__m512i)a, 1);
}

INLINE vu zero_if(vm condition, vu a)
{
    return (vu)_mm512_mask_blend_epi32(condition, (__m512i)a, _mm512_setzero_si512());
}

INLINE vu lessen_unless(vm condition, vu a, vu b)
{
    return (vu)_mm512_mask_sub_epi32((__m512i)a, _knot_mask16(condition), (__m512i)a, (__m512i)b);
}

/* a - b in the lanes of a condition, a + b in others. */
INLINE vu subtract_or_add(vm condition, vu a, vu b)
{
    return (vu)_mm512_mask_sub_epi32((__m512i)(a + b), condition, (__m512i)a, (__m512i)b);
}

INLINE vu absolute(vu a)
{
    return (vu)_mm512_abs_epi32((__m512i)a);
}

INLINE vi max(vi a, vi b)
{
    return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b);
}

INLINE vi min(vi a, vi b)
{
    return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b);
}

INLINE vu maxu(vu a, vu b)
{
    return (vu)_mm512_max_epu32((__m512i)a, (__m512i)b);
}

INLINE vu minu(vu a, vu b)
{
    return (vu)_mm512_min_epu32((__m512i)a, (__m512i)b);
}

/* Look up bytes in a table, which has three spare bytes after it. */
INLINE vu look_up(const uint8_t *table, vu index)
{
    return (vu)_mm512_i32gather_epi32((__m512i)index, table, 1) & 0xFF;
}

#else
typedef vi vm;

INLINE vm m_not(vm a)
{
    return ~a;
}

INLINE vm m_or(vm a, vm b)
{
    return a | b;
}

INLINE vm m_and(vm a, vm b)
{
    return a & b;
}

INLINE vm m_of(uint32_t lanes, unsigned part)
{
    vu bit;
    for (unsigned i = 0; i < TF_HOST_WIDTH; i++)
        bit[i] = 1u << i;
    vu all = splat(lanes >> part * TF_HOST_WIDTH);
    return (vm)((all & bit) == bit);
}

INLINE vu sel(vm condition, vu yes, vu no)
{
#if TF_HOST_WIDTH == 8
    return (vu)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)condition);
#else
    return ((vu)condition & yes) | (~(vu)condition & no);
#endif
}

INLINE vm eq(vu a, vu b)
{
    return (vm)(a == b);
}

INLINE vm ne(vu a, vu b)
{
    return (vm)(a != b);
}

INLINE vm lt(vi a, vi b)
{
    return (vm)(a < b);
}

INLINE vm ltu(vu a, vu b)
{
    return (vm)((vi)(a ^ 0x80000000u) < (vi)(b ^ 0x80000000u));
}

INLINE vm test(vu a, vu b)
{
    return ne(a & b, splat(0));
}

INLINE vu zero_unless(vm condition, vu a)
{
    return (vu)condition & a;
}

INLINE vu choose_bits(vu bits, vu yes, vu no)
{
    return (bits & yes) | (~bits & no);
}

INLINE vu or_if(vm condition, vu a, vu b)
{
    return a | ((vu)condition & b);
}

INLINE vu halve_if(vm condition, vu a)
{
    return a >> ((vu)condition & 1);
}

INLINE vu zero_if(vm condition, vu a)
{
    return ~(vu)condition & a;
}

INLINE vu lessen_unless(vm condition, vu a, vu b)
{
    return a - (~(vu)condition & b);
}

INLINE vu subtract_or_add(vm condition, vu a, vu b)
{
    return a + ((b ^ (vu)condition) - (vu)condition);
}

INLINE vu absolute(vu a)
{
#if TF_HOST_WIDTH == 8
    return (vu)_mm256_abs_epi32((__m256i)a);
#else
    vu sign = (vu)((vi)a >> 31);
    return (a ^ sign) - sign;
#endif
}

/* A conversion to floating point finds the leading one. Bits that would round it up to the next one are removed
   first. */
INLINE vu leading_zeros(vu a)
{
    vf converted = __builtin_convertvector((vi)(a & ~(a >> 8)), vf);
    vu zeros = 158 - ((vu)converted >> 23 & 0xFF);
    zeros = sel(lt((vi)a, (vi)splat(0)), splat(0), zeros);
    return sel(eq(a, splat(0)), splat(32), zeros);
}

#if TF_HOST_WIDTH == 8
INLINE uint32_t m_bits(vm a, unsigned part)
{
    return (uint32_t)_mm256_movemask_ps((__m256)a) << part * 8;
}

INLINE vi max(vi a, vi b)
{
    return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

INLINE vi min(vi a, vi b)
{
    return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b);
}

INLINE vu maxu(vu a, vu b)
{
    return (vu)_mm256_max_epu32((__m256i)a, (__m256i)b);
}

INLINE vm geu(vu a, vu b)
{
    return eq(maxu(a, b), a);
}

INLINE vu minu(vu a, vu b)
{
    return (vu)_mm256_min_epu32((__m256i)a, (__m256i)b);
}

INLINE vu look_up(const uint8_t *table, vu index)
{
    return (vu)_mm256_i32gather_epi32((const int *)(const void *)table, (__m256i)index, 1) & 0xFF;
}
#else
INLINE uint32_t m_bits(vm a, unsigned part)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < TF_HOST_WIDTH; i++)
        bits |= ((uint32_t)a[i] & 1) << i;
    return bits << part * TF_HOST_WIDTH;
}

INLINE vi max(vi a, vi b)
{
    return (vi)sel(lt(a, b), (vu)b, (vu)a);
}

INLINE vu minu(vu a, vu b)
{
    return sel(ltu(a, b), a, b);
}

INLINE vu maxu(vu a, vu b)
{
    return sel(ltu(a, b), b, a);
}

INLINE vm geu(vu a, vu b)
{
    return ~ltu(a, b);
}

INLINE vu look_up(const uint8_t *table, vu index)
{
    for (unsigned i = 0; i < TF_HOST_WIDTH; i++)
        index[i] = table[index[i]];
    return index;
}
#endif

INLINE bool m_any(vm a)
{
    return m_bits(a, 0) != 0;
}

INLINE bool m_all(vm a)
{
    return m_bits(a, 0) == PART_LANES;
}
#endif

/* The high halves of words, and the low halves of others. */
INLINE vu join_halves(vu high, vu low)
{
#if TF_HOST_WIDTH == 8
    return (vu)_mm256_blend_epi16((__m256i)low, (__m256i)high, 0xAA);
#else
    CONSTANT(upper, 0xFFFF0000);
    return choose_bits(upper, high, low);
#endif
}

/* Lanes in which a or b is 0. */
INLINE vm is_either_zero(vu a, vu b)
{
#if TF_HOST_WIDTH == 16
    return _kor_mask16(_mm512_testn_epi32_mask((__m512i)a, (__m512i)a),
                       _mm512_testn_epi32_mask((__m512i)b, (__m512i)b));
#else
    return eq(minu(a, b), splat(0));
#endif
}

/* a where b has a bit in common with c; else 0. */
INLINE vu only_where(vu a, vu b, vu c)
{
#if TF_HOST_WIDTH == 8
    return (vu)_mm256_andnot_si256(_mm256_cmpeq_epi32((__m256i)(b & c), _mm256_setzero_si256()), (__m256i)a);
#else
    return zero_unless(test(b, c), a);
#endif
}

/*
 * The lanes of a register that a condition selects become `value`. All lanes are written, because a later load has to
 * wait for a store under a mask.
 */
INLINE void put(uint32_t *row, unsigned part, vm condition, vu value)
{
    value = sel(condition, value, load(row, part));
#if TF_HOST_WIDTH == 16
    __asm__("" : "+v"(value)); /* this keeps the compiler from making a masked store */
#endif
    store(row, part, value);
}

/* A vector of a register that is rotated to the right by one lane within each row of eight. */
#if TF_HOST_WIDTH == 16
INLINE vu rotate_rows(const uint32_t *row, unsigned part)
{
    const vu from = {7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14};
    return (vu)_mm512_permutexvar_epi32((__m512i)from, (__m512i)load(row, part));
}
#elif TF_HOST_WIDTH == 8
INLINE vu rotate_rows(const uint32_t *row, unsigned part)
{
    const vu from = {7, 0, 1, 2, 3, 4, 5, 6};
    return (vu)_mm256_permutevar8x32_epi32((__m256i)load(row, part), (__m256i)from);
}
#else
INLINE vu rotate_rows(const uint32_t *row, unsigned part)
{
    vu result;
    for (unsigned i = 0; i < TF_HOST_WIDTH; i++) {
        unsigned lane = part * TF_HOST_WIDTH + i;
        result[i] = row[(lane & ~7u) | ((lane - 1) & 7)];
    }
    return result;
}
#endif

/*
 * a * b >> shift, for 24-bit operands and a shift of 12 or more that leaves 32 bits. *rest: lanes that lost bits other
 * than 0.
 */
#if TF_HOST_WIDTH == 16
INLINE vu multiply(vu a, vu b, unsigned shift, vm *rest)
{
    __m512i even = _mm512_mul_epu32((__m512i)a, (__m512i)b);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)a, 32), _mm512_srli_epi64((__m512i)b, 32));
    __m512i low = _mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64(odd, 32));
    *rest = test((vu)low, splat((1u << shift) - 1));
    return (vu)_mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, shift), _mm512_slli_epi64(odd, 32 - shift));
}
#elif TF_HOST_WIDTH == 8
INLINE vu multiply(vu a, vu b, unsigned shift, vm *rest)
{
    __m256i even = _mm256_mul_epu32((__m256i)a, (__m256i)b);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64((__m256i)a, 32), _mm256_srli_epi64((__m256i)b, 32));
    __m256i low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
    *rest = test((vu)low, splat((1u << shift) - 1));
    return (vu)_mm256_blend_epi32(_mm256_srli_epi64(even, (int)shift), _mm256_slli_epi64(odd, (int)(32 - shift)), 0xAA);
}
#else
INLINE vu multiply(vu a, vu b, unsigned shift, vm *rest)
{
    vu a_high = a >> 12, a_low = a & 0xFFF, b_high = b >> 12, b_low = b & 0xFFF;
    vu low = a_low * b_low;
    vu middle = a_high * b_low + a_low * b_high + (low >> 12);
    *rest = test((middle & ((1u << (shift - 12)) - 1)) | (low & 0xFFF), splat(0xFFFFFFFFu));
    return (a_high * b_high << (24 - shift)) + (middle >> (shift - 12));
}
#endif

#endif
