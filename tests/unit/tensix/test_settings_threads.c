/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three threads of vector unit, scalar unit and mover under any settings, with MOPs and replays. Between turns a few
 * fields of the configuration change, and so do GPRs, memory and Dst. A tile with the host's widest vectors, which
 * passes instructions in batches, must end each turn as one that is traced and has portable kernels. AddressSanitizer
 * sees accesses beyond L1, whose end many addresses are near.
 */
#include "host/hostile.h"
#include "random.h"
#include "tile/arch.h"
#include "tile/riscv/hart/stop.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/trace.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/mover/mover.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/vector/vector.h"
#include "tile/tensix/whole/vectors.h"
#include "tilefarm_address.h"
#include "unit/tensix/settings.h"
#include "unit/tensix/vector_words.h"

#define PC 0x6000u
#define ROUNDS 40u
#define TURNS 40u

/* The units of a round: the random words are mostly of these. */
static struct {
    const struct tf_tile_arch *arch;
    unsigned vector; /* of 100 words */
    bool macros;
    bool special; /* an instruction of another unit may wait for ever */
} about;

/* Words */

/* The family's own word with the operands of a word in Blackhole's form. */
static uint32_t own_word(uint32_t word)
{
    const struct tf_opcode_form *form = about.arch->form == NULL ? NULL : about.arch->form[word >> 24];
    uint32_t own = word & 0xFF000000, any = bare_random();
    if (form == NULL)
        return word;
    unsigned forms = 0;
    while (form[forms].move != NULL)
        forms++;
    form += any % forms;
    for (const struct tf_field_move *move = form->move; move->width != 0; move++) {
        uint32_t bits = (1u << move->width) - 1;
        if (move->to < TF_MOVE_IGNORED)
            own |= (word >> move->to & bits) << move->from;
        else if (move->to == TF_MOVE_IGNORED)
            own |= any & bits << move->from;
    }
    return (own & ~(uint32_t)form->mask) | form->low;
}

/* A word as the coprocessor keeps it. */
static uint32_t kept_word(uint32_t word)
{
    uint32_t own = own_word(word);
    bool right = about.arch->opcode == NULL || tf_family_word(about.arch, &own) == TF_WORD_RIGHT;
    return right ? own : W(SFPNOP);
}

static uint32_t memory_word(void)
{
    static const uint8_t opcodes[] = {TF_OP_LOADIND,  TF_OP_STOREIND, TF_OP_STOREIND, TF_OP_LOADREG,
                                      TF_OP_STOREREG, TF_OP_ATINCGET, TF_OP_ATSWAP,   TF_OP_REG2FLOP};
    uint32_t word = random_operands(opcodes[bare_random() % sizeof opcodes]);
    if (word >> 24 == TF_OP_STOREIND && !tf_storeind_to_src(word))
        word |= one_in(4) ? 0 : V(STOREIND, mem_hier_sel, 1);
    if (about.special && one_in(8))
        word = random_operands(one_in(2) ? TF_OP_ATCAS : TF_OP_ATINCGETPTR);
    return word;
}

static uint32_t scalar_word(void)
{
    static const uint8_t opcodes[] = {TF_OP_SETDMAREG,    TF_OP_ADDDMAREG,   TF_OP_SUBDMAREG, TF_OP_MULDMAREG,
                                      TF_OP_BITWOPDMAREG, TF_OP_SHIFTDMAREG, TF_OP_CMPDMAREG, TF_OP_DMANOP};
    if (one_in(3))
        return memory_word();
    if (one_in(12))
        return one_in(2) ? W(XMOV) : random_operands(TF_OP_FLUSHDMA);
    uint32_t word = random_operands(opcodes[bare_random() % sizeof opcodes]);
    if (word >> 24 == TF_OP_BITWOPDMAREG || word >> 24 == TF_OP_SHIFTDMAREG || word >> 24 == TF_OP_CMPDMAREG)
        word &= one_in(8) ? ~0u : ~V(BITWOPDMAREG, op_sel, 6);
    return word;
}

