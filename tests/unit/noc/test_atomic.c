/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation, field and offset of NOC atomics in both profiles, against a reference written from the pages. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "noc/atomic.h"
#include "tile/accumulate.h"
#include "random.h"
#include "tilefarm_address.h"

#define L1_BYTES 1024u
#define LINE 0x100u /* the line acted on */

static uint64_t random_state;

static uint32_t random32(void)
{
    return test_random(&random_state);
}

static int seed(void **state)
{
    (void)state;
    random_state = test_seed(1);
    return 0;
}

/* Small values and sign changes are where comparisons and carries differ. */
static uint32_t random_value(void)
{
    static const uint32_t corners[] = {0,          1,          2,          5,          15,        16,
                                       0x7F,       0x80,       0xFF,       0xFFFF,     0x10000,   0x7FFFFFFF,
                                       0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x00050005, 0x000A0003};
    switch (random32() % 3) {
    case 0: return corners[random32() % (sizeof corners / sizeof corners[0])];
    case 1: return random32() & 0xFu;
    default: return random32();
    }
}

/* ---- reference ---- */

static uint32_t ref_load(const uint8_t *memory, uint32_t address)
{
    return memory[address] | memory[address + 1] << 8 | memory[address + 2] << 16 | (uint32_t)memory[address + 3] << 24;
}

static void ref_store(uint8_t *memory, uint32_t address, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        memory[address + i] = (uint8_t)(value >> 8 * i);
}

/* A finite number of a format with `mantissa` bits and exponent bias, rounded to nearest even; subnormals are 0. */
static uint32_t ref_round(double value, int mantissa, int bias, int exponent_max, uint32_t overflow)
{
    uint32_t sign = signbit(value) ? 1 : 0;
    int exponent;
    double fraction = frexp(fabs(value), &exponent); /* [0.5, 1) */
    exponent -= 1;
    if (fraction == 0 || exponent < 1 - bias)
        return sign << 15;
    double units = nearbyint(ldexp(fraction, mantissa + 1));
    if (units == ldexp(1, mantissa + 1)) {
        units /= 2;
        exponent++;
    }
    if (exponent > exponent_max)
        return sign << 15 | overflow;
    return sign << 15 | (uint32_t)(exponent + bias) << mantissa | (uint32_t)(units - ldexp(1, mantissa));
}

