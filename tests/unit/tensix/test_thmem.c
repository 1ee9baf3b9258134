/* SPDX-License-Identifier: Apache-2.0 */
/* The scalar unit's loads, stores and atomics against the pages' functional models. */
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/scalar/thmem.h"
#include "tile/tensix/whole/status.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/units.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define ROUNDS 400u

static uint16_t *halves(struct bare *bare, unsigned thread)
{
    return (uint16_t *)gpr(bare, thread); /* little-endian hosts alone are supported */
}

static const uint8_t step[4] = {0, 2, 4, 16};

/* An address for AddrReg and Offset that stays inside L1, with the last bytes of L1 among them. */
static uint32_t pick_address(struct bare *bare, unsigned thread, unsigned reg, unsigned half)
{
    static const uint32_t bases[] = {0, 0x1000, TF_L1_BYTES - 0x10};
    do {
        gpr(bare, thread)[reg] = bases[bare_random() % 3] / 16;
        halves(bare, thread)[half] = (uint16_t)(bare_random() & (bare_random() & 1 ? 0xF : 0xFFFF));
    } while (gpr(bare, thread)[reg] * 16 + halves(bare, thread)[half] >= TF_L1_BYTES);
    return gpr(bare, thread)[reg] * 16 + halves(bare, thread)[half];
}

/* The half of a pair does not lie in the address register, which would make a circle of the choice above. */
static unsigned pick_half(unsigned reg)
{
    unsigned half;
    do
        half = bare_random() % 128;
    while (half >> 1 == reg);
    return half;
}

static void fill_l1(struct bare *bare, uint32_t address)
{
    for (uint32_t at = address & ~31u; at < (address & ~31u) + 32 && at < TF_L1_BYTES; at += 4)
        set_l1_word(bare, at, bare_random());
}

static void test_loadind(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned thread = bare_random() % 3, reg = bare_random() % 64, half = pick_half(reg);
        unsigned size = bare_random() % 4, increment = bare_random() % 4, result = bare_random() % 64;
        uint32_t expected[TF_GPRS];
        random_gprs(bare);
        uint32_t address = pick_address(bare, thread, reg, half);
        fill_l1(bare, address);
        memcpy(expected, gpr(bare, thread), sizeof expected);
        uint16_t *offset = (uint16_t *)expected + half;
        *offset = (uint16_t)(*offset + step[increment]);
        const uint8_t *l1 = bare->tile.l1;
        switch (size) {
        case 0: memcpy(&expected[result & 0x3C], l1 + (address & ~15u), 16); break;
        case 1: memcpy(&expected[result], l1 + (address & ~3u), 4); break;
        case 2: memcpy(&expected[result], l1 + (address & ~1u), 2); break;
        default: memcpy(&expected[result], l1 + address, 1);
        }
        execute(bare, thread, W(LOADIND) | reg | result << 6 | increment << 12 | half << 14 | size << 22);
        assert_memory_equal(gpr(bare, thread), expected, sizeof expected);
    }
}

static void test_storeind_l1(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned thread = bare_random() % 3, reg = bare_random() % 64, half = pick_half(reg);
        unsigned size = bare_random() % 4, increment = bare_random() % 4, data = bare_random() % 64;
        uint32_t expected[TF_GPRS];
        uint8_t line[32];
        random_gprs(bare);
        uint32_t address = pick_address(bare, thread, reg, half);
        fill_l1(bare, address);
        memcpy(expected, gpr(bare, thread), sizeof expected);
        uint16_t *offset = (uint16_t *)expected + half;
        *offset = (uint16_t)(*offset + step[increment]); /* before the data is read */
        uint32_t first = address & ~31u;
        memcpy(line, bare->tile.l1 + first, sizeof line);
        switch (size) {
        case 0: memcpy(line + (address & 16), &expected[data & 0x3C], 16); break;
        case 1: memcpy(line + (address & 28), &expected[data], 4); break;
        case 2: memcpy(line + (address & 30), &expected[data], 2); break;
        default: memcpy(line + (address & 31), &expected[data], 1);
        }
        execute(bare, thread, W(STOREIND) | reg | data << 6 | increment << 12 | half << 14 | size << 21 | 1u << 23);
        assert_memory_equal(gpr(bare, thread), expected, sizeof expected);
        assert_memory_equal(bare->tile.l1 + first, line, sizeof line);
    }
}