static uint32_t other_word(void)
{
    static const uint8_t opcodes[] = {TF_OP_INCRWC,  TF_OP_SETRWC,  TF_OP_ZEROACC, TF_OP_WRCFG, TF_OP_RDCFG,
                                      TF_OP_RMWCIB0, TF_OP_RMWCIB3, TF_OP_SETC16,  TF_OP_NOP,   TF_OP_SETADC};
    static const uint8_t waits[] = {TF_OP_STALLWAIT, TF_OP_SEMPOST, TF_OP_SEMGET, TF_OP_ATGETM, TF_OP_ATRELM};
    if (one_in(4))
        return one_in(2) ? W(SFPENCC) | V(SFPENCC, instr_mod1, 10) | V(SFPENCC, imm12_math, 3)
                         : W(SFPCONFIG) | V(SFPCONFIG, config_dest, 15) | V(SFPCONFIG, instr_mod1, 1);
    return random_operands(about.special && one_in(4) ? waits[bare_random() % sizeof waits]
                                                      : opcodes[bare_random() % sizeof opcodes]);
}

static uint32_t any_word(void)
{
    return one_in(20) ? other_word() : in_100(about.vector) ? vector_word(about.macros) : scalar_word();
}

static uint32_t expanding_word(void)
{
    switch (bare_random() % 6) {
    case 0:
    case 1:
        return W(MOP) | V(MOP, mop_type, bare_random() % 2) | V(MOP, loop_count, bare_random() % 24) |
               (bare_random() & 0xFFFF);
    case 2: return W(MOP_CFG) | (bare_random() & 0xFFFF);
    case 3:
        return W(REPLAY) | V(REPLAY, start_idx, bare_random() % TF_REPLAY_ENTRIES) |
               V(REPLAY, len, 1 + bare_random() % 12) | V(REPLAY, load_mode, 1) |
               V(REPLAY, execute_while_loading, bare_random() % 2);
    default:
        return W(REPLAY) | V(REPLAY, start_idx, bare_random() % TF_REPLAY_ENTRIES) |
               V(REPLAY, len, bare_random() % TF_REPLAY_ENTRIES);
    }
}

/* State */

/* A line of L1 for a GPR or the mover: near its end, or where the product by 16 wraps. */
static uint32_t some_line(void)
{
    const uint32_t lines = about.arch->l1_bytes / 16;
    switch (bare_random() % 8) {
    case 0: return lines - 1 - bare_random() % 8;
    case 1: return lines - (0x10000 - bare_random() % 64) / 16;
    case 2: return lines;
    case 3: return 0x10000000u + bare_random() % 16;
    case 4: return bare_random() % lines;
    case 5: return bare_random();
    default: return bare_random() % 64;
    }
}

static uint32_t some_gpr(void)
{
    return one_in(2) ? some_line() : one_in(2) ? bare_random() & 0xFFF0FFF0 : one_in(2) ? bare_random() : 0;
}

static uint32_t some_number(void)
{
    static const uint32_t corner[] = {0,          0x80000000, 1,          0x00800000, 0x3F800000, 0xBF800000,
                                      0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFFFFFFF, 0x0D800000};
    switch (bare_random() % 8) {
    case 0: return corner[bare_random() % (sizeof corner / sizeof corner[0])];
    case 1: return bare_random();
    case 2: return bare_random() & 0xFFFF0000;
    default: return (bare_random() & 0x807FFFFF) | (127 - 16 + bare_random() % 32) << 23;
    }
}

