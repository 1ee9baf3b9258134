/* SPDX-License-Identifier: Apache-2.0 */
/* SFPMAD.md: by Mod1, each lane of LReg[7] names the register that its lane writes, in SFPLOADMACRO too. */
#include "unit/tensix/macro.h"

/* In the first of its two cycles, a load writes one of the registers in all lanes. */
static void lanes_keep_what_a_load_wrote(void **state)
{
    struct bare *bare = *state;
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
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        assert_int_equal(vector->lreg[2][lane], 0x1234);
    issue(bare, W(SFPNOP));
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        assert_int_equal(vector->lreg[2][lane], lane % 3 == 0 ? 0x3F800000 : 0x1234);
        assert_int_equal(vector->lreg[5][lane], lane % 3 == 0 ? 0x55 : 0x3F800000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lanes_keep_what_a_load_wrote, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(lanes_keep_what_a_load_wrote, bare_setup_wormhole, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
