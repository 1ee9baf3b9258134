/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar floating point, bit for bit what ttsim computes; see fp_vectors.inc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fma.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/fp/fp.h"

static const struct {
    unsigned id;
    uint32_t a, b, c, result;
} vectors[] = {
#define V(id, a, b, c, result) {TF_RV_##id, a, b, c, result},
#include "conformance/riscv/fp_vectors.inc"
#undef V
};

static void test_vectors(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint32_t fflags = 0;
        uint32_t result = tf_fp_execute(vectors[i].id, vectors[i].a, vectors[i].b, vectors[i].c, TF_FP_HALF_FP16,
                                        &fflags);
        if (result != vectors[i].result) {
            print_error("%s %08x %08x %08x: %08x, not %08x\n", tf_rv_info(vectors[i].id)->mnemonic, vectors[i].a,
                        vectors[i].b, vectors[i].c, result, vectors[i].result);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* The multiply-add that the vector unit shares. */
static void test_fp32_fma(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        if (vectors[i].id == TF_RV_FMADD_S) {
            assert_int_equal(test_fma_fp32(vectors[i].a, vectors[i].b, vectors[i].c), vectors[i].result);
            seen++;
        }
    }
    assert_in_range(seen, 300, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_fp32_fma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
