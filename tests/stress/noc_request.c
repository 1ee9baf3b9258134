/* SPDX-License-Identifier: Apache-2.0 */
#include "noc_request.h"

#include "noc/atomic.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

enum { CTRL_READ, CTRL_ATOMIC, CTRL_WRITE };

#define WR_BE (1u << 2)
#define WR_INLINE (1u << 3)
#define RESP_MARKED (1u << 4)
#define BRCST (1u << 5)
#define BRCST_XY (1u << 16)
#define SRC_INCLUDE (1u << 17)
#define HEADER_STORE (1u << 9)

static uint32_t xy(struct tf_coord at)
{
    return at.x | (uint32_t)at.y << 6;
}

struct asker {
    struct dice *dice;
    const struct plan *plan;
    struct noc_request *to;
    uint32_t self;
};

/* A tile that runs programs: oneself, a neighbour, or any. */
static uint32_t some_tile(const struct asker *of)
{
    if (one_in(of->dice, 5))
        return of->self;
    unsigned few = of->plan->tiles < 4 || one_in(of->dice, 2) ? of->plan->tiles : 4;
    return xy(of->plan->tile[pick(of->dice, few)]);
}

static uint32_t some_eth(const struct asker *of)
{
    return pick_between(of->dice, 20, 31) | 25u << 6;
}

static uint32_t some_dram(const struct asker *of)
{
    return (17 + pick(of->dice, 2)) | pick_between(of->dice, 12, 23) << 6;
}

static uint32_t some_length(struct dice *dice)
{
    switch (pick(dice, 10)) {
    case 0: return pick_between(dice, 2049, 16384);
    case 1: return pick_between(dice, 16385, 50000);
    case 2: return 2048 + pick(dice, 3) - 1;
    case 3:
    case 4: return pick_between(dice, 65, 2048);
    case 5: return 4;
    default: return pick_between(dice, 1, 64);
    }
}

/* An address for so many bytes. It equals `other` modulo 64, which suits every pair of memories. */
static uint32_t some_place(struct dice *dice, uint32_t length, uint32_t other)
{
    bool far = length > 64 || one_in(dice, 4);
    uint32_t base = far ? BULK : one_in(dice, 3) ? HOT : NEAR;
    uint32_t bytes = far ? BULK_BYTES : base == HOT ? HOT_BYTES / 2 : NEAR_BYTES;
    if (far && !one_in(dice, 3))
        bytes = length + 256 < bytes ? length + 256 : bytes; /* where others are too */
    uint32_t room = (bytes - (length < bytes - 128 ? length : bytes - 128)) / 64;
    return base + pick(dice, room > 1 ? room - 1 : 1) * 64 + other % 64;
}

static uint32_t some_corner_rows(const struct asker *of, uint32_t *columns)
{
    uint32_t x0 = pick(of->dice, 17), x1 = pick(of->dice, 17), y0 = pick(of->dice, 12), y1 = pick(of->dice, 12);
    if (!one_in(of->dice, 4)) { /* around tiles with programs */
        const struct plan *plan = of->plan;
        struct tf_coord a = plan->tile[pick(of->dice, plan->tiles)], b = plan->tile[pick(of->dice, plan->tiles)];
        x0 = a.x, y0 = a.y, x1 = b.x, y1 = b.y;
    }
    *columns = x0 << 12 | x1;
    return y0 << 18 | y1 << 6;
}

static uint32_t some_rectangle(const struct asker *of)
{
    uint32_t columns;
    uint32_t rows = some_corner_rows(of, &columns);
    if (one_in(of->dice, 3))
        of->to->word[N_EXCLUDE] = 1u << 22 | pick(of->dice, 4) << 20 | pick(of->dice, 12) << 14 |
                                  pick(of->dice, 17) << 8;
    return rows | columns;
}

