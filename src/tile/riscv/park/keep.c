/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/park/keep.h"

#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/park/memo.h"
#include "tile/riscv/park/skip.h"

_Static_assert(TF_RV_COUNT <= 256, "a step keeps the id in a byte");

uint32_t tf_memo_live(const struct tf_rv_insn *insn, unsigned count, uint32_t *written)
{
    uint32_t read = 0;
    *written = 0;
    for (const struct tf_rv_insn *end = insn + count; insn != end; insn++) {
        read |= tf_rv_x_read(insn) & ~*written;
        *written |= tf_rv_x_written(insn);
    }
    return read;
}

/* Add the step of the instruction at pc[index], whose successor is at pc[index + 1]. Returns false if it cannot be in a
   memo. */
static bool add_step(struct tf_memo *memo, const uint32_t *pcs, unsigned index, const struct tf_rv_insn *insn)
{
    unsigned kind = tf_exec_kind[insn->id];
    if ((kind != TF_EXEC_PURE || tf_park_floats(insn)) && (kind != TF_EXEC_LOAD || tf_exec_is_float(insn)))
        return false;
    uint32_t pc = pcs[index];
    struct tf_memo_step *step = &memo->step[memo->steps++];
    *step = (struct tf_memo_step){.id = (uint8_t)insn->id,
                                  .rd = insn->rd != 0 ? insn->rd : TF_OP_SINK,
                                  .rs1 = insn->rs1,
                                  .rs2 = insn->rs2,
                                  .imm = (uint32_t)insn->imm};
    switch (insn->id) {
    case TF_RV_FENCE: memo->steps--; break;
    case TF_RV_AUIPC: *step = (struct tf_memo_step){.id = TF_RV_LUI, .rd = step->rd, .imm = pc + step->imm}; break;
    case TF_RV_JAL:
        *step = (struct tf_memo_step){.id = TF_RV_LUI, .rd = step->rd, .imm = pc + 4};
        memo->steps = (uint8_t)(memo->steps - (insn->rd == 0));
        break;
    case TF_RV_JALR: step->rs2 = (uint8_t)index; break;
#define X(id, ...) case TF_RV_##id:
        TF_BRANCHES(X)
#undef X
        step->imm = pcs[index + 1] == pc + step->imm;
        break;
    default: break;
    }
    return true;
}

/* Make the steps of `count` instructions, which are at pc[]. Returns false if one of them cannot be in a memo. */
static bool fill(struct tf_memo *memo, const uint32_t *pc, uint32_t generation, const struct tf_rv_insn *insn,
                 unsigned count)
{
    memo->generation = generation;
    memo->count = (uint8_t)count;
    memo->steps = 0;
    for (unsigned i = 0; i < count; i++)
        if (!add_step(memo, pc, i, &insn[i]))
            return false;
    memo->kept = tf_memo_live(insn, count, &memo->written);
    memo->kept &= memo->written;
    return true;
}

/* Set the comparison of a branch. *outcome: the result of the comparison when the branch is taken. */
static enum tf_comparison comparison_of(unsigned branch, bool *outcome)
{
    *outcome = branch == TF_RV_BEQ || branch == TF_RV_BLT || branch == TF_RV_BLTU;
    switch (branch) {
    case TF_RV_BEQ:
    case TF_RV_BNE: return TF_COMPARE_EQUAL;
    case TF_RV_BLT:
    case TF_RV_BGE: return TF_COMPARE_LESS;
    case TF_RV_BLTU:
    case TF_RV_BGEU: return TF_COMPARE_BELOW;
    default: return TF_COMPARE_NONE;
    }
}

/* Set the arithmetic of a word test. Returns false if the step is of another kind. */
static bool set_arithmetic(struct tf_word_test *word_test, const struct tf_memo_step *step)
{
    word_test->result = step->rd;
    if (step->rs1 != word_test->rd || step->rd == TF_OP_SINK)
        return false;
    switch (step->id) {
    case TF_RV_ADDI: word_test->addend = step->imm; return true;
    case TF_RV_ANDI: word_test->mask = step->imm; return true;
    case TF_RV_SUB: word_test->less = step->rs2; return step->rs2 != word_test->rd && step->rs2 != word_test->result;
    default: return false;
    }
}

