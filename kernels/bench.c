/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device programs of `tilefarm bench`: rounds of one kind of work, on the cores and tiles that the host starts.
 * They use only features that other libraries with the libttsim interface have: NOC 0, and coordinates that translation
 * does not change. A core waits before its MOPs or replays expand to more instructions than such a library's FIFO
 * holds.
 */
#include "tilefarm_kernel.h"

#include "tilefarm_bench.h"
#include "tilefarm_compute.h"
#include "tilefarm_sfpu.h"

#define PARAMS ((volatile const struct tf_bench_params *)TF_K_PARAMS)

static uint32_t me;

/* ---- RV32: a loop begins at a multiple of 128 bytes, and so lies in one page of decoded instructions ---- */
#define LOOP ".balign 128\n 1: "

static void alu(uint32_t rounds)
{
    __asm__ volatile(LOOP "add t0, t0, t1\n xor t2, t2, t0\n slli t3, t1, 3\n sub t4, t4, t3\n srli t5, t4, 7\n"
                          "addi t1, t1, 5\n and t6, t5, t1\n or t0, t0, t6\n addi %0, %0, -1\n bnez %0, 1b"
                     : "+r"(rounds)::"t0", "t1", "t2", "t3", "t4", "t5", "t6");
}

/* Load and store four words at a time, over 4 KiB. */
static void memory(uint32_t rounds)
{
    uint32_t from = TF_BENCH_FROM(TF_CORE), offset = 0, at;
    __asm__ volatile(LOOP "add %2, %3, %1\n lw t0, 0(%2)\n lw t1, 4(%2)\n lw t2, 8(%2)\n lw t3, 12(%2)\n"
                          "sw t0, 2032(%2)\n sw t1, 2036(%2)\n sw t2, 2040(%2)\n sw t3, 2044(%2)\n"
                          "addi %1, %1, 16\n andi %1, %1, 0x7f0\n addi %0, %0, -1\n bnez %0, 1b"
                     : "+r"(rounds), "+r"(offset), "=&r"(at)
                     : "r"(from)
                     : "t0", "t1", "t2", "t3", "memory");
}

/* A random generator, a table and a branch. Both sides of the branch have the same length. */
static void mix(uint32_t rounds)
{
    uint32_t table = TF_BENCH_FROM(TF_CORE), state = 1;
    __asm__ volatile(LOOP "slli t0, %1, 13\n xor %1, %1, t0\n srli t0, %1, 17\n xor %1, %1, t0\n slli t0, %1, 5\n"
                          "xor %1, %1, t0\n andi t0, %1, 0x3fc\n add t0, %2, t0\n lw t1, 0(t0)\n add t1, t1, %1\n"
                          "sw t1, 0(t0)\n andi t2, t1, 1\n beqz t2, 2f\n addi t3, t3, 1\n j 3f\n"
                          "2: addi t4, t4, 1\n nop\n 3: addi %0, %0, -1\n nop\n bnez %0, 1b"
                     : "+r"(rounds), "+r"(state)
                     : "r"(table)
                     : "t0", "t1", "t2", "t3", "t4", "memory");
}

/* ---- NOC ---- */

static void atomics(uint32_t rounds, uint32_t at_len_be, bool spread)
{
    uint32_t tile = spread ? (me + 1) % TF_K_TILES : 0, xy = tf_tile_xy(0, tile);
    uint32_t word = TF_BENCH_WORD(spread ? TF_CORE : 0);
    for (uint32_t i = 0; i < rounds; i++) {
        tf_noc_atomic(0, xy, word, at_len_be, 1, TF_SCRATCH);
        tf_noc_wait(0);
    }
}

/* Copy between a tile and the next one, or a DRAM channel. The core waits for responses after each batch. */
static void copies(uint32_t rounds, uint32_t bytes, bool write, bool dram)
{
    uint32_t xy = dram ? tf_dram_xy(me) : tf_tile_xy(0, (me + 1) % TF_K_TILES);
    uint32_t near = TF_BENCH_FROM(TF_CORE);
    uint32_t far = dram ? 0x100000u + me * 0x40000u + TF_CORE * 0x8000u : TF_BENCH_TO(TF_CORE);
    for (uint32_t i = 1; i <= rounds; i++) {
        if (write)
            tf_noc_write(0, xy, far, near, bytes);
        else
            tf_noc_read(0, xy, far, near, bytes);
        if (i % TF_BENCH_BATCH == 0)
            tf_noc_wait(0);
    }
    tf_noc_wait(0);
}

