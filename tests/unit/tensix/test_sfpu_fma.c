/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector unit's multiply-add: sets of kernels use the host's floating point if they may. Results are compared with
 * the integers of tile/riscv/fp/fma.h (Wormhole's: fma_wormhole.h), and with those of the same set. Operands lie at the
 * borders of each method's range.
 */
#include "fma.h"
#include "unit/tensix/bare.h"
#include "unit/tensix/fma_wormhole.h"

#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/vector/vector.h"

#define MATH 1u
#define SIGN 0x80000000u
#define ROUNDS 8000u

enum { X = 0, Y = 1, Z = 2, OUT = 3, INDEX = 7, ZERO = 9, ONE = 10 };
enum { NEGATE_Y = 1, NEGATE_Z = 2, INDIRECT_X = 4 };

struct operands {
    uint32_t x, y, z;
};

static uint32_t number(uint32_t sign, int exponent, uint32_t fraction)
{
    return sign << 31 | (uint32_t)(exponent + 127) << 23 | (fraction & 0x7FFFFF);
}

/* Few bits or many, zeros and ones mostly, or a power of two. */
static uint32_t fraction(void)
{
    uint32_t random = bare_random();
    switch (random % 5) {
    case 0: return 0;
    case 1: return 0x7FFFFFu << random / 8 % 24;
    case 2: return (1u << random / 8 % 23) + (random >> 30) - 1;
    case 3: return bare_random() & (0x7FFFFFu << random / 8 % 23);
    default: return bare_random();
    }
}

/* Exponents of the product from 2^`least` to 2^`most`, the addend `nearest` to `farthest` places above it. */
static struct operands in_places(int least, int most, int nearest, int farthest)
{
    int product = least + (int)(bare_random() % (unsigned)(most - least + 1));
    int first = product / 2 + (int)(bare_random() % 40) - 20;
    int addend = product + nearest + (int)(bare_random() % (unsigned)(farthest - nearest + 1));
    return (struct operands){
        number(bare_random() & 1, first, fraction()),
        number(bare_random() & 1, product - first, fraction()),
        number(bare_random() & 1, addend, fraction()),
    };
}

/* Anywhere that all three methods of addition are met, and around where the addend is no longer worth a sticky bit. */
static struct operands near(void)
{
    return bare_random() % 2 ? in_places(-40, 40, -29, 5) : in_places(-40, 40, -27, -23);
}

/* Larger by one to four places, or just as large. */
static struct operands larger(void)
{
    return in_places(-40, 40, -1, 4);
}

/* The addend takes away all but the last places of the product. */
static struct operands cancelling(void)
{
    struct operands of = in_places(-40, 40, 0, 0);
    of.z = (test_fma_fp32(of.x, of.y, 0) ^ SIGN) + bare_random() % 9 - 4;
    return of;
}

/* A product, or a product and an addend, halfway between two results, or just beside that. */
static struct operands halfway(void)
{
    unsigned a = 1 + bare_random() % 23, b = 24 - a - (a < 23 && bare_random() % 2);
    struct operands of = {
        number(0, 0, (bare_random() | 1) << (23 - a)),
        number(bare_random() & 1, 0, (bare_random() | 1) << (23 - b)),
        0,
    };
    if (bare_random() % 3 == 0)
        return of;
    if (bare_random() % 2) {
        of.z = number(bare_random() & 1, -20 - (int)(bare_random() % 12), fraction());
        return of;
    }
    return (struct operands){
        number(0, 0, bare_random() % 2),
        number(bare_random() & 1, 0, bare_random() % 2),
        number(bare_random() & 1, 22 + (int)(bare_random() % 5), fraction()),
    };
}

/* Around where the host's numbers are no longer used: products or sums that are small or large. */
static struct operands at_limits(void)
{
    static const int borders[] = {-150, -126, -103, -100, -76, 120, 123, 127};
    int border = borders[bare_random() % (sizeof borders / sizeof borders[0])];
    int product = border + (int)(bare_random() % 9) - 4, first = product / 2 + (int)(bare_random() % 20) - 10;
    int addend = bare_random() % 2 ? product + (int)(bare_random() % 60) - 30 : border + (int)(bare_random() % 5) - 2;
    addend = addend < -127 ? -127 : addend > 127 ? 127 : addend;
    return (struct operands){
        number(bare_random() & 1, first, fraction()),
        number(bare_random() & 1, product - first, fraction()),
        number(bare_random() & 1, addend, fraction()),
    };
}

static struct operands special(void)
{
    static const uint32_t values[] = {
        0,          1,          0x7FFFFF,   0x800000,   0x800001,   0x3F800000, 0x3F7FFFFF, 0x7F7FFFFF, 0x7F800000,
        0x7F800001, 0x7FC00000, 0x1F800000, 0x20000000, 0x60000000, 0x00FFFFFF, 0x01000000, 0x34000000, 0x32800000,
    };
    const unsigned count = sizeof values / sizeof values[0];
    struct operands of = {values[bare_random() % count], values[bare_random() % count], values[bare_random() % count]};
    of.x ^= bare_random() & SIGN;
    of.y ^= bare_random() & SIGN;
    of.z ^= bare_random() & SIGN;
    return of;
}

static struct operands mixed(void)
{
    return bare_random() % 32 == 0 ? special() : near();
}

static bool is_wormhole(const struct bare *bare)
{
    return bare->tile.arch->units.edition == TF_EDITION_WORMHOLE;
}

/* The sum is just four, or above, with bits below its last place: Wormhole loses one of them. */
static struct operands four(void)
{
    uint32_t many = (bare_random() & 1) << 31;
    return (struct operands){
        number(0, 0, 0x7FFFFF - bare_random() % 0x300000),
        number(0, 0, 0x7FFFFF - bare_random() % 0x300000) | many,
        number(0, 1, fraction()) | many,
    };
}

static void issue(struct bare *bare, uint32_t word)
{
    bare->tile.cycle++;
    tf_tensix_dispatch[word >> 24](&bare->tile, MATH, word);
    assert_int_equal(bare->tile.faults.count, 0);
}

static void expect_all(struct bare *bare, uint32_t word, const struct operands *expected)
{
    const struct tf_vector *vector = bare->tile.tensix->vector;
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        const struct operands *of = &expected[lane];
        uint32_t result = is_wormhole(bare) ? fma_wormhole(of->x, of->y, of->z) : test_fma_fp32(of->x, of->y, of->z);
        if (vector->lreg[OUT][lane] != result)
            fail_msg("%s: word %08x: %08x * %08x + %08x is %08x, not %08x", vector->kernels->name, word, of->x, of->y,
                     of->z, result, vector->lreg[OUT][lane]);
    }
}

