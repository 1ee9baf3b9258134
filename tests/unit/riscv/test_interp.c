/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter against the reference: every integer instruction, random programs, any slicing. */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "reference.h"
#include "tile/riscv/control/view.h"
#include "tilefarm_address.h"

#define CODE 0x4000u
#define CODE_WORDS 700u /* crosses pages */
#define DATA 0x8000u

/* There is one reference at a time. To map its memory for each of thousands would take most of the time. */
static uint8_t reference_l1[RIG_L1_BYTES], reference_local[8192];

static struct reference *reference_of(struct rig *rig, unsigned core)
{
    struct reference *r = zeroed_lines(sizeof *r);
    assert_non_null(r);
    const struct tf_hart *hart = &rig->tile.hart[core];
    memcpy(r->x, hart->x, sizeof r->x);
    r->pc = hart->pc;
    r->cycle = hart->cycle;
    r->instret = hart->instret;
    r->local_bytes = hart->local_bytes;
    r->l1 = reference_l1;
    r->local = reference_local;
    assert_true(r->local_bytes <= sizeof reference_local);
    memcpy(r->l1, rig->tile.l1, RIG_L1_BYTES);
    memcpy(r->local, hart->local, r->local_bytes);
    return r;
}

static void reference_free(struct reference *r)
{
    free(r);
}

static void assert_same(struct rig *rig, unsigned core, const struct reference *r)
{
    struct tf_core_view view;
    tf_hart_look(&rig->tile, &rig->tile.hart[core], &view);
    if (view.pc != r->pc || memcmp(view.x, r->x, sizeof r->x) != 0 || view.cycle != r->cycle)
        print_message("pc %x, reference %x; cycle %llu, reference %llu; word %08x\n", view.pc, r->pc,
                      (unsigned long long)view.cycle, (unsigned long long)r->cycle,
                      r->pc < RIG_L1_BYTES ? rig_word(rig, r->pc) : 0);
    assert_int_equal(view.pc, r->pc);
    assert_memory_equal(view.x, r->x, sizeof r->x);
    assert_int_equal(view.cycle, r->cycle);
    assert_int_equal(view.instret, r->instret);
    assert_int_equal(view.state == TF_CORE_FAULTED, r->stopped);
    assert_int_equal(rig->device.pushed, r->pushed);
}

/* Words of instructions without control transfer; registers random, memory through x2 (L1) and x3 (local RAM). */
static uint32_t random_computation(uint64_t *random)
{
    static const uint16_t binary[] = {
        0x000, 0x200, 0x001, 0x002, 0x003, 0x004, 0x005, 0x205, 0x006, 0x007, 0x010, 0x011, 0x012, 0x013, 0x014, 0x015,
        0x016, 0x017, 0x102, 0x104, 0x106, 0x207, 0x206, 0x204, 0x054, 0x055, 0x056, 0x057, 0x301, 0x305, 0x044,
    };
    uint32_t rd = test_random_below(random, 28) + 4;
    uint32_t rs1 = test_random_below(random, 32);
    uint32_t rs2 = test_random_below(random, 32);
    int32_t imm = (int32_t)test_random_below(random, 4096) - 2048;
    rd = test_random_below(random, 16) == 0 ? 0 : rd == 5 ? 6 : rd;
    switch (test_random_below(random, 8)) {
    case 0:
    case 1: {
        uint16_t which = binary[test_random_below(random, sizeof binary / sizeof binary[0])];
        return rig_r(which >> 4, which & 15, rd, rs1, rs2);
    }
    case 2: {
        static const uint8_t kinds[] = {0, 2, 3, 4, 6, 7};
        return rig_i(0x13, kinds[test_random_below(random, 6)], rd, rs1, imm);
    }
    case 3: {
        static const uint16_t shifts[] = {0x001, 0x005, 0x205, 0x305, 0x345};
        uint16_t which = shifts[test_random_below(random, 5)];
        return rig_i(0x13, which & 15, rd, rs1, (int32_t)((uint32_t)which >> 4 << 5 | test_random_below(random, 32)));
    }
    case 4: {
        static const uint16_t unary[] = {0x600, 0x601, 0x602, 0x604, 0x605};
        if (test_random_below(random, 6) == 0)
            return rig_i(0x13, 5, rd, rs1, 0x287);
        return rig_i(0x13, 1, rd, rs1, unary[test_random_below(random, 5)]);
    }
    case 5: return rig_u(test_random_below(random, 4) ? 0x37 : 0x17, rd, test_random(random) >> 12);
    case 6: {
        static const uint8_t loads[] = {0, 1, 2, 4, 5};
        uint8_t which = loads[test_random_below(random, 5)];
        return rig_i(0x03, which, rd, 2 + test_random_below(random, 2), imm & -(1 << (which & 3)));
    }
    default: {
        if (test_random_below(random, 4) == 0) {
            static const uint8_t amos[] = {0, 1, 4, 8, 12, 16, 20, 24, 28};
            return rig_amo(amos[test_random_below(random, 9)], rd, 2, rs2);
        }
        uint32_t which = test_random_below(random, 3);
        return rig_s(which, rs2, 2 + test_random_below(random, 2), imm & -(1 << which));
    }
    }
}