/* Read from the next tile, and write back to it. The core waits for each response. */
static void await_each(uint32_t rounds, uint32_t bytes)
{
    uint32_t xy = tf_tile_xy(0, (me + 1) % TF_K_TILES);
    for (uint32_t i = 0; i < rounds; i++) {
        tf_noc_read(0, xy, TF_BENCH_FROM(TF_CORE), TF_BENCH_FROM(TF_CORE), bytes);
        tf_noc_wait(0);
        tf_noc_write(0, xy, TF_BENCH_TO(TF_CORE), TF_BENCH_FROM(TF_CORE), bytes);
        tf_noc_wait(0);
    }
}

#if TF_CORE < 2
/* A reader and a writer, as in most kernels. Each handles one page at a time, and waits for its response. */
static void pass_on(uint32_t rounds, uint32_t bytes)
{
    uint32_t xy = tf_tile_xy(0, (me + 1) % TF_K_TILES);
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t page = TF_BENCH_FROM(0) + i % TF_BENCH_PAGES * bytes;
        if (TF_CORE == 1) {
            tf_cb_reserve_back(TF_BENCH_STREAM, 1, TF_BENCH_PAGES);
            tf_noc_read(0, xy, TF_BENCH_TO(1), page, bytes);
            tf_noc_wait(0);
            tf_cb_push_back(TF_BENCH_STREAM, 1);
        } else {
            tf_cb_wait_front(TF_BENCH_STREAM, 1);
            tf_noc_write(0, xy, TF_BENCH_TO(0), page, bytes);
            tf_noc_wait(0);
            tf_cb_pop_front(TF_BENCH_STREAM, 1);
        }
    }
}
#endif

static void multicast(uint32_t rounds, uint32_t bytes)
{
    for (uint32_t i = 1; i <= rounds; i++) {
        tf_noc_multicast(0, TF_ALL_TILES(0), TF_BENCH_TO(TF_CORE), TF_BENCH_FROM(TF_CORE), bytes, true);
        if (i % TF_BENCH_BATCH == 0)
            tf_noc_wait_sent(0);
    }
    tf_noc_wait_sent(0);
}

static void increment(uint32_t xy, uint32_t word)
{
    tf_noc_atomic(0, xy, word, 0x107C, 1, TF_SCRATCH);
}

/* Cores count by an AMO in the tile, tiles by an increment at tile 0. A multicast releases all. */
static void barrier(uint32_t rounds)
{
    for (uint32_t round = 1; round <= rounds; round++) {
        tf_add_here(TF_BENCH_LOCAL, 1);
        if (TF_CORE == 0) {
            tf_sem_wait(TF_BENCH_LOCAL, TF_K_CORES * round);
            increment(tf_tile_xy(0, 0), TF_BENCH_ARRIVED);
            tf_noc_wait(0);
            if (me == 0) {
                tf_sem_wait(TF_BENCH_ARRIVED, TF_K_TILES * round);
                tf_sem_set_multicast(0, TF_ALL_TILES(0), TF_BENCH_RELEASE, round, true);
            }
        }
        tf_sem_wait_min(TF_BENCH_RELEASE, round);
    }
}

static void ping_pong(uint32_t rounds)
{
    uint32_t partner = tf_tile_xy(0, me ^ 1);
    for (uint32_t round = 1; round <= rounds; round++) {
        if (me & 1)
            tf_sem_wait_min(TF_BENCH_BALL, round);
        increment(partner, TF_BENCH_BALL);
        if (!(me & 1))
            tf_sem_wait_min(TF_BENCH_BALL, round);
    }
    tf_noc_wait(0);
}

/* ---- Tensix ---- */

#if TF_CORE >= 2
#define FOUR(op) op op op op
#define SCALAR_ADD TT_OP_ADDDMAREG(0, 9, 3, 9)
/* clang-format off */
#define SCALAR_OPS                                                            \
    TF_TTINSN(SCALAR_ADD); TF_TTINSN(TT_OP_MULDMAREG(0, 10, 9, 11));          \
    TF_TTINSN(TT_OP_ADDDMAREG(0, 12, 9, 12)); TF_TTINSN(TT_OP_SETDMAREG(0, 77, 0, 26));
/* clang-format on */

