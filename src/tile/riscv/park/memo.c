/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/park/memo.h"

#include <string.h>

/* More cycles than a probe that comes upon a loop of TF_LOOP_STEPS would need to end there. */
#define RECALL_CYCLES 128u

#define LIKELY(x) __builtin_expect(!!(x), 1)

_Static_assert(TF_RV_COUNT <= 256, "the steps of a loop keep it in a byte");

uint32_t tf_loop_live(const struct tf_rv_insn *insn, unsigned count, uint32_t *written)
{
    uint32_t read = 0, write = 0;
    for (; count != 0; insn++, count--) {
        switch (tf_rv_info(insn->id)->format) {
        case TF_RV_FMT_R:
            read |= (1u << insn->rs1 | 1u << insn->rs2) & ~write;
            write |= 1u << insn->rd;
            break;
        case TF_RV_FMT_R1:
        case TF_RV_FMT_I:
        case TF_RV_FMT_SHIFT:
        case TF_RV_FMT_LOAD:
        case TF_RV_FMT_JALR:
            read |= 1u << insn->rs1 & ~write;
            write |= 1u << insn->rd;
            break;
        case TF_RV_FMT_STORE:
        case TF_RV_FMT_BRANCH:
            read |= (1u << insn->rs1 | 1u << insn->rs2) & ~write;
            break;
        case TF_RV_FMT_U:
        case TF_RV_FMT_J:
            write |= 1u << insn->rd;
            break;
        case TF_RV_FMT_FENCE:
            break;
        default:
            return UINT32_MAX;
        }
    }
    *written = write & ~1u;
    return read;
}

/* Put down behind other steps what the instruction at pc[place] does, before that at pc[place + 1]. False: nothing that
   is remembered. */
static bool compile(struct tf_loop_step *step, uint8_t *steps, const struct tf_rv_insn *insn, const uint32_t *pcs,
                    unsigned place)
{
    unsigned kind = tf_exec_kind[insn->id];
    uint32_t pc = pcs[place];
    step += (*steps)++;
    *step = (struct tf_loop_step){.id = (uint8_t)insn->id, .rd = insn->rd != 0 ? insn->rd : TF_OP_SINK,
                                  .rs1 = insn->rs1, .rs2 = insn->rs2, .imm = (uint32_t)insn->imm};
    if ((kind != TF_EXEC_PURE && kind != TF_EXEC_LOAD) || tf_park_floats(insn) || insn->id == TF_RV_FLW ||
        insn->id == TF_RV_FLH)
        return false;
    switch (insn->id) {
    case TF_RV_FENCE:
        --*steps;
        break;
    case TF_RV_AUIPC:
        *step = (struct tf_loop_step){.id = TF_RV_LUI, .rd = step->rd, .imm = pc + step->imm};
        break;
    case TF_RV_JAL:
        *step = (struct tf_loop_step){.id = TF_RV_LUI, .rd = step->rd, .imm = pc + 4};
        *steps -= insn->rd == 0;
        break;
    case TF_RV_JALR:
        step->rs2 = (uint8_t)place;
        break;
#define X(id, ...) case TF_RV_##id:
    TF_BRANCHES(X)
#undef X
        step->imm = pcs[place + 1] == pc + step->imm;
        break;
    default:
        break;
    }
    return true;
}

/* The loop that begins at pc, or NULL. */
static inline struct tf_loop *find(struct tf_park *park, uint32_t pc)
{
    for (unsigned i = 0; i < TF_PARK_LOOPS; i++)
        if (park->loop_at[i] == (pc | TF_LOOP_HERE))
            return &park->loop[i];
    return NULL;
}

static inline const struct tf_loop_code *code_of(const struct tf_park *park, const struct tf_loop *loop)
{
    return &park->notes->loop[loop - park->loop];
}

