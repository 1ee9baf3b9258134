/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration instructions, ThCon arithmetic and register stores against what ttsim computed. */
#include "tile/tensix/thcon.h"
#include "unit/tensix/bare.h"

/* clang-format off */
#define WORDS(...) {__VA_ARGS__}
#define GPRS(...) {__VA_ARGS__}
#define STREAM(acked, received) {acked, received}
/* clang-format on */
#define CASE(words, gprs, stream) {words, gprs, stream},

static const struct vector {
    uint32_t word[600];
    uint32_t gpr[TF_GPRS];
    uint32_t stream[2];
} vectors[] = {
#include "conformance/tensix/config_vectors.inc"
};

static void push_all(struct bare *bare, unsigned thread, const struct vector *vector)
{
    for (unsigned i = 0; vector->word[i] != 0; i++) {
        bare_push(bare, thread, vector->word[i]);
        bare_run(bare, 4);
    }
}

static void check(struct bare *bare, unsigned thread, unsigned index)
{
    const struct vector *vector = &vectors[index];
    assert_int_equal(bare->tile.faults.count, 0);
    for (unsigned i = 0; i < TF_GPRS; i++)
        if (bare->tile.tensix->thcon->gpr[thread][i] != vector->gpr[i])
            fail_msg("case %u, GPR %u: 0x%08x, ttsim has 0x%08x", index, i, bare->tile.tensix->thcon->gpr[thread][i],
                     vector->gpr[i]);
    /* The fake registers keep 32 bits, stream counters 17. */
    assert_int_equal(bare->mmio[0x43020 / 4] & 0x1FFFF, vector->stream[0]);
    assert_int_equal(bare->mmio[0x43028 / 4] & 0x1FFFF, vector->stream[1]);
}

static void test_vectors(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        struct bare *bare;
        bare_setup((void **)&bare);
        push_all(bare, 0, &vectors[i]);
        check(bare, 0, i);
        bare_teardown((void **)&bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