static double ref_value(uint32_t bits, int mantissa, int bias)
{
    uint32_t exponent = (bits & 0x7FFF) >> mantissa;
    double magnitude = 0;
    if (exponent)
        magnitude = ldexp(1 + ldexp(bits & ((1u << mantissa) - 1), -mantissa), (int)exponent - bias);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static uint32_t ref_fp16(uint32_t a, uint32_t b)
{
    return ref_round(ref_value(a, 10, 15) + ref_value(b, 10, 15), 10, 15, 16, 0x7FFF);
}

/* Numbers only: infinities and NaN have a test of their own. */
static uint32_t ref_bf16(uint32_t a, uint32_t b)
{
    return ref_round(ref_value(a, 7, 127) + ref_value(b, 7, 127), 7, 127, 127, 0x7F80);
}

static float ref_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

static uint32_t ref_fp32(uint32_t a, uint32_t b)
{
    float sum = (float)((double)ref_float(a) + (double)ref_float(b));
    if (isnan(sum))
        return 0x7FC00000;
    if (fpclassify(sum) == FP_SUBNORMAL)
        sum = copysignf(0, sum);
    uint32_t bits;
    memcpy(&bits, &sum, 4);
    return bits;
}

static void ref_acc(uint8_t *line, unsigned format, uint32_t data)
{
    for (unsigned i = 0; i < 16; i++) {
        uint32_t old = ref_load(line, i & ~3u);
        unsigned half = i & 2;
        uint32_t a16 = line[i & ~1u] | line[i | 1u] << 8, b16 = data >> 8 * half & 0xFFFF;
        uint32_t sum;
        switch (format) {
        case 0:
        case 8:
            if (i % 4 == 0)
                ref_store(line, i, ref_fp32(old, data));
            break;
        case 4:
        case 12:
        case 13:
            if (i % 4 == 0)
                ref_store(line, i, old + data);
            break;
        case 1:
        case 9:
        case 2:
        case 10:
            if (i % 2 == 0) {
                sum = (format & 7) == 1 ? ref_fp16(a16, b16) : ref_bf16(a16, b16);
                line[i] = (uint8_t)sum;
                line[i + 1] = (uint8_t)(sum >> 8);
            }
            break;
        default:
            sum = line[i] + (data >> 8 * (i & 3) & 0xFF);
            line[i] = (uint8_t)(format == 7 && sum > 255 ? 255 : sum);
            break;
        }
    }
}

static uint32_t ref_zaamo(unsigned op, uint32_t a, uint32_t b)
{
    int64_t sa = a < 0x80000000u ? (int64_t)a : (int64_t)a - 0x100000000ll;
    int64_t sb = b < 0x80000000u ? (int64_t)b : (int64_t)b - 0x100000000ll;
    uint32_t results[8] = {a + b, a ^ b, a | b, a & b, sa < sb ? a : b, sa > sb ? a : b, a < b ? a : b, a > b ? a : b};
    return results[op];
}

static void ref_swap_mask(uint8_t *memory, uint32_t line, unsigned mask, uint32_t data)
{
    for (unsigned i = 0; i < 8; i++) {
        if (mask >> i & 1) {
            memory[line + 2 * i] = (uint8_t)(data >> (i & 1 ? 16 : 0));
            memory[line + 2 * i + 1] = (uint8_t)(data >> (i & 1 ? 24 : 8));
        }
    }
}

static bool ref_has_format(unsigned format)
{
    return format == 0 || format == 1 || format == 2 || format == 4 || (format >= 7 && format <= 10) || format == 12 ||
           format == 13 || format == 15;
}

/* The ISA documentation's page; false: a fault. */
static bool ref_isa(uint8_t *memory, uint32_t target, uint32_t be, uint32_t data)
{
    uint32_t line = target & ~15u, word0 = line + 4 * (be & 3), word2 = line + 4 * (be >> 2 & 3);
    uint32_t old = ref_load(memory, word0);
    switch (be >> 12 & 15) {
    case 1: {
        unsigned width = (be >> 2 & 31) + 1;
        uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
        ref_store(memory, word0, (old & ~mask) | ((old + data) & mask));
        return true;
    }
    case 3: ref_swap_mask(memory, line, be >> 2 & 255, data); return true;
    case 4:
        if (old == (be >> 2 & 15))
            ref_store(memory, word0, be >> 6 & 15);
        return true;
    case 6:
        if (be & 4)
            ref_store(memory, word0, data);
        return be & 4;
    case 7: ref_store(memory, word2, data); return true;
    case 10:
        if (be & 0x800)
            ref_store(memory, word0, ref_zaamo(be >> 8 & 7, old, data));
        else if ((be >> 8 & 15) == 3)
            ref_store(memory, word0, data);
        else
            return false;
        return true;
    default: return false;
    }
}

/* The emulator specification; false: a fault. */
static bool ref_emu(uint8_t *memory, uint32_t target, uint32_t be, uint32_t data)
{
    uint32_t line = target & ~15u, word0 = line + 4 * (be & 3), word2 = line + 4 * (be >> 2 & 3);
    uint32_t old0 = ref_load(memory, word0), old2 = ref_load(memory, word2);
    switch (be >> 12 & 15) {
    case 1: ref_store(memory, word0, old0 + (be >> 6 & 15 ? be >> 6 & 15 : 1)); return true;
    case 3: ref_swap_mask(memory, line, be >> 4 & 255, data); return true;
    case 4:
        if ((old2 & 0xFFFF) == (data & 0xFFFF))
            ref_store(memory, word2, (old2 & 0xFFFF0000) | data >> 16);
        return true;
    case 6: {
        uint32_t pointer = ref_load(memory, target);
        if (pointer % 4 || pointer > L1_BYTES - 4)
            return false;
        ref_store(memory, pointer, data);
        return true;
    }
    case 7: ref_store(memory, word2, data); return true;
    case 8: ref_store(memory, word0, ref_zaamo(be >> 8 & 7, old0, data)); return true;
    default: return false;
    }
}

static bool ref_apply(enum tf_atomics profile, uint8_t *memory, uint32_t target, uint32_t be, uint32_t data,
                      uint32_t *result)
{
    *result = ref_load(memory, target);
    switch (be >> 12 & 15) {
    case 0:
    case 5: return true;
    case 2: {
        uint64_t sum = (uint64_t)*result + (be >> 6 & 15 ? be >> 6 & 15 : 1);
        unsigned wrap = be >> 2 & 15;
        ref_store(memory, target, wrap && sum >= wrap ? 0 : (uint32_t)sum);
        return true;
    }
    case 9:
        if (!ref_has_format(be & 15))
            return false;
        ref_acc(memory + (target & ~15u), be & 15, data);
        return true;
    default: return profile == TF_ATOMICS_ISA ? ref_isa(memory, target, be, data) : ref_emu(memory, target, be, data);
    }
}

/* ---- tests ---- */

static _Alignas(16) uint8_t l1[L1_BYTES];
static uint8_t want[L1_BYTES];

/* A request against the reference: answer, memory, and that the stated effect covers every changed byte. */
static void check(enum tf_atomics profile, uint32_t be, uint32_t data, uint32_t target, bool shared)
{
    uint8_t before[L1_BYTES];
    memcpy(before, l1, L1_BYTES);
    memcpy(want, l1, L1_BYTES);
    uint32_t expected, result = 0;
    bool accepted = ref_apply(profile, want, target, be, data, &expected);
    if (!accepted)
        memcpy(want, before, L1_BYTES);
    struct tf_noc_atomic op;
    struct tf_noc_atomic_effect effect = {0};
    const char *why = tf_noc_atomic_decode(profile, be, data, &op);
    if (!why) {
        result = tf_noc_atomic_apply(&op, l1, L1_BYTES, target, shared, &effect);
        why = effect.fault;
    }
    if ((why == NULL) != accepted || (accepted && result != expected) || memcmp(l1, want, L1_BYTES))
        fail_msg("profile %d at_len_be %04x data %08x target %x shared %d: answer %08x, not %08x; %s", profile, be,
                 data, target, shared, result, expected, why ? why : "no fault");
    uint32_t end = effect.address + effect.bytes;
    assert_true(end >= effect.address && end <= L1_BYTES);
    if (memcmp(before, l1, effect.address) != 0 || memcmp(before + end, l1 + end, L1_BYTES - end) != 0)
        fail_msg("profile %d at_len_be %04x: a byte changed outside the effect, %x..%x", profile, be, effect.address,
                 end);
}

static void fill_line(void)
{
    for (uint32_t i = 0; i < 16; i += 4)
        ref_store(l1, LINE + i, random_value());
    ref_store(l1, LINE - 4, random32());
    ref_store(l1, LINE + 16, random32());
}

/* bf16 and fp16 data of the reference are numbers: keep NaN and infinity of bf16 out. */
static uint32_t number_halves(uint32_t data)
{
    if ((data & 0x7F80u) == 0x7F80u)
        data ^= 0x4000u;
    if ((data & 0x7F800000u) == 0x7F800000u)
        data ^= 0x40000000u;
    return data;
}

static void operation_of_every_pattern(enum tf_atomics profile, uint32_t be)
{
    for (unsigned word = 0; word < 4; word++) {
        bool bf16 = be >> 12 == 9 && ((be & 15) == 2 || (be & 15) == 10);
        uint32_t target = LINE + 4 * word, data = random_value();
        for (unsigned shared = 0; shared < 2; shared++) {
            fill_line();
            if (bf16) {
                data = number_halves(data);
                for (uint32_t i = 0; i < 16; i += 4)
                    ref_store(l1, LINE + i, number_halves(ref_load(l1, LINE + i)));
            }
            if (be >> 12 == 6 && profile == TF_ATOMICS_EMU_SPEC)
                ref_store(l1, target, random32() % 3 ? (random32() % L1_BYTES) & ~3u : LINE + 4 * (random32() % 4));
            check(profile, be, data, target, shared);
        }
    }
}

/* All 65,536 values of NOC_AT_LEN_BE: which are faults, what the others do, from each word of the line. */
static void every_pattern_isa(void **state)
{
    (void)state;
    for (uint32_t be = 0; be < 0x10000; be++)
        operation_of_every_pattern(TF_ATOMICS_ISA, be);
}

static void every_pattern_emu_spec(void **state)
{
    (void)state;
    for (uint32_t be = 0; be < 0x10000; be++)
        operation_of_every_pattern(TF_ATOMICS_EMU_SPEC, be);
}

/* Values that make conditions true: CAS that matches, pointers at their limit, increments that carry. */
static void conditions_met(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 200000; round++) {
        enum tf_atomics profile = random32() & 1 ? TF_ATOMICS_ISA : TF_ATOMICS_EMU_SPEC;
        static const uint16_t opcodes[] = {0x1000, 0x2000, 0x4000};
        uint32_t be = opcodes[random32() % 3] | (random32() & 0x3FF);
        uint32_t data = random_value();
        fill_line();
        for (uint32_t i = 0; i < 16; i += 4) {
            uint32_t near = be >> 12 == 4 && profile == TF_ATOMICS_EMU_SPEC ? (data & 0xFFFF) | random32() << 16
                            : be >> 12 == 4                                 ? be >> 2 & 15
                                                                            : random32() % 20;
            if (random32() % 4)
                ref_store(l1, LINE + i, near);
        }
        check(profile, be, data, LINE + 4 * (random32() % 4), random32() & 1);
    }
}

