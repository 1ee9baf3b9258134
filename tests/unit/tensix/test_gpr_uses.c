/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions read and write exactly the GPRs that tensix.def lists. Random instructions act on random registers, and
 * again after registers have changed. Each register of an operand that is listed as read must have an effect, for each
 * value of the word's narrow fields.
 */
#include <inttypes.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/scalar/operands.h"
#include "tile/tensix/thcon.h"
#include "unit/tensix/bare.h"

#define THREAD 1u
#define ROUNDS 800u
#define CLAIMS_MIN 40u /* fewer of them may all be without an effect */
#define LINES_USED 0x120u
#define FIELDS_MAX 8u
#define NARROW 2u /* bits */

/* The part of L1 that the instructions reach. */
static uint32_t l1[LINES_USED * 4];

enum extent { NONE, ONE, TWO, THREE, FOUR };

/* The fields that name GPRs, as tensix.def has them. */
struct operand {
    const char *name;
    uint8_t opcode, first, width;
    enum extent (*reads)(uint32_t word), (*writes)(uint32_t word);
};

#undef W /* of bare.h */
#define W(op, name) TF_FIELD(word, op, name)
#define F(op, name, first, width)
#define GPR(op, name, first, width, reads, writes)         \
    static enum extent op##_##name##_reads(uint32_t word)  \
    {                                                      \
        (void)word;                                        \
        return reads;                                      \
    }                                                      \
    static enum extent op##_##name##_writes(uint32_t word) \
    {                                                      \
        (void)word;                                        \
        return writes;                                     \
    }
