/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/park/memo.h"

#include "host/hostile.h"
#include "tile/order/order.h"
#include "tile/riscv/hart/retired.h"
#include "tile/riscv/park/skip.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/whole/tensix.h"
#include "tilefarm_address.h"

/* At least the cycles that a probe needs to find a loop of TF_MEMO_STEPS. */
#define ROUND_CYCLES 128u

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

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

/* Find the remembered round that begins at pc. Returns TF_MEMO_ROUNDS if there is none. */
static inline unsigned find_round(const struct tf_park *park, uint32_t pc)
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < TF_MEMO_ROUNDS; i++)
        if (park->memo_at[i] == (pc | TF_MEMO_USED))
            return i;
    return TF_MEMO_ROUNDS;
}

/* Forget the ways to rounds, because the rounds have changed: a probe on such a way may now park elsewhere. */
static void forget_leads(struct tf_park *park)
{
    for (unsigned i = 0; i < TF_MEMO_WAYS; i++)
        if (park->memo_at[TF_MEMO_ROUNDS + i] != 0 && park->notes->memo_way[i].to_round)
            park->memo_at[TF_MEMO_ROUNDS + i] = 0;
}

/* Is the round of a probe remembered already? If so, only its generation is set (rows `matmul-*`). */
static bool is_remembered(struct tf_park *park)
{
    unsigned at = find_round(park, park->pc[0]);
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
    unsigned at = find_round(park, code.pc[0]);
    if (at == TF_MEMO_ROUNDS) {
        at = park->oldest_round;
        park->oldest_round = (uint8_t)((at + 1) % TF_MEMO_ROUNDS);
    }
    forget_leads(park);
    park->memo_round[at] = memo;
    park->notes->code[at] = code;
    park->memo_at[at] = code.pc[0] | TF_MEMO_USED;
}

/* The place of the memo for the way from pc to a store or to a round. Each kind of way has one place. */
static inline unsigned way_place(uint32_t pc, bool to_round)
{
    return TF_MEMO_ROUNDS + (pc / 4 + (to_round ? TF_MEMO_WAYS / 2 : 0)) % TF_MEMO_WAYS;
}

/* Keep a way of `count` instructions, without its store. Returns NULL if one of them cannot be in a memo. */
static struct tf_memo *keep_way(struct tf_tile *tile, struct tf_hart *hart, const struct tf_way *way, unsigned count,
                                bool to_round)
{
    unsigned at = way_place(way->pc[0], to_round);
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
        if ((find_round(park, way->pc[i]) != TF_MEMO_ROUNDS) != (i == way->count))
            return false;
        for (unsigned before = 0; before < i; before++)
            if (is_target(way, before) && way->pc[before] == way->pc[i])
                return false;
    }
    return is_target(way, way->count);
}

/* A probe on its way to a word test and through it, as after_transfer() in probe.c moves its anchor. */
struct course {
    uint32_t anchor; /* its pc */
    unsigned window, period, mismatches;
    bool at_loop;
    bool settled; /* the anchor lies behind a test. There all registers are equal after each test */
};

/* The probe executes `cycles` instructions, up to a transfer from `from` to `to`. Returns whether it parks. */
static bool passes_transfer(struct course *course, unsigned cycles, uint32_t from, uint32_t to, bool tested)
{
    const bool loop = to <= from;
    course->period += cycles;
    if (to == course->anchor) {
        if (course->settled)
            return true;
        course->mismatches++;
    }
    if (!(loop && !course->at_loop)) {
        if (course->period < course->window)
            return false;
        course->window *= 4;
    }
    *course = (struct course){.anchor = to, .window = course->window, .at_loop = true, .settled = tested};
    return false;
}

/*
 * Cycles after a way to a word test in which a probe of the way certainly parks: up to its last transfer but one, as in
 * cycles_of(). 0 if they are many, or not known. A test moves no register that it reads, so registers are equal behind
 * all tests. In front of the first one they may differ from those.
 */
