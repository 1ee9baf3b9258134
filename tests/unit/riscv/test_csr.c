/* SPDX-License-Identifier: Apache-2.0 */
/* CSRs against the table of BlackholeA0/TensixTile/BabyRISCV/CSRs.md, written down a second time here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xxhash.h>

#include "lines.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/hart/stop.h"
#include "tile/tensix/frontend/status.h"
#include "tile/run/tile.h"

static const struct {
    uint16_t address;
    const char *name;
    uint32_t reset, writable;
} page[] = {
    {0x003, "fcsr", 0, 0xff},
    {0x008, "vstart", 0, 0},
    {0x009, "vxsat", 0, 1},
    {0x00a, "vxrm", 0, 3},
    {0x300, "mstatus", 0x80006600, 0},
    {0x301, "misa", 0x40201123, 0},
    {0x320, "mcountinhibit", 0, 0x1d},
    {0x323, "mhpmevent3", 0, ~0u},
    {0x324, "mhpmevent4", 0, ~0u},
    {0x7c0, "cfg0", 16u << 13, ~0u},
    {0x7c1, "pmacfg0", 0, ~0u},
    {0x7c2, "pmacfg1", 0, ~0u},
    {0x7c3, "cfg1", 0, ~0u},
    {0x7c4, "hwa_mask", 0, ~0u},
    {0x7c5, "hwa_cfg", 0, ~0u},
    {0x7c6, "vgsrc", 0, ~0u},
    {0xb03, "mhpmcounter3", 0, ~0u},
    {0xb04, "mhpmcounter4", 0, ~0u},
    {0xb83, "mhpmcounter3h", 0, ~0u},
    {0xb84, "mhpmcounter4h", 0, ~0u},
    {0xbc2, "tt_cfg_sstatus0", 0, ~0u},
    {0xbc3, "tt_cfg_sstatus1", 0, ~0u},
    {0xbc4, "tt_cfg_sstatus2", 0, ~0u},
    {0xbc5, "tt_cfg_sstatus3", 0, ~0u},
    {0xbc6, "tt_cfg_sstatus4", 0, ~0u},
    {0xbc7, "tt_cfg_sstatus5", 0, ~0u},
    {0xbc8, "tt_cfg_sstatus6", 0, ~0u},
    {0xbc9, "tt_cfg_sstatus7", 0, ~0u},
    {0xbca, "intp_restore_pc", 0, ~0u},
    {0xc20, "vl", 0, 0xff},
    {0xc21, "vtype", 0, 0xff},
    {0xc22, "vlenb", 16, ~0u},
    {0xf14, "mhartid", 0, 0},
};

#define PAGE (sizeof page / sizeof page[0])

/* The rest of the page: counters, and the coprocessor's status. */
static const uint16_t others[] = {0xb00, 0xb02, 0xb80, 0xb82, 0xbc0, 0xbc1, 0xc00, 0xc02, 0xc80, 0xc82};

static struct tf_tile *tile;
static struct tf_hart *hart;
static uint32_t live; /* what the coprocessor shows */
static unsigned faults;
static enum tf_fault_category fault_category;
static uint64_t fault_address;

uint32_t tf_tensix_status(const struct tf_tile *of, unsigned core, bool busy)
{
    assert_ptr_equal(of, tile);
    return live | core << 4 | (busy ? 1 : 0);
}

void tf_tile_fault(struct tf_tile *of, unsigned core, enum tf_fault_category category, uint32_t instruction,
                   uint64_t address, const char *format, ...)
{
    assert_ptr_equal(of, tile);
    assert_int_equal(core, hart->core);
    assert_int_not_equal(instruction, 0);
    assert_non_null(format);
    faults++;
    fault_category = category;
    fault_address = address;
}

static const struct tf_tile_arch arch = {
    .family = "Rig",
    .extensions = {[TF_CORE_B] = TF_EXT_MACHINE, [TF_CORE_NC] = TF_EXT_MACHINE},
};

static int setup(void **state)
{
    (void)state;
    tile = zeroed_lines(sizeof *tile);
    if (!tile) {
        return -1;
    }
    tile->tensix = (struct tf_tensix *)tile; /* there is one; the fake above does not look at it */
    tile->arch = &arch;
    hart = &tile->hart[0];
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        tile->hart[core].core = (uint8_t)core;
        tf_csr_reset(&tile->hart[core].csr, 0, 0);
    }
    live = 0;
    faults = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(tile);
    return 0;
}

