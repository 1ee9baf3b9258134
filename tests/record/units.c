/* SPDX-License-Identifier: Apache-2.0 */
#include "record/units.h"

#include <stdio.h>
#include <string.h>

#include "record/making.h"
#include "tilefarm_tensix_ops.h"

const char *const unit_names[UNIT_KIND_COUNT] = {
#define KIND(name) [UNIT_##name] = #name,
    UNIT_KINDS(KIND)
#undef KIND
};

void test_word(struct making *m, uint32_t word)
{
    if (m->words == m->words_max)
        return;
    m->word[m->words++] = word;
    rig_push(m->code, word);
}

uint32_t pick(struct making *m, const uint8_t *from, unsigned count)
{
    return from[test_random_below(&m->random, count)];
}

uint32_t number(struct making *m)
{
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x007FFFFF, 0x80800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0x7F800000,
        0xFF800000, 0x7FC00000, 0xFF800001, 0x7FFFFFFF, 0xFFFFFFFF, 0x40000000, 0x3F7FFFFF, 0x0000001F,
    };
    uint32_t bits = test_random(&m->random);
    switch (test_random_below(&m->random, 6)) {
    case 0: return special[bits % 16];
    case 1: return (bits & 0x807FFFFF) | (119 + (bits >> 23) % 16) << 23;
    case 2: return (bits & 0x1FF) - 0x100;
    case 3: return bits & 0xFFFF0000;
    default: return bits;
    }
}

uint32_t near_one(struct making *m)
{
    uint32_t bits = test_random(&m->random);
    return test_random_below(&m->random, 12) == 0 ? 0 : (bits & 0x807FFFFF) | (120 + (bits >> 23) % 14) << 23;
}

void fill_data(struct making *m, uint32_t (*data)(struct making *m))
{
    for (unsigned i = 0; i < RIG_WORDS; i++) {
        m->dst[i] = number(m);
        m->a[i] = data(m);
        m->b[i] = data(m);
    }
}

/* ---- Vector unit: LRegs are loaded from Dst, and the last ones written go back ---- */

enum { VECTOR_INT32 = 4, VECTOR_OUT = 32 };

/* Opcodes and the bits in use, but those of high registers; without SFPCONFIG and SFPLOADMACRO. */
static const uint32_t vector_words[] = {
    0x717FFFFF, 0x74FFFF73, 0x75FFFF73, 0x76FFF77F, 0x7700077F, 0x7800077F, 0x79FFF77F, 0x7AFFF77F, 0x7B00177F,
    0x7C00077F, 0x7D00077F, 0x7E000770, 0x7F000770, 0x80000770, 0x8100077F, 0x82FFF77F, 0x83FFF77F, 0x84077777,
    0x85007773, 0x8607707F, 0x87000000, 0x88000000, 0x8900177F, 0x8A00300F, 0x8B000000, 0x8C000000, 0x8D000770,
    0x8E1F777F, 0x90000774, 0x9200077F, 0x94000771, 0x9700077F, 0x9800777F, 0x99000773, 0x96000778,
};

/* Registers are low ones, and modifiers mostly few bits, so that a peer does not refuse most of them. */
static uint32_t vector_word(struct making *m)
{
    uint32_t used = vector_words[test_random_below(&m->random, sizeof vector_words / sizeof vector_words[0])];
    uint32_t word = (used & 0xFF000000) | (used & 0xFFFFFF & test_random(&m->random));
    if (test_random(&m->random) & 1)
        word &= 0xFFFFFFF0 | 1u << test_random_below(&m->random, 4);
    switch (word >> 24) {
    case 0x85: return word | 10u << 16; /* SFPADD: VA is 1 */
    case 0x86:
    case 0x98: return (word & ~0xF00u) | 9u << 8; /* SFPMUL, SFPMUL24: VC is 0 */
    default: return word;
    }
}