static void test_beyond_l1(void **state)
{
    struct bare *bare = *state;
    gpr(bare, 0)[1] = TF_L1_BYTES / 16;     /* the first line beyond */
    gpr(bare, 0)[2] = TF_L1_BYTES / 16 - 1; /* the last line */
    gpr(bare, 0)[3] = 16;
    gpr(bare, 0)[4] = 0xFFFFFFF;
    static const uint32_t words[] = {
        W(LOADIND), W(STOREIND) | 1u << 23, W(ATINCGET), W(ATINCGETPTR), W(ATCAS), W(ATSWAP) | 0xFF << 14,
    };
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        execute_fault(bare, 0, words[i] | 1, TF_FAULT_UNDEFINED);
        execute_fault(bare, 0, words[i] | 4, TF_FAULT_UNDEFINED);
    }
    /* An offset leads beyond. */
    execute_fault(bare, 0, W(LOADIND) | 2 | 6u << 14, TF_FAULT_UNDEFINED);
    execute_fault(bare, 0, W(STOREIND) | 2 | 6u << 14 | 1u << 23, TF_FAULT_UNDEFINED);
    execute(bare, 0, W(ATINCGET) | 2 | 8u << 6 | 3u << 12);
    gpr(bare, 0)[1] = 0x10000000; /* times 16 it is 0, in 32 bits */
    set_l1_word(bare, 0, 99);
    execute(bare, 0, W(LOADIND) | 1 | 8u << 6 | 1u << 22);
    assert_int_equal(gpr(bare, 0)[8], 99);
}

static void test_storeind_mmio(void **state)
{
    struct bare *bare = *state;
    for (unsigned increment = 0; increment < 4; increment++) {
        gpr(bare, 1)[5] = 0xABC40001; /* bits above the window and below a word are ignored */
        gpr(bare, 1)[6] = 0x0120 << 16;
        gpr(bare, 1)[7] = 0x12345678 + increment;
        execute(bare, 1, W(STOREIND) | 5 | 7u << 6 | increment << 12 | 13u << 14 | 1u << 22);
        assert_int_equal(bare->stored_address, STREAM_AT(0, 4)); /* the offset counts in sixteenths */
        assert_int_equal(bare->stored_value, 0x12345678 + increment);
        assert_int_equal(gpr(bare, 1)[6], (0x0120u + step[increment]) << 16);
    }
    assert_int_equal(bare->mmio_stores, 4);
    gpr(bare, 1)[5] = 0x10FFC;
    gpr(bare, 1)[6] = 0;
    execute_fault(bare, 1, W(STOREIND) | 5 | 13u << 14 | 1u << 22, TF_FAULT_UNDEFINED);
    assert_int_equal(bare->mmio_stores, 4);
    gpr(bare, 1)[5] = 0x20000;
    bare->fail_mmio = true;
    execute_fault(bare, 1, W(STOREIND) | 5 | 13u << 14 | 1u << 22, TF_FAULT_UNDEFINED);
}

static void test_registers(void **state)
{
    struct bare *bare = *state;
    gpr(bare, 2)[9] = 0xCAFE0001;
    execute(bare, 2, W(STOREREG) | 0x40028u >> 2 | 9u << 18);
    assert_int_equal(bare->stored_address, STREAM_AT(0, TF_STREAM_RECEIVED));
    assert_int_equal(bare->stored_value, 0xCAFE0001u);
    execute(bare, 2, W(LOADREG) | 0x40028u >> 2 | 63u << 18);
    assert_int_equal(gpr(bare, 2)[63], 0xCAFE0001u);
    execute_fault(bare, 2, W(LOADREG) | 0x10FFCu >> 2, TF_FAULT_UNDEFINED);
    execute_fault(bare, 2, W(STOREREG), TF_FAULT_UNDEFINED);
    bare->fail_mmio = true;
    execute_fault(bare, 2, W(LOADREG) | 0x20000u >> 2, TF_FAULT_UNDEFINED);
    execute_fault(bare, 2, W(STOREREG) | 0x20000u >> 2, TF_FAULT_UNDEFINED);
    /* TDMA-RISC is the coprocessor's own. */
    gpr(bare, 2)[9] = 0x7654321;
    execute(bare, 2, W(STOREREG) | 0x1102Cu >> 2 | 9u << 18);
    assert_int_equal(bare->tile.tensix->tdma->base[1], 0x7654321); /* as T0's, TDMA-RISC.md */
    execute(bare, 2, W(LOADREG) | 0x1102Cu >> 2 | 10u << 18);
    assert_int_equal(gpr(bare, 2)[10], 0x7654321);
    execute_fault(bare, 2, W(LOADREG) | 0x11FFCu >> 2, TF_FAULT_UNDEFINED);
    /* The first address beyond TDMA-RISC's is none of its registers. */
    bare->fail_mmio = false;
    execute(bare, 2, W(STOREREG) | 0x12000u >> 2 | 9u << 18);
    assert_int_equal(bare->stored_address, TF_DEBUG_BASE);
    execute(bare, 2, W(LOADREG) | 0x12000u >> 2 | 11u << 18);
    assert_int_equal(gpr(bare, 2)[11], 0x7654321);
}