static struct tf_rv_insn make(unsigned id, unsigned rd, unsigned address, unsigned rs1)
{
    struct tf_rv_insn insn;
    tf_rv_decode(tf_rv_info(id)->match | rd << 7 | rs1 << 15 | address << 20, &insn);
    assert_int_equal(insn.id, id);
    return insn;
}

static enum tf_access execute(unsigned id, unsigned rd, unsigned address, unsigned rs1, uint32_t *value)
{
    struct tf_rv_insn insn = make(id, rd, address, rs1);
    return tf_csr_execute(tile, hart, &insn, value);
}

static uint32_t read_csr(unsigned address)
{
    uint32_t value = 0xdeadbeef;
    assert_int_equal(execute(TF_RV_CSRRS, 10, address, 0, &value), TF_ACCESS_OK);
    return value;
}

static void write_csr(unsigned address, uint32_t value)
{
    uint32_t ignored;
    hart->x[5] = value;
    assert_int_equal(execute(TF_RV_CSRRW, 0, address, 5, &ignored), TF_ACCESS_OK);
}

static void test_reset_values_and_masks(void **state)
{
    (void)state;
    for (size_t i = 0; i < PAGE; i++) {
        assert_string_equal(tf_csr_name(page[i].address), page[i].name);
        assert_int_equal(read_csr(page[i].address), page[i].reset);
        write_csr(page[i].address, ~0u);
        assert_int_equal(read_csr(page[i].address), (page[i].reset & ~page[i].writable) | page[i].writable);
        write_csr(page[i].address, 0);
        assert_int_equal(read_csr(page[i].address), page[i].reset & ~page[i].writable);
    }
}

static void test_each_has_a_word_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < PAGE; i++) {
        if (page[i].address != 0x7c0) { /* the CSRs whose bits change what others do */
            write_csr(page[i].address, 0x1234500 + (uint32_t)i * 0x01010101);
        }
    }
    for (size_t i = 0; i < PAGE; i++) {
        if (page[i].address != 0x7c0) {
            uint32_t wrote = 0x1234500 + (uint32_t)i * 0x01010101;
            assert_int_equal(read_csr(page[i].address),
                             (page[i].reset & ~page[i].writable) | (wrote & page[i].writable));
        }
    }
}

static bool on_page(unsigned address)
{
    for (size_t i = 0; i < PAGE; i++) {
        if (page[i].address == address) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i] == address) {
            return true;
        }
    }
    return false;
}

static void test_unknown_ones_fault(void **state)
{
    (void)state;
    struct tf_csrs before = hart->csr;
    for (unsigned address = 0; address < 4096; address++) {
        if (on_page(address)) {
            assert_non_null(tf_csr_name(address));
            continue;
        }
        uint32_t value;
        faults = 0;
        assert_null(tf_csr_name(address));
        assert_int_equal(execute(TF_RV_CSRRW, 0, address, 1, &value), TF_ACCESS_FAULT);
        assert_int_equal(execute(TF_RV_CSRRS, 1, address, 0, &value), TF_ACCESS_FAULT);
        assert_int_equal(faults, 2);
        assert_int_equal(fault_category, TF_FAULT_UNDEFINED);
        assert_int_equal(fault_address, address);
        struct tf_rv_insn insn = make(TF_RV_CSRRS, 1, address, 0);
        assert_true(tf_csr_has_effect(hart, &insn));
    }
    assert_memory_equal(&before, &hart->csr, sizeof before);
}