static void scalar(uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        FOUR(SCALAR_OPS)
    }
    tf_tt_wait_idle();
}

static void mop(uint32_t rounds)
{
    static const struct tf_tt_mop_loop loop = {
        .outer = 16,
        .inner = TF_BENCH_MOP_ROUND / 16,
        .start = TT_NOP,
        .end_0 = TT_NOP,
        .end_1 = TT_NOP,
        .loop_0 = SCALAR_ADD,
        .loop_1 = TT_NOP,
        .loop_0_last = SCALAR_ADD,
        .loop_1_last = SCALAR_ADD,
    };
    tf_tt_mop_loop(&loop);
    for (uint32_t i = 0; i < rounds; i++) {
        TF_TTINSN(TT_MOP_LOOP);
        tf_tt_wait_idle();
    }
}

static void replay(uint32_t rounds)
{
    TF_TTINSN(TT_RECORD(0, 16));
    FOUR(SCALAR_OPS)
    for (uint32_t i = 0; i < rounds; i++) {
        FOUR(FOUR(TF_TTINSN(TT_REPLAY(0, 16));))
        tf_tt_wait_idle();
    }
}
#endif

#if TF_CORE >= 3
/* Fill 64 rows of Dst with numbers of both signs and several sizes. mode: a format, as SFPSTORE takes it. */
static void fill_dst(uint32_t mode)
{
    static const uint16_t numbers[4] = {0x3FC0, 0xBF40, 0x4050, 0x3D91};
    for (uint32_t i = 0; i < 4; i++)
        tf_tt_push(TT_OP_SFPLOADI(i, 0, numbers[i]));
    for (uint32_t row = 0; row < 64; row += 2)
        tf_tt_push(TT_OP_SFPSTORE((row / 2 * 7 >> 2) & 3, mode, 0, row));
}
#endif

#if TF_CORE == 3
enum { FORMAT_FP16 = 1, FORMAT_TF32 = 4, FORMAT_INT8 = 14 };

/* Set formats. MVMUL with address modifier 1 advances to the next fidelity phase. */
static void configure_math(uint32_t format)
{
#ifdef TT_THREAD_CFG_DISABLE_IMPLIED_SRCA_FMT_Base_WORD
    tf_tt_push(TT_SETC16_FIELD(DISABLE_IMPLIED_SRCA_FMT_Base, 1));
    tf_tt_push(TT_SETC16_FIELD(DISABLE_IMPLIED_SRCB_FMT_Base, 1));
#endif
    tf_tt_push(TT_SETC16_FIELD(ADDR_MOD_DST_SEC0_FidelityIncr, 0));
    tf_tt_push(TT_SETC16_FIELD(ADDR_MOD_DST_SEC1_FidelityIncr, 1));
    tf_tt_wait_idle();
    TF_TT_CFG_SET(0, ALU_FORMAT_SPEC_REG0_SrcA, format);
    TF_TT_CFG_SET(0, ALU_FORMAT_SPEC_REG1_SrcB, format);
    TF_TT_CFG_SET(0, ALU_ACC_CTRL_Fp32_enabled, format == FORMAT_TF32);
    TF_TT_CFG_SET(0, ALU_ACC_CTRL_INT8_math_enabled, format == FORMAT_INT8);
    tf_fence();
}