static void test_atincget(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned width = bare_random() % 32, word = bare_random() % 4, thread = bare_random() % 3;
        uint32_t by = bare_random(), old = bare_random(), mask = (uint32_t)((2ull << width) - 1);
        gpr(bare, thread)[1] = 0x200;
        gpr(bare, thread)[40] = by;
        set_l1_word(bare, 0x2000 + 4 * word, old);
        execute(bare, thread, W(ATINCGET) | 1 | 40u << 6 | word << 12 | width << 14);
        assert_int_equal(gpr(bare, thread)[40], old);
        assert_int_equal(l1_word(bare, 0x2000 + 4 * word), ((old + by) & mask) | (old & ~mask));
    }
}

static void test_atswap(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned mask = bare_random() % 256, thread = bare_random() % 3, data = bare_random() % 64;
        bool single = bare_random() & 1;
        uint16_t expected[8], from[8] = {0};
        random_gprs(bare);
        gpr(bare, thread)[5] = 0x300;
        for (unsigned i = 0; i < 4; i++)
            set_l1_word(bare, 0x3000 + 4 * i, bare_random());
        memcpy(expected, bare->tile.l1 + 0x3000, 16);
        if (single)
            memcpy(&from[(data & 3) * 2], &gpr(bare, thread)[data], 4);
        else
            memcpy(from, &gpr(bare, thread)[data & 0x3C], 16);
        for (unsigned i = 0; i < 8; i++)
            if (mask >> i & 1)
                expected[i] = from[i];
        uint32_t before[TF_GPRS];
        memcpy(before, gpr(bare, thread), sizeof before);
        execute(bare, thread, W(ATSWAP) | 5 | data << 6 | mask << 14 | (uint32_t)single << 22);
        assert_memory_equal(bare->tile.l1 + 0x3000, expected, 16);
        assert_memory_equal(gpr(bare, thread), before, sizeof before); /* no answer arrives */
    }
}

/* ATCAS occupies the scalar unit until the word has the value, whichever actor writes it. */
static void test_atcas(void **state)
{
    struct bare *bare = *state;
    for (unsigned word = 0; word < 4; word++)
        for (unsigned compare = 0; compare < 16; compare += 5) {
            uint32_t address = 0x4000 + 4 * word, atcas = W(ATCAS) | 1 | word << 12 | compare << 14 | 9u << 18;
            gpr(bare, 0)[1] = 0x400;
            set_l1_word(bare, address, compare | 1u << 4); /* the whole word is compared */
            bare_push(bare, 0, atcas);
            assert_waits(bare, 0, atcas);
            uint32_t add = W(ADDDMAREG) | 1u << 23 | 1u << 6 | 2u << 12;
            bare_push(bare, 1, add);
            assert_waits(bare, 1, add);
            bare_push(bare, 2, W(SEMPOST) | 4); /* other units accept instructions */
            bare_run(bare, 5);
            assert_false(bare->tile.tensix->thread[2].gate.full);
            set_l1_word(bare, address, compare);
            assert_false(tf_tensix_waiting(&bare->tile));
            assert_passed(bare, 0);
            assert_int_equal(l1_word(bare, address), 9);
            assert_passed(bare, 1);
        }
}

