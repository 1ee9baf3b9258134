/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An instruction reads and writes the LRegs that sfpu.def names. Each random instruction acts on random registers. Then
 * some registers are changed, and it acts a second time.
 */
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/vector/schedule.h"
#include "tile/tensix/vector/single.h"
#include "tile/tensix/vector/vector.h"
#include "unit/tensix/vector_words.h"

#define MATH 1u /* the thread that issues */
#define ROUNDS 600u
/* Registers that a test may change: instructions need the constants. */
#define CHANGEABLE 0x178FFu

static const uint8_t opcodes[] = {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) TF_OP_##name,
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
};

struct outcome {
    struct tf_vector vector;
    uint16_t dst[TF_DST_ROWS][TF_DST_COLUMNS];
};

/* What the table claims, and how often that has had an effect. */
struct effects {
    unsigned claimed_reads, reads, may_read, may_write;
    bool claims_may_read, claims_may_write;
};

static void act(struct bare *bare, const struct tf_vector *before, uint32_t word, struct outcome *after)
{
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    struct tf_macro_schedule *schedule = vector->schedule;
    *vector = *before;
    vector->schedule = schedule;
    memset(dst->bits, 0x5A, sizeof dst->bits);
    bare->tile.tensix->rwc[MATH].dst = 0;
    tf_tensix_dispatch[word >> 24](&bare->tile, MATH, word);
    assert_int_equal(bare->tile.faults.count, 0);
    after->vector = *vector;
    after->vector.schedule = NULL;
    memcpy(after->dst, dst->bits, sizeof after->dst);
}

static void change(struct tf_vector *vector, uint32_t rows)
{
    for (unsigned row = 0; row < TF_LREGS; row++)
        for (unsigned lane = 0; lane < TF_LANES && (rows >> row & 1) != 0; lane++)
            vector->lreg[row][lane] = one_in(4) ? 0 : bare_random();
}

static uint32_t rows_that_differ(const struct tf_vector *a, const struct tf_vector *b)
{
    uint32_t rows = 0;
    for (unsigned row = 0; row < TF_LREGS; row++)
        rows |= (uint32_t)(memcmp(a->lreg[row], b->lreg[row], sizeof a->lreg[row]) != 0) << row;
    return rows;
}

/* Do the outcomes differ, apart from some registers? */
static bool is_other(const struct outcome *a, const struct outcome *b, uint32_t but_rows)
{
    const size_t rest = offsetof(struct tf_vector, prng);
    return (rows_that_differ(&a->vector, &b->vector) & ~but_rows) != 0 ||
           memcmp((const char *)&a->vector + rest, (const char *)&b->vector + rest, sizeof a->vector - rest) != 0 ||
           memcmp(a->dst, b->dst, sizeof a->dst) != 0;
}

/* Does the outcome depend on some registers? Their own values do not count if they are not written. */
static bool depends(struct bare *bare, const struct tf_vector *before, uint32_t word, const struct outcome *after,
                    uint32_t rows, uint32_t written)
{
    static struct outcome other;
    struct tf_vector changed = *before;
    change(&changed, rows);
    act(bare, &changed, word, &other);
    return is_other(after, &other, rows & ~written);
}

static void random_state(struct bare *bare, struct tf_vector *vector)
{
    *vector = *tf_sfpu_get(&bare->tile);
    memset(&vector->lane, 0, sizeof vector->lane);
    memset(vector->lane_config, 0, sizeof vector->lane_config);
    memset(&vector->mask, 0, sizeof vector->mask);
    memset(vector->macro, 0, sizeof vector->macro);
    vector->macros_differ = false;
    vector->mask.rows = vector->lane.use = vector->lane.flags = TF_ALL_LANES;
    change(vector, CHANGEABLE);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        vector->prng[lane] = bare_random();
    if (one_in(2)) /* magnitudes near 1: for the tables of SFPLUT, and so that both addends of a sum count */
        for (unsigned row = 0; row < 8; row++)
            for (unsigned lane = 0; lane < TF_LANES; lane++)
                vector->lreg[row][lane] = (vector->lreg[row][lane] & 0x80FFFFFF) | 0x3F000000;
}

/* One of the registers of a mask, which is not 0. */
static uint32_t one_of(uint32_t rows)
{
    uint32_t one;
    do
        one = 1u << bare_random() % TF_LREGS;
    while ((one & rows) == 0);
    return one;
}

/* A word that is not refused, and not a template of SFPLOADMACRO. */
static uint32_t word_of(const struct tf_vector *vector, uint8_t opcode)
{
    for (;;) {
        uint32_t word = random_operands(opcode);
        unsigned vd = tf_sfpu_vd((enum tf_sfpu_registers)tf_sfpu_op(word)->registers, word);
        if (tf_sfpu_objection(vector, word, vd) == NULL && (vd < 12 || opcode == TF_OP_SFPCONFIG))
            return word;
    }
}

static void check(struct bare *bare, uint8_t opcode, struct effects *effects)
{
    static struct tf_vector before;
    static struct outcome after;
    random_state(bare, &before);
    uint32_t word = word_of(&before, opcode);
    struct tf_sfpu_uses uses = tf_sfpu_own_uses(word);
    const uint32_t used = uses.reads | uses.may_read, written = uses.may_write;
    act(bare, &before, word, &after);
    uint32_t changed = rows_that_differ(&before, &after.vector);
    if ((changed & ~written) != 0)
        fail_msg("%08X writes other registers: %05X", word, changed & ~written);
    if (depends(bare, &before, word, &after, CHANGEABLE & ~(used | written), 0))
        fail_msg("%08X reads other registers than %05X", word, used);
    /* All lanes of the one register that it writes are written. */
    if ((written & (written - 1)) == 0 && (written & ~TF_LREGS_WRITABLE) == 0 &&
        depends(bare, &before, word, &after, written & ~used, written))
        fail_msg("%08X reads the register that it writes", word);
    effects->claims_may_read |= (uses.may_read & CHANGEABLE) != 0;
    effects->claims_may_write |= written != 0;
    effects->may_read += depends(bare, &before, word, &after, uses.may_read & ~uses.reads & CHANGEABLE, written);
    effects->may_write += changed != 0;
    bool unwritten = tf_sfpu_vd((enum tf_sfpu_registers)tf_sfpu_op(word)->registers, word) >= 8;
    if ((uses.reads & CHANGEABLE) == 0 || (unwritten && opcode != TF_OP_SFPCONFIG))
        return;
    effects->claimed_reads++;
    effects->reads += depends(bare, &before, word, &after, one_of(uses.reads & CHANGEABLE), written);
}

static void test_uses(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    assert_non_null(tf_sfpu_get(&bare->tile));
    for (unsigned i = 0; i < sizeof opcodes; i++) {
        struct effects effects = {.reads = 0};
        for (unsigned round = 0; round < ROUNDS; round++)
            check(bare, opcodes[i], &effects);
        /* Comparisons have modes without a result. */
        if (effects.reads * 8 < effects.claimed_reads * 5 || (effects.claims_may_read && effects.may_read == 0) ||
            (effects.claims_may_write && effects.may_write == 0))
            fail_msg("%s uses fewer registers than its row says", tf_tensix_ops[opcodes[i]].mnemonic);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_uses, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