static void refresh(struct pair *pair)
{
    struct tf_vector *vector[2] = {tf_sfpu_get(&pair->bare[0]->tile), tf_sfpu_get(&pair->bare[1]->tile)};
    for (unsigned i = 0; i < 8 * TF_LANES; i++)
        vector[0]->lreg[i / TF_LANES][i % TF_LANES] = some_number();
    memcpy(vector[1]->lreg, vector[0]->lreg, 8 * sizeof vector[0]->lreg[0]);
    for (unsigned i = 0; i < 24; i++) {
        uint32_t thread = bare_random() % 3, reg = bare_random() % TF_GPRS, value = some_gpr();
        for (unsigned k = 0; k < 2; k++)
            pair->bare[k]->tile.tensix->thcon->gpr[thread][reg] = value;
    }
}

static void prepare_expanders(struct pair *pair)
{
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_tensix_thread *thread = &pair->bare[0]->tile.tensix->thread[t];
        struct tf_tensix_thread *other = &pair->bare[1]->tile.tensix->thread[t];
        thread->replay.record_left = TF_REPLAY_ENTRIES;
        while (thread->replay.record_left != 0)
            tf_replay_record(&thread->replay, kept_word(any_word()));
        for (unsigned i = 2; i < TF_MOP_CFG_WORDS; i++)
            thread->mop.config[i] = one_in(4) ? W(NOP) : kept_word(one_in(6) ? expanding_word() : any_word());
        thread->mop.config[0] = bare_random() % 8;
        thread->mop.config[1] = bare_random() % 30;
        other->replay = thread->replay;
        other->mop = thread->mop;
    }
}

static uint32_t template_word(void)
{
    static const uint8_t opcodes[] = {TF_OP_SFPIADD,       TF_OP_SFPMAD,  TF_OP_SFPABS,
                                      TF_OP_SFPMUL,        TF_OP_SFPSWAP, TF_OP_SFPSHFT2,
                                      TF_OP_SFP_STOCH_RND, TF_OP_SFPADDI, TF_OP_SFPLUTFP32};
    uint32_t word = kept_word(random_operands(opcodes[bare_random() % sizeof opcodes]));
    return word >> 24 == TF_OP_SFPSHFT2 ? (word & ~15u) | bare_random() % 7 : word;
}

/* The four bytes of a sequence, for sub-units that may execute what they select. */
static uint32_t some_sequence(void)
{
    uint32_t sequence = (bare_random() & 0xF8) | bare_random() % 2 * 3;
    for (unsigned i = 0; i < 3; i++)
        sequence = sequence << 8 | (bare_random() & 0xF8) | (one_in(4) ? 0 : 4 + bare_random() % 4);
    return sequence;
}

static void prepare_macros(struct pair *pair)
{
    struct tf_macro_config macro = {.misc = bare_random() & 0xFFF};
    for (unsigned i = 0; i < 4; i++) {
        macro.template[i] = template_word();
        macro.sequence[i] = some_sequence();
    }
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        for (unsigned k = 0; k < 2; k++)
            pair->bare[k]->tile.tensix->vector->macro[column] = macro;
}

static void prepare(struct pair *pair)
{
    struct tf_tensix *tensix[2] = {pair->bare[0]->tile.tensix, pair->bare[1]->tile.tensix};
    for (uint32_t i = 0; i < about.arch->l1_bytes; i += one_in(16) ? bare_random() % 4096 : 4)
        pair->bare[0]->tile.l1[i] = pair->bare[1]->tile.l1[i] = (uint8_t)(bare_random() % 4);
    configure_pair(pair);
    fill_pair(pair);
    refresh(pair);
    prepare_expanders(pair);
    prepare_macros(pair);
    for (unsigned i = 0; i < TF_LANES; i++)
        tensix[0]->vector->prng[i] = tensix[1]->vector->prng[i] = bare_random();
}

/* Events of both */

