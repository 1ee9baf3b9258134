/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/mmio/map/acts.h"
#include "tile/mmio/map/map.h"
#include "tile/riscv/park/memo.h"

#include "host/hostile.h"
#include "tile/order/order.h"
#include "tile/riscv/hart/retired.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/park/skip.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/whole/tensix.h"
#include "tilefarm_address.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

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
           tf_order_is_free(tile, hart, hart->cycle + TF_MEMO_ROUND_CYCLES);
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
 * are equal at the end of the second round at the latest. A tile that wakes for a tick has fewer cycles than
 * TF_MEMO_ROUND_CYCLES: rows `atomic1-inc-spread` (two fifths of their instructions), `ping-pong` (three fifths) and
 * `copy1-256-awaited`.
 */
static inline unsigned cycles_of(const struct tf_memo *memo)
{
    if (memo->word_test.comparison == TF_COMPARE_NONE)
        return TF_MEMO_ROUND_CYCLES;
    TF_ASSERT(memo->transfers == 1 || memo->transfers == 2);
    return 2u * memo->count - (memo->count >> (memo->transfers - 1));
}

/* `cycles`: in which a probe parks in the round, if the caller knows; 0: it begins here. */
static inline __attribute__((always_inline)) bool waits(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline,
                                                        unsigned cycles)
{
    struct tf_park *park = &hart->park;
    unsigned at = tf_memo_round(park, hart->pc);
    if (TF_HOSTILE || at == TF_MEMO_ROUNDS || (park->probing && park->anchored && park->window >= TF_PARK_PERIOD))
        return false;
    struct tf_memo *memo = &park->memo_round[at];
    if (hart->cycle + (cycles != 0 ? cycles : cycles_of(memo)) >= deadline)
        return false;
    return tests_same_word(tile, hart, memo) ? wait_for_same_word(tile, hart, memo, at) : wait_in(tile, hart, memo, at);
}

bool tf_memo_waits(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    return waits(tile, hart, deadline, hart->park.probing ? TF_MEMO_ROUND_CYCLES : 0);
}

/* Find the remembered way from pc to a store or a round. Returns NULL if its code has changed, or if it may not end
   before the deadline. */
static inline const struct tf_memo *find_way(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline,
                                             bool to_round, const struct tf_memo_code **code)
{
    struct tf_park *park = &hart->park;
    unsigned at = tf_memo_way_place(hart->pc, to_round);
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
        unsigned round = tf_memo_round(&hart->park, hart->pc);
        if (round != TF_MEMO_ROUNDS && !hart->park.memo_round[round].registers &&
            waits(tile, hart, deadline, memo->transfers != 0 ? memo->transfers : TF_MEMO_ROUND_CYCLES))
            return true;
        tf_hart_retired(tile, hart, -(int)memo->count);
        hart->pc = pc;
    }
    copy_registers(hart->x, before, memo->written);
    return false;
}
