/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of three threads in the way of tt-llk's for Wormhole (tt_llk_wormhole_b0): its configuration, MOPs, replays,
 * address modifiers and semaphores, four packers by one PACR. Results against the formulas, and against hashes of what
 * ttsim v1.10 leaves in L1. `test_llk_wormhole LIBRARY` prints another library's hashes.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "record/unit_rig.h"

#include "random.h"
#include "tilefarm_tensix_ops.h"
#include "addresses.h"

#define CONFIG TF_CFG_BASE
#define PUSH TF_INSTRN_BUF_BASE
#define MOP_WORDS TF_MOP_CFG_BASE
#define IDLE TF_DONE_CHECK
#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define HELD 0x47800u
#define DONE 0x0FE0u
#define A 0x20000u
#define B 0x30000u
#define RESULT 0x40000u
#define BYTES 4096u
#define NUMBERS 1024u

enum { FP32 = 0, BF16 = 5, BFP8 = 6 };
enum { UNPACK_FIRST = 0x6000, MATH_FIRST = 0xA000, PACK_FIRST = 0xE000 }; /* where the threads' cores begin */
enum { CLEAR_A = 1, CLEAR_B = 2, CLEAR_AB = 3 };
enum { MATH_PACK = 1 << 1 }; /* the semaphore that math posts and pack gets */
enum { WAIT_MATH = 1 << 7, WAIT_PACK = 15 << 3 };
enum { CR = 1 << 6, CLEAR = 1 << 7 }; /* fields of address modifiers */
enum { DST_CR = 1 << 10, DST_CLEAR = 1 << 11, DST_TO_CR = 1 << 12, FIDELITY = 1 << 13, FIDELITY_CLEAR = 1 << 15 };
enum { OFFSET = 8, OUTPUT = 9 }; /* GPRs of pack */
enum { HOLD_SYNC = 2, HOLD_TDMA_PACK = 4 | 1 };

#define STALLWAIT(block, condition) (0xA2000000u | (uint32_t)(block) << 15 | (condition))
#define UNPACR(unpacker, z) TT_OP_UNPACR(unpacker, z, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)
#define PACR(modifier, rows, flush, last) TT_OP_PACR(0, 0, 0, modifier, 0, 0, 15, 0, rows, 0, flush, last)
#define FLOP(word) ((word)-52u)

struct kernel {
    const char *name;
    uint8_t to;        /* format in L1 of the result */
    bool product;      /* of matrices, else of elements */
    uint32_t op;       /* ELWADD, ELWSUB or ELWMUL */
    bool column;       /* B gives a column to all of A's */
    bool wide;         /* Dst has 32 bits */
    uint8_t phases;    /* of fidelity */
    uint8_t below;     /* numbers are integers below this */
    uint64_t expected; /* the hash of ttsim's result */
};

static const struct kernel *kernel;
static float a[NUMBERS], b[NUMBERS];

static void push(struct peer_code *code, uint32_t word)
{
    peer_store(code, PUSH, word);
}

static void config(struct peer_code *code, unsigned word, uint32_t value)
{
    peer_store(code, CONFIG + 4 * word, value);
}

/* Half a GPR. */
static void half_gpr(struct peer_code *code, unsigned half, uint32_t value)
{
    push(code, TT_OP_SETDMAREG(value >> 14, value & 0x3FFF, 0, half));
}

/* ckernel_template, and its program() */
struct loops {
    uint32_t outer, inner, start, end, first, second, last_outer, last_inner;
};

static void mop(struct peer_code *code, const struct loops *of)
{
    uint32_t second = of->second == 0 ? TT_OP_NOP : of->second, last = of->second == 0 ? of->first : of->second;
    const uint32_t words[9] = {of->outer,
                               of->inner,
                               of->start == 0 ? TT_OP_NOP : of->start,
                               of->end == 0 ? TT_OP_NOP : of->end,
                               TT_OP_NOP,
                               of->first,
                               second,
                               of->last_outer == 0 ? last : of->last_outer,
                               of->last_inner == 0 ? last : of->last_inner};
    for (unsigned i = 0; i < 9; i++)
        peer_store(code, MOP_WORDS + 4 * i, words[i]);
}