/* The mover by its registers: a move of any size between any places, or a store to L1. */
static void command_mover(struct pair *pair)
{
    uint32_t parameter[] = {some_line(), one_in(3) ? 0x40000 / 16 + bare_random() % 0x400 : some_line(),
                            one_in(4) ? bare_random() : bare_random() % 64, bare_random() % 4};
    const uint32_t base = some_line();
    enum { COMMAND = 0x10, XMOV_L1_BASE = 0x2C };
    uint32_t command = one_in(3) ? 0x66 | 0x600 | (bare_random() & 0x100) : 0x40;
    if (one_in(4))
        command = (bare_random() & 0xFFFFFF00) | (command & 0xFF);
    if ((command & 0xFF) == 0x66)
        parameter[0] = parameter[0] * 16 + bare_random() % 4 * 4;
    unsigned from = one_in(2) ? (unsigned)TF_CORE_B : TF_CORE_T0 + bare_random() % 3;
    for (unsigned k = 0; k < 2; k++) {
        struct tf_tile *tile = &pair->bare[k]->tile;
        for (unsigned i = 0; i < 4; i++)
            tf_tdma_store(tile, from, TF_TDMA_BASE + 4 * i, parameter[i]);
        tf_tdma_store(tile, from, TF_TDMA_BASE + XMOV_L1_BASE, base);
        tf_tdma_store(tile, from, TF_TDMA_BASE + COMMAND, command);
    }
}

static void push_some(struct pair *pair, unsigned t, uint64_t cycle, uint64_t end)
{
    bool sparse = one_in(4);
    for (; cycle < end && !one_in(40); cycle += sparse ? 1 + bare_random() % 8 : 1u + one_in(8)) {
        uint32_t word = own_word(one_in(12) ? expanding_word() : any_word());
        enum tf_access access[2];
        for (unsigned k = 0; k < 2; k++) {
            pair->bare[k]->tile.cycle = cycle;
            access[k] = tf_tensix_push(&pair->bare[k]->tile, t, word, false, TF_CORE_T0 + t, PC);
        }
        assert_int_equal(access[0], access[1]);
    }
}

static void run_both(struct pair *pair, uint64_t cycle, uint64_t end)
{
    pair->bare[1]->tile.cycle = end;
    tf_tensix_turn(&pair->bare[1]->tile, end);
    while (cycle < end) {
        cycle += 1 + bare_random() % 8;
        cycle = cycle < end && !about.macros ? cycle : end;
        pair->bare[0]->tile.cycle = cycle;
        tf_tensix_turn(&pair->bare[0]->tile, cycle);
    }
}

static const char *difference(struct pair *pair)
{
    struct tf_tensix *a = pair->bare[0]->tile.tensix, *b = pair->bare[1]->tile.tensix;
    tf_tensix_wake(&pair->bare[0]->tile);
    tf_tensix_wake(&pair->bare[1]->tile);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        if (a->thread[t].cycle != b->thread[t].cycle || a->thread[t].faulted != b->thread[t].faulted)
            return "when a thread stops";
    if (a->frontend->passed != b->frontend->passed)
        return "how many passed";
    if (memcmp(a->thcon->gpr, b->thcon->gpr, sizeof a->thcon->gpr) != 0)
        return "GPRs";
    if (memcmp(a->vector->lreg, b->vector->lreg, sizeof a->vector->lreg) != 0)
        return "registers";
    if (memcmp(a->dst->bits, b->dst->bits, sizeof a->dst->bits) != 0)
        return "Dst";
    if (memcmp(pair->bare[0]->tile.l1, pair->bare[1]->tile.l1, about.arch->l1_bytes) != 0)
        return "L1";
    if (memcmp(pair->bare[0]->mmio, pair->bare[1]->mmio, BARE_MMIO_BYTES) != 0)
        return "stores to registers";
    return bare_hash(pair->bare[0]) != bare_hash(pair->bare[1]) ? "something" : NULL;
}

/* Gpr-only instructions run ahead of other threads. */
static int by_cycle(const void *a, const void *b)
{
    const struct tf_fault *x = a, *y = b;
    return x->cycle != y->cycle ? (x->cycle < y->cycle ? -1 : 1) : (int)x->core - (int)y->core;
}