/* Transactions with more than one answer, or whose answers go elsewhere. A core cannot wait for their counter. */
static void tag_uncounted(const struct asker *of)
{
    of->to->word[N_TAG] = (of->to->word[N_TAG] & ~(15u << 10)) | 15u << 10;
}

static uint32_t multicast_bits(const struct asker *of)
{
    tag_uncounted(of);
    return BRCST | (one_in(of->dice, 2) ? BRCST_XY : 0) | (one_in(of->dice, 2) ? SRC_INCLUDE : 0);
}

static void ask_read(const struct asker *of)
{
    struct noc_request *to = of->to;
    uint32_t length = some_length(of->dice), phase = length > 16384 ? 0 : pick(of->dice, 64);
    to->word[N_CTRL] = CTRL_READ;
    to->word[N_AT_LEN] = length;
    to->word[N_TARG_LO] = some_place(of->dice, length, phase);
    to->word[N_RET_LO] = some_place(of->dice, length, phase);
    to->word[N_RET_HI] = of->self;
    to->word[N_TARG_HI] = some_tile(of);
    if (one_in(of->dice, 5)) {
        tag_uncounted(of);
        to->word[N_RET_HI] = some_tile(of);
    }
    if (one_in(of->dice, 5))
        to->word[N_TARG_HI] = some_dram(of);
    else if (one_in(of->dice, 8))
        to->word[N_TARG_HI] = some_eth(of);
    if (one_in(of->dice, 10)) {
        tag_uncounted(of);
        to->word[N_RET_HI] = one_in(of->dice, 2) ? some_dram(of) : some_eth(of);
    }
}

static void ask_write(const struct asker *of)
{
    struct noc_request *to = of->to;
    uint32_t length = some_length(of->dice), phase = length > 16384 ? 0 : pick(of->dice, 64);
    bool answered = one_in(of->dice, 2);
    to->word[N_CTRL] = CTRL_WRITE | (answered ? RESP_MARKED : 0);
    to->word[N_AT_LEN] = length;
    to->word[N_TARG_LO] = some_place(of->dice, length, phase);
    to->word[N_TARG_HI] = of->self;
    if (answered && one_in(of->dice, 6)) {
        tag_uncounted(of);
        to->word[N_TARG_HI] = some_tile(of);
    }
    to->word[N_RET_LO] = some_place(of->dice, length, phase);
    to->word[N_RET_HI] = some_tile(of);
    if (one_in(of->dice, 5))
        to->word[N_RET_HI] = some_dram(of);
    else if (one_in(of->dice, 8))
        to->word[N_RET_HI] = some_eth(of);
    if (one_in(of->dice, 4)) {
        to->word[N_RET_HI] = some_rectangle(of);
        to->word[N_CTRL] |= multicast_bits(of);
    }
    if (!answered && one_in(of->dice, 6)) {
        to->word[N_TAG] |= HEADER_STORE;
        to->word[N_AT_DATA] = (NEAR + pick(of->dice, NEAR_BYTES / 16 - 1) * 16) >> 4;
    }
    if (one_in(of->dice, 6)) {
        to->word[N_CTRL] |= WR_BE;
        to->word[N_TARG_LO] = some_place(of->dice, 64, 0);
        to->word[N_RET_LO] = some_place(of->dice, 64, 0);
        to->word[N_AT_LEN] = roll(of->dice) & roll(of->dice);
        to->word[N_AT_LEN_1] = one_in(of->dice, 2) ? roll(of->dice) : 0;
    }
}