static void upper_bits_are_ignored(void **state)
{
    (void)state;
    struct tf_noc_atomic op, unmarked;
    assert_null(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x107C, 5, &unmarked));
    assert_null(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0xABCD107C, 5, &op));
    assert_memory_equal(&op, &unmarked, sizeof op);
}

/* The firmware's word for a semaphore increment. */
static void firmware_increment(void **state)
{
    (void)state;
    struct tf_noc_atomic op;
    struct tf_noc_atomic_effect effect;
    assert_null(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x107C, 7, &op));
    ref_store(l1, LINE, 0xFFFFFFFE);
    assert_int_equal(tf_noc_atomic_apply(&op, l1, L1_BYTES, LINE, false, &effect), 0xFFFFFFFE);
    assert_int_equal(ref_load(l1, LINE), 5);
    assert_int_equal(effect.address, LINE);
    assert_int_equal(effect.bytes, 4);
}

/* Each row is reached by its own match, by no other's, and `operands` are the bits that change what is decoded. */
static void list_is_consistent(void **state)
{
    (void)state;
    const struct tf_noc_atomic_row *rows;
    size_t count = tf_noc_atomic_rows(&rows);
    assert_int_equal(count, 13 + 8 + 8 + 11);
    for (unsigned profile = 0; profile < 2; profile++) {
        for (uint32_t be = 0; be < 0x10000; be++) {
            unsigned hits = 0;
            const struct tf_noc_atomic_row *hit = NULL;
            for (size_t i = 0; i < count; i++) {
                if ((rows[i].profiles >> profile & 1) && (be & rows[i].select) == rows[i].match) {
                    hits++;
                    hit = &rows[i];
                }
            }
            assert_true(hits <= 1);
            const char *name = tf_noc_atomic_name((enum tf_atomics)profile, be);
            struct tf_noc_atomic op, bare;
            const char *why = tf_noc_atomic_decode((enum tf_atomics)profile, be, 0x12345678, &op);
            assert_int_equal(why == NULL, hits == 1);
            if (!hit) {
                assert_null(name);
                continue;
            }
            assert_string_equal(name, hit->name);
            assert_int_equal(hit->select & hit->operands, 0);
            assert_int_equal(hit->match & ~hit->select, 0);
            assert_null(
                tf_noc_atomic_decode((enum tf_atomics)profile, be & (hit->select | hit->operands), 0x12345678, &bare));
            assert_memory_equal(&op, &bare, sizeof op);
        }
    }
}