/* What a branch tests, and in *says what the test says when it is taken. */
static enum tf_poll_test test_of(unsigned branch, bool *says)
{
    *says = branch == TF_RV_BEQ || branch == TF_RV_BLT || branch == TF_RV_BLTU;
    switch (branch) {
    case TF_RV_BEQ:
    case TF_RV_BNE:
        return TF_POLL_EQUAL;
    case TF_RV_BLT:
    case TF_RV_BGE:
        return TF_POLL_LESS;
    case TF_RV_BLTU:
    case TF_RV_BGEU:
        return TF_POLL_BELOW;
    default:
        return TF_POLL_NONE;
    }
}

/* Put down the arithmetic of a poll. False: it is other arithmetic. */
static bool computes(struct tf_poll *poll, const struct tf_loop_step *step)
{
    if (step->rs1 != poll->rd)
        return false;
    switch (step->id) {
    case TF_RV_ADDI:
        poll->addend = step->imm;
        return true;
    case TF_RV_ANDI:
        poll->mask = step->imm;
        return true;
    case TF_RV_SUB:
        poll->less = step->rs2;
        return step->rs2 != poll->rd && step->rs2 != poll->result;
    default:
        return false;
    }
}

/* Does a loop poll one word? Then each round is as the last one, as it does not write what the address comes from. */
static void make_poll(struct tf_loop *loop, const struct tf_loop_step *step)
{
    if (loop->steps < 2 || loop->steps > 3 || step[0].id != TF_RV_LW)
        return;
    const struct tf_loop_step *load = &step[0], *last = &step[loop->steps - 1];
    const struct tf_loop_step *between = loop->steps == 3 ? &step[1] : NULL;
    unsigned result = between != NULL ? between->rd : load->rd;
    struct tf_poll poll = {
        .watch = {.size = 4, .mask = UINT32_MAX},
        .offset = load->imm,
        .mask = UINT32_MAX,
        .base = load->rs1,
        .rd = load->rd,
        .result = (uint8_t)result,
        .rs1 = last->rs1,
        .rs2 = last->rs2,
    };
    if (load->rd == TF_OP_SINK || result == TF_OP_SINK || load->rs1 == load->rd || load->rs1 == result ||
        (between != NULL && !computes(&poll, between)))
        return;
    bool says;
    poll.test = (uint8_t)test_of(last->id, &says);
    poll.waits = says == (last->imm != 0);
    loop->poll = poll;
}

/* The parked hart's period as a loop. False: it is none to be recognised. */
static bool make_loop(const struct tf_park *park, struct tf_loop *loop, struct tf_loop_code *code)
{
    uint32_t live;
    *loop = (struct tf_loop){
        .generation = park->generation, .period = park->period, .transfers = (uint8_t)park->transfers};
    if (park->period > TF_LOOP_STEPS || park->watches > TF_LOOP_WATCHES || !park->plain || park->floats)
        return false;
    live = tf_loop_live(park->insn, park->period, &loop->written);
    if (live == UINT32_MAX)
        return false;
    loop->kept = live & loop->written;
    memcpy(code->transfer, park->transfer, park->transfers * sizeof code->transfer[0]);
    memcpy(code->pc, park->pc, park->period * sizeof code->pc[0]);
    memcpy(code->insn, park->insn, park->period * sizeof code->insn[0]);
    code->pc[park->period] = code->pc[0];
    for (unsigned i = 0; i < park->period; i++)
        if (!compile(code->step, &loop->steps, &code->insn[i], code->pc, i))
            return false;
    make_poll(loop, code->step);
    return true;
}

void tf_loop_remember(struct tf_park *park)
{
    struct tf_loop loop;
    struct tf_loop_code code;
    if (!make_loop(park, &loop, &code))
        return;
    struct tf_loop *place = find(park, code.pc[0]);
    if (place == NULL) {
        place = &park->loop[park->loop_oldest];
        park->loop_oldest = (uint8_t)((park->loop_oldest + 1) % TF_PARK_LOOPS);
    }
    *place = loop;
    park->notes->loop[place - park->loop] = code;
    park->loop_at[place - park->loop] = code.pc[0] | TF_LOOP_HERE;
}

