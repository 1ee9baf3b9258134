/* SPDX-License-Identifier: Apache-2.0 */
/* Results of SFPMAD in SFPLOADMACRO take two cycles. By Mod1, each lane of LReg[7] names what its lane writes. */
#include "host/saved.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/vector/schedule.h"
#include "unit/tensix/macro.h"

/* Lanes write LReg[2] or LReg[5]. In the first of the two cycles, a load writes LReg[2] in all lanes. */
static struct tf_vector *first_cycle(struct bare *bare)
{
    setup(bare, 5);
    struct tf_vector *vector = bare->tile.tensix->vector;
    issue(bare, OP(SFPMAD, 12, 10, 10, 10, 8));
    configure(bare, 4, SEQUENCE(0, AS_VB | TEMPLATE(0), 0, 0));
    set_lreg(bare, 2, 0x22);
    set_lreg(bare, 5, 0x55);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        vector->lreg[TF_LREG_INDEX][lane] = lane % 3 == 0 ? 2 : 5;
    issue(bare, ldm(0, 3, SRCB, STAY, 0)); /* zeros: 1.0 * 0.0 + 1.0 */
    issue(bare, LOADI(2, 2, 0x1234));
    return vector;
}

static void lanes_keep_what_a_load_wrote(void **state)
{
    struct bare *bare = *state;
    struct tf_vector *vector = first_cycle(bare);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        assert_int_equal(vector->lreg[2][lane], 0x1234);
    issue(bare, W(SFPNOP));
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        assert_int_equal(vector->lreg[2][lane], lane % 3 == 0 ? 0x3F800000 : 0x1234);
        assert_int_equal(vector->lreg[5][lane], lane % 3 == 0 ? 0x55 : 0x3F800000);
    }
}

/* Of results that are on their way, lanes that are written are state, and no others. */
static void lanes_are_state(void **state)
{
    struct bare *bare = *state;
    struct tf_macro_results *results = &first_cycle(bare)->schedule->second_cycle[TF_SUB_MAD];
    uint64_t before = bare_hash(bare);
    assert_int_equal(results->rows, 0xFF);
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        results->value[2][lane] ^= 1;
        if (lane % 3 == 0)
            assert_int_not_equal(bare_hash(bare), before);
        else
            assert_int_equal(bare_hash(bare), before);
        results->value[2][lane] ^= 1;
    }
}

/* A schedule is saved and restored. */
static void schedules_are_saved(void **state)
{
    static uint8_t stream[1 << 16];
    struct tf_vector *vector = first_cycle(*state), restored = {.schedule = NULL};
    struct tf_saved saved = {.buffer = stream, .room = sizeof stream};
    tf_macro_state(&saved, vector);
    assert_null(saved.why);
    saved = (struct tf_saved){.reads = true, .buffer = stream, .bytes = saved.at, .room = sizeof stream};
    tf_macro_state(&saved, &restored);
    assert_null(saved.why);
    assert_non_null(restored.schedule);
    assert_memory_equal(restored.schedule, vector->schedule, sizeof *vector->schedule);
    free(restored.schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lanes_are_state, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(schedules_are_saved, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(lanes_keep_what_a_load_wrote, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(lanes_keep_what_a_load_wrote, bare_setup_wormhole, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
