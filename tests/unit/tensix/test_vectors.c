/* SPDX-License-Identifier: Apache-2.0 */
/* One choice of the host's vectors reaches every unit, used or unused. */
#include "tile/tensix/matrix/kernel_set.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/pack/rows.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/unpack/rows.h"
#include "tile/tensix/unpack/state.h"
#include "tile/tensix/vector/vector.h"
#include "tile/tensix/whole/vectors.h"
#include "unit/tensix/bare.h"

static const struct {
    enum tf_vectors vectors;
    const char *name;
} choices[] = {
    {TF_VECTORS_PORTABLE, "portable"},
    {TF_VECTORS_AVX2, "AVX2"},
    {TF_VECTORS_AVX512, "AVX-512"},
};

static void every_unit_follows(struct bare *bare, unsigned i)
{
    struct tf_tensix *tensix = bare->tile.tensix;
    assert_true(tf_vectors_choose(&bare->tile, choices[i].vectors));
    assert_string_equal(tensix->fpu->kernels->name, choices[i].name);
    assert_string_equal(tensix->unpack->kernels->name, choices[i].name);
    assert_string_equal(tf_sfpu_get(&bare->tile)->kernels->name, choices[i].name);
    if (choices[i].vectors != TF_VECTORS_AVX512)
        assert_string_equal(tensix->pack->kernels->name, choices[i].name);
}

static void all_units_follow(void **state)
{
    for (unsigned i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        if (!tf_vectors_exist(choices[i].vectors)) {
            assert_int_not_equal(choices[i].vectors, TF_VECTORS_PORTABLE);
            assert_false(tf_vectors_choose(&((struct bare *)*state)->tile, choices[i].vectors));
            continue;
        }
        struct bare *bare;
        assert_int_equal(bare_setup((void **)&bare), 0);
        uint64_t hash = bare_hash(bare);
        every_unit_follows(bare, i); /* this instruction creates the vector unit */
        every_unit_follows(bare, 0);
        every_unit_follows(bare, i);
        assert_int_equal(bare_hash(bare), hash);
        bare_teardown((void **)&bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_units_follow, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
