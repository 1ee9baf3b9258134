/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases of many instructions, so that millions can be compared. They keep to forms that libraries take, since a refused
 * instruction loses its whole case.
 */
#include "record/making.h"
#include "tilefarm_tensix_ops.h"

#define PROGRAM_WORDS 28u

/* ---- Vector unit ---- */

enum { INT32 = 4, FLAGS_OUT = 32, REGISTERS_OUT = 36, STACK_MAX = 4 };

/* Flags, as far as libraries limit what may be done with them. */
struct flags {
    bool used, stack[STACK_MAX];
    unsigned depth;
};

/* An opcode, and the modifiers that it may have. */
struct form {
    uint8_t opcode, mods[10];
    uint8_t mod_count;
};

#define FORM(opcode, ...)                                             \
    {                                                                 \
        opcode, {__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}) \
    }

static const struct form vector_forms[] = {
    FORM(0x70, 2, 3, 4, 6, 12, 14, 15),
    FORM(0x71, 0, 1, 2, 4, 8, 10),
    FORM(0x72, 2, 4, 6, 7, 9, 12, 14, 15), /* 3: libraries disagree about denormals */
    FORM(0x73, 4),
    FORM(0x74, 0),
    FORM(0x75, 0),
    FORM(0x76, 0, 1),
    FORM(0x77, 0, 1, 2, 10),
    FORM(0x78, 0, 1),
    FORM(0x79, 0, 1, 2, 4, 5, 6, 8, 9, 10),
    FORM(0x7A, 0, 1),
    FORM(0x7B, 0, 2, 4, 6),
    FORM(0x7C, 0, 1, 2, 8),
    FORM(0x7D, 0, 1),
    FORM(0x7E, 0),
    FORM(0x7F, 0),
    FORM(0x80, 0),
    FORM(0x81, 0, 2, 4),
    FORM(0x82, 0, 1, 2),
    FORM(0x83, 0),
    FORM(0x84, 0),
    FORM(0x84, 0),
    FORM(0x85, 0),
    FORM(0x86, 0),
    FORM(0x87, 0),
    FORM(0x88, 0),
    FORM(0x89, 0, 1),
    FORM(0x8A, 0, 10),
    FORM(0x8B, 0),
    FORM(0x8C, 0),
    FORM(0x8D, 0),
    FORM(0x8E, 1, 2, 3, 6, 7),
    FORM(0x90, 0),
    FORM(0x91, 0, 1),
    FORM(0x92, 0, 1, 2, 3, 9),
    FORM(0x94, 3, 5),
    FORM(0x95, 2),
};

/* SFPCONFIG takes one value for all lanes, in all lanes. */
static void configure_vector(struct making *m, struct flags *flags)
{
    unsigned to = below(m, 5);
    test_word(m, TT_OP_SFPENCC(3, 0, 10));
    flags->used = true;
    if (to == 4) {
        /* With destination indices, instructions but swaps are not to write the upper registers. */
        bool index = below(m, 2);
        for (unsigned i = 0; index && i < 4; i++) /* positive: libraries disagree about equal negative numbers */
            test_word(m, TT_OP_SFPSETSGN(0, i, i, 1));
        test_word(m, TT_OP_SFPCONFIG(index << 2 | below(m, 2) << 8, 15, 1));
        for (unsigned i = 0; index && i < 4; i++)
            test_word(m, 0x92000000u | below(m, 4) << 8 | below(m, 4) << 4 | PICK(m, 0, 1, 2, 3, 9));
        if (index)
            test_word(m, TT_OP_SFPCONFIG(0, 15, 1));
        return;
    }
    test_word(m, TT_OP_SFPLOADI(0, 8, number(m) >> 16));
    test_word(m, TT_OP_SFPLOADI(0, 10, number(m) & 0xFFFF));
    test_word(m, TT_OP_SFPCONFIG(0, 11 + to, 0));
}