/* Make the word test of two or three steps. It is all zero before. Returns false if the steps are no word test. */
static bool make_word_test(struct tf_word_test *word_test, const struct tf_memo_step *load, unsigned steps)
{
    const struct tf_memo_step *branch = &load[steps - 1];
    bool outcome;
    if (load->id != TF_RV_LW || load->rd == TF_OP_SINK)
        return false;
    word_test->input.size = 4;
    word_test->input.mask = word_test->mask = UINT32_MAX;
    word_test->offset = load->imm;
    word_test->base = load->rs1;
    word_test->rd = word_test->result = load->rd;
    word_test->rs1 = branch->rs1;
    word_test->rs2 = branch->rs2;
    if (steps == 3 && !set_arithmetic(word_test, &load[1]))
        return false;
    word_test->comparison = (uint8_t)comparison_of(branch->id, &outcome);
    word_test->waits = outcome == (branch->imm != 0);
    return word_test->comparison != TF_COMPARE_NONE;
}

static bool equal_word_tests(const struct tf_word_test *a, const struct tf_word_test *b)
{
    return a->offset == b->offset && a->mask == b->mask && a->addend == b->addend && a->base == b->base &&
           a->rd == b->rd && a->result == b->result && a->less == b->less && a->rs1 == b->rs1 && a->rs2 == b->rs2 &&
           a->comparison == b->comparison && a->waits == b->waits;
}

/*
 * If a round is a word test, set memo->word_test, which is all zero before. A word test writes no register that it
 * reads first: the next round equals it. Compilers copy the condition of a loop, so a round may be two equal word tests
 * of equal length (row `ping-pong`).
 */
static void find_word_test(struct tf_memo *memo, const struct tf_memo_code *code)
{
    const struct tf_memo_step *step = memo->step;
    const bool doubled = memo->steps > 3 && memo->steps % 2 == 0;
    const unsigned steps = doubled ? memo->steps / 2u : memo->steps;
    struct tf_word_test second = {.comparison = TF_COMPARE_NONE};
    if (steps < 2 || steps > 3 || memo->kept != 0 || memo->transfers != 1u + doubled ||
        code->transfer[0] * memo->transfers != memo->count)
        return;
    bool found = make_word_test(&memo->word_test, step, steps);
    if (found && doubled)
        found = make_word_test(&second, step + steps, steps) && equal_word_tests(&memo->word_test, &second);
    if (!found)
        memset(&memo->word_test, 0, sizeof memo->word_test); /* padding too, because a saved chip contains it */
}

static bool leads_past(const struct tf_memo *way, const struct tf_memo_code *code, uint32_t pc)
{
    for (unsigned i = 1; i <= way->count; i++)
        if (code->pc[i] == pc)
            return true;
    return false;
}

/* Forget the ways to rounds that pass a new round or end at it: a probe on such a way may now park elsewhere. Rounds of
   a loop with several starts take each other's places, so other ways stay: row `ping-pong-20`. */
static void forget_leads(struct tf_park *park, uint32_t pc)
{
    for (unsigned i = 0; i < TF_MEMO_WAYS; i++) {
        uint32_t *at = &park->memo_at[TF_MEMO_ROUNDS + i];
        const struct tf_memo *way = &park->notes->memo_way[i];
        if (*at != 0 && way->to_round && leads_past(way, &park->notes->code[TF_MEMO_ROUNDS + i], pc))
            *at = 0;
    }
}

/* Is the round of a probe remembered already? If so, only its generation is set (rows `matmul-*`). */
static bool is_remembered(struct tf_park *park)
{
    unsigned at = tf_memo_round(park, park->pc[0]);
    if (at == TF_MEMO_ROUNDS)
        return false;
    struct tf_memo *memo = &park->memo_round[at];
    const struct tf_memo_code *code = &park->notes->code[at];
    if (memo->count != park->period || memo->transfers != park->transfers || memo->registers == park->words_only ||
        memcmp(code->pc, park->pc, park->period * sizeof code->pc[0]) != 0 ||
        memcmp(code->word, park->word, park->period * sizeof code->word[0]) != 0 ||
        memcmp(code->transfer, park->transfer, park->transfers * sizeof code->transfer[0]) != 0)
        return false;
    memo->generation = park->generation;
    return true;
}