static void make_vector(struct making *m)
{
    unsigned count = 1 + test_random_below(&m->random, 3), last[2] = {0, 1};
    fill_data(m, number);
    rig_begin(m->code);
    for (unsigned i = 0; i < 8; i++) /* four rows and every other column each */
        rig_push(m->code, TT_OP_SFPLOAD(i, VECTOR_INT32, 0, i / 2 * 4 + i % 2 * 2));
    /* Libraries may begin with other flags: all set here, in use or not. */
    test_word(m, TT_OP_SFPENCC(2 + (test_random(&m->random) & 1), 0, 10));
    for (unsigned i = 0; i < count; i++) {
        uint32_t word = vector_word(m);
        test_word(m, word);
        unsigned written = word >> 24 == 0x71 ? word >> 20 & 7 : word >> 4 & 7;
        if (written != last[1]) {
            last[0] = last[1];
            last[1] = written;
        }
    }
    for (unsigned i = 0; i < 2; i++)
        rig_push(m->code, TT_OP_SFPSTORE(last[i], VECTOR_INT32, 0, VECTOR_OUT + 2 * i));
}

/* ---- Matrix unit ---- */

/* Both operands, in a format; returns the format that the matrix unit takes. */
static enum rig_format unpack_operands(struct making *m)
{
    enum rig_format src = PICK(m, RIG_TF32, RIG_BF16, RIG_FP16);
    rig_unpack(m->code, 0, RIG_FP32, src);
    rig_unpack(m->code, 1, RIG_FP32, src);
    return src;
}

static void make_matrix(struct making *m)
{
    fill_data(m, near_one);
    for (unsigned i = 0; i < RIG_WORDS; i++)
        m->dst[i] = near_one(m);
    rig_begin(m->code);
    enum rig_format src = unpack_operands(m);
    rig_math(m->code, src, test_random(&m->random) & 1, 0);
    /* Each use of address modifier 1 begins the next fidelity phase. */
    rig_push(m->code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_DST_SEC1_FidelityIncr_WORD,
                                   1u << TT_THREAD_CFG_ADDR_MOD_DST_SEC1_FidelityIncr_SHIFT));
    unsigned count = 1 + test_random_below(&m->random, 4), dst = test_random_below(&m->random, 4) * 8;
    unsigned mod = test_random(&m->random) & 3, accumulate = test_random(&m->random) & 1;
    switch (test_random_below(&m->random, 5)) {
    case 0:
        for (unsigned i = 0; i < count; i++)
            test_word(m, TT_OP_MVMUL(0, mod & 1, 1, dst));
        break;
    case 1:
        for (unsigned i = 0; i < count; i++)
            test_word(m, TT_OP_ELWMUL(0, 0, mod, 1, dst));
        break;
    case 2: test_word(m, TT_OP_ELWADD(0, accumulate, mod, 0, dst)); break;
    case 3: test_word(m, TT_OP_ELWSUB(0, accumulate, mod, 0, dst)); break;
    default:
        for (unsigned i = 0; i < count; i++)
            test_word(m, TT_OP_GAPOOL(0, mod & 1, 1, 0, dst));
    }
}

/* Between Dst, SrcA and SrcB: what arrives there is moved to Dst at last. */
static void make_move(struct making *m)
{
    fill_data(m, number);
    rig_begin(m->code);
    enum rig_format src = unpack_operands(m);
    rig_math(m->code, src, src == RIG_TF32, 0);
    unsigned row = test_random_below(&m->random, 4) * 16, mod = test_random_below(&m->random, 4);
    switch (test_random_below(&m->random, 6)) {
    case 0: test_word(m, TT_OP_MOVD2A(0, row, 0, 2, 16)); break;
    case 1: test_word(m, TT_OP_MOVD2B(0, row, 0, PICK(m, 0, 2), 16)); break;
    case 2: test_word(m, TT_OP_MOVB2A(row, 0, 2, row)); break;
    case 3: test_word(m, TT_OP_TRNSPSRCB); break;
    case 4: test_word(m, TT_OP_ZEROSRC(0, mod & 1, 0, 1 + mod % 3)); break;
    default: break;
    }
    test_word(m, TT_OP_MOVA2D(0, row, 0, 2, 32));
    test_word(m, TT_OP_MOVB2D(0, row, 0, PICK(m, 2, 3, 4, 5), 48));
}