static uint32_t flag_word(struct making *m, struct flags *flags, uint32_t opcode, uint32_t mod)
{
    switch (opcode) {
    case 0x87:
        if (flags->depth == STACK_MAX)
            return TT_OP_SFPNOP;
        flags->stack[flags->depth++] = flags->used;
        return TT_OP_SFPPUSHC(0, 0);
    case 0x88:
        if (flags->depth == 0)
            return TT_OP_SFPNOP;
        flags->used = flags->stack[--flags->depth];
        return TT_OP_SFPPOPC(0, 0);
    case 0x8A:
        if (mod == 0)
            return TT_OP_SFPENCC(0, 0, 0);
        mod = below(m, 8) == 0 ? below(m, 4) : PICK(m, 1, 3, 3);
        flags->used = mod & 1;
        return TT_OP_SFPENCC(mod, 0, 10);
    default: /* SFPCOMPC */
        if (!flags->used || (flags->depth != 0 && !flags->stack[flags->depth - 1]))
            return TT_OP_SFPNOP;
        return TT_OP_SFPCOMPC(0);
    }
}

/* The bits of an instruction that are not its opcode, VD, VC and modifier. */
static uint32_t vector_fields(struct making *m, uint32_t opcode, uint32_t mod)
{
    uint32_t random = test_random(&m->random), any = random >> 8 & 0xFFFF;
    switch (opcode) {
    case 0x74:
    case 0x75: return any << 8;
    case 0x76: return (random & 1 ? any & 0x7F : 0xF80 | (any & 0x7F)) << 12;
    case 0x79: return mod & 1 ? (any & 0xFFF) << 12 : 0;
    case 0x7A: return mod & 1 ? (any & 0xFFF) << 12 : 0;
    case 0x82: return mod == 1 ? (any & 0xFF) << 12 : 0;
    case 0x84: return (any & 0xFF) << 12;                                                       /* VA, VB */
    case 0x85: return random & 1 ? 10u << 16 | (any & 15) << 12 : (any & 15) << 16 | 10u << 12; /* one of them is 1 */
    case 0x86: return (any & 0xFF) << 12;
    case 0x89: return mod == 1 ? (any & 1) << 12 : 0;
    case 0x94: return mod == 5 ? (any & 15) << 12 : 0;
    default: return 0;
    }
}

static void vector_step(struct making *m, struct flags *flags)
{
    const struct form *form = &vector_forms[below(m, sizeof vector_forms / sizeof vector_forms[0])];
    uint32_t mod = pick(m, form->mods, form->mod_count), vd = below(m, 8),
             vc = below(m, 4) == 0 ? below(m, 16) : below(m, 8);
    switch (form->opcode) {
    case 0x70: test_word(m, TT_OP_SFPLOAD(vd, mod, 0, below(m, 48) * 2)); return;
    case 0x71: test_word(m, TT_OP_SFPLOADI(vd, mod, number(m) >> 16)); return;
    case 0x72: test_word(m, TT_OP_SFPSTORE(below(m, 12), mod, 0, below(m, 48) * 2)); return;
    case 0x73: test_word(m, 0x73000000u | vd << 20 | mod << 16); return;
    case 0x7B:
        if (flags->used)
            test_word(m, TT_OP_SFPSETCC(0, vc, 0, mod));
        return;
    case 0x7C: test_word(m, 0x7C000000u | (mod == 8 ? 9 : vc) << 8 | vd << 4 | mod); return;
    case 0x86: test_word(m, 0x86000000u | vector_fields(m, 0x86, mod) | 9u << 8 | vd << 4); return;
    case 0x87:
    case 0x88:
    case 0x8A:
    case 0x8B: test_word(m, flag_word(m, flags, form->opcode, mod)); return;
    case 0x8C: test_word(m, TT_OP_SFPTRANSP(0)); return;
    case 0x91: configure_vector(m, flags); return;
    case 0x95: test_word(m, TT_OP_SFPLUTFP32(0, vd, mod)); return;
    case 0x92: test_word(m, 0x92000000u | below(m, 4) << 8 | below(m, 4) << 4 | mod); return;
    default: test_word(m, (uint32_t)form->opcode << 24 | vector_fields(m, form->opcode, mod) | vc << 8 | vd << 4 | mod);
    }
}

