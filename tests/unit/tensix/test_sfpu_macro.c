/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOADMACRO: what it schedules, when that executes, and what it sees. It tests the special cases of SFPLOADMACRO.md
   one by one. */
#include "tile/tensix/isa/sfpu.h"
#include "unit/tensix/macro.h"
#include "tile/tensix/vector/macro.h"
#include "tile/tensix/vector/settled.h"

/* A delay of d: executes in the d + 1st cycle after the SFPLOADMACRO. */
static void delays_are_cycles(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    for (unsigned delay = 0; delay < 8; delay++) {
        configure(bare, 4, SEQUENCE(AS_VB | AFTER(delay) | TEMPLATE(0), 0, 0, 0));
        issue(bare, ldm(0, 3, SRCB, STAY, 0));
        assert_int_equal(lreg(bare, 3), 0);
        for (unsigned cycle = 1; cycle <= delay; cycle++) {
            issue(bare, W(SFPNOP));
            assert_int_equal(lreg(bare, 3), 0);
        }
        issue(bare, W(SFPNOP));
        assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    }
}

static void delays_may_be_instructions(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(2) | TEMPLATE(0), 0, 0, 0));
    issue(bare, W(SFPCONFIG) | 0x100 << 8 | 8 << 4 | 1);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    bare->tile.cycle += 1000;
    tf_dst_settle(&bare->tile, bare->tile.cycle);
    tf_sfpu_drain(&bare->tile);
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    bare->tile.cycle += 1000;
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    /* It has counted down. The next cycle executes it, for any instruction that is issued then. */
    tf_dst_settle(&bare->tile, bare->tile.cycle + 2);
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
}

/* With delays in cycles, time is enough; one that counts instructions makes all of them do so. */
static void time_suffices(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    uint64_t issued = bare->tile.cycle;
    tf_dst_settle(&bare->tile, issued + 4);
    assert_int_equal(lreg(bare, 3), 0);
    tf_dst_settle(&bare->tile, issued + 5);
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    configure(bare, 5, SEQUENCE(0, 0, 0, AFTER(7) | STORE));
    issue(bare, W(SFPCONFIG) | 0x800 << 8 | 8 << 4 | 1);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, ldm(1, 4, SRCB, STAY, 0));
    tf_dst_settle(&bare->tile, bare->tile.cycle + 100);
    assert_int_equal(lreg(bare, 3), 0);
    /* The store waits for instructions, too. It stores what its LReg holds when they have been issued. */
    const struct tf_dst *dst = tf_dst_get(&bare->tile);
    set_lreg(bare, 4, 0x42280000);
    tf_dst_settle(&bare->tile, bare->tile.cycle + 100);
    assert_int_equal(dst->bits[0][0], 0);
    run_out(bare);
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    assert_int_equal(tf_dst_unshuffle_bf16(dst->bits[0][0]), 0x4228);
}

/* An idle cycle that executes something does not count as an instruction. */
static void idle_cycles_do_not_count(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    issue(bare, OP(SFPADD, 13, 10, 9, 10, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(2) | TEMPLATE(0), AS_VB | L16 | TEMPLATE(1), 0, 0));
    issue(bare, W(SFPCONFIG) | 0x100 << 8 | 8 << 4 | 1);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    bare->tile.cycle += 50;
    tf_dst_settle(&bare->tile, bare->tile.cycle);
    assert_int_equal(lreg(bare, 16), 0x3F800000); /* multiplied by one and added to one: LReg[3] was 0 */
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
}