/* Zero SrcA and SrcB, and give them to the matrix unit. On Blackhole not by SETDVALID, which ttsim refuses there. */
static void hand_over(void)
{
#ifdef TT_OP_UNPACR_NOP
    tf_tt_push(TT_OP_UNPACR_NOP(0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
    tf_tt_push(TT_OP_UNPACR_NOP(1, 0, 0, 0, 1, 0, 0, 0, 0, 1));
#else
    tf_tt_push(TT_OP_ZEROSRC(0, 1, 0, 3));
    tf_tt_push(TT_OP_SETDVALID(3));
#endif
}

static void mvmul(uint32_t rounds, uint32_t format, uint32_t phase)
{
    uint32_t filled = format == FORMAT_INT8 ? FORMAT_FP16 : format; /* integers have the bits of fp16 */
    configure_math(filled);
    hand_over();
    fill_dst(filled == FORMAT_FP16 ? 0 : filled == FORMAT_TF32 ? 3 : 2); /* 0: the format of SrcB, fp16 */
    for (uint32_t row = 0; row < 64; row += 4) {
        tf_tt_push(TT_OP_MOVD2A(0, row, 0, 2, row));
        tf_tt_push(TT_OP_MOVD2B(0, row, 0, 2, row));
    }
    if (format != filled)
        configure_math(format);
    tf_tt_push(TT_OP_SETRWC(0, 0, 0, 0, 0, 0xF));
    for (uint32_t i = 0; i < phase; i++)
        tf_tt_push(TT_OP_MVMUL(0, 0, 1, 0));
/* clang-format off */
#define MVMUL_PAIR(row) TF_TT(MVMUL(0, 0, 0, row)); TF_TT(MVMUL(0, 0, 0, (row) + 8));
    /* clang-format on */
    for (uint32_t i = 1; i <= rounds; i++) {
        MVMUL_PAIR(0)
        MVMUL_PAIR(16)
        MVMUL_PAIR(32)
        MVMUL_PAIR(48)
        MVMUL_PAIR(64)
        MVMUL_PAIR(80)
        MVMUL_PAIR(96)
        MVMUL_PAIR(112)
    }
    TF_TT(MVMUL(3, 0, 0, 0));
    tf_tt_wait_idle();
}

static void vector(uint32_t rounds)
{
    fill_dst(3);
    for (uint32_t i = 0; i < rounds; i++) {
        TF_TT(SFPLOAD(0, 3, 0, 0));
        TF_TT(SFPMAD(0, 1, 2, 4, 0));
        TF_SFP_WAIT;
        TF_TT(SFPMUL(4, 1, 9, 5, 0));
        TF_SFP_WAIT;
        TF_TT(SFPADD(10, 5, 2, 4, 0));
        TF_SFP_WAIT;
        TF_TT(SFPMAD(4, 1, 0, 5, 0));
        TF_SFP_WAIT;
        TF_TT(SFPMUL(5, 1, 9, 6, 0));
        TF_SFP_WAIT;
        TF_TT(SFPADD(10, 6, 4, 7, 0));
        TF_SFP_WAIT;
        TF_TT(SFPSTORE(7, 3, 0, 64));
        TF_TT(SFPLOAD(1, 3, 0, 4));
        TF_TT(SFPMAD(1, 3, 2, 4, 0));
        TF_SFP_WAIT;
        TF_TT(SFPIADD(0, 3, 4, 4));
        TF_TT(SFPXOR(1, 4));
        TF_TT(SFPMAD(4, 3, 0, 5, 0));
        TF_SFP_WAIT;
        TF_TT(SFPMUL(5, 3, 9, 6, 0));
        TF_SFP_WAIT;
        TF_TT(SFPADD(10, 6, 5, 7, 0));
        TF_SFP_WAIT;
        TF_TT(SFPSTORE(7, 3, 0, 68));
    }
    tf_tt_wait_idle();
}
#endif

/* ---- Unpack, add, pack: tiles of four faces, at the same addresses in L1 in all rounds ---- */

#if TF_CORE == 2
#define UNPACK_A(addr_mode, valid) TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, addr_mode, valid))
#define UNPACK_B(addr_mode, valid) TF_TTINSN(TT_UNPACK(TF_UNPACKER_B, addr_mode, valid))

/* Fill a tile with numbers of medium size in each format. Tiles with shared exponents begin with 64 exponents. */
static void fill_tile(uint32_t address)
{
    for (uint32_t i = 0; i < TF_TILE_EXPONENTS / 4; i++)
        TF_WORD(address + i * 4) = 0x7F807E7Fu;
    for (uint32_t i = TF_TILE_EXPONENTS / 4; i < TF_TILE_BYTES_MAX / 4 + TF_TILE_EXPONENTS / 4; i++)
        TF_WORD(address + i * 4) = 0x3F803F40u + (i * 0x00110007u & 0x80FF80FFu);
}

static void configure_unpackers(uint32_t in, uint32_t out, uint32_t at)
{
    const struct tf_tensor_kind kind = {.in = (uint8_t)in, .out = (uint8_t)in};
    tf_configure_unpackers(&kind, at == TF_BENCH_TRANSPOSED);
    TF_TT_CFG_SET(0, THCON_SEC0_REG2_Out_data_format, out);
    TF_TT_CFG_SET(0, THCON_SEC0_REG2_Unpack_if_sel_cntx0, at == TF_BENCH_TO_DST);
    for (unsigned i = 0; i < 2; i++)
        fill_tile(TF_BENCH_FROM(i));
    TF_FIELD_WORD(THCON_SEC0_REG3_Base_address, TF_TENSOR_L1(TF_BENCH_FROM(0)));
    TF_FIELD_WORD(THCON_SEC1_REG3_Base_address, TF_TENSOR_L1(TF_BENCH_FROM(1)));
    tf_fence();
}

/* Unpack whole tiles into Dst, or into SrcA, whose bank stays with the unpacker. */
static void unpack(uint32_t rounds, uint32_t formats, uint32_t at)
{
    configure_unpackers(formats >> 4, formats & 15, at);
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    if (at == TF_BENCH_TO_DST)
        TF_TTINSN(TT_SETC16_FIELD(SRCA_SET_SetOvrdWithAddr, 0));
    for (uint32_t i = 0; i < rounds; i++) {
        FOUR(UNPACK_A(0, 0);)
        FOUR(UNPACK_A(0, 0);)
    }
    tf_tt_wait_idle();
}

/* Unpack one face of each operand at a time, as real kernels do. The counter of faces restarts with each tile. */
static void add_faces(uint32_t rounds)
{
    const struct tf_tensor_kind kind = {.in = TF_BF16, .out = TF_BF16};
    configure_unpackers(TF_BF16, TF_BF16, TF_BENCH_TO_SRC);
    tf_configure_math(&kind);
    tf_configure_packer(&kind);
    tf_fence();
    tf_sem_set(TF_BENCH_READY, 1);
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS / 4);
    for (uint32_t i = 0; i < rounds * 2; i++) {
        FOUR(UNPACK_A(1, 1); UNPACK_B(1, 1);)
        TF_TT(SETADCZW(3, 0, 0, 0, 0, 0, 0xF));
    }
    tf_tt_wait_idle();
}
#elif TF_CORE == 3
/* Two instructions add a face, and the second one releases both operands. A tile has four faces. */
static void add_faces(uint32_t rounds)
{
    static const struct tf_tt_mop_loop mop = {
        .outer = 4,
        .inner = 2,
        .start = TT_NOP,
        .loop_0 = TT_OP_ELWADD(0, 0, 0, 0, 0),
        .loop_1 = TT_NOP,
        .loop_0_last = TT_OP_ELWADD(3, 0, 0, 2, 0),
        .loop_1_last = TT_OP_ELWADD(3, 0, 0, 1, 0),
        .end_0 = TT_NOP,
        .end_1 = TT_NOP,
    };
    tf_sem_wait_min(TF_BENCH_READY, 1);
    TF_ADDR_MOD(0, TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_CLEAR, TF_CLEAR, TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(2, TF_CLEAR, TF_CLEAR, TF_CLEAR, TF_INCREMENT(0));
    tf_math_begin();
    tf_tt_wait_idle();
    tf_sem_set(TF_BENCH_READY, 2);
    tf_tt_mop_loop(&mop);
    for (uint32_t i = 0; i < rounds * 2; i++) {
        tf_math_take(i & 1);
        TF_TTINSN(TT_MOP_LOOP);
        tf_math_give();
    }
    tf_tt_wait_idle();
}
#elif TF_CORE == 4
#define RELU_MODE_ZERO 1

static void configure_pack(uint32_t conversion, uint32_t at)
{
    uint32_t wide = conversion >> 8, from = conversion >> 4 & 15, to = conversion & 15;
    const struct tf_tensor_kind kind = {.in = (uint8_t)from, .out = (uint8_t)to, .wide = (uint8_t)wide};
    tf_configure_math(&kind);
    tf_configure_packer(&kind);
    TF_TT_CFG_SET(0, ALU_FORMAT_SPEC_REG2_Dstacc, from);
    TF_TT_CFG_SET(0, THCON_SEC0_REG1_In_data_format, from);
    TF_TT_CFG_SET(0, STACC_RELU_ApplyRelu, at == TF_BENCH_PACK_RELU ? RELU_MODE_ZERO : 0);
    TF_TT_CFG_SET(0, THCON_SEC0_REG1_Pack_L1_Acc, at == TF_BENCH_PACK_ACCUMULATED);
#ifdef TT_CFG_THCON_SEC0_REG1_Pac_LF8_4b_exp_WORD
    TF_TT_CFG_SET(0, THCON_SEC0_REG1_Pac_LF8_4b_exp, 1);
#endif
    TF_TT_CFG_SET(0, THCON_SEC0_REG1_Exp_section_size, (to & 2) != 0 ? TF_TILE_EXPONENTS / 16 : 0);
    TF_FIELD_WORD(THCON_SEC0_REG1_L1_Dest_addr, TF_PACK_L1(TF_BENCH_TO(0)));
#if TF_K_PACKERS == 4
    for (unsigned i = 0; i < 3; i++) {
        TF_TT_CFG(0, tf_other_packers[i] + 2) = TF_TT_CFG(0, TT_CFG_THCON_SEC0_REG1_Out_data_format_WORD);
        TF_TT_CFG(0, tf_other_packers[i] + 3) = TF_TT_CFG(0, TT_CFG_THCON_SEC0_REG1_Pack_L1_Acc_WORD);
    }
#endif
    tf_fence();
}

/* Pack the first tile of Dst, to the same address in each round. */
static void pack(uint32_t rounds, uint32_t conversion, uint32_t at)
{
    configure_pack(conversion, at);
#ifdef TT_THREAD_CFG_DISABLE_IMPLIED_SRCB_FMT_Base_WORD
    TF_TTINSN(TT_SETC16_FIELD(DISABLE_IMPLIED_SRCB_FMT_Base, 1));
#endif
    fill_dst(conversion >> 8 ? 3 : (conversion >> 4 & 15) == TF_FP16 ? 0 : 2); /* 0: the format of SrcB, fp16 */
    tf_pack_begin();
    for (uint32_t i = 0; i < rounds; i++)
        TF_TTINSN(TT_MOP_LOOP);
    tf_tt_wait_idle();
}

static void add_faces(uint32_t rounds)
{
    tf_sem_wait_min(TF_BENCH_READY, 2);
    tf_pack_begin();
    for (uint32_t i = 0; i < rounds * 2; i++) {
        tf_pack_take();
        tf_pack_tile((i & 1) * TF_DST_HALF, TF_BENCH_TO(i & 1));
        TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_PACKER));
        TF_TT(SEMGET(TF_SEM_DST));
    }
    tf_tt_wait_idle();
}
#endif