static void test_forms(void **state)
{
    (void)state;
    const unsigned cfg1 = 0x7c3;
    uint32_t old;
    hart->x[0] = 0x55; /* the value in x0's place must have no effect */
    hart->x[6] = 0x0ff0;
    write_csr(cfg1, 0xf00f);
    assert_int_equal(execute(TF_RV_CSRRW, 1, cfg1, 6, &old), TF_ACCESS_OK);
    assert_int_equal(old, 0xf00f);
    assert_int_equal(read_csr(cfg1), 0x0ff0);
    hart->x[6] = 0x8001;
    assert_int_equal(execute(TF_RV_CSRRS, 1, cfg1, 6, &old), TF_ACCESS_OK);
    assert_int_equal(old, 0x0ff0);
    assert_int_equal(read_csr(cfg1), 0x8ff1);
    hart->x[6] = 0x00f1;
    assert_int_equal(execute(TF_RV_CSRRC, 1, cfg1, 6, &old), TF_ACCESS_OK);
    assert_int_equal(old, 0x8ff1);
    assert_int_equal(read_csr(cfg1), 0x8f00);
    assert_int_equal(execute(TF_RV_CSRRSI, 1, cfg1, 31, &old), TF_ACCESS_OK);
    assert_int_equal(read_csr(cfg1), 0x8f1f);
    assert_int_equal(execute(TF_RV_CSRRCI, 1, cfg1, 10, &old), TF_ACCESS_OK);
    assert_int_equal(read_csr(cfg1), 0x8f15);
    assert_int_equal(execute(TF_RV_CSRRWI, 1, cfg1, 21, &old), TF_ACCESS_OK);
    assert_int_equal(old, 0x8f15);
    assert_int_equal(read_csr(cfg1), 21);
    assert_int_equal(execute(TF_RV_CSRRW, 1, cfg1, 0, &old), TF_ACCESS_OK);
    assert_int_equal(read_csr(cfg1), 0);
}

static void test_counters(void **state)
{
    (void)state;
    tf_csr_reset(&hart->csr, 1000, 70);
    hart->cycle = 1000 + 0x500000123;
    hart->instret = 70 + 0x700000045;
    for (unsigned alias = 0; alias <= 0x100; alias += 0x100) {
        assert_int_equal(read_csr(0xb00 + alias), 0x123);
        assert_int_equal(read_csr(0xb80 + alias), 5);
        assert_int_equal(read_csr(0xb02 + alias), 0x45);
        assert_int_equal(read_csr(0xb82 + alias), 7);
    }
    /* The next instruction reads the value that was written. */
    write_csr(0xc00, 0xfffffffe);
    write_csr(0xc02, 0xfffffff0);
    hart->cycle++;
    hart->instret++;
    assert_int_equal(read_csr(0xb00), 0xfffffffe);
    assert_int_equal(read_csr(0xb80), 5);
    assert_int_equal(read_csr(0xb02), 0xfffffff0);
    assert_int_equal(read_csr(0xb82), 7);
    hart->cycle += 2;
    assert_int_equal(read_csr(0xc00), 0);
    assert_int_equal(read_csr(0xc80), 6);
    write_csr(0xb80, 0xffffffff);
    write_csr(0xc82, 0x80000000);
    assert_int_equal(read_csr(0xc80), 0xffffffff);
    assert_int_equal(read_csr(0xc00), 0);
    assert_int_equal(read_csr(0xb82), 0x80000000);
    assert_int_equal(read_csr(0xb02), 0xfffffff0);
    hart->cycle = hart->instret = 0;
}

static void test_event_counters_clear_on_read(void **state)
{
    (void)state;
    uint32_t old;
    static const unsigned counters[] = {0xb03, 0xb04, 0xb83, 0xb84};
    for (unsigned i = 0; i < 4; i++) {
        struct tf_rv_insn insn = make(TF_RV_CSRRS, 1, counters[i], 0);
        write_csr(0x7c0, 0);
        write_csr(counters[i], 77 + i);
        assert_int_equal(read_csr(counters[i]), 77 + i);
        assert_int_equal(read_csr(counters[i]), 77 + i);
        assert_false(tf_csr_has_effect(hart, &insn));
        write_csr(0x7c0, 1u << 8);
        assert_true(tf_csr_has_effect(hart, &insn));
        hart->x[5] = 99;
        assert_int_equal(execute(TF_RV_CSRRW, 0, counters[i], 5, &old), TF_ACCESS_OK); /* no read, rd being x0 */
        assert_int_equal(read_csr(counters[i]), 99);
        assert_int_equal(read_csr(counters[i]), 0);
    }
}