/* addr_mod_t::set() */
static void modifier(struct peer_code *code, unsigned i, uint32_t srca, uint32_t srcb, uint32_t dest, uint32_t bias)
{
    push(code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_WORD + 2 * i, srca | srcb << 8));
    push(code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr_WORD + i, dest));
    push(code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr_WORD + i, bias));
}

/* configure_unpack_AB() */
static void configure_unpack(struct peer_code *code)
{
    static const struct {
        unsigned stride, descriptor, format;
    } of[2] = {{TT_CFG_UNP0_ADDR_CTRL_ZW_REG_1_Zstride_WORD, TT_CFG_THCON_SEC0_REG0_TileDescriptor_WORD,
                TT_CFG_THCON_SEC0_REG2_Out_data_format_WORD},
               {TT_CFG_UNP1_ADDR_CTRL_ZW_REG_1_Zstride_WORD, TT_CFG_THCON_SEC1_REG0_TileDescriptor_WORD,
                TT_CFG_THCON_SEC1_REG2_Out_data_format_WORD}};
    for (unsigned i = 0; i < 2; i++) {
        config(code, of[i].stride, RIG_FIELD(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 16 * 16 * 2));
        config(code, of[i].descriptor, BF16 | 1 << 4 | (i == 0 ? 0 : 256u << 16));
        config(code, of[i].descriptor + 1, 1 | 4u << 16);
        config(code, of[i].format, BF16 | 2 << 4);
        config(code, of[i].format + 1, 0xF | 0xF << 16);
    }
    config(code, TT_CFG_THCON_SEC0_REG5_Dest_cntx0_address_WORD, 4 * 16 | 4 * 16 << 16);
    config(code, TT_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_WORD, 256 | 256u << 16);
    config(code, TT_CFG_UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_WORD,
           RIG_FIELD(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1));
    config(code, TT_CFG_THCON_SEC0_REG3_Base_address_WORD, (kernel->product ? B : A) / 16 - 1);
    config(code, TT_CFG_THCON_SEC1_REG3_Base_address_WORD, (kernel->product ? A : B) / 16 - 1);
}

/* configure_pack(), set_packer_config() */
static void configure_pack(struct peer_code *code)
{
    static const uint8_t packers[4] = {TT_CFG_THCON_SEC0_REG1_Row_start_section_size_WORD,
                                       TT_CFG_THCON_SEC0_REG8_Row_start_section_size_WORD,
                                       TT_CFG_THCON_SEC1_REG1_Row_start_section_size_WORD,
                                       TT_CFG_THCON_SEC1_REG8_Row_start_section_size_WORD};
    static const uint8_t exponents[4] = {4, 1 + 2 + 16, 1 + 1 + 32, 1 + 0 + 48};
    uint32_t from = kernel->wide ? FP32 : BF16, x = kernel->wide ? 4 : 2;
    config(code, TT_CFG_PCK0_ADDR_CTRL_XY_REG_0_Xstride_WORD, x | 16 * x << 16);
    config(code, TT_CFG_PCK0_ADDR_CTRL_ZW_REG_0_Zstride_WORD, 256 * x | 1024 * x << 16);
    config(code, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD,
           RIG_FIELD(ALU_FORMAT_SPEC_REG0_SrcA, BF16) | RIG_FIELD(ALU_FORMAT_SPEC_REG1_SrcB, BF16) |
               RIG_FIELD(ALU_FORMAT_SPEC_REG2_Dstacc, from) | RIG_FIELD(ALU_ACC_CTRL_Fp32_enabled, kernel->wide) |
               RIG_FIELD(ALU_ACC_CTRL_SFPU_Fp32_enabled, kernel->wide));
    for (unsigned i = 0; i < 4; i++) {
        config(code, packers[i], RIG_FIELD(THCON_SEC0_REG1_Exp_section_size, kernel->to == BFP8 ? exponents[i] : 4));
        config(code, packers[i] + 2u,
               RIG_FIELD(THCON_SEC0_REG1_Disable_zero_compress, 1) | RIG_FIELD(THCON_SEC0_REG1_In_data_format, from) |
                   RIG_FIELD(THCON_SEC0_REG1_Out_data_format, kernel->to) | 1u << 17);
        config(code, packers[i] + 3u, 0);
        config(code, TT_CFG_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_WORD + i,
               RIG_FIELD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16));
    }
    config(code, TT_CFG_PCK_DEST_RD_CTRL_Read_32b_data_WORD, kernel->wide);
    config(code, TT_CFG_PCK_EDGE_OFFSET_SEC0_mask_WORD, 0xFFFF);
    config(code, TT_CFG_TILE_ROW_SET_MAPPING_0_row_set_mapping_0_WORD, 0);
    for (unsigned i = 0; i < 4; i++)
        config(code, TT_CFG_DEST_TARGET_REG_CFG_PACK_SEC0_Offset_WORD + i, 16 * i);
}

