/* SPDX-License-Identifier: Apache-2.0 */
/* An actor of a litmus test. */
#include "tilefarm_litmus.h"

#define TF_TENSOR_BUFFERS 0x40000u
#define TF_TENSOR_READY TF_LITMUS_READY
#include "tilefarm_compute.h"

/* A jump table would lie in L1, and a load from it would order the actor's accesses. */
#pragma GCC optimize("no-jump-tables")

static uint32_t script[TF_LITMUS_STEPS][TF_LITMUS_STEP_WORDS] __attribute__((section(".local")));
static uint32_t loaded[TF_LITMUS_REGISTERS] __attribute__((section(".local")));

static void issue(uint32_t ctrl, uint32_t tag)
{
    unsigned noc = ctrl >> 31;
    *tf_niu(noc, TF_NOC_PACKET_TAG) = tag;
    *tf_niu(noc, TF_NOC_CTRL) = ctrl & 0x7FFFFFFFu;
    __asm__ volatile("" ::: "memory");
    *tf_niu(noc, TF_NOC_CMD_CTRL) = 1;
}

/* Returns the node at a place, which is in NOC 0 coordinates. */
static uint32_t at(unsigned noc, uint32_t place)
{
    return tf_xy(noc, place & 63u, place >> 6 & 63u);
}

static void request(const uint32_t *step)
{
    uint32_t a = step[1], b = step[2], c = step[3], place = step[4], ctrl = step[5];
    unsigned noc = ctrl >> 31;
    tf_noc_ready(noc);
    switch (step[0]) {
    case TF_LITMUS_WRITE: tf_noc_addresses(noc, tf_self_xy(noc), b, at(noc, place), a); break;
    case TF_LITMUS_MULTICAST:
        tf_noc_exclude_none(noc);
        tf_noc_addresses(noc, tf_self_xy(noc), b, place, a);
        break;
    case TF_LITMUS_REGISTER: tf_noc_addresses(noc, at(noc, place), a, tf_self_xy(noc), 0); break;
    default: tf_noc_addresses(noc, at(noc, place), a, tf_self_xy(noc), b); break;
    }
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = step[0] == TF_LITMUS_ADD        ? TF_AT_INC(a, 1)
                                     : step[0] == TF_LITMUS_REGISTER ? 0xFu
                                                                     : c;
    *tf_niu(noc, TF_NOC_AT_DATA) = step[0] == TF_LITMUS_ADD ? 1 : b;
    issue(ctrl, TF_CORE << 10);
}

#if TF_CORE == 0
/* clang-format off */
static const struct tf_tensor_kind kind = {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_TO_DST, 0}; /* into Dst */
/* clang-format on */

static void configure(void)
{
    tf_configure_unpackers(&kind, false);
    tf_configure_math(&kind);
    tf_configure_packer(&kind);
    tf_fence();
    uint32_t got = TF_TT_CFG(0, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD);
    __asm__ volatile("andi %0, %0, 0" : "+r"(got)::"memory");
    tf_sem_set(TF_TENSOR_READY, 1);
}
#endif

static void fill(uint32_t to, uint32_t word)
{
    for (uint32_t i = 0; i < 2048; i += 4)
        TF_WORD(to + i) = word;
    uint32_t got = TF_WORD(to + 2044);
    __asm__ volatile("andi %0, %0, 0" : "+r"(got)::"memory");
}

#if TF_CORE == 2
static void unpack(uint32_t from)
{
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    TF_TTINSN(TT_SETC16_FIELD(SRCA_SET_SetOvrdWithAddr, 0));
    TF_TT(SEMINIT(2, 0, TF_SEM_DST));
    tf_unpack_from(TF_UNPACKER_A, from);
    tf_tensor_write_config(TT_CFG_THCON_SEC0_REG5_Dest_cntx0_address_WORD, 4 * 16, TF_TT_UNPACKER_0);
    tf_tt_wait_idle();
    TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
    (void)tf_tt_sem_read(5); /* a load from the coprocessor waits for the push */
}

static void give(void)
{
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_UNPACKER_0));
    TF_TT(SEMPOST(TF_SEM_DST));
    tf_tt_wait_idle();
}
#elif TF_CORE == 4
static void pack_zeros(uint32_t to)
{
    tf_pack_begin();
    TF_TT(ZEROACC(2, 0, 0, 0, 0));
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_PACK, TF_TT_MATRIX));
    tf_pack_tile(0, to);
}

static void pack(uint32_t to)
{
    tf_pack_begin();
    tf_pack_take();
    tf_pack_tile(0, to);
    tf_pack_give();
}
#endif