/* The code of a loop is as it was noted, and kept decoded. */
static __attribute__((noinline)) bool stands(struct tf_tile *tile, struct tf_loop *loop,
                                             const struct tf_loop_code *code)
{
    struct tf_code_page *page = NULL;
    for (unsigned i = 0; i < loop->period; i++) {
        const struct tf_rv_insn *insn = tf_park_insn(tile, code->pc[i], &page);
        if (insn == NULL || insn->word != code->insn[i].word)
            return false;
    }
    loop->generation = tile->code_generation;
    return true;
}

static __attribute__((noinline)) bool place_anywhere(struct tf_tile *tile, const struct tf_hart *hart,
                                                     struct tf_watch *watch)
{
    return tf_watch_place(tile, hart, watch);
}

/* The word at an address where loops look most; NULL: it may be elsewhere. */
static inline const uint32_t *usual_word(const struct tf_tile *tile, uint32_t address)
{
    if (address % 4 == 0 && address < tile->arch->l1_bytes)
        return (const uint32_t *)(const void *)(tile->l1 + address);
    return tf_port_reaches(address) ? tf_port_word(&tile->port, address) : NULL;
}

/* What a load sees, in *value and among what the round has seen. False: no plain word, too many, or another value than
   a moment ago. */
static inline bool look(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size, unsigned *count,
                        uint32_t *value)
{
    struct tf_watch *list = hart->park.seen, *watch = &list[*count];
    watch->address = address;
    watch->size = (uint8_t)size;
    watch->at = size == 4 ? usual_word(tile, address) : NULL;
    watch->mask = UINT32_MAX;
    watch->shift = 0;
    if (watch->at == NULL && !place_anywhere(tile, hart, watch))
        return false;
    *value = watch->value = tf_watch_value(watch);
    for (unsigned i = 0; i < *count; i++)
        if (list[i].address == address && list[i].size == size)
            return list[i].value == *value;
    return ++*count <= TF_LOOP_WATCHES;
}

/* Take steps, of instructions at pc[], and count the places they see. False: they go another way, or see what they must
   not. */