/* ---- Unpackers ---- */

static void make_unpack(struct making *m)
{
    static const uint8_t ways[][2] = {
        {0, 4}, {0, 5}, {0, 1}, {1, 1}, {5, 5}, {6, 6}, {7, 7}, {15, 15}, {10, 10}, {14, 14},
        {9, 9}, {6, 5}, {7, 5}, {5, 4}, {5, 1}, {1, 5}, {2, 1}, {3, 1},   {6, 4},
    };
    fill_data(m, number);
    rig_begin(m->code);
    const uint8_t *way = ways[test_random_below(&m->random, sizeof ways / sizeof ways[0])];
    unsigned unpacker = test_random(&m->random) & 1, row = test_random_below(&m->random, 8) * 8;
    rig_unpack(m->code, unpacker, way[0], way[1]);
    rig_math(m->code, way[1], way[1] == RIG_TF32, 0);
    if (unpacker == 0)
        test_word(m, TT_OP_MOVA2D(0, row, 0, 2, 32));
    else
        for (unsigned i = 0; i < 2; i++)
            test_word(m, TT_OP_MOVB2D(0, row + 4 * i, 0, 4, 32 + 4 * i));
}

/* ---- Packer ---- */

static void make_pack(struct making *m)
{
    /* Dst as words or not, the format of Dst, that of L1 */
    static const uint8_t ways[][3] = {
        {0, 1, 0},  {0, 1, 1}, {0, 1, 5}, {0, 1, 10}, {0, 5, 0}, {0, 5, 5}, {0, 5, 6},   {0, 5, 7}, {0, 5, 15},
        {0, 6, 0},  {0, 6, 5}, {0, 6, 6}, {0, 6, 7},  {0, 9, 9}, {1, 0, 0}, {1, 0, 1},   {1, 0, 6}, {1, 0, 7},
        {1, 0, 15}, {1, 5, 5}, {1, 6, 6}, {1, 6, 7},  {1, 8, 8}, {1, 9, 9}, {1, 14, 14},
    };
    fill_data(m, number);
    rig_begin(m->code);
    const uint8_t *way = ways[test_random_below(&m->random, sizeof ways / sizeof ways[0])];
    const struct rig_packer packer = {
        .wide = way[0],
        .from = way[1],
        .to = way[2],
        .relu = test_random_below(&m->random, 4) % 4,
        .threshold = way[1] == RIG_FP16 ? 0x3800 : 0x3F00,
        .first_row = test_random_below(&m->random, 8) * 4,
        .rows = 8,
    };
    rig_pack(m->code, &packer);
}

/* ---- ZEROACC, and the counters of the matrix unit ---- */

static void make_zeroacc(struct making *m)
{
    fill_data(m, number);
    rig_begin(m->code);
    rig_math(m->code, RIG_BF16, test_random(&m->random) & 1, 0);
    unsigned mode = test_random_below(&m->random, 3), where = test_random_below(&m->random, mode == 0 ? 64 : 4);
    test_word(m, TT_OP_ZEROACC(mode, test_random(&m->random) & 1, 0, 0, where));
}