#define OP(name, opcode, unit, block, sync_class, flags, fields) fields
#include "tile/tensix/isa/tensix.def"
#undef OP
#define GPR(op, name, first, width, reads, writes) \
    {#name, TF_OP_##op, first, width, op##_##name##_reads, op##_##name##_writes},
#define OP(name, opcode, unit, block, sync_class, flags, fields) fields
static const struct operand operands[] = {
#include "tile/tensix/isa/tensix.def"
};
#undef OP
#undef F
#undef W
#define OPERANDS (sizeof operands / sizeof operands[0])
#define NONE_OF_FOUR 4u /* the operand is one register */

/* What the list claims and what was observed: by operand, its register, narrow field of the word, and value of that
   field. */
struct claims {
    unsigned claimed, seen;
};
static struct claims reads[OPERANDS][NONE_OF_FOUR + 1][FIELDS_MAX][1u << NARROW];
static struct claims writes[OPERANDS][NONE_OF_FOUR + 1][FIELDS_MAX][1u << NARROW];

struct outcome {
    uint32_t gpr[3][TF_GPRS], l1[LINES_USED * 4];
    uint64_t rest;
    uint32_t stored_address, stored_value, mmio_stores, faults;
    bool unfinished;
};

static void act(struct bare *bare, const uint32_t gpr[3][TF_GPRS], uint32_t word, struct outcome *after)
{
    struct tf_thcon *thcon = bare->tile.tensix->thcon;
    memcpy(thcon->gpr, gpr, sizeof thcon->gpr);
    memcpy(bare->tile.l1, l1, sizeof l1);
    bare->mmio_stores = bare->stored_address = bare->stored_value = bare->tile.faults.count = 0;
    bare->tile.tensix->thread[THREAD].faulted = false;
    tf_tensix_dispatch[word >> 24](&bare->tile, THREAD, word);
    memset(after, 0, sizeof *after);
    memcpy(after->gpr, thcon->gpr, sizeof after->gpr);
    memcpy(after->l1, bare->tile.l1, sizeof after->l1);
    after->faults = (uint32_t)bare->tile.faults.count;
    after->mmio_stores = bare->mmio_stores;
    after->stored_address = bare->stored_address;
    after->stored_value = bare->stored_value;
    after->unfinished = thcon->unfinished;
    thcon->unfinished = false;
    bare->tile.tensix->thread[THREAD].faulted = false;
    memset(thcon->gpr, 0, sizeof thcon->gpr);
    after->rest = bare_hash(bare);
}

/* Does the outcome depend on some registers? Their own values do not count. */
static bool depends(struct bare *bare, const uint32_t before[3][TF_GPRS], uint32_t word, uint64_t mask)
{
    static struct outcome outcome, other;
    static struct tf_backend_config config; /* CFGSHIFTMASK modifies words that it has written */
    uint32_t changed[3][TF_GPRS];
    memcpy(changed, before, sizeof changed);
    for (unsigned i = 0; i < TF_GPRS; i++)
        if ((mask >> i & 1) != 0)
            changed[THREAD][i] ^= (1 + bare_random() % 255) << 16 | (1 + bare_random() % 255);
    config = *bare->tile.tensix->config;
    act(bare, before, word, &outcome);
    *bare->tile.tensix->config = config;
    act(bare, (const uint32_t(*)[TF_GPRS])changed, word, &other);
    for (unsigned i = 0; i < TF_GPRS; i++)
        if ((mask >> i & 1) != 0)
            outcome.gpr[THREAD][i] = other.gpr[THREAD][i] = 0;
    return memcmp(&outcome, &other, sizeof outcome) != 0;
}

static void count(struct claims claims[FIELDS_MAX][1u << NARROW], uint32_t word, bool seen)
{
    const struct tf_tensix_op *op = &tf_tensix_ops[word >> 24];
    for (unsigned i = 0; i < op->fields; i++) {
        const bool narrow = op->field[i].width <= NARROW;
        struct claims *of = &claims[i][narrow ? tf_tensix_bits(word, op->field[i].first, op->field[i].width) : 0];
        assert_true(i < FIELDS_MAX);
        of->claimed++;
        of->seen += seen;
    }
}

/* Small numbers, so that addresses are in the first lines of L1; with a high half they are beyond L1. */
static uint32_t random_gpr(void)
{
    return bare_random() % 8 == 0 ? (2 + bare_random() % 254) << 16 : bare_random() % 256;
}

static void random_state(uint32_t gpr[3][TF_GPRS])
{
    for (unsigned i = 0; i < 3 * TF_GPRS; i++)
        gpr[i / TF_GPRS][i % TF_GPRS] = random_gpr();
    for (unsigned i = 0; i < LINES_USED * 4; i++)
        l1[i] = bare_random() & 1 ? bare_random() % 4 : bare_random();
}

static uint32_t random_word(uint32_t opcode, uint32_t gpr[3][TF_GPRS])
{
    uint32_t word = opcode << 24 | (bare_random() & TF_TENSIX_OPERANDS & ~tf_tensix_ops[opcode].reserved);
    /* ATCAS succeeds often. */
    if (opcode == TF_OP_ATCAS)
        word &= ~V(ATCAS, cmp_val, 12);
    /* Addresses of registers above those with an effect. */
    if (opcode == TF_OP_STOREREG || opcode == TF_OP_LOADREG)
        word |= V(STOREREG, reg_addr, 1 << 17);
    if (opcode == TF_OP_STOREIND && !TF_FIELD(word, STOREIND, mem_hier_sel) && TF_FIELD(word, STOREIND, size_sel))
        gpr[THREAD][TF_FIELD(word, STOREIND, addr_reg_index)] |= 0x80000;
    return word;
}

/* A word that executes without a fault, and a state in which it does so; the outcome goes to *after. */
static uint32_t any_case(struct bare *bare, uint32_t opcode, uint32_t gpr[3][TF_GPRS], struct outcome *after)
{
    for (unsigned tries = 0; tries < 1000; tries++) {
        random_state(gpr);
        const uint32_t word = random_word(opcode, gpr);
        act(bare, (const uint32_t(*)[TF_GPRS])gpr, word, after);
        if (after->faults == 0)
            return word;
    }
    fail_msg("%s always faults", tf_tensix_ops[opcode].mnemonic);
    return 0;
}

static unsigned member_of(const struct operand *operand, uint32_t word, enum extent extent, unsigned member)
{
    const unsigned named = tf_tensix_bits(word, operand->first, operand->width) >> (operand->width - 6);
    return extent == ONE ? named : (named & ~3u) + member;
}

/* Does another operand of the word name the GPR too? */
static bool is_shared(unsigned number, uint32_t word, unsigned gpr)
{
    for (unsigned i = 0; i < OPERANDS; i++)
        if (i != number && operands[i].opcode == word >> 24 && (member_of(&operands[i], word, FOUR, 0) ^ gpr) < 4)
            return true;
    return false;
}

/* Try each register of an operand. changed: the registers that the word has changed, as a mask. */
static void try_operand(struct bare *bare, unsigned number, const uint32_t gpr[3][TF_GPRS], uint32_t word,
                        uint64_t changed)
{
    const struct operand *operand = &operands[number];
    const enum extent read = operand->reads(word), written = operand->writes(word);
    for (unsigned i = 0; i < (unsigned)read; i++) {
        const unsigned at = member_of(operand, word, read, i);
        if (!is_shared(number, word, at))
            count(reads[number][read == ONE ? NONE_OF_FOUR : i], word, depends(bare, gpr, word, 1ull << at));
    }
    for (unsigned i = 0; i < (unsigned)written; i++) {
        const unsigned at = member_of(operand, word, written, i);
        if (!is_shared(number, word, at))
            count(writes[number][written == ONE ? NONE_OF_FOUR : i], word, (changed >> at & 1) != 0);
    }
}

static void check(struct bare *bare, uint32_t opcode)
{
    static struct outcome after;
    uint32_t gpr[3][TF_GPRS];
    const uint32_t word = any_case(bare, opcode, gpr, &after);
    const struct tf_gpr_uses uses = tf_gpr_uses(word);
    uint64_t changed = 0;
    for (unsigned i = 0; i < TF_GPRS; i++)
        changed |= (uint64_t)(gpr[THREAD][i] != after.gpr[THREAD][i]) << i;
    if ((changed & ~uses.writes) != 0)
        fail_msg("%08X writes other GPRs: %016" PRIX64, word, changed & ~uses.writes);
    assert_memory_equal(gpr[0], after.gpr[0], sizeof gpr[0]);
    assert_memory_equal(gpr[2], after.gpr[2], sizeof gpr[2]);
    if (depends(bare, (const uint32_t(*)[TF_GPRS])gpr, word, ~(uses.reads | uses.others)))
        fail_msg("%08X reads other GPRs than %016" PRIX64, word, uses.reads | uses.others);
    for (unsigned i = 0; i < OPERANDS; i++)
        if (operands[i].opcode == opcode)
            try_operand(bare, i, (const uint32_t(*)[TF_GPRS])gpr, word, changed);
}

static void check_claims(struct claims claims[OPERANDS][NONE_OF_FOUR + 1][FIELDS_MAX][1u << NARROW], const char *what)
{
    for (unsigned i = 0; i < OPERANDS * (NONE_OF_FOUR + 1) * FIELDS_MAX * (1u << NARROW); i++) {
        const unsigned value = i % (1u << NARROW), field = i / (1u << NARROW) % FIELDS_MAX;
        const unsigned member = i / (1u << NARROW) / FIELDS_MAX % (NONE_OF_FOUR + 1);
        const unsigned number = i / (1u << NARROW) / FIELDS_MAX / (NONE_OF_FOUR + 1);
        const struct tf_tensix_op *op = &tf_tensix_ops[operands[number].opcode];
        const struct claims *of = &claims[number][member][field][value];
        if (of->claimed >= CLAIMS_MIN && of->seen == 0)
            fail_msg("%s, %s: register %u is not %s where %s is %u", op->mnemonic, operands[number].name, member, what,
                     op->field[field].name, value);
    }
}

static bool has_operands(uint32_t opcode)
{
    bool any = tf_tensix_ops[opcode].unit == TF_UNIT_SCALAR || tf_tensix_ops[opcode].unit == TF_UNIT_CONFIG;
    for (unsigned i = 0; i < OPERANDS; i++)
        any |= operands[i].opcode == opcode;
    return any;
}

static void test_uses(void **state)
{
    struct bare *bare = *state;
    const uint8_t *of_family = bare->tile.arch->opcode;
    bare_seed();
    memset(reads, 0, sizeof reads);
    memset(writes, 0, sizeof writes);
    for (unsigned i = 0; i < BARE_MMIO_BYTES / 4; i++)
        bare->mmio[i] = bare_random();
    for (uint32_t opcode = 0; opcode < 256; opcode++)
        if (tf_tensix_dispatch[opcode] != NULL && has_operands(opcode) &&
            (of_family == NULL || of_family[opcode] == TF_OPCODE_PRESENT))
            for (unsigned round = 0; round < ROUNDS; round++)
                check(bare, opcode);
    check_claims(reads, "read");
    check_claims(writes, "written");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_uses, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_uses, bare_setup_wormhole, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