void tf_memo_keep_round(struct tf_park *park)
{
    if (park->period > TF_MEMO_STEPS || park->inputs > TF_MEMO_INPUTS || park->floats ||
        (!park->words_only && park->transfers != 1) || is_remembered(park))
        return;
    struct tf_rv_insn insn[TF_MEMO_STEPS];
    struct tf_memo memo = {.count = 0};
    struct tf_memo_code code = {.pc = {0}};
    memcpy(code.pc, park->pc, park->period * sizeof code.pc[0]);
    memcpy(code.word, park->word, park->period * sizeof code.word[0]);
    memcpy(code.transfer, park->transfer, park->transfers * sizeof code.transfer[0]);
    code.pc[park->period] = code.pc[0];
    memo.transfers = (uint8_t)park->transfers;
    memo.registers = !park->words_only;
    for (unsigned i = 0; i < park->period; i++)
        tf_rv_decode(code.word[i], &insn[i]);
    if (!fill(&memo, code.pc, park->generation, insn, park->period))
        return;
    if (!memo.registers)
        find_word_test(&memo, &code);
    unsigned at = tf_memo_round(park, code.pc[0]);
    if (at == TF_MEMO_ROUNDS) {
        at = park->oldest_round;
        park->oldest_round = (uint8_t)((at + 1) % TF_MEMO_ROUNDS);
    }
    forget_leads(park, code.pc[0]);
    park->memo_round[at] = memo;
    park->notes->code[at] = code;
    park->memo_at[at] = code.pc[0] | TF_MEMO_USED;
}

/* Keep a way of `count` instructions, without its store. Returns NULL if one of them cannot be in a memo. */
static struct tf_memo *keep_way(struct tf_tile *tile, struct tf_hart *hart, const struct tf_way *way, unsigned count,
                                bool to_round)
{
    unsigned at = tf_memo_way_place(way->pc[0], to_round);
    struct tf_memo *memo = &hart->park.notes->memo_way[at - TF_MEMO_ROUNDS];
    struct tf_memo_code *code = &hart->park.notes->code[at];
    hart->park.memo_at[at] = 0;
    memcpy(code->pc, way->pc, (count + 1) * sizeof way->pc[0]);
    for (unsigned i = 0; i < way->count; i++)
        code->word[i] = way->insn[i].word;
    memo->to_round = to_round;
    memo->transfers = 0;
    memo->word_test.end = way->pc[count];
    if (!fill(memo, code->pc, tile->code_generation, way->insn, count))
        return NULL;
    hart->park.memo_at[at] = way->pc[0] | TF_MEMO_USED;
    return memo;
}

static bool may_keep(const struct tf_tile *tile, const struct tf_way *way)
{
    return way->open && way->generation == tile->code_generation;
}

void tf_memo_keep_store(struct tf_tile *tile, struct tf_hart *hart, const struct tf_way *way)
{
    if (!may_keep(tile, way) || !way->whole) /* otherwise the way may have no instruction */
        return;
    const struct tf_rv_insn *store = &way->insn[way->count - 1];
    const unsigned kind = tf_exec_kind[store->id];
    if ((kind != TF_EXEC_STORE || tf_exec_is_float(store)) && kind != TF_EXEC_PUSH)
        return;
    struct tf_memo *memo = keep_way(tile, hart, way, way->count - 1, false);
    if (memo != NULL)
        memo->step[memo->steps] = (struct tf_memo_step){.id = (uint8_t)store->id,
                                                        .rd = kind == TF_EXEC_STORE ? (uint8_t)tf_exec_size(store) : 0,
                                                        .rs1 = store->rs1,
                                                        .rs2 = store->rs2,
                                                        .imm = (uint32_t)store->imm};
}

/* Does instruction i of a way follow a control transfer? After a transfer, a probe looks for an anchor and for
   rounds. */
static bool is_target(const struct tf_way *way, unsigned i)
{
    if (i == 0)
        return true;
    enum tf_rv_format format = tf_rv_info(way->insn[i - 1].id)->format;
    return format == TF_RV_FMT_BRANCH || format == TF_RV_FMT_J || format == TF_RV_FMT_JALR;
}

/*
 * Would a probe that takes this way again reach its end? An anchor always follows a transfer, and no two transfers of
 * the way have one target: the probe returns to no anchor. It does not park before the end: no earlier transfer leads
 * to a remembered round.
 */