#if TF_CORE == 4
static void store_by_unit(uint32_t to)
{
    TF_TT_GPR(20) = to / 16;
    TF_TT_GPR(21) = 0;
    TF_TT_GPR(22) = 1;
    uint32_t got = TF_TT_GPR(22);
    __asm__ volatile("andi %0, %0, 0" : "+r"(got)::"memory");
    TF_TTINSN(TT_OP_STOREIND(1, 0, 1, 42, 0, 22, 20));
}
#endif

/* Execute a step of the coprocessor. Returns 0 if it is another step. */
static int drive(const uint32_t *step)
{
    switch (step[0]) {
    case TF_LITMUS_FILL: fill(step[1], step[2]); return 1;
    case TF_LITMUS_MOVED:
        while (TF_WORD(TF_TDMA_BASE + 0x14) & 1)
            ;
        return 1;
#if TF_CORE == 0
    case TF_LITMUS_CONFIGURE: configure(); return 1;
#elif TF_CORE >= 2
    case TF_LITMUS_CONFIGURED: tf_tensor_wait_begin(); return 1;
    case TF_LITMUS_IDLE: tf_tt_wait_idle(); return 1;
#if TF_CORE == 2
    case TF_LITMUS_UNPACK: unpack(step[1]); return 1;
    case TF_LITMUS_GIVE: give(); return 1;
#elif TF_CORE == 4
    case TF_LITMUS_PACK_ZEROS: pack_zeros(step[1]); return 1;
    case TF_LITMUS_PACK: pack(step[1]); return 1;
    case TF_LITMUS_WAIT_PACKER: TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_PACKER)); return 1;
    case TF_LITMUS_POST: TF_TT(SEMPOST(1 << 2)); return 1;
    case TF_LITMUS_STORE_UNIT: store_by_unit(step[1]); return 1;
    case TF_LITMUS_WAIT_SCALAR: TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_SCALAR_MEMORY)); return 1;
#endif
#endif
    default: return 0;
    }
}

static void load_load(const uint32_t *step)
{
    uint32_t first, second;
    __asm__ volatile("lw %0, 0(%2)\n lw %1, 0(%3)"
                     : "=&r"(first), "=&r"(second)
                     : "r"(step[1]), "r"(step[3])
                     : "memory");
    loaded[step[2]] = first;
    loaded[step[2] + 1] = second;
}

static void load_store(const uint32_t *step)
{
    uint32_t value;
    __asm__ volatile("lw %0, 0(%1)\n sw %3, 0(%2)" : "=&r"(value) : "r"(step[1]), "r"(step[3]), "r"(1) : "memory");
    loaded[step[2]] = value;
}

static void execute(const uint32_t *step)
{
    uint32_t a = step[1], value;
    if (step[0] >= TF_LITMUS_CONFIGURE && drive(step))
        return;
    switch (step[0]) {
    case TF_LITMUS_STORE: TF_WORD(a) = step[2]; break;
    case TF_LITMUS_LOAD: loaded[step[2]] = TF_WORD(a); break;
    case TF_LITMUS_FENCE: tf_fence(); break;
    case TF_LITMUS_AMO: loaded[step[2]] = tf_amoadd(a, step[3]); break;
    case TF_LITMUS_SETTLE:
        value = TF_WORD(a);
        __asm__ volatile("andi %0, %0, 0" : "+r"(value)::"memory");
        break;
    case TF_LITMUS_POLL:
        do
            tf_fence();
        while (TF_WORD(a) == 0);
        break;
    case TF_LITMUS_LOADS_WAIT: __asm__ volatile("csrsi 0x7c0, 1" ::: "memory"); break;
    case TF_LITMUS_STRONG: __asm__ volatile("csrsi 0x7c1, 1" ::: "memory"); break;
    case TF_LITMUS_LOAD_LOAD: load_load(step); break;
    case TF_LITMUS_LOAD_STORE: load_store(step); break;
    case TF_LITMUS_WAIT: tf_noc_wait(step[5] >> 31); break;
    case TF_LITMUS_SENT: tf_noc_wait_sent(step[5] >> 31); break;
    default: request(step); break;
    }
}

int main(void)
{
    for (unsigned i = 0; i < TF_LITMUS_STEPS * TF_LITMUS_STEP_WORDS; i++)
        (&script[0][0])[i] = TF_WORD(TF_LITMUS_SCRIPT(TF_CORE) + i * 4);
    tf_fence();
    for (unsigned i = 0; i < TF_LITMUS_STEPS && script[i][0] != TF_LITMUS_END; i++) {
        for (uint32_t left = script[i][6]; left != 0; left--)
            __asm__ volatile("" ::"r"(left));
        execute(script[i]);
    }
    tf_noc_wait(0);
    tf_noc_wait(1);
    for (unsigned i = 0; i < TF_LITMUS_REGISTERS; i++)
        TF_WORD(TF_LITMUS_RESULT(TF_CORE) + i * 4) = loaded[i];
    return 0;
}