void make_vectors(struct making *m)
{
    struct flags flags = {.used = true};
    fill_data(m, number);
    rig_begin(m->code);
    rig_config(m->code, TT_CFG_PRNG_SEED_Seed_Val_WORD, test_random(&m->random));
    rig_push(m->code, TT_OP_SFPENCC(3, 0, 10));
    for (unsigned i = 11; i < 15; i++) /* libraries disagree about these registers after reset */
        rig_push(m->code, TT_OP_SFPCONFIG(0, i, 0));
    for (unsigned i = 0; i < 8; i++)
        rig_push(m->code, TT_OP_SFPLOAD(i, INT32, 0, i / 2 * 4 + i % 2 * 2));
    for (unsigned i = 0; i < PROGRAM_WORDS; i++)
        vector_step(m, &flags);
    /* Where lanes are enabled; then all registers. */
    rig_push(m->code, TT_OP_SFPSTORE(9, INT32, 0, FLAGS_OUT));
    rig_push(m->code, TT_OP_SFPENCC(3, 0, 10));
    for (unsigned i = 0; i < 8; i++)
        rig_push(m->code, TT_OP_SFPSTORE(i, INT32, 0, REGISTERS_OUT + i / 2 * 4 + i % 2 * 2));
}

/* ---- Matrix unit ---- */

enum { DST_ROWS_SHOWN = 64 };

/* The configuration of SrcA, SrcB and Dst for the matrix unit. */
struct math {
    enum rig_format src;
    bool wide, unflushed; /* Dst of 32 bits; denormal numbers in SrcB are not zeros */
    bool ones;            /* SrcB holds ones */
};

static uint32_t one(struct making *m)
{
    (void)m;
    return 0x3F800000;
}

static uint32_t byte(struct making *m)
{
    return test_random(&m->random);
}

static struct math begin_matrix(struct making *m)
{
    struct math math = {.wide = below(m, 2), .unflushed = below(m, 8) == 0, .ones = below(m, 4) == 0};
    math.src = PICK(m, RIG_TF32, RIG_BF16, RIG_BF16, RIG_FP16, RIG_INT8);
    if (math.src == RIG_INT8)
        math.ones = false;
    fill_data(m, math.src == RIG_INT8 ? byte : below(m, 3) == 0 ? number : near_one);
    for (unsigned i = 0; i < RIG_WORDS; i++) {
        m->dst[i] = below(m, 4) == 0 ? number(m) : near_one(m);
        if (math.ones)
            m->b[i] = one(m);
    }
    rig_begin(m->code);
    enum rig_format from = math.src == RIG_INT8 ? RIG_INT8 : RIG_FP32;
    rig_unpack(m->code, 0, from, math.src);
    rig_unpack(m->code, 1, from, math.src);
    rig_math(m->code, math.src, math.wide || math.src == RIG_TF32, 0);
    rig_config(m->code, TT_CFG_STACC_RELU_ApplyRelu_WORD,
               RIG_FIELD(ALU_ACC_CTRL_Zero_Flag_disabled_src, math.unflushed));
    return math;
}

/* Steps of counters that keep rows where libraries take them. */
static void set_modifiers(struct making *m)
{
    for (unsigned i = 0; i < PEER_MODIFIERS; i++) {
        uint32_t ab = below(m, 4) << 4 << TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_SHIFT |
                      below(m, 8) << 3 << TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcBIncr_SHIFT;
        uint32_t dst = (below(m, 4) << 3) << TT_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr_SHIFT |
                       below(m, 4) << TT_THREAD_CFG_ADDR_MOD_DST_SEC0_FidelityIncr_SHIFT;
        const uint32_t bits = test_random(&m->random);
        ab |= (bits & 1) << TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcACR_SHIFT |
              (bits >> 1 & bits >> 2 & 1) << TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAClear_SHIFT |
              (bits >> 3 & 1) << TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcBCR_SHIFT |
              (bits >> 4 & bits >> 5 & 1) << TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcBClear_SHIFT;
        switch (bits >> 6 & 7) { /* libraries take one of them */
        case 0: dst |= 1u << TT_THREAD_CFG_ADDR_MOD_DST_SEC0_DestCR_SHIFT; break;
        case 1: dst |= 1u << TT_THREAD_CFG_ADDR_MOD_DST_SEC0_DestClear_SHIFT; break;
        case 2: dst |= 1u << TT_THREAD_CFG_ADDR_MOD_DST_SEC0_DestCToCR_SHIFT; break;
        default: break;
        }
        dst |= (bits >> 9 & bits >> 10 & 1) << TT_THREAD_CFG_ADDR_MOD_DST_SEC0_FidelityClear_SHIFT;
        rig_push(m->code, TT_OP_SETC16(PEER_MODIFIER_AB(i), ab));
        rig_push(m->code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr_WORD + i, dst));
    }
}