/* Its address is computed again at every try. */
static void test_atcas_address_changes(void **state)
{
    struct bare *bare = *state;
    uint32_t atcas = W(ATCAS) | 1 | 3u << 14 | 4u << 18;
    gpr(bare, 0)[1] = 0x400;
    set_l1_word(bare, 0x5000, 3);
    bare_push(bare, 0, atcas);
    assert_waits(bare, 0, atcas);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_GPR_BASE + 4 * 1, 0x500), TF_ACCESS_OK);
    assert_passed(bare, 0);
    assert_int_equal(l1_word(bare, 0x5000), 4);
}

struct fifo {
    uint32_t rd, wr;
};

/* Does the page's functional model let it pass? */
static bool fifo_passes(const struct fifo *fifo, unsigned word, unsigned width)
{
    uint32_t size = fifo->wr - fifo->rd, capacity = width ? 1u << (width - 1) : 0x8000;
    return word & 1 ? !(size % capacity == 0 && size != 0) : size != 0;
}

static void test_atincgetptr(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        unsigned word = bare_random() % 4, width = bare_random() % 16, log2 = bare_random() % 16;
        bool keeps = bare_random() & 1;
        uint32_t limit = width ? (1u << width) - 1 : 0xFFFF;
        struct fifo fifo = {bare_random() & limit, bare_random() & limit};
        if (bare_random() % 3 == 0)
            fifo.wr = fifo.rd;
        else if (bare_random() % 3 == 0)
            fifo.wr = fifo.rd + (width ? 1u << (width - 1) : 0x8000);
        uint32_t line[4] = {fifo.rd, fifo.wr, bare_random(), bare_random()};
        memcpy(bare->tile.l1 + 0x6000, line, 16);
        gpr(bare, 0)[1] = 0x600;
        gpr(bare, 0)[2] = 0xDEADBEEF;
        uint32_t code = W(ATINCGETPTR) | 1 | 2u << 6 | word << 12 | width << 14 | log2 << 18 | (uint32_t)keeps << 22;
        bare_push(bare, 0, code);
        if (!fifo_passes(&fifo, word, width)) {
            assert_waits(bare, 0, code);
            assert_memory_equal(bare->tile.l1 + 0x6000, line, 16);
            /* One element, and room: it passes, unless there is room for one alone. */
            set_l1_word(bare, 0x6000, line[0] = 0);
            set_l1_word(bare, 0x6004, line[1] = width == 1 && (word & 1) ? 0 : 1);
            assert_false(tf_tensix_waiting(&bare->tile));
        }
        assert_passed(bare, 0);
        uint32_t mask = (1u << width) - 1, by = keeps ? 0 : 1u << log2;
        assert_int_equal(gpr(bare, 0)[2], line[word]);
        line[word] = ((line[word] + by) & mask) | (line[word] & ~mask);
        assert_memory_equal(bare->tile.l1 + 0x6000, line, 16);
    }
}

