/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/park_loop.h"

#include <string.h>

/* More cycles than a probe that comes upon a loop of TF_LOOP_STEPS would need to end there. */
#define RECALL_CYCLES 128u

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
static bool compile(struct tf_loop_step *step, uint32_t *steps, const struct tf_rv_insn *insn, const uint32_t *pcs,
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
            return &park->notes->loop[i];
    return NULL;
}

void tf_loop_remember(struct tf_park *park)
{
    struct tf_loop loop = {.generation = park->generation, .period = park->period, .transfers = park->transfers};
    uint32_t live;
    if (park->period > TF_LOOP_STEPS || park->watches > TF_LOOP_WATCHES || !park->plain || park->floats)
        return;
    live = tf_loop_live(park->insn, park->period, &loop.written);
    if (live == UINT32_MAX)
        return;
    loop.kept = live & loop.written;
    memcpy(loop.transfer, park->transfer, park->transfers * sizeof loop.transfer[0]);
    memcpy(loop.pc, park->pc, park->period * sizeof loop.pc[0]);
    memcpy(loop.insn, park->insn, park->period * sizeof loop.insn[0]);
    loop.pc[park->period] = loop.pc[0];
    for (unsigned i = 0; i < park->period; i++)
        if (!compile(loop.step, &loop.steps, &loop.insn[i], loop.pc, i))
            return;
    struct tf_loop *place = find(park, loop.pc[0]);
    if (place == NULL) {
        place = &park->notes->loop[park->loop_oldest];
        park->loop_oldest = (uint8_t)((park->loop_oldest + 1) % TF_PARK_LOOPS);
    }
    *place = loop;
    park->loop_at[place - park->notes->loop] = loop.pc[0] | TF_LOOP_HERE;
}

/* The code of a loop is as it was noted, and kept decoded. */
static __attribute__((noinline)) bool stands(struct tf_tile *tile, struct tf_loop *loop)
{
    struct tf_code_page *page = NULL;
    for (unsigned i = 0; i < loop->period; i++) {
        const struct tf_rv_insn *insn = tf_park_insn(tile, loop->pc[i], &page);
        if (insn == NULL || insn->word != loop->insn[i].word)
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
static inline bool settles(struct tf_tile *tile, struct tf_hart *hart, const struct tf_loop *loop, unsigned *seen)
{
    uint32_t before[32], *x = hart->x;
    keep(before, x, loop->written);
    bool settled = go(tile, hart, loop->step, loop->steps, loop->pc, seen);
    for (uint32_t kept = loop->kept; kept != 0 && settled; kept &= kept - 1)
        settled = x[__builtin_ctz(kept)] == before[__builtin_ctz(kept)];
    if (!settled)
        keep(x, before, loop->written);
    return settled;
}

/* The hart is where the loop begins. */
static __attribute__((noinline)) bool waits_again(struct tf_tile *tile, struct tf_hart *hart, struct tf_loop *loop)
{
    struct tf_park *park = &hart->park;
    unsigned seen;
    if (loop->generation != tile->code_generation && !stands(tile, loop)) {
        park->loop_at[loop - park->notes->loop] = 0;
        return false;
    }
    if (!settles(tile, hart, loop, &seen))
        return false;
    park->watch = park->seen;
    park->pc = loop->pc;
    park->insn = loop->insn;
    park->transfer = loop->transfer;
    park->period = loop->period;
    park->transfers = loop->transfers;
    park->generation = loop->generation;
    park->watches = (uint8_t)seen;
    park->floats = false;
    park->plain = true;
    hart->cycle += loop->period;
    hart->instret += loop->period;
    tile->executed += loop->period;
    tf_park_begin(hart);
    return true;
}

bool tf_loop_recall(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    if (hart->cycle + RECALL_CYCLES >= deadline ||
        (park->probing && park->anchored && park->window >= TF_PARK_PERIOD))
        return false;
    struct tf_loop *loop = find(park, hart->pc);
    return loop != NULL && waits_again(tile, hart, loop);
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
    path->count = count - 1;
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