static unsigned lead_cycles(const struct tf_park *park, const struct tf_way *way)
{
    const unsigned at = find_round(park, way->pc[way->count]);
    if (at == TF_MEMO_ROUNDS)
        return 0;
    const struct tf_memo *memo = &park->memo_round[at];
    const uint32_t *pc = park->notes->code[at].pc;
    struct course course = {.anchor = way->pc[0], .window = TF_PARK_WINDOW_MIN};
    unsigned since = 0, cycles = 0;
    if (memo->word_test.comparison == TF_COMPARE_NONE)
        return 0;
    for (unsigned i = 1; i <= way->count; i++)
        if (is_target(way, i)) {
            if (way->insn[i - 1].id == TF_RV_JALR || (way->insn[i - 1].id == TF_RV_JAL && way->insn[i - 1].rd != 0))
                return 0; /* a call or a return is no loop */
            passes_transfer(&course, i - since, way->pc[i - 1], way->pc[i], false);
            since = i;
        }
    const unsigned test = memo->count / memo->transfers;
    for (unsigned index = test; cycles < ROUND_CYCLES; cycles += test, index = index % memo->count + test) {
        if (passes_transfer(&course, test, pc[index - 1], pc[index], true))
            return cycles;
        if (course.mismatches == TF_PARK_MISMATCHES_MAX)
            return 0;
    }
    return 0;
}

/* The number of a way's instructions before the round in which the hart has parked. 0: there is no such number. */
static unsigned steps_to_round(const struct tf_park *park, const struct tf_way *way)
{
    const unsigned round = find_round(park, park->pc[0]), end = way->count - !way->whole;
    for (unsigned i = 1; round != TF_MEMO_ROUNDS && i <= end; i++)
        if (is_target(way, i) && find_round(park, way->pc[i]) == round)
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

/* Is the code of a memo unchanged? If so, all of it is decoded when this returns. `count`: the number of instructions,
   with or without the store. */
static __attribute__((noinline)) bool code_stands(struct tf_tile *tile, struct tf_memo *memo,
                                                  const struct tf_memo_code *code, unsigned count)
{
    struct tf_code_page *page = NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct tf_rv_insn *insn = tf_code_insn(tile, code->pc[i], &page);
        if (insn == NULL || insn->word != code->word[i])
            return false;
    }
    memo->generation = tile->code_generation;
    return true;
}

/* Load an input from a register that loads do not change, and that the hart may read at once. Returns false if it is of
   another kind. */
static __attribute__((noinline)) bool load_register(struct tf_tile *tile, const struct tf_hart *hart,
                                                    struct tf_input *input)
{
    enum tf_window_id window = tf_map_find(tile->arch->map, input->address);
    bool pure = true;
    tile->cycle = hart->cycle;
    if (input->size != 4 || input->address % 4 != 0 || !tf_order_includes(window) ||
        tf_mmio_load_acts(tile, hart->core, window, input->address))
        return false;
    input->at = NULL;
    input->mask = UINT32_MAX;
    input->shift = 0;
    tile->tries = true;
    enum tf_access access = tf_mmio_load_word_at(tile, hart->core, window, input->address, &input->value, &pure);
    tile->tries = false;
    return access == TF_ACCESS_OK && pure;
}

/*
 * Load a word or part of one into *value, zero-extended. `inputs`: NULL, or note it as input *inputs. Returns false in
 * three cases. The address is neither memory nor a register that the memo may read; there are too many inputs; or the
 * round has read another value there.
 */
static inline __attribute__((always_inline)) bool load(struct tf_tile *tile, struct tf_hart *hart,
                                                       const struct tf_memo *memo, uint32_t address, unsigned size,
                                                       unsigned *inputs, uint32_t *value)
{
    struct tf_input unnoted, *list = hart->park.memo_input, *input = inputs == NULL ? &unnoted : &list[*inputs];
    input->address = address;
    input->size = (uint8_t)size;
    if (LIKELY(tf_input_find(tile, hart, input)))
        input->value = tf_input_value(input);
    else if (inputs == NULL || !memo->registers || !load_register(tile, hart, input))
        return false;
    *value = input->value;
    if (inputs == NULL)
        return true;
    for (unsigned i = 0; i < *inputs; i++)
        if (list[i].address == address && list[i].size == size)
            return list[i].value == *value;
    return ++*inputs <= TF_MEMO_INPUTS;
}