static inline bool go(struct tf_tile *tile, struct tf_hart *hart, const struct tf_loop_step *step, unsigned steps,
                      const uint32_t *pc, unsigned *seen)
{
    uint32_t *x = hart->x;
    uint32_t value;
    *seen = 0;
    for (const struct tf_loop_step *end = step + steps; step != end; step++) {
        uint32_t a = x[step->rs1], b = x[step->rs2];
        switch (step->id) {
#define X(id, ...)                            \
        case TF_RV_##id:                      \
            x[step->rd] = tf_alu_##id(a, b);  \
            break;
        TF_ALU_BINARY(X)
        TF_ALU_UNARY(X)
#undef X
#define X(id, ...)                                    \
        case TF_RV_##id:                              \
            x[step->rd] = tf_alu_##id(a, step->imm);  \
            break;
        TF_ALU_IMMEDIATE(X)
#undef X
#define X(id, ...)                               \
        case TF_RV_##id:                         \
            if (tf_alu_##id(a, b) != step->imm)  \
                return false;                    \
            break;
        TF_BRANCHES(X)
#undef X
#define X(id, type, shift)                                                    \
        case TF_RV_##id:                                                      \
            if (!look(tile, hart, a + step->imm, 1u << (shift), seen, &value)) \
                return false;                                                 \
            x[step->rd] = (uint32_t)(type)value;                              \
            break;
        TF_LOADS(X)
#undef X
        case TF_RV_LUI:
            x[step->rd] = step->imm;
            break;
        default: /* jalr */
            if (((a + step->imm) & ~1u) != pc[step->rs2 + 1])
                return false;
            x[step->rd] = pc[step->rs2] + 4;
            break;
        }
    }
    return true;
}

/* Registers, as bits, from x[] to where they are kept or back. */
static inline void keep(uint32_t *kept, const uint32_t *x, uint32_t registers)
{
    for (; registers != 0; registers &= registers - 1)
        kept[__builtin_ctz(registers)] = x[__builtin_ctz(registers)];
}

/* Does a round leave all registers as they are that the next one reads? If not, nothing has happened. */
static inline bool settles(struct tf_tile *tile, struct tf_hart *hart, const struct tf_loop *loop,
                           const struct tf_loop_code *code, unsigned *seen)
{
    uint32_t before[32], *x = hart->x;
    keep(before, x, loop->written);
    bool settled = go(tile, hart, code->step, loop->steps, code->pc, seen);
    for (uint32_t kept = loop->kept; kept != 0 && settled; kept &= kept - 1)
        settled = x[__builtin_ctz(kept)] == before[__builtin_ctz(kept)];
    if (!settled)
        keep(x, before, loop->written);
    return settled;
}

/* The hart is where the loop begins, which it has gone round once more: it parks, to repeat that. */
static inline void park_in(struct tf_tile *tile, struct tf_hart *hart, const struct tf_loop *loop,
                           const struct tf_loop_code *code, const struct tf_watch *watch, unsigned watches)
{
    struct tf_park *park = &hart->park;
    if (park->pc != code->pc) { /* else they are this loop's still: a probe begins by making pc that of the notes */
        park->pc = code->pc;
        park->insn = code->insn;
        park->transfer = code->transfer;
        park->period = loop->period;
        park->transfers = loop->transfers;
        park->plain = true;
    }
    park->floats = false;
    park->watch = watch;
    park->watches = (uint8_t)watches;
    park->generation = loop->generation;
    hart->cycle += loop->period;
    hart->instret += loop->period;
    tile->executed += loop->period;
    tf_park_begin(hart);
}

static __attribute__((noinline)) bool waits_again(struct tf_tile *tile, struct tf_hart *hart,
                                                  const struct tf_loop *loop)
{
    const struct tf_loop_code *code = code_of(&hart->park, loop);
    unsigned seen;
    if (!settles(tile, hart, loop, code, &seen))
        return false;
    park_in(tile, hart, loop, code, hart->park.seen, seen);
    return true;
}

/* Has the word of a poll been found? It stays where it is for as long as the address does. */
static inline bool finds_word(const struct tf_tile *tile, struct tf_watch *watch, uint32_t address)
{
    if (LIKELY(watch->address == address && watch->at != NULL))
        return true;
    watch->address = address;
    watch->at = usual_word(tile, address);
    return watch->at != NULL;
}

static inline bool passes(const struct tf_poll *poll, uint32_t a, uint32_t b)
{
    if (LIKELY(poll->test == TF_POLL_EQUAL))
        return a == b;
    return poll->test == TF_POLL_LESS ? (int32_t)a < (int32_t)b : a < b;
}

/* As waits_again(), in a loop that polls a word which has been found. */
static inline bool polls_again(struct tf_tile *tile, struct tf_hart *hart, struct tf_loop *loop)
{
    struct tf_poll *poll = &loop->poll;
    uint32_t *x = hart->x, *rd = &x[poll->rd], *result = &x[poll->result];
    uint32_t was = *rd, was_result = *result, value = __atomic_load_n(poll->watch.at, __ATOMIC_RELAXED);
    poll->watch.value = value;
    *rd = value;
    *result = (value & poll->mask) + poll->addend - x[poll->less];
    if (passes(poll, x[poll->rs1], x[poll->rs2]) == poll->waits) {
        park_in(tile, hart, loop, code_of(&hart->park, loop), &poll->watch, 1);
        return true;
    }
    *rd = was;
    *result = was_result;
    return false;
}

bool tf_loop_recall(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    struct tf_loop *loop = find(park, hart->pc);
    if (loop == NULL || hart->cycle + RECALL_CYCLES >= deadline ||
        (park->probing && park->anchored && park->window >= TF_PARK_PERIOD))
        return false;
    struct tf_poll *poll = &loop->poll;
    if (loop->generation != tile->code_generation && !stands(tile, loop, code_of(park, loop))) {
        park->loop_at[loop - park->loop] = 0;
        return false;
    }
    if (poll->test != TF_POLL_NONE && finds_word(tile, &poll->watch, hart->x[poll->base] + poll->offset))
        return polls_again(tile, hart, loop);
    return waits_again(tile, hart, loop);
}

/* Where a path that begins at pc has its place. */
static inline unsigned path_place(uint32_t pc)
{
    return pc / 4 % TF_PARK_PATHS;
}

void tf_path_remember(struct tf_tile *tile, struct tf_hart *hart, const uint32_t *pc, unsigned count)
{
    struct tf_path *path = &hart->park.notes->path[path_place(pc[0])];
    struct tf_rv_insn insn[TF_PATH_STEPS];
    struct tf_code_page *page = NULL;
    hart->park.path_at[path_place(pc[0])] = 0;
    path->generation = tile->code_generation;
    path->count = (uint8_t)(count - 1);
    path->steps = 0;
    memcpy(path->pc, pc, count * sizeof pc[0]);
    for (unsigned i = 0; i < count; i++) {
        const struct tf_rv_insn *at = tf_park_insn(tile, pc[i], &page);
        if (at == NULL)
            return;
        *(i == path->count ? &path->store : &insn[i]) = *at;
    }
    for (unsigned i = 0; i < path->count; i++)
        if (!compile(path->step, &path->steps, &insn[i], pc, i))
            return;
    bool floats = path->store.id == TF_RV_FSW || path->store.id == TF_RV_FSH;
    if (tf_exec_kind[path->store.id] == TF_EXEC_STORE && !floats &&
        tf_loop_live(insn, path->count, &path->written) != UINT32_MAX)
        hart->park.path_at[path_place(pc[0])] = pc[0] | TF_LOOP_HERE;
}

/* A store that is sure to have an effect, and to retire: one that changes memory, or to a register of a request. */
static inline bool surely_stores(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    struct tf_watch what = {.address = hart->x[insn->rs1] + (uint32_t)insn->imm, .size = (uint8_t)tf_exec_size(insn)};
    const uint32_t *words = tf_port_initiator(&tile->port, what.address);
    if (words != NULL)
        return what.size == 4 && words[TF_PORT_CMD_CTRL] == 0 && tf_port_keeps(what.address & TF_PORT_OFFSET_MASK);
    return tf_watch_memory(tile, hart, &what) && tf_watch_value(&what) != (hart->x[insn->rs2] & what.mask);
}

/* The hart is where the path begins. */
static __attribute__((noinline)) bool ends_again(struct tf_tile *tile, struct tf_hart *hart,
                                                 const struct tf_path *path)
{
    uint32_t before[32];
    unsigned seen;
    keep(before, hart->x, path->written);
    if (!go(tile, hart, path->step, path->steps, path->pc, &seen) || !surely_stores(tile, hart, &path->store)) {
        keep(hart->x, before, path->written);
        return false;
    }
    hart->pc = path->pc[path->count];
    hart->cycle += path->count;
    hart->instret += path->count;
    tile->executed += path->count;
    return true;
}

bool tf_path_recall(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    const struct tf_park *park = &hart->park;
    unsigned place = path_place(hart->pc);
    const struct tf_path *path = &park->notes->path[place];
    return park->path_at[place] == (hart->pc | TF_LOOP_HERE) && path->generation == tile->code_generation &&
           hart->cycle + TF_PATH_STEPS < deadline && ends_again(tile, hart, path);
}