static bool leads_to_end(const struct tf_park *park, const struct tf_way *way)
{
    for (unsigned i = 1; i <= way->count; i++) {
        if (!is_target(way, i))
            continue;
        if ((tf_memo_round(park, way->pc[i]) != TF_MEMO_ROUNDS) != (i == way->count))
            return false;
        for (unsigned before = 0; before < i; before++)
            if (is_target(way, before) && way->pc[before] == way->pc[i])
                return false;
    }
    return is_target(way, way->count);
}

/* A probe on its way to a word test and through it. */
struct course {
    struct tf_probe_course probe;
    uint32_t anchor; /* its pc */
    bool settled;    /* the anchor lies behind a test. There all registers are equal after each test */
};

/* The probe executes `cycles` instructions, up to a transfer from `from` to `to`. */
static enum tf_probe_move pass_transfer(struct course *course, unsigned cycles, uint32_t from, uint32_t to, bool tested)
{
    const bool returned = to == course->anchor;
    course->probe.period += cycles;
    const enum tf_probe_move move = tf_probe_move(&course->probe, returned, course->settled, to <= from);
    const unsigned window = move == TF_PROBE_WIDENS ? 4 * course->probe.window : TF_PARK_WINDOW_MIN;
    course->probe.mismatches += returned;
    if (move == TF_PROBE_ANCHORS || move == TF_PROBE_WIDENS)
        *course = (struct course){.probe = {.window = window, .at_loop = true}, .anchor = to, .settled = tested};
    return move;
}

/*
 * Cycles after a way to a word test in which a probe of the way certainly parks: up to its last transfer but one, as in
 * cycles_of(). 0 if they are many, or not known. A test moves no register that it reads, so registers are equal behind
 * all tests. In front of the first one they may differ from those.
 */
static unsigned lead_cycles(const struct tf_park *park, const struct tf_way *way)
{
    const unsigned at = tf_memo_round(park, way->pc[way->count]);
    if (at == TF_MEMO_ROUNDS)
        return 0;
    const struct tf_memo *memo = &park->memo_round[at];
    const uint32_t *pc = park->notes->code[at].pc;
    struct course course = {.probe = {.window = TF_PARK_WINDOW_MIN}, .anchor = way->pc[0]};
    unsigned since = 0, cycles = 0;
    if (memo->word_test.comparison == TF_COMPARE_NONE)
        return 0;
    for (unsigned i = 1; i <= way->count; i++)
        if (is_target(way, i)) {
            if (way->insn[i - 1].id == TF_RV_JALR || (way->insn[i - 1].id == TF_RV_JAL && way->insn[i - 1].rd != 0))
                return 0; /* a call or a return is no loop */
            if (pass_transfer(&course, i - since, way->pc[i - 1], way->pc[i], false) == TF_PROBE_FAILS)
                return 0;
            since = i;
        }
    const unsigned test = memo->count / memo->transfers;
    for (unsigned index = test; cycles < TF_MEMO_ROUND_CYCLES; cycles += test, index = index % memo->count + test) {
        const enum tf_probe_move move = pass_transfer(&course, test, pc[index - 1], pc[index], true);
        if (move == TF_PROBE_PARKS || move == TF_PROBE_FAILS)
            return move == TF_PROBE_PARKS ? cycles : 0;
    }
    return 0;
}

/* The number of a way's instructions before the round in which the hart has parked. 0: there is no such number. */
static unsigned steps_to_round(const struct tf_park *park, const struct tf_way *way)
{
    const unsigned round = tf_memo_round(park, park->pc[0]), end = way->count - !way->whole;
    for (unsigned i = 1; round != TF_MEMO_ROUNDS && i <= end; i++)
        if (is_target(way, i) && tf_memo_round(park, way->pc[i]) == round)
            return i;
    return 0;
}

void tf_memo_keep_lead(struct tf_tile *tile, struct tf_hart *hart, struct tf_way *way)
{
    if (!may_keep(tile, way))
        return;
    if (way->whole)
        way->pc[way->count] = hart->pc;
    way->count = steps_to_round(&hart->park, way);
    if (way->count == 0 || way->count > TF_MEMO_WAY_STEPS || !leads_to_end(&hart->park, way))
        return;
    struct tf_memo *memo = keep_way(tile, hart, way, way->count, true);
    if (memo != NULL)
        memo->transfers = (uint8_t)lead_cycles(&hart->park, way);
}