/* Jumps stay inside of the program: pc is the address of the word being made. Sets *extra for a pair. */
static uint32_t random_transfer(uint64_t *random, uint32_t pc, uint32_t *extra)
{
    uint32_t first = CODE;
    uint32_t last = CODE + (CODE_WORDS - 4) * 4;
    uint32_t near = pc + (test_random_below(random, 40) - 16) * 4;
    uint32_t target = test_random_below(random, 8) == 0 ? first + test_random_below(random, CODE_WORDS - 4) * 4 : near;
    target = target < first || target > last ? first + 64 : target;
    int32_t offset = (int32_t)(target - pc);
    switch (test_random_below(random, 8)) {
    case 0: return rig_j(test_random_below(random, 2) ? 0 : 1, offset);
    case 1:
        if (offset - 4 < -2048 || offset > 2047)
            return rig_j(1, offset);
        *extra = JALR(test_random_below(random, 3) ? 1 : 0, 5, offset);
        return AUIPC(5, 0);
    default: {
        static const uint8_t kinds[] = {0, 1, 4, 5, 6, 7};
        return rig_b(kinds[test_random_below(random, 6)], test_random_below(random, 32), test_random_below(random, 32),
                     offset);
    }
    }
}

static void random_program(struct rig *rig, uint64_t *random)
{
    uint32_t words[CODE_WORDS + 1024];
    for (unsigned i = 0; i < CODE_WORDS; i++) {
        uint32_t extra = 0;
        words[i] = test_random_below(random, 5) ? random_computation(random)
                                                : random_transfer(random, CODE + i * 4, &extra);
        if (test_random_below(random, 50) == 0)
            words[i] = test_random(random) << 2; /* .ttinsn */
        if (extra != 0 && ++i < CODE_WORDS)
            words[i] = extra;
    }
    /* A jump out of the program leads back to it. */
    for (unsigned i = CODE_WORDS - 2; i < CODE_WORDS + 1024; i++)
        words[i] = JAL(0, (int32_t)(64 - i * 4));
    rig_put(rig, CODE, words, CODE_WORDS + 1024);
    for (uint32_t at = CODE - 4096; at < CODE; at += 4)
        rig_set(rig, at, JAL(0, (int32_t)(CODE - at)));
    for (uint32_t at = 0; at < 8192; at += 4)
        rig_set(rig, DATA + at, rig_operand(random));
}

static void random_state(struct rig *rig, unsigned core, uint64_t *random)
{
    struct tf_hart *hart = &rig->tile.hart[core];
    tf_hart_release(&rig->tile, hart, CODE, 0);
    for (unsigned i = 1; i < 32; i++)
        hart->x[i] = rig_operand(random);
    hart->x[2] = DATA + 4096;
    hart->x[3] = RIG_LOCAL + 2048;
    hart->x[5] = CODE + 2048;
}