/* A multiply-add's result is there a cycle later than other results. */
static void results_take_their_time(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    set_lreg(bare, 1, 0x40000000);
    issue(bare, OP(SFPADD, 12, 1, 10, 10, 0));
    configure(bare, 4, SEQUENCE(0, AS_VB | TEMPLATE(0), 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0x40000000);
}

/* A later instruction for the same cycle replaces the one there. One for another cycle is kept as well. */
static void later_ones_replace_earlier_ones(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    issue(bare, OP(SFPMOV, 13, 10, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(1) | TEMPLATE(0), 0, 0, 0));
    configure(bare, 5, SEQUENCE(AS_VB | TEMPLATE(1), 0, 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, ldm(1, 4, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    assert_int_equal(lreg(bare, 4), 0x3F800000);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    issue(bare, ldm(1, 5, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    assert_int_equal(lreg(bare, 5), 0x3F800000);
}

/* A regular instruction loses its turn to a scheduled one of its sub-unit, and to no other. */
static void scheduled_ones_win(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 5, 77);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPMOV, 6, 5, 0, 0, 0));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    assert_int_equal(lreg(bare, 6), 0);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, LOADI(6, 2, 5));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    assert_int_equal(lreg(bare, 6), 5);
    issue(bare, OP(SFPMOV, 6, 5, 0, 0, 0));
    assert_int_equal(lreg(bare, 6), 77);
    /* SFPNOP in a sequence has its sub-unit, too. */
    configure(bare, 5, SEQUENCE(2, 0, 0, 0));
    set_lreg(bare, 6, 0);
    issue(bare, ldm(1, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPMOV, 6, 5, 0, 0, 0));
    assert_int_equal(lreg(bare, 6), 0);
}

static void a_wrong_sub_unit_does_nothing(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(0, TEMPLATE(0), TEMPLATE(0), 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    static const uint32_t undefined[] = {1, 1 << 8, 1 << 16, 1u << 24, 2u << 24, (uint32_t)TEMPLATE(0) << 24};
    for (unsigned i = 0; i < sizeof undefined / sizeof undefined[0]; i++) {
        configure(bare, 4, undefined[i]);
        bare->tile.cycle++;
        tf_tensix_dispatch[TF_OP_SFPLOADMACRO](&bare->tile, MATH, ldm(0, 3, SRCB, STAY, 0));
        assert_int_equal(bare->tile.faults.count, 1);
        assert_int_equal(bare->tile.faults.entry[0].category, TF_FAULT_UNDEFINED);
        bare->tile.faults.count = 0;
        bare->tile.tensix->thread[MATH].faulted = false;
    }
}

/* The store goes where the SFPLOADMACRO loaded from, with the mode that Misc says, and its register. */
static void stores_go_where_loads_came_from(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    set_lreg(bare, 6, 0xABCD1234);
    issue(bare, W(SFPSTORE) | 6 << 20); /* as a template: VD below 12 */
    configure(bare, 0, st(6, UINT16, STAY, 0x3FF));
    configure(bare, 4, SEQUENCE(0, 0, 0, OWN_VD | AFTER(1) | TEMPLATE(0)));
    issue(bare, W(SFPCONFIG) | 0x00F << 8 | 8 << 4 | 1); /* StoreMod0: HI16_ONLY */
    bare->tile.tensix->rwc[MATH].dst = 0x40;
    issue(bare, ldm(0, 1, SRCB, NEXT, 0x10));
    assert_int_equal(bare->tile.tensix->rwc[MATH].dst, 0x42);
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(dst->bits[0x50][10], 0xABCD);
    assert_int_equal(dst->bits[0x50][11], 0);
    assert_int_equal(bare->tile.tensix->rwc[MATH].dst, 0x42);
    issue(bare, W(SFPCONFIG) | 0x01F << 8 | 8 << 4 | 1); /* UsesLoadMod0ForStore */
    issue(bare, ldm(0, 1, LO16_ONLY, STAY, 0x22));
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(dst->bits[0x64][10], 0x1234);
}

/* Other units see the stores to Dst that were due by then. A wait for the vector unit waits for all of them. */
static void others_see_stores_in_time(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    set_lreg(bare, 0, 0x42280000);
    configure(bare, 4, SEQUENCE(0, 0, 0, OWN_VD | AFTER(4) | STORE));
    set_lreg(bare, 0, 0x42280000);
    issue(bare, W(SFPCONFIG) | FP16B << 8 | 8 << 4 | 1);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    issue(bare, ldm(0, 1, SRCB, STAY, 0));
    uint64_t issued = bare->tile.cycle;
    bare->tile.cycle = issued + 5;
    assert_ptr_equal(tf_dst(&bare->tile), dst);
    assert_int_equal(dst->bits[0][0], 0);
    bare->tile.cycle = issued + 6;
    tf_dst(&bare->tile);
    assert_int_equal(tf_dst_unshuffle_bf16(dst->bits[0][0]), 0x4228);
    dst->bits[0][0] = 0;
    issue(bare, ldm(0, 1, SRCB, STAY, 0));
    tf_exec_STALLWAIT(&bare->tile, MATH, W(STALLWAIT) | V(STALLWAIT, wait_res, 1 << 11) | V(STALLWAIT, stall_res, 1));
    assert_int_equal(tf_dst_unshuffle_bf16(dst->bits[0][0]), 0x4228);
    /* The matrix unit writes over what was stored. */
    issue(bare, ldm(0, 1, SRCB, STAY, 0));
    bare->tile.cycle += 6;
    tf_tensix_dispatch[TF_OP_ELWADD](&bare->tile, MATH, W(ELWADD));
    run_out(bare);
    assert_int_equal(dst->bits[0][0], 0);
}

/* Columns may have different configurations. */
static void columns_go_their_own_ways(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    struct tf_vector *vector = bare->tile.tensix->vector;
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    issue(bare, OP(SFPMOV, 13, 10, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 0, SEQUENCE(AS_VB | AFTER(1) | TEMPLATE(1), 0, 0, 0));
    issue(bare, W(SFPCONFIG) | 0x0011 << 8 | 4 << 4 | 8); /* columns 0 and 2 */
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, W(SFPNOP));
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(vector->lreg[3][lane], lane % 8 == 0 || lane % 8 == 2 ? 0 : 0xFFFFFFFF);
    issue(bare, W(SFPNOP));
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(vector->lreg[3][lane], lane % 8 == 0 || lane % 8 == 2 ? 0x3F800000 : 0xFFFFFFFF);
    issue(bare, OP(SFPSWAP, 12, 1, 0, 0, 0)); /* templates 0 and 1 */
    issue(bare, OP(SFPSWAP, 13, 2, 0, 0, 0));
    set_lreg(bare, 0, SEQUENCE(AS_VB | TEMPLATE(1), 0, 0, 0));
    issue(bare, W(SFPCONFIG) | 0x0011 << 8 | 4 << 4 | 8);
    set_lreg(bare, 1, 0x11);
    set_lreg(bare, 2, 0x22);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    for (unsigned i = 0; i < 3; i++)
        issue(bare, W(SFPNOP));
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(vector->lreg[3][lane], lane % 8 == 0 || lane % 8 == 2 ? 0x22 : 0x11);
    /* With the store it is a fault. */
    set_lreg(bare, 0, SEQUENCE(0, 0, 0, STORE));
    issue(bare, W(SFPCONFIG) | 0x0011 << 8 | 4 << 4 | 8);
    set_lreg(bare, 1, 0x33);
    bare->tile.cycle++;
    tf_tensix_dispatch[TF_OP_SFPLOADMACRO](&bare->tile, MATH, ldm(0, 3, SRCB, STAY, 0));
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(bare->tile.faults.entry[0].category, TF_FAULT_UNDEFINED);
    /* The instructions that it has scheduled before the fault execute: the swap of the other columns. */
    bare->tile.faults.count = 0;
    bare->tile.tensix->thread[MATH].faulted = false;
    run_out(bare);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(vector->lreg[3][lane], lane % 8 == 0 || lane % 8 == 2 ? 0 : 0x33);
}

/* An instruction that needs the result of the multiply-add just issued comes a cycle later; scheduled ones move on. */
static void automatic_stalls_are_cycles(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 1, 0x40000000);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPADD, 2, 1, 1, 10, 0));
    issue(bare, st(2, FP16B, STAY, 8));
    assert_int_equal(tf_dst_unshuffle_bf16(bare->tile.tensix->dst->bits[8][0]), 0x4080);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
    /* SFPSHFT2 reads VC and VD. It must not come in the cycle after the multiply-add that writes one of them. */
    for (unsigned vc = 2; vc <= 4; vc++) {
        issue(bare, ldm(0, 3, SRCB, STAY, 0));
        issue(bare, OP(SFPADD, 2, 1, 1, 10, 0));
        issue(bare, OP(SFPSHFT2, vc == 3 ? 2 : 5, vc == 3 ? 4 : vc, 1, 0, 5));
        issue(bare, W(SFPNOP));
        assert_int_equal(lreg(bare, 3), vc == 4 ? 0 : 0xFFFFFFFF);
        issue(bare, W(SFPNOP));
    }
    /* The stalling logic does not know that its modes 3 and 4 read anything. */
    for (unsigned row = 0; row < 3; row++)
        for (unsigned mode = 3; mode <= 4; mode++) {
            issue(bare, ldm(0, 3, SRCB, STAY, 0));
            issue(bare, OP(SFPADD, row, 1, 1, 10, 0));
            issue(bare, OP(SFPSHFT2, 5, row, 0, 0, mode));
            issue(bare, W(SFPNOP));
            assert_int_equal(lreg(bare, 3), 0);
            issue(bare, W(SFPNOP));
            issue(bare, W(SFPNOP));
        }
}