/* _llk_unpack_AB_(), _llk_unpack_AB_matmul_() */
static void unpack_thread(struct peer_code *code)
{
    push(code, TT_OP_SETADCXY(3, 0, 0, 0, 0, 0, 0xB));
    push(code, TT_OP_SETADCZW(3, 0, 0, 0, 0, 0, 0xF));
    push(code, TT_OP_SETC16(TT_THREAD_CFG_SRCA_SET_Base_WORD, 4));
    push(code, TT_OP_SETC16(TT_THREAD_CFG_UNPACK_MISC_CFG_CfgContextOffset_0_WORD, 0));
    push(code, TT_OP_SETADCXX(3, kernel->product ? 1023 : 255, 0));
    if (kernel->product) {
        push(code, UNPACR(0, 0));
        push(code, UNPACR(1, 0));
        return;
    }
    if (kernel->column) /* of B, for two faces of A each */
        mop(code, &(struct loops){2, 2, UNPACR(1, 1), TT_OP_SETADCZW(2, 0, 0, 0, 0, 2, 1), UNPACR(0, 1), 0, 0, 0});
    else
        mop(code, &(struct loops){2, 2, 0, 0, UNPACR(0, 1), UNPACR(1, 1), 0, 0});
    push(code, TT_OP_MOP(1, 0, 0));
}

/* matmul_configure_addrmod(), matmul_configure_mop(): rows of SrcB by all of SrcA, into rows of Dst. */
static void product(struct peer_code *code)
{
    static const uint8_t modifiers[16] = {0, 1, 0, 2, 0, 1, 3, 0, 0, 1, 0, 2, 0, 1, 3, 1};
    bool high = kernel->phases > 1;
    modifier(code, 0, 0, 8, 8, 0);
    modifier(code, 1, 16, CR, 8, 0);
    modifier(code, 2, CR, 32 | CR, 8, 0);
    modifier(code, 3, 0, 8, 8, 1);
    modifier(code, 4, 32 | CR, 48 | CR, DST_CR, 1);
    modifier(code, 5, CLEAR | CR, CLEAR | CR, DST_CLEAR | DST_CR | (high ? FIDELITY : 0), 1);
    push(code, TT_OP_REPLAY(16, 16, 0, 1));
    for (unsigned i = 0; i < 16; i++)
        push(code, TT_OP_MVMUL(i == 15 && !high ? CLEAR_A : 0, 0, modifiers[i], 0));
    mop(code, &(struct loops){1, kernel->phases, 0, high ? TT_OP_SETRWC(CLEAR_A, 0, 0, 0, 0, 15) : 0,
                              TT_OP_REPLAY(16, 16, 0, 0), 0, 0, 0});
    push(code, TT_OP_ZEROACC(3, kernel->wide, 0, 0, 0));
    push(code, TT_OP_SETRWC(0, 0, 0, 0, 0, 15));
    push(code, TT_OP_MOP(1, 0, 0));
    push(code, TT_OP_SETRWC(CLEAR_B, 0, 0, 0, 0, 15));
}