static void run_random(uint64_t *random, bool parking, bool self_modifying)
{
    struct rig *rig = rig_new(NULL, parking);
    unsigned core = test_random_below(random, TF_TILE_CORES);
    if (core == TF_CORE_NC)
        core = TF_CORE_B; /* a core that cannot push */
    random_program(rig, random);
    random_state(rig, core, random);
    if (self_modifying)
        rig->tile.hart[core].x[2] = CODE + 2048 - test_random_below(random, 2) * 1024;
    struct reference *r = reference_of(rig, core);
    uint32_t stride = test_random_below(random, 4) ? test_random_below(random, 60) + 1
                                                   : test_random_below(random, 3000) + 1;
    uint64_t deadline = 0;
    for (unsigned turn = 0; turn < 200 && !r->stopped; turn++) {
        deadline += test_random_below(random, stride) + 1;
        rig_turn(rig, &rig->tile.hart[core], deadline);
        reference_turn(r, deadline);
        if (r->lost)
            break;
        assert_same(rig, core, r);
    }
    if (!r->lost) {
        assert_memory_equal(rig->tile.l1, r->l1, RIG_L1_BYTES);
        assert_memory_equal(rig->tile.hart[core].local, r->local, r->local_bytes);
    }
    reference_free(r);
    rig_free(rig);
}

static void random_programs(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    for (unsigned i = 0; i < 400; i++)
        run_random(&random, i & 1, false);
}

/* Stores hit the program itself, often the next instructions. */
static void random_self_modifying_programs(void **state)
{
    (void)state;
    uint64_t random = test_seed(1) + 2;
    for (unsigned i = 0; i < 400; i++)
        run_random(&random, i & 1, true);
}

/* Two instructions and two jumps to themselves, from the first one on, with corner operands. */
static void check_pair(struct rig *rig, struct reference *r, uint64_t *random, uint32_t first, uint32_t second)
{
    struct tf_hart *hart = &rig->tile.hart[TF_CORE_B];
    const uint32_t words[] = {first, second, JAL(0, 0), JAL(0, 0)};
    rig_put(rig, CODE, words, 4);
    memcpy(r->l1 + CODE, words, sizeof words);
    for (unsigned i = 0; i < 12; i++) {
        random_state(rig, TF_CORE_B, random);
        for (unsigned small = 7; i % 2 == 1 && small <= 8; small++) /* operands are often equal */
            hart->x[small] &= 1;
        r->pc = CODE;
        r->cycle = hart->cycle;
        r->instret = hart->instret;
        r->stopped = false;
        memcpy(r->x, hart->x, sizeof r->x);
        rig_turn(rig, hart, 1);
        reference_turn(r, 1);
        assert_same(rig, TF_CORE_B, r);
    }
}

static void check_word(struct rig *rig, struct reference *r, uint64_t *random, uint32_t word)
{
    check_pair(rig, r, random, word, JAL(0, 0));
}

/* With data, a random state, and its reference. */
static struct reference *corner_rig(struct rig **rig, uint64_t *random)
{
    *rig = rig_new(NULL, true);
    for (uint32_t at = 0; at < 8192; at += 4)
        rig_set(*rig, DATA + at, rig_operand(random));
    random_state(*rig, TF_CORE_B, random);
    return reference_of(*rig, TF_CORE_B);
}

