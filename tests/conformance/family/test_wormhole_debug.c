/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two bugs of Wormhole's debug interface, as tests of tt-exalens see them on silicon (test_risc_debug.py:
 * test_bne_with_debug_fail, test_core_lockup). DebugInterface.md says what software must avoid.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "farm/chip/chip.h"
#include "conformance/family/wormhole_fixture.h"
#include "tile/mmio/map/map.h"
#include "tile/tensix/config/state.h"
#include "addresses.h"

#define CNTL_0 DEBUG_AT(RISC_CNTL_0)
#define CNTL_1 DEBUG_AT(RISC_CNTL_1)
#define STATUS_1 DEBUG_AT(RISC_STATUS_1)
#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define CONFIG TF_CFG_BASE

enum { STATUS = 0, COMMAND = 1, ARGUMENT = 2, RESULT = 4 };
enum { PAUSE = 1, RESUME = 4, READ_REGISTER = 8 };
#define SLOW (1u << 31)

static const struct tf_coord first = {1, 1};

/* A core: its number in the interface, its bit of SOFT_RESET_0, and where it begins (SoftReset.md). */
struct core {
    unsigned which;
    uint32_t reset_bit, begin;
};

static const struct core brisc = {0, 1u << 11, 0}, trisc1 = {2, 1u << 13, 0xA000};

static void some_time(void)
{
    enum tf_end end;
    const struct tf_run_options options = {.cycles_max = 4000};
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
}

static void trigger(const struct core *core, unsigned index, uint32_t write)
{
    put_word(first, CNTL_0, 1u << 31 | core->which << 17 | write | index);
    put_word(first, CNTL_0, 0);
}

static void set_dr(const struct core *core, unsigned index, uint32_t value)
{
    put_word(first, CNTL_1, value);
    trigger(core, index, 1u << 16);
    some_time();
}

static uint32_t get_dr(const struct core *core, unsigned index)
{
    trigger(core, index, 0);
    return word_at(first, STATUS_1);
}

static uint32_t register_of(const struct core *core, uint32_t number)
{
    set_dr(core, ARGUMENT, number);
    set_dr(core, COMMAND, SLOW | READ_REGISTER);
    return get_dr(core, RESULT);
}

static bool is_paused(const struct core *core)
{
    return get_dr(core, STATUS) & 1;
}

static void start(const struct core *core, const uint32_t *program, unsigned words)
{
    put_word(first, SOFT_RESET_0, 0x47800);
    for (unsigned i = 0; i < words; i++)
        put_word(first, core->begin + 4 * i, program[i]);
    put_word(first, SOFT_RESET_0, 0x47800 & ~core->reset_bit);
    some_time();
}

#define EBREAK 0x00100073u
#define NOP 0x00000013u

/* for (x1 = 0; x1 != 63; x1++); by a branch that skips the exit. Then a word of L1 is stored. */
static const uint32_t count_to_63[] = {
    EBREAK,     NOP,        NOP,        NOP,        NOP, NOP, NOP, NOP, NOP, /* the padding that the compiler makes */
    0x00000093, 0x03F00113,                                                  /* li x1, 0; li x2, 63 */
    0x00209463, 0x00C0006F, 0x00108093, 0xFF5FF06F, /* bne x1, x2, 8; j 12; addi x1, x1, 1; j -12 */
    EBREAK,     NOP,        NOP,        NOP,        NOP, NOP, NOP, NOP, NOP,
    0x00010537, 0x00152023, 0x0000006F, /* lui x10, 16; sw x1, 0(x10); j . */
};
#define MARK 0x10000u

static void predictor(bool on)
{
    struct tf_tile *tile = &chip->tiles.tile[0];
    uint32_t word = on ? 0 : 1u << 22 | 7u << 23;
    assert_int_equal(tf_mmio_store(tile, TF_CORE_B, CONFIG + 4 * 2, 4, word), TF_ACCESS_OK);
}

/* In slow execution mode with the predictor on, the last branch is not seen. Else the loop ends. */
static void branches_amid_slow_mode(void **state)
{
    (void)state;
    static const struct core *const cores[] = {&brisc, &trisc1};
    static const struct {
        bool slow, predictor, ends;
    } ways[] = {{true, true, false}, {false, true, true}, {true, false, true}};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned way = 0; way < 3; way++) {
            const struct core *core = cores[i];
            predictor(ways[way].predictor);
            put_word(first, MARK, 0x12345678);
            start(core, count_to_63, sizeof count_to_63 / 4);
            assert_int_equal(get_dr(core, STATUS) & 9, 9);
            set_dr(core, COMMAND, (ways[way].slow ? SLOW : 0) | RESUME);
            some_time();
            assert_int_equal(is_paused(core), ways[way].ends);
            if (!ways[way].ends) {
                set_dr(core, COMMAND, SLOW | PAUSE);
                assert_true(is_paused(core));
                assert_true(register_of(core, 1) > register_of(core, 2));
            } else {
                assert_int_equal(register_of(core, 1), 63);
            }
            assert_int_equal(word_at(first, MARK), 0x12345678);
        }
}

static const uint32_t loads[] = {0x00000E13, 0x00002303, 0x00002383, 0x001E0E13, 0xFF5FF06F};
static const uint32_t stores[] = {0x00000E13, 0x41C02023, 0x41C02223, 0x001E0E13, 0xFF5FF06F};

/* A pause and a resumption outside slow execution mode, with loads under way: the core is lost until its reset. */
static void loads_lock_a_core_up(void **state)
{
    (void)state;
    start(&brisc, loads, 5);
    set_dr(&brisc, COMMAND, SLOW | PAUSE);
    assert_true(is_paused(&brisc));
    set_dr(&brisc, COMMAND, RESUME);
    assert_false(is_paused(&brisc));
    set_dr(&brisc, COMMAND, SLOW | PAUSE);
    assert_false(is_paused(&brisc));
    set_dr(&brisc, COMMAND, SLOW | RESUME);
    assert_false(is_paused(&brisc));

    start(&brisc, loads, 5); /* a reset helps; slow execution mode before the pause prevents it */
    set_dr(&brisc, COMMAND, SLOW);
    set_dr(&brisc, COMMAND, SLOW | PAUSE);
    set_dr(&brisc, COMMAND, RESUME);
    set_dr(&brisc, COMMAND, SLOW | PAUSE);
    assert_true(is_paused(&brisc));

    start(&brisc, loads, 5); /* so does slow execution mode after it */
    set_dr(&brisc, COMMAND, SLOW | PAUSE);
    set_dr(&brisc, COMMAND, SLOW | RESUME);
    assert_false(is_paused(&brisc));
    set_dr(&brisc, COMMAND, SLOW | PAUSE);
    assert_true(is_paused(&brisc));
    uint32_t before = register_of(&brisc, 28);
    assert_true(before != 0);

    start(&brisc, stores, 5); /* without loads it is safe */
    for (unsigned i = 0; i < 20; i++) {
        set_dr(&brisc, COMMAND, SLOW | PAUSE);
        assert_true(is_paused(&brisc));
        set_dr(&brisc, COMMAND, RESUME);
        assert_false(is_paused(&brisc));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(branches_amid_slow_mode, setup, teardown),
        cmocka_unit_test_setup_teardown(loads_lock_a_core_up, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