/* eltwise_binary_configure_addrmod(), eltwise_binary_configure_mop_standard() */
static void elements(struct peer_code *code)
{
    uint32_t op = kernel->op | (uint32_t)kernel->column << 19, clear = kernel->column ? CLEAR_A : CLEAR_AB;
    struct loops of = {kernel->column ? 2 : 4, 2, 0, TT_OP_SETRWC(clear, 3, 0, 0, 0, 3), op, 0, 0, 0};
    unsigned runs = kernel->column ? 2 : 1;
    modifier(code, 0, 8, 8, 8, 0);
    modifier(code, 2, CLEAR, CLEAR, DST_CR | FIDELITY, 0);
    modifier(code, 3, CLEAR, CLEAR, 8 | DST_TO_CR | FIDELITY_CLEAR, 0);
    push(code, TT_OP_SETC16(TT_THREAD_CFG_CLR_DVALID_SrcA_Disable_WORD, 0));
    if (kernel->phases > 1) { /* a face at a time */
        of = (struct loops){kernel->phases, 2, 0, 0, op, 0, op | clear << 22 | 3 << 15, op | 2 << 15};
        runs = 4;
    }
    mop(code, &of);
    push(code, TT_OP_ZEROACC(3, kernel->wide, 0, 0, 0));
    push(code, TT_OP_SETRWC(0, 0, 0, 0, 0, 15));
    for (unsigned i = 0; i < runs; i++) {
        push(code, TT_OP_MOP(1, 0, 0));
        if (kernel->column)
            push(code, TT_OP_SETRWC(CLEAR_B, 0, 0, 0, 0, 0));
    }
}

static void math_thread(struct peer_code *code)
{
    push(code, TT_OP_SETC16(TT_THREAD_CFG_DEST_TARGET_REG_CFG_MATH_Offset_WORD, 0));
    if (kernel->product)
        product(code);
    else
        elements(code);
    push(code, STALLWAIT(HOLD_SYNC, WAIT_MATH));
    push(code, TT_OP_SEMPOST(MATH_PACK));
}

/* set_packer_l1_offset(), _llk_pack_init_(), _llk_pack_() */
static void pack_thread(struct peer_code *code)
{
    static const uint8_t others[3] = {TT_CFG_THCON_SEC0_REG8_L1_Dest_addr_WORD,
                                      TT_CFG_THCON_SEC1_REG1_L1_Dest_addr_WORD,
                                      TT_CFG_THCON_SEC1_REG8_L1_Dest_addr_WORD};
    enum { Y_SRC_CLEAR = 1 << 5, Y_DST_CLEAR = 1 << 11 };
    unsigned face = kernel->to == BFP8 ? 1 : kernel->to == FP32 ? 64 : 32;
    push(code, TT_OP_SETADCXY(4, 0, 0, 0, 0, 0, 0xB));
    push(code, TT_OP_SETADCZW(4, 0, 0, 0, 0, 0, 0xF));
    push(code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_WORD, 15 | 1 << 6));
    push(code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_PACK_SEC1_YsrcIncr_WORD, Y_SRC_CLEAR | Y_DST_CLEAR));
    push(code, TT_OP_SETC16(TT_THREAD_CFG_ADDR_MOD_PACK_SEC2_YsrcIncr_WORD, Y_SRC_CLEAR));
    mop(code, &(struct loops){1, 1, 0, 0, PACR(1, 1, 0, 1), 0, 0, 0});
    for (unsigned i = 0; i < 3; i++) {
        half_gpr(code, 2 * OFFSET, (i + 1) * face - 1);
        push(code, TT_OP_REG2FLOP(2, 0, 0, 0, FLOP(others[i]), OFFSET));
    }
    push(code, TT_OP_SETADCXX(4, 255, 0));
    push(code, TT_OP_SEMWAIT(HOLD_TDMA_PACK, MATH_PACK, 1));
    half_gpr(code, 2 * OUTPUT, RESULT / 16 - 1);
    half_gpr(code, 2 * OUTPUT + 1, 1 << 15); /* the other packers' addresses are relative to this one */
    push(code, TT_OP_REG2FLOP(1, 0, 0, 0, FLOP(TT_CFG_THCON_SEC0_REG1_L1_Dest_addr_WORD), OUTPUT));
    push(code, PACR(2, 0, 1, 0));
    push(code, TT_OP_MOP(1, 0, 0));
    push(code, STALLWAIT(HOLD_SYNC, WAIT_PACK));
    push(code, TT_OP_SEMGET(MATH_PACK));
    peer_wait(code, IDLE);
}