/* Which rows move where, at last, shows the counters. */
static void make_counter(struct making *m)
{
    fill_data(m, near_one);
    rig_begin(m->code);
    rig_unpack(m->code, 0, RIG_FP32, RIG_TF32);
    rig_unpack(m->code, 1, RIG_FP32, RIG_TF32);
    rig_math(m->code, RIG_TF32, true, 0);
    /* Modifiers move by eight rows, or clear, or begin again at the counter of the row's begin. */
    for (unsigned i = 0; i < 4; i++) {
        uint32_t random = test_random(&m->random);
        test_word(m, TT_OP_SETC16(PEER_MODIFIER_AB(i), random & 0xC8C8));
        test_word(m, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr_WORD + i, random >> 16 & 0xC08));
    }
    for (unsigned i = 0; i < 5; i++) {
        uint32_t random = test_random(&m->random);
        switch (random >> 30) {
        case 0:
            test_word(m, TT_OP_SETRWC(0, random & 7, random >> 4 & 8, random >> 8 & 8, random >> 12 & 8, random >> 16));
            break;
        case 1: test_word(m, TT_OP_INCRWC(random & 4, random >> 4 & 8, random >> 8 & 8, random >> 12 & 8)); break;
        default: test_word(m, TT_OP_ELWADD(0, 0, 0, random & 3, 0)); break;
        }
    }
    test_word(m, TT_OP_MOVA2D(0, 0, 0, 2, 0));
    test_word(m, TT_OP_MOVB2D(0, 0, 0, 4, 16));
}

static void (*const makers[UNIT_KIND_COUNT])(struct making *m) = {
#define KIND(name) [UNIT_##name] = make_##name,
    UNIT_KINDS(KIND)
#undef KIND
};

/* Its result is what the instruction stores, not Dst. */
static bool leaves_l1(unsigned kind)
{
    return kind == UNIT_pack || kind == UNIT_packs || kind == UNIT_configs;
}

static void make(const struct unit_case *one, struct making *m, struct peer_code *code)
{
    code->count = 0;
    m->code = code;
    m->words = 0;
    m->words_max = one->words_max != 0 && one->words_max < MAKING_WORDS ? one->words_max : MAKING_WORDS;
    m->random = (uint64_t)one->kind << 32 | one->seed;
    makers[one->kind](m);
    if (!leaves_l1(one->kind))
        rig_end(code);
}

bool unit_run(const struct api *api, const void *job, void *result)
{
    static struct peer_code code;
    static struct making m;
    const struct unit_part *part = job;
    struct unit_result *rows = result;
    for (unsigned i = 0; i < part->count; i++) {
        unsigned x = PEER_TILE_X(i), y = PEER_TILE_Y(i); /* a tile in which no case has left anything */
        memset(rows[i].before, 0xA5, sizeof rows[i].before);
        make(&part->one[i], &m, &code);
        code.tile = i;
        put(api, x, y, RIG_DST_DATA, m.dst, sizeof m.dst);
        put(api, x, y, RIG_A_DATA, m.a, sizeof m.a);
        put(api, x, y, RIG_B_DATA, m.b, sizeof m.b);
        put(api, x, y, RIG_RESULT, rows[i].before, sizeof rows[i].before);
        rows[i].state = UNIT_BEGUN;
        if (!peer_run(api, PEER_T0, &code))
            return false;
        rows[i].state = UNIT_DONE;
        if (!leaves_l1(part->one[i].kind))
            memcpy(rows[i].before, m.dst, sizeof m.dst);
        get(api, x, y, RIG_RESULT, rows[i].after, sizeof rows[i].after);
    }
    return true;
}

void unit_words(const struct unit_case *one, char *text, unsigned bytes)
{
    static struct peer_code code;
    static struct making m;
    unsigned length = 0;
    make(one, &m, &code);
    text[0] = '\0';
    for (unsigned i = 0; i < m.words && length < bytes; i++)
        length += (unsigned)snprintf(text + length, bytes - length, "%s0x%08x", i == 0 ? "" : " ", m.word[i]);
}

unsigned unit_word_count(const struct unit_case *one)
{
    static struct peer_code code;
    static struct making m;
    make(one, &m, &code);
    return m.words;
}