static void test_coprocessor_status(void **state)
{
    (void)state;
    struct tf_rv_insn insn = make(TF_RV_CSRRS, 1, 0xbc1, 0);
    hart = &tile->hart[TF_CORE_T1];
    live = 0x700;
    assert_false(tf_csr_has_effect(hart, &insn));
    assert_int_equal(read_csr(0xbc0), 0x730);
    assert_int_equal(read_csr(0xbc1), 0x731);
    write_csr(0xbc0, 5); /* the hardware overwrites it */
    assert_int_equal(read_csr(0xbc0), 0x730);
    write_csr(0x7c0, 1u << 29); /* frozen with its present value */
    live = 0x100;
    assert_false(tf_csr_has_effect(hart, &insn));
    assert_int_equal(read_csr(0xbc0), 0x730);
    assert_int_equal(read_csr(0xbc1), 0x731);
    write_csr(0xbc1, 0x1234);
    write_csr(0x7c0, 1u << 29 | 2); /* it is already frozen, so no new value is taken */
    assert_int_equal(read_csr(0xbc1), 0x1234);
    write_csr(0x7c0, 0);
    assert_int_equal(read_csr(0xbc1), 0x131);
    tile->tensix = NULL;
    assert_int_equal(read_csr(0xbc1), 0);
    assert_int_equal(faults, 0);
}

static void test_stream_status(void **state)
{
    (void)state;
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        hart = &tile->hart[core];
        faults = 0;
        for (unsigned address = 0xbc2; address <= 0xbc9; address++) {
            struct tf_rv_insn insn = make(TF_RV_CSRRS, 1, address, 0);
            uint32_t value;
            write_csr(0x7c0, 0);
            write_csr(address, address * 3);
            if (core < TF_CORE_T0) {
                assert_int_equal(read_csr(address), address * 3);
                assert_false(tf_csr_has_effect(hart, &insn));
            } else {
                assert_int_equal(execute(TF_RV_CSRRS, 1, address, 0, &value), TF_ACCESS_FAULT);
                assert_int_equal(fault_category, TF_FAULT_UNPREDICTABLE);
                assert_true(tf_csr_has_effect(hart, &insn));
                write_csr(0x7c0, 1u << 29);
                assert_false(tf_csr_has_effect(hart, &insn));
                assert_int_equal(read_csr(address), 0);
                write_csr(address, address * 5);
                assert_int_equal(read_csr(address), address * 5);
            }
        }
        assert_int_equal(faults, core < TF_CORE_T0 ? 0 : 8);
    }
}

static void test_effects(void **state)
{
    (void)state;
    static const struct {
        unsigned id, address, rs1;
        bool effect;
    } list[] = {
        {TF_RV_CSRRS, 0x7c0, 0, false},  {TF_RV_CSRRC, 0x7c0, 0, false}, {TF_RV_CSRRSI, 0x003, 0, false},
        {TF_RV_CSRRCI, 0xf14, 0, false}, {TF_RV_CSRRS, 0x7c0, 1, true},  {TF_RV_CSRRC, 0x7c0, 1, true},
        {TF_RV_CSRRSI, 0x003, 1, true},  {TF_RV_CSRRCI, 0xf14, 1, true}, {TF_RV_CSRRW, 0x7c3, 0, true},
        {TF_RV_CSRRWI, 0x7c3, 0, true},  {TF_RV_CSRRS, 0xb00, 0, true},  {TF_RV_CSRRS, 0xb80, 0, true},
        {TF_RV_CSRRS, 0xb02, 0, true},   {TF_RV_CSRRS, 0xc82, 0, true},  {TF_RV_CSRRS, 0xbc0, 0, false},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct tf_rv_insn insn = make(list[i].id, 1, list[i].address, list[i].rs1);
        assert_int_equal(tf_csr_has_effect(hart, &insn), list[i].effect);
    }
}

/* Only an instruction that reads the coprocessor's status, or may freeze it, waits for other cores. */
static void test_waits_for_coprocessor(void **state)
{
    (void)state;
    static const struct {
        unsigned id, address, rs1;
        bool waits;
    } list[] = {
        {TF_RV_CSRRS, 0xbc0, 0, true},  {TF_RV_CSRRS, 0xbc9, 0, true},  {TF_RV_CSRRW, 0x7c0, 0, true},
        {TF_RV_CSRRS, 0x7c0, 1, true},  {TF_RV_CSRRS, 0x7c0, 0, false}, {TF_RV_CSRRCI, 0x7c0, 0, false},
        {TF_RV_CSRRW, 0x7c3, 1, false}, {TF_RV_CSRRS, 0xb00, 0, false}, {TF_RV_CSRRW, 0xb03, 1, false},
        {TF_RV_CSRRS, 0x001, 0, false},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct tf_rv_insn insn = make(list[i].id, 1, list[i].address, list[i].rs1);
        assert_int_equal(tf_csr_sees_coprocessor(&insn), list[i].waits);
    }
}