static void place(const struct api *api, struct peer_code *code, uint32_t first, uint32_t done)
{
    peer_store(code, DONE + done, 1);
    peer_emit(code, 0x6F);
    assert_true(code->count <= 0x1000);
    put(api, PEER_X, PEER_Y, first, code->word, 4 * code->count);
}

struct result {
    uint8_t bytes[BYTES];
    bool ended;
};

static struct peer_code code[4];

static bool act(const struct api *api, const void *job, void *result)
{
    struct result *got = result;
    uint16_t tile[2][NUMBERS];
    kernel = job;
    for (unsigned i = 0; i < 2 * NUMBERS; i++) {
        uint32_t word;
        memcpy(&word, i < NUMBERS ? &a[i] : &b[i - NUMBERS], sizeof word);
        tile[i / NUMBERS][i % NUMBERS] = (uint16_t)(word >> 16);
    }
    put(api, PEER_X, PEER_Y, A, tile[0], sizeof tile[0]);
    put(api, PEER_X, PEER_Y, B, tile[1], sizeof tile[1]);
    memset(got->bytes, 0xEE, BYTES);
    put(api, PEER_X, PEER_Y, RESULT, got->bytes, BYTES);
    memset(code, 0, sizeof code);
    configure_unpack(&code[3]);
    configure_pack(&code[3]);
    push(&code[3], TT_OP_SEMINIT(1, 0, MATH_PACK));
    peer_wait(&code[3], IDLE);
    if (!peer_run(api, PEER_T0, &code[3]))
        return false;
    unpack_thread(&code[0]);
    math_thread(&code[1]);
    pack_thread(&code[2]);
    place(api, &code[0], UNPACK_FIRST, 0);
    place(api, &code[1], MATH_FIRST, 4);
    place(api, &code[2], PACK_FIRST, 8);
    put32(api, PEER_X, PEER_Y, DONE + 8, 0);
    put32(api, PEER_X, PEER_Y, SOFT_RESET_0, HELD & ~0x7000u);
    for (unsigned i = 0; i < 100 && get32(api, PEER_X, PEER_Y, DONE + 8) == 0; i++)
        api->clock(1000);
    got->ended = get32(api, PEER_X, PEER_Y, DONE + 8) != 0;
    get(api, PEER_X, PEER_Y, RESULT, got->bytes, BYTES);
    return true;
}

/* Integers, so that sums and products are exact in every format on the way. */
static void make_numbers(const struct kernel *of)
{
    uint64_t seed = of->below;
    for (unsigned i = 0; i < NUMBERS; i++) {
        a[i] = (float)(test_random_below(&seed, of->below));
        b[i] = (float)(test_random_below(&seed, of->below));
    }
}

static unsigned at(unsigned row, unsigned column)
{
    return row / 16 * 512 + column / 16 * 256 + row % 16 * 16 + column % 16;
}

static float golden(const struct kernel *of, unsigned i)
{
    unsigned row = i / 512 * 16 + i / 16 % 16, column = i / 256 % 2 * 16 + i % 16;
    float sum = 0;
    if (!of->product) {
        float other = b[of->column ? at(row, 0) : i];
        return of->op >> 24 == 0x28 ? a[i] + other : of->op >> 24 == 0x30 ? a[i] - other : a[i] * other;
    }
    for (unsigned k = 0; k < 32; k++)
        sum += a[at(row, k)] * b[at(k, column)];
    return sum;
}