/* The second instruction mostly takes the result of the first one, as either operand or as both. */
static void pairs(void **state)
{
    (void)state;
    uint64_t random = test_seed(1) + 3;
    struct rig *rig;
    struct reference *r = corner_rig(&rig, &random);
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t rd = 7 + (test_random_below(&random, 4) == 0), a = 7 + test_random_below(&random, 2);
        uint32_t b = 7 + test_random_below(&random, 2), c = 7 + test_random_below(&random, 2);
        uint32_t by = test_random_below(&random, 32);
        const uint32_t firsts[] = {
            ADDI(7, a, -1),
            ANDI(7, a, 3),
            ADD(7, a, b),
            rig_r(0, 4, 7, a, b),
            rig_r(1, 0, 7, a, b),
            rig_r(16, 4, 7, a, b),
            rig_i(0x13, 1, 7, a, (int32_t)by),
            LW(7, 2, 64),
            ADD(7, 2, 0),
            rig_i(0x13, 5, 7, a, (int32_t)by),
        };
        const uint32_t seconds[] = {
            ADD(rd, c, b),         rig_r(0, 4, rd, c, b),
            rig_r(1, 0, rd, c, b), rig_r(32, 0, rd, c, b),
            ADDI(rd, c, 5),        ANDI(rd, c, 0xF0),
            SW(c, 2, 8),           BEQ(c, b, 8),
            BNE(c, b, 8),          BLTU(c, b, 8),
            LW(rd, 2, 8),          LW(rd, 7, 8),
            SW(c, 7, 8),           rig_i(0x13, 5, rd, c, (int32_t)by),
        };
        uint32_t first = firsts[test_random_below(&random, 10)], second = seconds[test_random_below(&random, 14)];
        if (second == LW(rd, 7, 8) || second == SW(c, 7, 8))
            first = ADD(7, 2, 0);
        check_pair(rig, r, &random, first, second);
    }
    assert_memory_equal(rig->tile.l1, r->l1, RIG_L1_BYTES);
    reference_free(r);
    rig_free(rig);
}

static void every_instruction(void **state)
{
    (void)state;
    uint64_t random = test_seed(1) + 1;
    struct rig *rig;
    struct reference *r = corner_rig(&rig, &random);
    for (unsigned i = 0; i < 12000; i++)
        check_word(rig, r, &random, random_computation(&random));
    for (unsigned f3 = 0; f3 < 8; f3++) {
        if (f3 == 2 || f3 == 3)
            continue;
        for (unsigned i = 0; i < 200; i++)
            check_word(rig, r, &random, rig_b(f3, test_random_below(&random, 32), test_random_below(&random, 32), 4));
    }
    assert_memory_equal(rig->tile.l1, r->l1, RIG_L1_BYTES);
    reference_free(r);
    rig_free(rig);
}

static void access_edge(unsigned core, uint32_t base, unsigned offset, uint32_t word)
{
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {word, JAL(0, 0)};
    rig_put(rig, CODE, words, 2);
    rig_set(rig, RIG_L1_BYTES - 4, 0x89abcdef);
    struct tf_hart *hart = &rig->tile.hart[core];
    tf_hart_release(&rig->tile, hart, CODE, 0);
    hart->x[6] = 0xdeadbeef;
    hart->x[7] = base;
    struct reference *r = reference_of(rig, core);
    rig_turn(rig, hart, 1);
    reference_turn(r, 1);
    assert_same(rig, core, r);
    assert_memory_equal(rig->tile.l1, r->l1, 0x5000);
    assert_memory_equal(rig->tile.l1 + RIG_L1_BYTES - 256, r->l1 + RIG_L1_BYTES - 256, 256);
    assert_memory_equal(hart->local, r->local, r->local_bytes);
    assert_int_equal(rig->tile.faults.count, r->stopped);
    if (r->stopped) {
        assert_int_equal(rig->tile.faults.entry[0].address, base + offset);
        assert_int_equal(rig->tile.faults.entry[0].pc, CODE);
    }
    reference_free(r);
    rig_free(rig);
}

/* Accesses at the edges of L1 and local RAM, of every size, aligned and not. */
static void memory_edges(void **state)
{
    (void)state;
    static const uint32_t bases[] = {
        0, RIG_L1_BYTES - 8, TF_LOCAL_BASE, TF_LOCAL_BASE + 0xFF8, TF_LOCAL_BASE + 0x1FF8, 0xFFAffff8u, 0xfffffff0u};
    static const uint8_t loads[] = {0, 1, 2, 4, 5};
    for (unsigned core = TF_CORE_B; core <= TF_CORE_T0; core += 2) {
        for (unsigned b = 0; b < sizeof bases / sizeof bases[0]; b++) {
            for (unsigned offset = 0; offset < 16; offset++) {
                for (unsigned i = 0; i < sizeof loads; i++)
                    access_edge(core, bases[b], offset, rig_i(0x03, loads[i], 8, 7, (int32_t)offset));
                for (unsigned f3 = 0; f3 < 3; f3++)
                    access_edge(core, bases[b], offset, rig_s(f3, 6, 7, (int32_t)offset));
            }
        }
    }
}

