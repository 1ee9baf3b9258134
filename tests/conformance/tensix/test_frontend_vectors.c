/* SPDX-License-Identifier: Apache-2.0 */
/* MOP, REPLAY, ThCon arithmetic and semaphores against what ttsim computed. */
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/whole/tensix.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/bare.h"
#include "tilefarm_address.h"

#define PUSH 9
/* clang-format off */
#define STEPS(...) {__VA_ARGS__}
#define GPRS(...) {__VA_ARGS__}
#define SEMAPHORES(...) {__VA_ARGS__}
/* clang-format on */
#define CASE(steps, gprs, semaphores) {steps, gprs, semaphores},

static const struct vector {
    struct {
        uint8_t kind;
        uint32_t word;
    } step[260];
    uint32_t gpr[TF_GPRS];
    uint8_t semaphore[TF_SEMAPHORES];
} vectors[] = {
#include "conformance/tensix/frontend_vectors.inc"
};

#define VECTORS (sizeof vectors / sizeof vectors[0])

static void check(struct bare *bare, unsigned thread, unsigned index)
{
    const struct vector *vector = &vectors[index];
    assert_true(tf_tensix_thread_idle(&bare->tile, thread, UINT64_MAX));
    assert_int_equal(bare->tile.faults.count, 0);
    for (unsigned i = 0; i < TF_GPRS; i++)
        if (bare->tile.tensix->thcon->gpr[thread][i] != vector->gpr[i])
            fail_msg("case %u, GPR %u: 0x%08x, ttsim has 0x%08x", index, i, bare->tile.tensix->thcon->gpr[thread][i],
                     vector->gpr[i]);
    for (unsigned i = 0; i < TF_SEMAPHORES; i++)
        assert_int_equal(bare->tile.tensix->sync->value[i], vector->semaphore[i]);
}

static enum tf_access do_step(struct bare *bare, unsigned thread, uint8_t kind, uint32_t word)
{
    uint32_t value;
    bool pure;
    unsigned core = TF_CORE_T0 + thread;
    if (kind == PUSH)
        return tf_tensix_push(&bare->tile, thread, word, false, core, 0);
    /* The configuration may change once the earlier MOPs are done. */
    if (tf_tensix_load(&bare->tile, core, TF_MOP_DONE_CHECK, &value, &pure) != TF_ACCESS_OK)
        return TF_ACCESS_BLOCK;
    return tf_tensix_store(&bare->tile, core, TF_MOP_CFG_BASE + 4u * kind, word);
}

/* One step as recorded, and all its effects. */
static void test_step_by_step(void **state)
{
    (void)state;
    for (unsigned n = 0; n < VECTORS; n++) {
        struct bare *bare;
        bare_setup((void **)&bare);
        for (unsigned i = 0; vectors[n].step[i].word != 0 || vectors[n].step[i].kind != 0; i++) {
            assert_int_equal(do_step(bare, 0, vectors[n].step[i].kind, vectors[n].step[i].word), TF_ACCESS_OK);
            bare_run(bare, 200);
        }
        check(bare, 0, n);
        bare_teardown((void **)&bare);
    }
}

/* As a core would do it: one step a cycle while the FIFO takes it, in slices of any length. */
static void run_slices(unsigned slice_cycles)
{
    for (unsigned n = 0; n < VECTORS; n++) {
        struct bare *bare;
        bare_setup((void **)&bare);
        unsigned thread = n % 3, i = 0;
        uint64_t end = slice_cycles;
        for (unsigned slices = 0; slices < 4000; slices++, end += slice_cycles) {
            while (bare->tile.cycle < end && (vectors[n].step[i].word != 0 || vectors[n].step[i].kind != 0)) {
                if (do_step(bare, thread, vectors[n].step[i].kind, vectors[n].step[i].word) != TF_ACCESS_OK)
                    break;
                bare->tile.cycle++;
                i++;
            }
            bare->tile.cycle = end;
            tf_tensix_turn(&bare->tile, end);
        }
        check(bare, thread, n);
        bare_teardown((void **)&bare);
    }
}

static void test_slices(void **state)
{
    (void)state;
    static const unsigned lengths[] = {1, 13, 100, 1024};
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        run_slices(lengths[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_step_by_step), cmocka_unit_test(test_slices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