/* Execute the steps of a memo. `inputs`: NULL, or count the inputs of a round, which load() notes. Returns false if the
   hart leaves the way, or a load cannot be in a memo. */
static inline __attribute__((always_inline)) bool take_steps(struct tf_tile *tile, struct tf_hart *hart,
                                                             const struct tf_memo *memo,
                                                             const struct tf_memo_code *code, unsigned *inputs)
{
    uint32_t *x = hart->x;
    uint32_t value;
    if (inputs != NULL)
        *inputs = 0;
    for (const struct tf_memo_step *step = memo->step, *end = step + memo->steps; step != end; step++) {
        uint32_t a = x[step->rs1], b = x[step->rs2];
        switch (step->id) {
#define X(id, ...) \
    case TF_RV_##id: x[step->rd] = tf_alu_##id(a, b); break;
            TF_ALU_BINARY(X)
            TF_ALU_UNARY(X)
#undef X
#define X(id, ...) \
    case TF_RV_##id: x[step->rd] = tf_alu_##id(a, step->imm); break;
            TF_ALU_IMMEDIATE(X)
#undef X
#define X(id, ...)                          \
    case TF_RV_##id:                        \
        if (tf_alu_##id(a, b) != step->imm) \
            return false;                   \
        break;
            TF_BRANCHES(X)
#undef X
#define X(id, type, shift)                                                         \
    case TF_RV_##id:                                                               \
        if (!load(tile, hart, memo, a + step->imm, 1u << (shift), inputs, &value)) \
            return false;                                                          \
        x[step->rd] = (uint32_t)(type)value;                                       \
        break;
            TF_LOADS(X)
#undef X
        case TF_RV_LUI: x[step->rd] = step->imm; break;
        default: /* jalr */
            if (((a + step->imm) & ~1u) != code->pc[step->rs2 + 1])
                return false;
            x[step->rd] = code->pc[step->rs2] + 4;
            break;
        }
    }
    return true;
}

/* take_steps() of a way to a store or to a round, which has no inputs. Rows `copy-256` and `reader-writer` pay for an
   instance of their own. */
static __attribute__((noinline)) bool take_way_steps(struct tf_tile *tile, struct tf_hart *hart,
                                                     const struct tf_memo *memo, const struct tf_memo_code *code)
{
    return take_steps(tile, hart, memo, code, NULL);
}

/* Copy the registers of a set of bits. */
static inline void copy_registers(uint32_t *to, const uint32_t *from, uint32_t set)
{
    for (; set != 0; set &= set - 1)
        to[__builtin_ctz(set)] = from[__builtin_ctz(set)];
}

static inline bool equal_registers(const uint32_t *a, const uint32_t *b, uint32_t set)
{
    for (; set != 0; set &= set - 1)
        if (a[__builtin_ctz(set)] != b[__builtin_ctz(set)])
            return false;
    return true;
}

/* Will a T core's push of a word certainly retire? */
static bool push_acts(const struct tf_tile *tile, const struct tf_hart *hart, uint32_t word)
{
    return hart->core >= TF_CORE_T0 && tile->tensix != NULL && word >> 24 != TF_OP_RESOURCEDECL &&
           tf_tensix_push_free(tile, hart->core - TF_CORE_T0) &&
           (tile->arch->opcode == NULL || tf_family_word(tile->arch, &word) == TF_WORD_RIGHT);
}

/* Will the store at the end of a memo certainly retire with an effect? It will if it changes a word of memory, writes a
   fast word, or is a push into an open FIFO. */
static inline bool store_acts(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_memo_step *store)
{
    if (store->id == TF_RV_TTINSN)
        return push_acts(tile, hart, store->imm);
    struct tf_input target = {.address = hart->x[store->rs1] + store->imm, .size = store->rd};
    if ((target.address & ~0xFFFCu) == TF_INSTRN_BUF_BASE && target.size == 4)
        return push_acts(tile, hart, hart->x[store->rs2]);
    if (tf_fast_reaches(target.address))
        return target.size == 4 && tf_fast_storable(&tile->fast, target.address) != NULL;
    return tf_input_in_memory(tile, hart, &target) && tf_input_value(&target) != (hart->x[store->rs2] & target.mask);
}

/* Execute a way up to its store, which acts. Returns false if it ends differently; the registers are unchanged then. */
static inline bool take_way(struct tf_tile *tile, struct tf_hart *hart, const struct tf_memo *memo,
                            const struct tf_memo_code *code)
{
    uint32_t before[32];
    copy_registers(before, hart->x, memo->written);
    if (take_way_steps(tile, hart, memo, code) && store_acts(tile, hart, &memo->step[memo->steps])) {
        tf_hart_retired(tile, hart, memo->count);
        return true;
    }
    copy_registers(hart->x, before, memo->written);
    return false;
}

/* Is one of the inputs a register? If not, the hart is no poller. */
static inline bool any_register(const struct tf_park *park, unsigned inputs)
{
    for (unsigned i = 0; i < inputs; i++)
        if (park->memo_input[i].at == NULL)
            return true;
    return false;
}

static __attribute__((noinline)) bool find_word(struct tf_tile *tile, const struct tf_hart *hart,
                                                struct tf_input *input, uint32_t address)
{
    input->address = address;
    if (!tf_input_find(tile, hart, input))
        input->at = NULL;
    return input->at != NULL;
}

static inline bool passes(const struct tf_word_test *word_test, uint32_t a, uint32_t b)
{
    if (LIKELY(word_test->comparison == TF_COMPARE_EQUAL))
        return a == b;
    return word_test->comparison == TF_COMPARE_LESS ? (int32_t)a < (int32_t)b : a < b;
}

static inline uint32_t address_of(const struct tf_hart *hart, const struct tf_word_test *word_test)
{
    return hart->x[word_test->base] + word_test->offset;
}

/* Is word_test->input the word that the test loads this time? */
static inline bool has_word(const struct tf_hart *hart, const struct tf_word_test *word_test)
{
    return word_test->input.address == address_of(hart, word_test) && word_test->input.at != NULL;
}

/*
 * take_steps() for a word test whose input has its word. If it returns false, the registers are unchanged. Bench rows
 * `barrier-700` (8 % of its instructions) and `atomic-inc-spread` (3 %) pay for it: most cores wait by one load. For
 * such a wait, take_way() would find the word in each turn, and save and compare registers.
 */
static inline bool test_word(struct tf_hart *hart, struct tf_word_test *word_test)
{
    uint32_t *x = hart->x, *rd = &x[word_test->rd], *result = &x[word_test->result];
    uint32_t rd_before = *rd, result_before = *result;
    uint32_t value = __atomic_load_n(word_test->input.at, __ATOMIC_RELAXED);
    word_test->input.value = value;
    *rd = value;
    *result = (value & word_test->mask) + word_test->addend - x[word_test->less];
    if (passes(word_test, x[word_test->rs1], x[word_test->rs2]) == word_test->waits)
        return true;
    *rd = rd_before;
    *result = result_before;
    return false;
}

/* test_word() for any word test. As long as the address stays, the word is not looked up again. */
static inline bool take_word_test(struct tf_tile *tile, struct tf_hart *hart, struct tf_word_test *word_test)
{
    if (!has_word(hart, word_test) && !find_word(tile, hart, &word_test->input, address_of(hart, word_test)))
        return false;
    return test_word(hart, word_test);
}

/* park_in() for a wait with the last wait's list of inputs, if no probe has begun since then. */
static inline void park_in_same(struct tf_hart *hart, const struct tf_memo *memo, unsigned inputs)
{
    hart->park.floats = false;
    hart->park.inputs = (uint8_t)inputs;
    hart->park.generation = memo->generation;
    tf_park_begin(hart);
}

/* Park a hart that has executed a round. If park->pc is that of the memo, the last wait had this period, and its fields
   are valid. Only a probe sets park->pc to another value. */
static inline void park_in(struct tf_hart *hart, const struct tf_memo *memo, const struct tf_memo_code *code,
                           const struct tf_input *input, unsigned inputs)
{
    struct tf_park *park = &hart->park;
    if (park->pc != code->pc) {
        park->pc = code->pc;
        park->word = code->word;
        park->transfer = code->transfer;
        park->period = memo->count;
        park->transfers = memo->transfers;
        park->words_only = !memo->registers;
    }
    park->input = input;
    park_in_same(hart, memo, inputs);
}

/*
 * May the hart read registers up to the end of a probe that begins now? If so, the probe would park the hart at this
 * start of the round, with equal inputs. The round has one control transfer, so the anchor would not move. Bench row
 * `reader-writer` pays for rounds that read registers.
 */
static bool may_read_registers(struct tf_tile *tile, const struct tf_hart *hart)
{
    return !hart->park.probing && TF_HOOK(tile->explore) == NULL &&
           tf_order_is_free(tile, hart, hart->cycle + ROUND_CYCLES);
}

static __attribute__((noinline)) bool take_round(struct tf_tile *tile, struct tf_hart *hart, const struct tf_memo *memo,
                                                 const struct tf_memo_code *code)
{
    uint32_t before[32];
    unsigned inputs;
    if (memo->registers && !may_read_registers(tile, hart))
        return false;
    copy_registers(before, hart->x, memo->written);
    if (!take_steps(tile, hart, memo, code, &inputs) || (memo->registers && !any_register(&hart->park, inputs)) ||
        !equal_registers(before, hart->x, memo->kept)) {
        copy_registers(hart->x, before, memo->written);
        return false;
    }
    tf_hart_retired(tile, hart, memo->count);
    tile->pollers |= memo->registers;
    park_in(hart, memo, code, hart->park.memo_input, inputs);
    return true;
}

/* Is the round a word test of unchanged code, at the address of its last execution? */
static inline bool tests_same_word(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_memo *memo)
{
    return memo->generation == tile->code_generation && memo->word_test.comparison != TF_COMPARE_NONE &&
           has_word(hart, &memo->word_test) && tile->mode.parking;
}

/* wait_in() for the case that tests_same_word() is true. It makes no call, and uses few registers of the host. Rows
   `atomic1-inc-spread` and `barrier-700` pay for it. */
static inline bool wait_for_same_word(struct tf_tile *tile, struct tf_hart *hart, struct tf_memo *memo, unsigned at)
{
    struct tf_park *park = &hart->park;
    if (!test_word(hart, &memo->word_test))
        return false;
    tf_hart_retired(tile, hart, memo->count);
    if (park->input == &memo->word_test.input && park->pc != park->notes->pc)
        park_in_same(hart, memo, 1);
    else
        park_in(hart, memo, &park->notes->code[at], &memo->word_test.input, 1);
    return true;
}

/* tf_memo_waits() for the round that begins at pc. */
static __attribute__((noinline)) bool wait_in(struct tf_tile *tile, struct tf_hart *hart, struct tf_memo *memo,
                                              unsigned at)
{
    struct tf_park *park = &hart->park;
    const struct tf_memo_code *code = &park->notes->code[at];
    if (UNLIKELY(memo->generation != tile->code_generation) && !code_stands(tile, memo, code, memo->count)) {
        park->memo_at[memo - park->memo_round] = 0;
        return false;
    }
    if (memo->word_test.comparison == TF_COMPARE_NONE) {
        if (!take_round(tile, hart, memo, code))
            return false;
    } else {
        if (!take_word_test(tile, hart, &memo->word_test))
            return false;
        tf_hart_retired(tile, hart, memo->count);
        park_in(hart, memo, code, &memo->word_test.input, 1);
    }
    if (!tile->mode.parking)
        tf_park_note_start(hart);
    return true;
}

/*
 * Cycles after which a probe certainly parks in a round: it ends no turn before its last control transfer but one. A
 * probe that begins at a word test has its anchor there. The test changes no register that it reads, so the registers
 * are equal at the end of the second round at the latest. A tile that wakes for a tick has no ROUND_CYCLES: rows
 * `atomic1-inc-spread` (two fifths of their instructions), `ping-pong` (three fifths) and `copy1-256-awaited`.
 */
static inline unsigned cycles_of(const struct tf_memo *memo)
{
    if (memo->word_test.comparison == TF_COMPARE_NONE)
        return ROUND_CYCLES;
    return 2u * memo->count - memo->count / memo->transfers;
}

/* `cycles`: in which a probe parks in the round, if the caller knows; 0: it begins here. */
static inline __attribute__((always_inline)) bool waits(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline,
                                                        unsigned cycles)
{
    struct tf_park *park = &hart->park;
    unsigned at = find_round(park, hart->pc);
    if (TF_HOSTILE || at == TF_MEMO_ROUNDS || (park->probing && park->anchored && park->window >= TF_PARK_PERIOD))
        return false;
    struct tf_memo *memo = &park->memo_round[at];
    if (hart->cycle + (cycles != 0 ? cycles : cycles_of(memo)) >= deadline)
        return false;
    return tests_same_word(tile, hart, memo) ? wait_for_same_word(tile, hart, memo, at) : wait_in(tile, hart, memo, at);
}

bool tf_memo_waits(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    return waits(tile, hart, deadline, hart->park.probing ? ROUND_CYCLES : 0);
}

/* Find the remembered way from pc to a store or a round. Returns NULL if its code has changed, or if it may not end
   before the deadline. */
static inline const struct tf_memo *find_way(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline,
                                             bool to_round, const struct tf_memo_code **code)
{
    struct tf_park *park = &hart->park;
    unsigned at = way_place(hart->pc, to_round);
    if (TF_HOSTILE || park->memo_at[at] != (hart->pc | TF_MEMO_USED))
        return NULL;
    struct tf_memo *memo = &park->notes->memo_way[at - TF_MEMO_ROUNDS];
    *code = &park->notes->code[at];
    if (memo->to_round != to_round || hart->cycle + memo->count >= deadline)
        return NULL;
    if (memo->generation != tile->code_generation &&
        !code_stands(tile, memo, *code, memo->count + (to_round ? 0u : 1u))) {
        park->memo_at[at] = 0;
        return NULL;
    }
    return memo;
}

bool tf_memo_stores(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    const struct tf_memo_code *code;
    const struct tf_memo *memo = find_way(tile, hart, deadline, false, &code);
    if (memo == NULL || !take_way(tile, hart, memo, code))
        return false;
    hart->pc = memo->word_test.end;
    return true;
}

bool tf_memo_leads(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    const struct tf_memo_code *code;
    const struct tf_memo *memo = find_way(tile, hart, deadline, true, &code);
    uint32_t before[32], pc = hart->pc;
    if (memo == NULL)
        return false;
    copy_registers(before, hart->x, memo->written);
    if (take_way_steps(tile, hart, memo, code)) {
        hart->pc = memo->word_test.end;
        tf_hart_retired(tile, hart, memo->count);
        /* A probe takes no round that reads registers: see may_read_registers(). */
        unsigned round = find_round(&hart->park, hart->pc);
        if (round != TF_MEMO_ROUNDS && !hart->park.memo_round[round].registers &&
            waits(tile, hart, deadline, memo->transfers != 0 ? memo->transfers : ROUND_CYCLES))
            return true;
        tf_hart_retired(tile, hart, -(int)memo->count);
        hart->pc = pc;
    }
    copy_registers(hart->x, before, memo->written);
    return false;
}