static float number_at(const struct kernel *of, const uint8_t *bytes, unsigned i)
{
    uint32_t word = 0;
    float value;
    if (of->to == BFP8) {
        uint8_t datum = bytes[64 + i];
        int power = bytes[i / 16] - 127 - 6;
        value = (float)(datum & 0x7F);
        for (; power > 0; power--)
            value *= 2;
        for (; power < 0; power++)
            value /= 2;
        return datum & 0x80 ? -value : value;
    }
    if (of->to == FP32)
        memcpy(&word, bytes + (size_t)4 * i, 4);
    else
        memcpy((char *)&word + 2, bytes + (size_t)2 * i, 2);
    memcpy(&value, &word, sizeof value);
    return value;
}

static const struct kernel kernels[] = {
    {"add", .to = BF16, .op = TT_OP_ELWADD(0, 0, 0, 0, 0), .phases = 1, .below = 100, .expected = 0xad377410acf90234},
    {"add to bfp8", .to = BFP8, .op = TT_OP_ELWADD(0, 0, 0, 0, 0), .phases = 1, .below = 16,
     .expected = 0x59f8fdc562f423dd},
    {"subtract", .to = BF16, .op = TT_OP_ELWSUB(0, 0, 0, 0, 0), .phases = 1, .below = 100,
     .expected = 0xc64c5a3e6d18534c},
    {"multiply", .to = BF16, .op = TT_OP_ELWMUL(0, 0, 0, 0, 0), .phases = 1, .below = 16,
     .expected = 0x66805aeb99e68e6f},
    {"multiply to fp32", .to = FP32, .op = TT_OP_ELWMUL(0, 0, 0, 0, 0), .wide = true, .phases = 1, .below = 16,
     .expected = 0x48f821d2eb751757},
    {"multiply in four phases", .to = FP32, .op = TT_OP_ELWMUL(0, 0, 0, 0, 0), .wide = true, .phases = 4, .below = 250,
     .expected = 0xb182b41cb469e84d},
    {"add a column", .to = BF16, .op = TT_OP_ELWADD(0, 0, 0, 0, 0), .column = true, .phases = 1, .below = 100,
     .expected = 0x5a897cafbac9d40a},
    {"multiply by a column", .to = BF16, .op = TT_OP_ELWMUL(0, 0, 0, 0, 0), .column = true, .phases = 1, .below = 16,
     .expected = 0xce5aa9738041a60d},
    {"matrices", .to = BF16, .product = true, .phases = 1, .below = 3, .expected = 0x78cd8d85822c64f5},
    {"matrices to bfp8", .to = BFP8, .product = true, .phases = 1, .below = 2, .expected = 0x4e734cf30a728dfc},
    {"matrices in four phases", .to = FP32, .product = true, .wide = true, .phases = 4, .below = 64,
     .expected = 0x02bce3685ed1a206},
};

#define COUNT (sizeof kernels / sizeof kernels[0])

static void check(const struct kernel *of, const char *library, bool tell)
{
    struct result got;
    make_numbers(of);
    assert_true(peer_call(library, act, of, &got, sizeof got));
    if (!got.ended)
        fail_msg("%s does not end", of->name);
    for (unsigned i = 0; i < NUMBERS; i++) {
        float value = number_at(of, got.bytes, i), expected = golden(of, i);
        if (value != expected) /* NOLINT(clang-diagnostic-float-equal): exact */
            fail_msg("%s: number %u is %g, not %g", of->name, i, (double)value, (double)expected);
    }
    uint64_t seen = hash(0, got.bytes, BYTES);
    if (tell)
        printf("%s: 0x%016" PRIx64 "\n", of->name, seen);
    else if (seen != of->expected)
        fail_msg("%s: the hash is 0x%016" PRIx64, of->name, seen);
}

static void test_kernels(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT; i++)
        check(&kernels[i], TF_LIBTTSIM, false);
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; argc > 1 && i < COUNT; i++)
        check(&kernels[i], argv[1], true);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels)};
    return argc > 1 ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