static void test_interrupts(void **state)
{
    (void)state;
    hart = &tile->hart[TF_CORE_NC];
    hart->pc = 0x4444;
    assert_true(tf_csr_interrupts_enabled(&hart->csr));
    tf_csr_interrupt_enter(hart, 0x8000);
    assert_int_equal(hart->pc, 0x8000);
    assert_false(tf_csr_interrupts_enabled(&hart->csr));
    assert_int_equal(read_csr(0xbca), 0x4444);
    /* A handler reads CSRs, and its writes are lost. */
    write_csr(0x7c3, 5);
    assert_int_equal(read_csr(0x7c3), 0);
    write_csr(0xbca, 5);
    assert_int_equal(read_csr(0xbca), 0x4444);
    hart->pc = 0x8010;
    assert_int_equal(tf_csr_mret(tile, hart, 0x30200073), TF_ACCESS_OK);
    assert_int_equal(hart->pc, 0x4444);
    assert_true(tf_csr_interrupts_enabled(&hart->csr));
    write_csr(0x7c3, 5);
    assert_int_equal(read_csr(0x7c3), 5);
    write_csr(0xbca, 7);
    assert_int_equal(read_csr(0xbca), 7);
    assert_int_equal(faults, 0);
    assert_int_equal(tf_csr_mret(tile, hart, 0x30200073), TF_ACCESS_FAULT);
    assert_int_equal(faults, 1);
    assert_int_equal(fault_category, TF_FAULT_UNDEFINED);
    assert_int_equal(hart->pc, 0x4444);
    for (unsigned core = TF_CORE_T0; core <= TF_CORE_T2; core++) {
        hart = &tile->hart[core];
        assert_int_equal(tf_csr_mret(tile, hart, 0x30200073), TF_ACCESS_FAULT);
    }
    assert_int_equal(faults, 4);
}

static uint64_t hash_of(const struct tf_csrs *csr)
{
    struct tf_hash hash = {.state = XXH3_createState()};
    assert_non_null(hash.state);
    XXH3_64bits_reset(hash.state);
    tf_csr_hash(csr, &hash);
    uint64_t digest = XXH3_64bits_digest(hash.state);
    XXH3_freeState(hash.state);
    return digest;
}

static void test_hash_sees_everything(void **state)
{
    (void)state;
    struct tf_csrs csr = hart->csr;
    uint64_t base = hash_of(&csr);
    assert_int_equal(base, hash_of(&hart->csr));
    for (unsigned i = 0; i < TF_CSR_WORDS; i++) {
        csr.word[i] ^= 1;
        assert_int_not_equal(hash_of(&csr), base);
        csr.word[i] ^= 1;
    }
    csr.cycle_offset++;
    assert_int_not_equal(hash_of(&csr), base);
    csr.cycle_offset--;
    csr.instret_offset++;
    assert_int_not_equal(hash_of(&csr), base);
    csr.instret_offset--;
    csr.restore_pc = 4;
    assert_int_not_equal(hash_of(&csr), base);
    csr.restore_pc = 0;
    csr.in_handler = true;
    assert_int_not_equal(hash_of(&csr), base);
}

static void test_fflags(void **state)
{
    (void)state;
    write_csr(0x003, 0xe0);
    tf_csr_raise_fflags(&hart->csr, 0x11);
    tf_csr_raise_fflags(&hart->csr, 0x02);
    assert_int_equal(read_csr(0x003), 0xf3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reset_values_and_masks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_each_has_a_word_of_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unknown_ones_fault, setup, teardown),
        cmocka_unit_test_setup_teardown(test_forms, setup, teardown),
        cmocka_unit_test_setup_teardown(test_counters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_event_counters_clear_on_read, setup, teardown),
        cmocka_unit_test_setup_teardown(test_coprocessor_status, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stream_status, setup, teardown),
        cmocka_unit_test_setup_teardown(test_effects, setup, teardown),
        cmocka_unit_test_setup_teardown(test_waits_for_coprocessor, setup, teardown),
        cmocka_unit_test_setup_teardown(test_interrupts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hash_sees_everything, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fflags, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