/* Additions are to run in fidelity phase 0: SETRWC makes it so. */
static void clear_counters(struct making *m)
{
    test_word(m, TT_OP_SETRWC(0, 0, below(m, 2) * 8, below(m, 2) * 8, 0, 0xF));
}

static void matrix_step(struct making *m, const struct math *math)
{
    bool integer = math->src == RIG_INT8;
    bool moves_agree = PEER_MOVES_BY_FORMAT || !math->wide || math->src == RIG_TF32;
    unsigned dst = below(m, DST_ROWS_SHOWN / 8) * 8, mod = below(m, 4), by = below(m, 4);
    switch (below(m, 16)) {
    case 0:
    case 1:
    case 2:
        if (!math->unflushed)
            test_word(m, TT_OP_MVMUL(0, 0, by, dst));
        break;
    case 3:
    case 4: test_word(m, TT_OP_ELWMUL(0, 0, mod, by, dst)); break;
    case 5:
        clear_counters(m);
        test_word(m, TT_OP_ELWADD(0, below(m, 2), mod, by, dst));
        break;
    case 6:
        clear_counters(m);
        test_word(m, TT_OP_ELWSUB(0, below(m, 2), mod, by, dst));
        break;
    case 7:
        if (!math->unflushed)
            test_word(m, TT_OP_GAPOOL(0, 1, by, 0, dst + 4 * below(m, 2)));
        break;
    case 8:
        if (math->ones && (math->src == RIG_TF32 || math->src == RIG_BF16))
            test_word(m, TT_OP_GMPOOL(0, 1, by, 0, dst + 4 * below(m, 2)));
        break;
    case 9:
        if (!integer && (math->wide || math->src == RIG_TF32 ? math->src != RIG_FP16 : true) && !math->ones)
            test_word(m, TT_OP_MOVD2A(0, below(m, 16) * 4, by, 2, dst));
        break;
    case 10:
        if (!integer && (math->wide || math->src == RIG_TF32 ? math->src != RIG_FP16 : true) && !math->ones)
            test_word(m, TT_OP_MOVD2B(0, below(m, 2) * 4, 0, PICK(m, 0, 2), dst));
        break;
    case 11:
        if (!integer)
            test_word(m, TT_OP_MOVB2A(below(m, 2) * 4, by, 2, below(m, 2) * 4));
        break;
    case 12:
        if (!integer && moves_agree)
            test_word(m, TT_OP_MOVA2D(0, below(m, 2) * 8, by, 2, dst));
        break;
    case 13:
        if (!integer && moves_agree)
            test_word(m, TT_OP_MOVB2D(0, below(m, 2) * 8, by, PICK(m, 2, 3, 4, 5), dst));
        break;
    case 14:
        if (!math->ones)
            test_word(m, TT_OP_TRNSPSRCB);
        break;
    default: {
        unsigned mode = below(m, 8) == 0 ? 1 : 0;
        if (!integer)
            test_word(m, TT_OP_ZEROACC(mode, 0, 0, by, mode == 0 ? dst + below(m, 8) : below(m, 4)));
    }
    }
}

void make_matrices(struct making *m)
{
    const struct math math = begin_matrix(m);
    set_modifiers(m);
    for (unsigned i = 0; i < PROGRAM_WORDS; i++)
        matrix_step(m, &math);
}