static void fetch_faults(void **state)
{
    (void)state;
    static const uint32_t targets[] = {RIG_L1_BYTES, TF_LOCAL_BASE, CODE + 2, 0xfffffffc};
    for (unsigned i = 0; i < 4; i++) {
        struct rig *rig = rig_new(NULL, true);
        const uint32_t words[] = {ADDI(8, 0, 1), JALR(1, 7, 0)};
        rig_put(rig, CODE, words, 2);
        struct tf_hart *hart = &rig->tile.hart[TF_CORE_T1];
        tf_hart_release(&rig->tile, hart, CODE, 0);
        hart->x[7] = targets[i];
        rig_turn(rig, hart, 10);
        assert_int_equal(hart->state, TF_CORE_FAULTED);
        assert_int_equal(hart->pc, targets[i]);
        assert_int_equal(hart->instret, 2);
        assert_int_equal(hart->cycle, 10);
        assert_int_equal(hart->x[1], CODE + 8);
        assert_int_equal(rig->tile.faults.entry[0].cycle, 2);
        rig_free(rig);
    }
    /* Off the end of L1. */
    struct rig *rig = rig_new(NULL, true);
    rig_set(rig, RIG_L1_BYTES - 4, ADDI(8, 8, 1));
    struct tf_hart *hart = &rig->tile.hart[TF_CORE_T1];
    tf_hart_release(&rig->tile, hart, RIG_L1_BYTES - 4, 0);
    rig_turn(rig, hart, 10);
    assert_int_equal(hart->x[8], 1);
    assert_int_equal(hart->state, TF_CORE_FAULTED);
    assert_int_equal(hart->pc, RIG_L1_BYTES);
    assert_int_equal(hart->instret, 1);
    rig_free(rig);
}

static void illegal_words(void **state)
{
    (void)state;
    static const uint32_t words[] = {0xffffffff,           0x0000100f /* fence.i */,         0x100020af /* lr.w */,
                                     0x10500073 /* wfi */, 0x02001013 /* slli with a bit */, 0x00003003 /* ld */};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct rig *rig = rig_new(NULL, true);
        rig_set(rig, CODE, words[i]);
        struct tf_hart *hart = &rig->tile.hart[TF_CORE_B];
        tf_hart_release(&rig->tile, hart, CODE, 5);
        rig_turn(rig, hart, 10);
        assert_int_equal(hart->state, TF_CORE_FAULTED);
        assert_int_equal(rig->tile.faults.count, 1);
        assert_int_equal(rig->tile.faults.entry[0].instruction, words[i]);
        assert_int_equal(rig->tile.faults.entry[0].cycle, 5);
        assert_int_equal(hart->instret, 0);
        rig_free(rig);
    }
    /* T2 alone has the vector extension. */
    for (unsigned core = TF_CORE_B; core <= TF_CORE_T2; core++) {
        struct rig *rig = rig_new(NULL, true);
        rig_set(rig, CODE, 0x02000057);
        rig_set(rig, CODE + 4, EBREAK);
        tf_hart_release(&rig->tile, &rig->tile.hart[core], CODE, 0);
        rig_turn(rig, &rig->tile.hart[core], 10);
        assert_int_equal(rig->tile.faults.count, core != TF_CORE_T2);
        if (core != TF_CORE_T2) {
            assert_int_equal(rig->tile.faults.entry[0].category, TF_FAULT_UNDEFINED);
            assert_string_equal(rig->tile.faults.entry[0].text, "the core has no vector instructions");
        }
        rig_free(rig);
    }
}