/* After an SFPSWAP, SFPNOP is not held for another cycle. */
static void a_nop_after_a_swap_is_a_cycle(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPSWAP, 1, 2, 0, 0, 0));
    for (unsigned cycle = 2; cycle <= 4; cycle++) {
        assert_int_equal(lreg(bare, 3), 0);
        issue(bare, W(SFPNOP));
    }
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
}

/* SFPMAD.md of WormholeB0: software keeps the distance. SFPSWAP.md: the unit takes SFPNOP alone in the next cycle. */
static void wormhole_stalls_after_swaps(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(7) | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 1, 0x40000000);
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    issue(bare, OP(SFPADD, 2, 1, 1, 10, 0));
    issue(bare, st(2, FP16B, STAY, 8)); /* of the old value */
    assert_int_equal(bare->tile.tensix->dst->bits[8][0], 0);
    assert_int_equal(lreg(bare, 2), 0x40800000);
    issue(bare, OP(SFPSWAP, 1, 2, 0, 0, 0));
    issue(bare, st(1, FP16B, STAY, 8)); /* a cycle later */
    assert_int_equal(tf_dst_unshuffle_bf16(bare->tile.tensix->dst->bits[8][0]), 0x4080);
    issue(bare, W(SFPNOP));
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0xFFFFFFFF);
}