/* Both have equal faults, and their threads continue. Returns how many. */
static unsigned compare_faults(struct pair *pair)
{
    struct tf_fault_log *log = &pair->bare[0]->tile.faults, *other = &pair->bare[1]->tile.faults;
    unsigned count = log->count;
    assert_int_equal(count, other->count);
    qsort(log->entry, count < TF_TILE_FAULTS_MAX ? count : TF_TILE_FAULTS_MAX, sizeof log->entry[0], by_cycle);
    qsort(other->entry, count < TF_TILE_FAULTS_MAX ? count : TF_TILE_FAULTS_MAX, sizeof log->entry[0], by_cycle);
    for (unsigned i = 0; i < count && i < TF_TILE_FAULTS_MAX; i++) {
        assert_string_equal(log->entry[i].text, other->entry[i].text);
        assert_int_equal(log->entry[i].cycle, other->entry[i].cycle);
        assert_int_equal(log->entry[i].instruction, other->entry[i].instruction);
    }
    log->count = other->count = 0;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        for (unsigned k = 0; k < 2; k++) {
            struct tf_tensix_thread *thread = &pair->bare[k]->tile.tensix->thread[t];
            if (thread->faulted)
                thread->faulted = thread->gate.full = false;
        }
    return count;
}

static void give_sources(struct pair *pair)
{
    for (unsigned i = 0; i < 8; i++)
        pair->bare[i / 4]->tile.tensix->src->to_matrix[i / 2 % 2][i % 2] = one_in(2) && i < 4;
    memcpy(pair->bare[1]->tile.tensix->src->to_matrix, pair->bare[0]->tile.tensix->src->to_matrix,
           sizeof pair->bare[0]->tile.tensix->src->to_matrix);
}

static uint64_t run_round(struct pair *pair, unsigned round, uint64_t *faults)
{
    unsigned threads = one_in(2) ? 1u << bare_random() % 3 : 1 + bare_random() % 7;
    uint64_t cycle = 0;
    struct tf_tensix_trace *trace = pair->bare[0]->tile.tensix->trace;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        uint64_t end = cycle + 1 + bare_random() % 80;
        for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
            if (threads >> t & 1)
                push_some(pair, t, cycle, end);
        run_both(pair, cycle, end);
        const char *what = difference(pair);
        if (what != NULL)
            fail_msg("round %u, turn %u: they differ in %s", round, turn, what);
        *faults += compare_faults(pair);
        trace->thread[0].count = trace->thread[1].count = trace->thread[2].count = 0;
        change_some(pair);
        if (one_in(2))
            refresh(pair);
        if (one_in(4))
            command_mover(pair);
        if (one_in(4))
            give_sources(pair);
        cycle = end;
    }
    return pair->bare[0]->tile.tensix->frontend->passed;
}

static void run_rounds(int (*setup)(void **state))
{
    uint64_t passed = 0, faults = 0, rounds = test_rounds(ROUNDS);
    bare_seed();
    for (unsigned round = 0; round < rounds; round++) {
        struct pair pair = make_pair(setup);
        about.arch = pair.bare[0]->tile.arch;
        about.vector = bare_random() % 3 * 45;
        about.macros = one_in(3);
        about.special = one_in(3);
        tf_vectors_choose(&pair.bare[0]->tile, TF_VECTORS_PORTABLE);
        tf_vectors_choose(&pair.bare[1]->tile, TF_VECTORS_BEST);
        assert_true(tf_trace_begin(&pair.bare[0]->tile));
        prepare(&pair);
        passed += run_round(&pair, round, &faults);
        drop_pair(&pair);
    }
    print_message("%llu instructions, %llu faults\n", (unsigned long long)passed, (unsigned long long)faults);
    assert_true(TF_HOSTILE || (passed > 100 * rounds && faults > rounds)); /* FIFOs may hold less there */
}

static void test_blackhole(void **unused)
{
    (void)unused;
    run_rounds(bare_setup);
}

static void test_wormhole(void **unused)
{
    (void)unused;
    run_rounds(bare_setup_wormhole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blackhole), cmocka_unit_test(test_wormhole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