static int work(uint32_t program, uint32_t rounds)
{
    uint32_t argument = PARAMS->argument, at = PARAMS->at;
    switch (program) {
    case TF_BENCH_ALU: alu(rounds); return 0;
    case TF_BENCH_MEMORY: memory(rounds); return 0;
    case TF_BENCH_MIX: mix(rounds); return 0;
    case TF_BENCH_ATOMIC: atomics(rounds, argument, at != 0); return 0;
    case TF_BENCH_WRITE: copies(rounds, argument, true, false); return 0;
    case TF_BENCH_READ: copies(rounds, argument, false, false); return 0;
    case TF_BENCH_DRAM_READ: copies(rounds, argument, false, true); return 0;
    case TF_BENCH_DRAM_WRITE: copies(rounds, argument, true, true); return 0;
    case TF_BENCH_MULTICAST: multicast(rounds, argument); return 0;
    case TF_BENCH_BARRIER: barrier(rounds); return 0;
    case TF_BENCH_PING_PONG: ping_pong(rounds); return 0;
    case TF_BENCH_AWAIT: await_each(rounds, argument); return 0;
#if TF_CORE < 2
    case TF_BENCH_PASS_ON: pass_on(rounds, argument); return 0;
#endif
    case TF_BENCH_WAIT: tf_sem_wait_min(TF_BENCH_GO, 1); return 0;
#if TF_CORE >= 2
    case TF_BENCH_SCALAR: scalar(rounds); return 0;
    case TF_BENCH_MOP: mop(rounds); return 0;
    case TF_BENCH_REPLAY: replay(rounds); return 0;
#endif
#if TF_CORE == 3
    case TF_BENCH_MVMUL: mvmul(rounds, argument, at); return 0;
    case TF_BENCH_VECTOR: vector(rounds); return 0;
#endif
#if TF_CORE == 2
    case TF_BENCH_UNPACK: unpack(rounds, argument, at); return 0;
#elif TF_CORE == 4
    case TF_BENCH_PACK: pack(rounds, argument, at); return 0;
#endif
#if TF_CORE >= 2
    case TF_BENCH_ADD_FACES: add_faces(rounds); return 0;
#endif
    default: return 1;
    }
}

int main(void)
{
    me = tf_my_tile();
    return work(PARAMS->program, PARAMS->rounds);
}