/* Templates hold any bits. An instruction that the family lacks is found when it is scheduled. */
static void wormhole_refuses_what_it_lacks(void **state)
{
    struct bare *bare = *state;
    const uint32_t lacks[] =
    { OP(SFPARECIP, 0, 0, 0, 0, 0),
      OP(SFPLE, 0, 0, 0, 0, 1),
      OP(SFPSHFT, 0, 0, 0, 0, 5),
      OP(SFPMUL24, 0, 9, 0, 0, 0) };
    setup(bare, 5);
    for (unsigned i = 0; i < sizeof lacks / sizeof lacks[0]; i++) {
        unsigned unit = tf_sfpu_op(lacks[i])->unit;
        configure(bare, 0, lacks[i]);
        configure(bare, 4, (uint32_t)TEMPLATE(0) << 8 * unit);
        bare->tile.cycle++;
        tf_tensix_dispatch[TF_OP_SFPLOADMACRO](&bare->tile, MATH, ldm(0, 3, SRCB, STAY, 0));
        assert_int_equal(bare->tile.faults.count, 1);
        assert_string_equal(
            bare->tile.faults.entry[0].text,
            "Tensix T1: Wormhole: a template with an instruction that the family lacks: .word 0x00000000");
        bare->tile.faults.count = 0;
        bare->tile.tensix->thread[MATH].faulted = false;
    }
}