/* The text of a deadlock's report. */
static void test_descriptions(void **state)
{
    struct bare *bare = *state;
    char text[240];
    gpr(bare, 0)[1] = 0x600;
    set_l1_word(bare, 0x6008, 0x17);
    bare_push(bare, 0, W(ATCAS) | 1 | 2u << 12 | 5u << 14);
    bare_push(bare, 1, W(DMANOP));
    bare_run(bare, 10);
    assert_true(tf_tensix_describe_wait(&bare->tile, 0, text, sizeof text) > 0);
    assert_non_null(strstr(text, "the word at 0x06008 to become 5; it is 0x17"));
    assert_true(tf_tensix_describe_wait(&bare->tile, 1, text, sizeof text) > 0);
    assert_non_null(strstr(text, "which executes an instruction of T0"));
    set_l1_word(bare, 0x6008, 5);
    bare_run(bare, 10);
    bare_push(bare, 0, W(ATINCGETPTR) | 1);
    bare_run(bare, 10);
    assert_true(tf_tensix_describe_wait(&bare->tile, 0, text, sizeof text) > 0);
    assert_non_null(strstr(text, "the FIFO at 0x06000 not to be empty: 0 taken, 0 put"));
    set_l1_word(bare, 0x6004, 1);
    bare_run(bare, 10);
    set_l1_word(bare, 0x6000, 7);
    set_l1_word(bare, 0x6004, 7 + 8);
    bare_push(bare, 0, W(ATINCGETPTR) | 1 | V(ATINCGETPTR, sel_32b, 1) | V(ATINCGETPTR, wrap_val, 4));
    bare_run(bare, 10);
    assert_true(tf_tensix_describe_wait(&bare->tile, 0, text, sizeof text) > 0);
    assert_non_null(strstr(text, "the FIFO at 0x06000 not to be full: 7 taken, 15 put"));
    set_l1_word(bare, 0x6000, 8);
    bare_run(bare, 10);
    execute(bare, 0, W(SETDVALID) | 2);
    execute(bare, 0, W(SETDVALID) | 2);
    bare_push(bare, 0, W(STOREIND) | 1u << 21);
    bare_run(bare, 10);
    assert_true(tf_tensix_describe_wait(&bare->tile, 0, text, sizeof text) > 0);
    assert_non_null(strstr(text, "the matrix unit to release its bank of SrcB"));
    gpr(bare, 0)[1] = 0x0FFFFFFF; /* beyond L1: it waits only behind earlier requests, which explored orders delay */
    for (unsigned i = 0; i < 2; i++) {
        tf_thmem_describe_wait(&bare->tile, 0, (i == 0 ? W(ATCAS) : W(ATINCGETPTR)) | 1, text, sizeof text);
        assert_string_equal(text, "earlier requests of the scalar unit to act");
    }
}

/* Other actors may act at any moment. An atomic whose condition was lost between test and action stays at the gate. */
static void test_lost_race(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    gpr(bare, 0)[1] = 0x600;
    set_l1_word(bare, 0x6000, 1);
    tensix->thread[0].gate.word = W(ATCAS) | 1 | 2u << 14;
    tf_exec_ATCAS(&bare->tile, 0, tensix->thread[0].gate.word);
    assert_true(tensix->thcon->unfinished);
    tensix->thcon->unfinished = false;
    set_l1_word(bare, 0x6004, 1);
    tf_exec_ATINCGETPTR(&bare->tile, 0, W(ATINCGETPTR) | 1); /* empty */
    assert_true(tensix->thcon->unfinished);
    tensix->thcon->unfinished = false;
}

/* Two threads of one tile: a consumer pops what a producer pushes, in order, and never more than the FIFO holds. */
static void test_fifo_between_threads(void **state)
{
    struct bare *bare = *state;
    for (unsigned t = 0; t < 2; t++)
        gpr(bare, t)[1] = 0x700;
    set_l1_word(bare, 0x7000, 0);
    set_l1_word(bare, 0x7004, 0);
    unsigned pushed = 0, popped = 0;
    uint32_t push = W(ATINCGETPTR) | 1 | 2u << 6 | 1u << 12 | 3u << 14; /* a FIFO of four */
    uint32_t pop = W(ATINCGETPTR) | 1 | 2u << 6 | 3u << 14;
    for (unsigned round = 0; round < 64; round++) {
        if (!bare->tile.tensix->thread[0].gate.full && pushed < 40) {
            bare_push(bare, 0, push);
            pushed++;
        }
        bare_run(bare, 3);
        if (round % 3 != 0 && bare->tile.tensix->frontend->scalar_holder == 0 && popped < pushed) {
            bare_push(bare, 1, pop);
            bare_run(bare, 3);
            popped++;
            assert_int_equal(gpr(bare, 1)[2], (popped - 1) % 8);
        } else if (bare->tile.tensix->frontend->scalar_holder != 0) {
            /* It is full, and the scalar unit is occupied. A core pops. */
            set_l1_word(bare, 0x7000, (l1_word(bare, 0x7000) + 1) % 8);
            bare_run(bare, 3);
            popped++;
        }
        assert_true((l1_word(bare, 0x7004) - l1_word(bare, 0x7000)) % 8 <= 4);
    }
    assert_true(pushed == 40 && popped > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_loadind, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_storeind_l1, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_beyond_l1, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_storeind_mmio, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_registers, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_atincget, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_atswap, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_atcas, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_atcas_address_changes, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_atincgetptr, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_descriptions, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_lost_race, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_fifo_between_threads, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