/* A fault carries the cycle of its own instruction, at any place in a stretch. */
static void faults_say_when(void **state)
{
    (void)state;
    const struct {
        uint32_t word;
        uint64_t address;
    } bad[] = {
        {rig_i(0x03, 2, 8, 7, 1), 0x20001}, /* lw */
        {rig_s(1, 6, 7, 1), 0x20001},       /* sh */
        {0x0083A42F, TF_LOCAL_BASE},        /* amoadd.w x8, x8, (x7) */
        {0xffffffff, 0},
        {0x82002057, 0},     /* vdivu.vv */
        {0x30200073, 0},     /* mret */
        {0x305022f3, 0x305}, /* csrr of no CSR */
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (uint32_t before = 0; before < 4; before++) {
            struct rig *rig = rig_new(NULL, true);
            for (uint32_t k = 0; k < before; k++)
                rig_set(rig, CODE + 4 * k, ADDI(9, 9, 1));
            rig_set(rig, CODE + 4 * before, bad[i].word);
            struct tf_hart *hart = &rig->tile.hart[TF_CORE_T2];
            tf_hart_release(&rig->tile, hart, CODE, 5);
            hart->x[7] = i < 2 ? 0x20000 : TF_LOCAL_BASE;
            rig_turn(rig, hart, 20);
            assert_int_equal(hart->state, TF_CORE_FAULTED);
            assert_int_equal(rig->tile.faults.count, 1);
            assert_int_equal(rig->tile.faults.entry[0].pc, CODE + 4 * before);
            assert_int_equal(rig->tile.faults.entry[0].address, bad[i].address);
            assert_int_equal(rig->tile.faults.entry[0].cycle, 5 + before);
            rig_free(rig);
        }
}

/* A return from a handler is a control transfer. A turn that has reached its deadline ends there. */
static void returns_end_turns(void **state)
{
    (void)state;
    const uint32_t handler[] = {ADDI(8, 8, 1), MRET}, loop[] = {ADDI(9, 9, 1), ADDI(9, 9, 1), JAL(0, -8)};
    for (uint64_t deadline = 1; deadline <= 6; deadline++) {
        struct rig *rig = rig_new(NULL, false);
        struct tf_hart *hart = &rig->tile.hart[TF_CORE_B];
        rig_put(rig, CODE, handler, 2);
        rig_put(rig, CODE + 64, loop, 3);
        tf_hart_release(&rig->tile, hart, CODE, 0);
        hart->csr.in_handler = true;
        hart->csr.restore_pc = CODE + 64;
        rig_turn(rig, hart, deadline);
        assert_int_equal(hart->pc, CODE + 64);
        assert_int_equal(hart->cycle, deadline <= 2 ? 2 : deadline <= 5 ? 5 : 8);
        assert_int_equal(hart->x[9], deadline <= 2 ? 0 : deadline <= 5 ? 2 : 4);
        assert_false(hart->csr.in_handler);
        rig_free(rig);
    }
}

/* A jump to itself takes all cycles up to the deadline, as if executed one by one. None of them counts as executed. */
static void spins(void **state)
{
    (void)state;
    const uint32_t code[] = {ADDI(9, 9, 1), ADDI(9, 9, 1), JAL(0, 0)};
    for (uint64_t deadline = 1; deadline <= 9; deadline++) {
        struct rig *rig = rig_new(NULL, false);
        struct tf_hart *hart = &rig->tile.hart[TF_CORE_B];
        rig_put(rig, CODE, code, 3);
        tf_hart_release(&rig->tile, hart, CODE, 0);
        rig_keep_running(hart);
        rig_turn(rig, hart, deadline);
        assert_int_equal(hart->pc, CODE + 8);
        assert_int_equal(hart->cycle, deadline <= 3 ? 3 : deadline);
        assert_int_equal(hart->instret, hart->cycle);
        assert_int_equal(hart->x[9], 2);
        assert_int_equal(rig->tile.figures.executed, 2);
        rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction), cmocka_unit_test(pairs),
        cmocka_unit_test(random_programs),   cmocka_unit_test(random_self_modifying_programs),
        cmocka_unit_test(memory_edges),      cmocka_unit_test(fetch_faults),
        cmocka_unit_test(illegal_words),     cmocka_unit_test(faults_say_when),
        cmocka_unit_test(returns_end_turns), cmocka_unit_test(spins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