static void soft_reset_forgets(void **state)
{
    struct bare *bare = *state;
    setup(bare, 5);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    issue(bare, ldm(0, 3, SRCB, STAY, 0));
    uint64_t scheduled = bare_hash(bare);
    bare->tile.mmio.debug.soft_reset = 1u << 10;
    tf_tensix_reset(&bare->tile);
    assert_int_not_equal(bare_hash(bare), scheduled);
    for (unsigned i = 0; i < 8; i++)
        issue(bare, W(SFPNOP));
    assert_int_equal(lreg(bare, 3), 0);
    assert_int_not_equal(lreg(bare, 0), 0);
    bare->tile.mmio.debug.soft_reset = 0;
    tf_tensix_reset(&bare->tile);
    assert_int_equal(lreg(bare, 0), 0);
    assert_int_equal(lreg(bare, 12), 0x37800000);
    assert_int_equal(bare->tile.tensix->vector->macro[0].sequence[0], 0);
    assert_int_equal(bare->tile.tensix->vector->lane.use, 0);
}

/* The hash of a vector unit that is about to execute an instruction onto LReg[vd], whose registers are all zeros. */
static uint64_t hash_before(unsigned vd, bool happens)
{
    void *state = NULL;
    assert_int_equal(bare_setup(&state), 0);
    struct bare *bare = state;
    setup(bare, 5);
    for (unsigned i = 0; i < 8; i++)
        set_lreg(bare, i, 0);
    issue(bare, OP(SFPNOT, 12, 9, 0, 0, 0));
    configure(bare, 4, SEQUENCE(AS_VB | AFTER(3) | TEMPLATE(0), 0, 0, 0));
    set_lreg(bare, 0, 0);
    issue(bare, ldm(0, vd, SRCB, STAY, 0));
    const uint64_t hash = bare_hash(bare);
    if (happens) {
        run_out(bare);
        assert_int_equal(lreg(bare, vd), 0xFFFFFFFF);
    }
    assert_int_equal(bare_teardown(&state), 0);
    return hash;
}

/* Two units in equal states, but for what comes, have different hashes. */
static void hash_sees_what_is_scheduled(void **state)
{
    (void)state;
    assert_true(hash_before(3, true) == hash_before(3, false));
    assert_true(hash_before(3, true) != hash_before(2, true));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
#define BOTH(name) TEST(name), cmocka_unit_test_setup_teardown(name, bare_setup_wormhole, bare_teardown)
#define WORMHOLE(name) cmocka_unit_test_setup_teardown(name, bare_setup_wormhole, bare_teardown)
    const struct CMUnitTest tests[] = {
        BOTH(delays_are_cycles),
        BOTH(delays_may_be_instructions),
        BOTH(time_suffices),
        BOTH(idle_cycles_do_not_count),
        BOTH(results_take_their_time),
        BOTH(later_ones_replace_earlier_ones),
        BOTH(scheduled_ones_win),
        BOTH(a_wrong_sub_unit_does_nothing),
        BOTH(stores_go_where_loads_came_from),
        BOTH(others_see_stores_in_time),
        BOTH(columns_go_their_own_ways),
        BOTH(a_nop_after_a_swap_is_a_cycle),
        TEST(automatic_stalls_are_cycles),
        WORMHOLE(wormhole_stalls_after_swaps),
        WORMHOLE(wormhole_refuses_what_it_lacks),
        BOTH(soft_reset_forgets),
        cmocka_unit_test(hash_sees_what_is_scheduled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