static void ask_atomic(const struct asker *of)
{
    static const struct {
        uint16_t match, operands;
        char profiles;
    } rows[] = {
#define X(name, profiles, select, match, operands, kind, code, ofs, summary) {match, operands, #profiles[0]},
        TF_NOC_ATOMICS(X)
#undef X
    };
    static const char other[] = {[TF_ATOMICS_ISA] = 'e', [TF_ATOMICS_EMU_SPEC] = 'i'};
    struct noc_request *to = of->to;
    bool answered = one_in(of->dice, 2);
    to->word[N_CTRL] = CTRL_ATOMIC | (answered ? RESP_MARKED : 0);
    unsigned row;
    do
        row = pick(of->dice, sizeof rows / sizeof rows[0]);
    while (rows[row].profiles == other[of->plan->atomics]);
    to->word[N_AT_LEN] = rows[row].match | (roll(of->dice) & rows[row].operands);
    if (one_in(of->dice, 3))
        to->word[N_AT_LEN] = 0x1000 | 31u << 2 | pick(of->dice, 4); /* increments, most of all */
    to->word[N_AT_DATA] = one_in(of->dice, 2) ? pick(of->dice, 8) : roll(of->dice);
    to->word[N_TARG_LO] = HOT + pick(of->dice, 16) * 4;
    to->word[N_TARG_HI] = one_in(of->dice, 10) ? some_eth(of) : some_tile(of);
    to->word[N_RET_LO] = HOT + 0x80 + pick(of->dice, 32) * 4;
    to->word[N_RET_HI] = of->self;
    if (one_in(of->dice, 4)) {
        tag_uncounted(of);
        to->word[N_RET_HI] = some_tile(of);
    }
    if (one_in(of->dice, 4)) {
        to->word[N_TARG_HI] = some_rectangle(of);
        to->word[N_CTRL] |= multicast_bits(of);
    }
}

/* Registers of tiles that others may write: streams, interrupts, NIUs, resets, the timestamper, other cores' RAM. */
static uint32_t some_register(struct dice *dice, uint32_t *value)
{
    *value = roll(dice);
    switch (pick(dice, 12)) {
    case 0:
    case 1: *value &= ~63u; return TF_STREAM_BASE + pick(dice, 6) * 0x1000u + 270 * 4;
    case 2: return TF_STREAM_BASE + pick(dice, 6) * 0x1000u + (one_in(dice, 2) ? 10 : 8) * 4;
    case 3:
    case 4: return PIC_AT(SW_INT) + pick(dice, 4) * 4;
    case 5: return TF_LOCAL_OF_B_BASE + 0x400 + pick(dice, 5) * 0x2000u + pick(dice, 64) * 4;
    case 6: /* NOC_CMD_CTRL of the initiator that programs leave to others */
        *value = 1;
        return NIU_AT(0, CMD_CTRL) + 3 * TF_NOC_INITIATOR_BYTES + pick(dice, 2) * 0x10000u;
    case 7: /* and its registers */
        *value = one_in(dice, 2) ? HOT + pick(dice, 16) * 4 : pick(dice, 2) << 4;
        return TF_NIU_BASE(0) + 3 * TF_NOC_INITIATOR_BYTES + pick(dice, 2) * 0x10000u +
               (one_in(dice, 2) ? N_TARG_LO : N_CTRL) * 4;
    case 8: /* a timestamp of 128 bits, which goes to L1 */ *value = roll(dice) & ~7u; return DEBUG_AT(TIMESTAMP);
    case 9:
        *value = one_in(dice, 2) ? 0x47000u & ~(1u << (12 + pick(dice, 3))) : 0;
        return one_in(dice, 6) ? DEBUG_AT(SOFT_RESET_0) : DEBUG_AT(STOCH_RND_MASK);
    case 10: /* NIU_TRANS_COUNT_RTZ_CFG, and the clearing of counters */
        *value &= 0xFF;
        return one_in(dice, 4) ? TF_NIU_BASE(0) + 0x60 : NIU_CONFIG(0, 30) + pick(dice, 2) * 4;
    default: /* an instruction for a thread through the debug bus: ATINCGET on what GPR 1 names */
        *value = one_in(dice, 2) ? 0x6107C101u : pick(dice, 0x80);
        return *value < 0x80 ? DEBUG_AT(PUSH_CTRL0) : DEBUG_AT(PUSH_CTRL1);
    }
}