static void refusals_say_why(void **state)
{
    (void)state;
    struct tf_noc_atomic op;
    assert_non_null(strstr(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x6000, 0, &op), "bit 2"));
    assert_non_null(strstr(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x9003, 0, &op), "format"));
    assert_non_null(strstr(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0xA000, 0, &op), "Zaamo"));
    assert_non_null(strstr(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x8800, 0, &op), "profile"));
    assert_non_null(strstr(tf_noc_atomic_decode(TF_ATOMICS_EMU_SPEC, 0xA800, 0, &op), "profile"));
}

static void misaligned_target_faults(void **state)
{
    (void)state;
    const struct tf_noc_atomic_row *rows;
    size_t count = tf_noc_atomic_rows(&rows);
    for (size_t i = 0; i < count; i++) {
        enum tf_atomics profile = rows[i].profiles & 1u << TF_ATOMICS_ISA ? TF_ATOMICS_ISA : TF_ATOMICS_EMU_SPEC;
        struct tf_noc_atomic op;
        struct tf_noc_atomic_effect effect;
        assert_null(tf_noc_atomic_decode(profile, rows[i].match, 1, &op));
        memset(l1, 0, L1_BYTES);
        memset(want, 0, L1_BYTES);
        for (unsigned shared = 0; shared < 2; shared++) {
            tf_noc_atomic_apply(&op, l1, L1_BYTES, LINE + 2, shared, &effect);
            assert_non_null(effect.fault);
            assert_int_equal(effect.bytes, 0);
            assert_memory_equal(l1, want, L1_BYTES);
        }
    }
}