/* SFPMAD of those registers, by the method that the set chooses, and by integers through LReg[7]. */
static void multiply_add(struct bare *bare, const struct operands *of, unsigned x, unsigned y, unsigned z,
                         unsigned mod1)
{
    struct operands expected[TF_LANES];
    struct tf_vector *vector = bare->tile.tensix->vector;
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        expected[lane] = (struct operands){
            x == ONE ? 0x3F800000 : of[lane].x,
            of[lane].y ^ (mod1 & NEGATE_Y ? SIGN : 0),
            (z == ZERO ? 0 : of[lane].z) ^ (mod1 & NEGATE_Z ? SIGN : 0),
        };
        vector->lreg[INDEX][lane] = x;
    }
    for (unsigned indirect = 0; indirect <= INDIRECT_X; indirect += INDIRECT_X) {
        uint32_t word = W(SFPMAD) | V(SFPMAD, lreg_dest, OUT) | V(SFPMAD, lreg_src_a, indirect != 0 ? OUT : x) |
                        V(SFPMAD, lreg_src_b, y) | V(SFPMAD, lreg_src_c, z) | V(SFPMAD, instr_mod1, mod1 | indirect);
        issue(bare, word);
        expect_all(bare, word, expected);
    }
}

static void try_kind(struct bare *bare, struct operands kind(void))
{
    struct operands of[TF_LANES];
    struct tf_vector *vector = bare->tile.tensix->vector;
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        of[lane] = kind();
        vector->lreg[X][lane] = of[lane].x;
        vector->lreg[Y][lane] = of[lane].y;
        vector->lreg[Z][lane] = of[lane].z;
    }
    unsigned mod1 = is_wormhole(bare) ? 0 : bare_random() & (NEGATE_Y | NEGATE_Z);
    multiply_add(bare, of, X, Y, Z, mod1);
    multiply_add(bare, of, ONE, Y, Z, mod1);
    multiply_add(bare, of, X, Y, ZERO, mod1);
}

static void with_every_set(struct bare *bare)
{
    static struct operands (*const kinds[])(void) = {near,      larger,  cancelling, halfway,
                                                     at_limits, special, mixed,      four};
    bare_seed();
    for (enum tf_vectors choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
        if (tf_sfpu_kernels_of(bare->tile.arch->units.edition, choice) == NULL)
            continue;
        tf_sfpu_destroy(&bare->tile);
        assert_true(tf_sfpu_choose(&bare->tile, choice));
        for (unsigned round = 0; round < ROUNDS; round++)
            try_kind(bare, kinds[round % (sizeof kinds / sizeof kinds[0])]);
    }
}

static void test_kinds(void **state)
{
    with_every_set(*state);
}

static void test_wormhole(void **state)
{
    struct bare *bare = *state;
    const struct tf_tile_arch *blackhole = bare->tile.arch;
    struct tf_tile_arch wormhole = *blackhole;
    wormhole.units.edition = TF_EDITION_WORMHOLE;
    tf_sfpu_destroy(&bare->tile);
    bare->tile.arch = &wormhole;
    with_every_set(bare);
    tf_sfpu_destroy(&bare->tile);
    bare->tile.arch = blackhole;
}

static void test_without_denormals(void **state)
{
    bare_without_denormals(with_every_set, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kinds, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_wormhole, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_without_denormals, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