static void ask_register(const struct asker *of)
{
    struct noc_request *to = of->to;
    uint32_t value, address = some_register(of->dice, &value);
    bool answered = one_in(of->dice, 2);
    if (one_in(of->dice, 4)) { /* read it */
        uint32_t return_address = HOT + pick(of->dice, 16) * 16;
        to->word[N_CTRL] = CTRL_READ;
        to->word[N_TARG_LO] = address;
        to->word[N_TARG_HI] = some_tile(of);
        to->word[N_RET_LO] = return_address + address % 16;
        to->word[N_RET_HI] = of->self;
        to->word[N_AT_LEN] = 4;
        return;
    }
    to->word[N_CTRL] = CTRL_WRITE | WR_INLINE | (answered ? RESP_MARKED : 0);
    to->word[N_TARG_LO] = one_in(of->dice, 12) ? HOT + pick(of->dice, 32) * 4 : address;
    to->word[N_TARG_HI] = some_tile(of);
    to->word[N_AT_DATA] = value;
    to->word[N_AT_LEN] = 0xF;
    if (one_in(of->dice, 5)) {
        to->word[N_TARG_HI] = some_rectangle(of);
        to->word[N_CTRL] |= multicast_bits(of);
    }
}

/* One register with a wrong value. */
static void spoil(const struct asker *of)
{
    struct noc_request *to = of->to;
    switch (pick(of->dice, 7)) {
    case 0: to->word[N_AT_LEN] = 0; break;
    case 1: to->word[N_TARG_LO] ^= 1; break;
    case 2: to->word[N_CTRL] |= 3; break;
    case 3: to->word[N_RET_HI] = 63 | 63u << 6; break;
    case 4: to->word[N_TARG_LO] = 0x17FFF0u + pick(of->dice, 32); break;
    case 5: to->word[N_RET_LO] = roll(of->dice); break;
    default: to->word[pick(of->dice, NOC_WORDS)] = roll(of->dice); break;
    }
}

void random_request(struct dice *dice, const struct plan *plan, unsigned tile, unsigned core,
                    struct noc_request *request)
{
    struct asker of = {.dice = dice, .plan = plan, .to = request, .self = xy(plan->tile[tile])};
    *request = (struct noc_request){.noc = pick(dice, 2), .initiator = core % 3};
    /* Two pairs of cores share an initiator. Each core of a pair keeps to one NOC. */
    if (core >= 3)
        request->noc = 1;
    else if (core < 2)
        request->noc = 0;
    request->word[N_TAG] = (one_in(dice, 20) ? pick(dice, 16) : core) << 10;
    switch (pick(dice, 8)) {
    case 0:
    case 1: ask_read(&of); break;
    case 2:
    case 3: ask_write(&of); break;
    case 4:
    case 5: ask_atomic(&of); break;
    case 6: ask_register(&of); break;
    default: one_in(dice, 2) ? ask_write(&of) : ask_atomic(&of); break;
    }
    if (plan->mischief != 0 && one_in(dice, plan->mischief))
        spoil(&of);
}

void emit_request(struct code *code, const struct noc_request *request)
{
    enum { X_BASE = 26, X_VALUE = 27 };
    li(code, X_BASE, TF_NIU_BASE(0) + request->noc * 0x10000u + request->initiator * 0x800u);
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_BASE, 0x40));
    branch_to(code, BNE, X_VALUE, 0, loop);
    for (unsigned i = 0; i < NOC_WORDS; i++) {
        if (request->word[i] == 0) {
            put(code, rv_s(SW, 0, X_BASE, i * 4));
            continue;
        }
        li(code, X_VALUE, request->word[i]);
        put(code, rv_s(SW, X_VALUE, X_BASE, i * 4));
    }
    put(code, rv_i(ADDI, X_VALUE, 0, 1));
    put(code, rv_s(SW, X_VALUE, X_BASE, 0x40));
}