static void indirect_store(void **state)
{
    (void)state;
    static const struct {
        uint32_t pointer;
        bool good;
    } cases[] = {
        {0, true},
        {LINE, true},
        {LINE + 4, true},
        {LINE + 12, true},
        {0x200, true},
        {L1_BYTES - 4, true},
        {L1_BYTES, false},
        {0xFFFFFFFC, false},
        {L1_BYTES - 2, false},
        {0x201, false},
        {TF_NIU_BASE(0), false},
    };
    struct tf_noc_atomic op;
    assert_null(tf_noc_atomic_decode(TF_ATOMICS_EMU_SPEC, 0x6000, 0xCAFEF00D, &op));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned shared = 0; shared < 2; shared++) {
            memset(l1, 0x11, L1_BYTES);
            ref_store(l1, LINE + 4, cases[i].pointer);
            memcpy(want, l1, L1_BYTES);
            struct tf_noc_atomic_effect effect;
            uint32_t result = tf_noc_atomic_apply(&op, l1, L1_BYTES, LINE + 4, shared, &effect);
            assert_int_equal(effect.fault == NULL, cases[i].good);
            if (cases[i].good) {
                ref_store(want, cases[i].pointer, 0xCAFEF00D);
                assert_int_equal(result, cases[i].pointer);
                assert_int_equal(effect.address, cases[i].pointer);
            }
            assert_int_equal(effect.bytes, cases[i].good ? 4 : 0);
            assert_memory_equal(l1, want, L1_BYTES);
        }
    }
}

/* ---- ACC ---- */

static uint32_t accumulate_lane(unsigned format, uint32_t memory, uint32_t data)
{
    uint32_t line[4] = {memory, memory, memory, memory};
    const uint32_t copies[4] = {data, data, data, data};
    tf_accumulate(format, line, copies);
    assert_int_equal(line[0], line[1]);
    assert_int_equal(line[0], line[2]);
    assert_int_equal(line[0], line[3]);
    return line[0];
}

static void formats_of_the_page(void **state)
{
    (void)state;
    for (unsigned format = 0; format < 16; format++) {
        uint32_t line[4] = {0x3F803F80, 0x40004000, 0x01020304, 0x7F}, before[4];
        memcpy(before, line, sizeof line);
        tf_accumulate(format, line, before);
        assert_int_equal(memcmp(line, before, sizeof line) != 0, ref_has_format(format));
    }
}

static const struct corner {
    uint8_t format;
    uint32_t l1, data, sum;
} corners[] = {
    /* fp32: denormal inputs and outputs, signed zeros, infinity, NaN, ties */
    {0, 0x3F800000, 0x40000000, 0x40400000},
    {0, 0x007FFFFF, 0x3F800000, 0x3F800000},
    {0, 0x807FFFFF, 0x80000000, 0x80000000},
    {0, 0x80000000, 0x80000000, 0x80000000},
    {0, 0x80000000, 0x00000000, 0x00000000},
    {0, 0x00800001, 0x80800000, 0x00000000},
    {0, 0x80800001, 0x00800000, 0x80000000},
    {0, 0x7F800000, 0xFF800000, 0x7FC00000},
    {0, 0xFFC12345, 0x3F800000, 0x7FC00000},
    {0, 0x3F800000, 0x7F800001, 0x7FC00000},
    {0, 0x7F7FFFFF, 0x7F7FFFFF, 0x7F800000},
    {0, 0xFF800000, 0x3F800000, 0xFF800000},
    {0, 0x3F800000, 0x33800000, 0x3F800000},
    {0, 0x3F800001, 0x33800000, 0x3F800002},
    {8, 0x3F800000, 0xBF800000, 0x00000000},
    {8, 0x00000001, 0x00000001, 0x00000000},
    /* fp16: exponent 31 holds numbers, overflow saturates, what would be denormal is zero */
    {1, 0x3C003C00, 0x3C004000, 0x40004200},
    {1, 0x7BFF7C00, 0x7BFF7C00, 0x7FFF7FFF},
    {1, 0x7C000000, 0x00007C00, 0x7C007C00},
    {1, 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF},
    {1, 0x03FF8001, 0x000003FF, 0x00000000},
    {1, 0x04010402, 0x84008400, 0x00000000},
    {1, 0x84018402, 0x04000400, 0x80008000},
    {1, 0x80000000, 0x80008000, 0x80000000},
    {1, 0x3C013C00, 0x10001000, 0x3C023C00},
    {1, 0x7C007FFF, 0xFC00FFFF, 0x00000000},
    {9, 0xFC00FFFF, 0xFC00BC00, 0xFFFFFFFF},
    {9, 0x08000401, 0x84008800, 0x04008000},
    /* bf16: infinities, NaN patterns as large numbers, flush, ties */
    {2, 0x3F803F80, 0x3F804000, 0x40004040},
    {2, 0x7F80FF80, 0xFF807F80, 0x7FC07FC0},
    {2, 0x7F7F7F7F, 0x7F7F7F7F, 0x7F807F80},
    {2, 0x7FC0FFC0, 0x3F803F80, 0x7F80FF80},
    {2, 0x7FC0FFC0, 0xFF807F80, 0xFF807F80},
    {2, 0x7FC0FFC0, 0xFFC07FC0, 0x7F80FF80},
    {2, 0x3F803F80, 0x7FC0FFC0, 0x7F80FF80},
    {2, 0x7F807F80, 0x7FC0FFC0, 0x7F807F80},
    {2, 0xFF7F7F7F, 0x7F81FF81, 0x7C40FC40},
    {2, 0x007F807F, 0x007F807F, 0x00008000},
    {2, 0x00810082, 0x80808080, 0x00000000},
    {2, 0x3F803F81, 0x3B803B80, 0x3F803F82},
    {10, 0x7F80FF80, 0x7F80FF80, 0x7F80FF80},
    {10, 0x80000000, 0x80008000, 0x80000000},
    /* integers wrap; bytes of format 7 saturate */
    {4, 0xFFFFFFFF, 2, 1},
    {12, 0x7FFFFFFF, 1, 0x80000000},
    {13, 0x80000000, 0x80000000, 0},
    {7, 0x01FF8000, 0x02018000, 0x03FFFF00},
    {7, 0xFEFF0102, 0x0201FE00, 0xFFFFFF02},
    {15, 0x01FF8000, 0x02018000, 0x03000000},
    {15, 0xFEFF0102, 0x0201FE00, 0x0000FF02},
    /* packers' fp16: an underflow and the difference of equal large numbers are the largest number */
    {TF_ACCUMULATE_PACKED_FP16, 0x3C003C00, 0x3C004000, 0x40004200},
    {TF_ACCUMULATE_PACKED_FP16, 0x3C007400, 0xBC00F400, 0x00000000},
    {TF_ACCUMULATE_PACKED_FP16, 0x78007C00, 0xF800FC00, 0x7FFF7FFF},
    {TF_ACCUMULATE_PACKED_FP16, 0x04018401, 0x84000400, 0x7FFFFFFF},
    {TF_ACCUMULATE_PACKED_FP16, 0x06008600, 0x84000400, 0x00008000},
    {TF_ACCUMULATE_PACKED_FP16, 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF},
};

static void acc_corners(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        const struct corner *corner = &corners[i];
        uint32_t sum = accumulate_lane(corner->format, corner->l1, corner->data);
        if (sum != corner->sum)
            fail_msg("format %u: %08x + %08x gave %08x, not %08x", corner->format, corner->l1, corner->data, sum,
                     corner->sum);
    }
}

/* Random summands whose exponents are close enough for carries, cancellation and ties. */
static uint32_t random_summand(unsigned mantissa)
{
    uint32_t bits = random32();
    if (random32() % 2)
        bits &= ~((1u << (mantissa - random32() % mantissa)) - 1);
    return bits;
}

static void acc_against_reference(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 400000; round++) {
        uint32_t a = random_summand(23), b = random_summand(23);
        if (random32() % 2)
            b = (b & 0x807FFFFF) | ((((a >> 23 & 255) + random32() % 32 - 16) & 255) << 23);
        if (accumulate_lane(0, a, b) != ref_fp32(a, b))
            fail_msg("fp32 %08x + %08x", a, b);
        a &= 0xFFFF;
        b &= 0xFFFF;
        if (random32() % 2)
            b = (b & 0x83FF) | ((((a >> 10 & 31) + random32() % 8 - 4) & 31) << 10);
        if ((accumulate_lane(1, a, b) & 0xFFFF) != ref_fp16(a, b))
            fail_msg("fp16 %04x + %04x gave %04x", a, b, accumulate_lane(1, a, b) & 0xFFFF);
        a = number_halves(random_summand(15)) & 0xFFFF;
        b = number_halves(random_summand(15)) & 0xFFFF;
        if (random32() % 2)
            b = number_halves((b & 0x807F) | ((((a >> 7 & 255) + random32() % 24 - 12) & 255) << 7));
        if ((accumulate_lane(10, a, b) & 0xFFFF) != ref_bf16(a, b))
            fail_msg("bf16 %04x + %04x gave %04x", a, b, accumulate_lane(10, a, b) & 0xFFFF);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_is_consistent),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(upper_bits_are_ignored),
        cmocka_unit_test(firmware_increment),
        cmocka_unit_test(every_pattern_isa),
        cmocka_unit_test(every_pattern_emu_spec),
        cmocka_unit_test(conditions_met),
        cmocka_unit_test(misaligned_target_faults),
        cmocka_unit_test(indirect_store),
        cmocka_unit_test(formats_of_the_page),
        cmocka_unit_test(acc_corners),
        cmocka_unit_test(acc_against_reference),
    };
    return cmocka_run_group_tests(tests, seed, NULL);
}
