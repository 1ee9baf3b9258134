/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tile/riscv/isa/disasm.h"
#include "tile/riscv/hart/stop.h"
#include "tile/tensix/frontend/status.h"
#include "tile/tensix/isa/disasm.h"

/* disasm.c and csr.c, which has the names, need these modules. */
int tf_tensix_disassemble(uint32_t word, char *text, unsigned bytes)
{
    return snprintf(text, bytes, "TENSIX 0x%08x", word);
}

uint32_t tf_tensix_status(const struct tf_tile *tile, unsigned core, bool busy)
{
    (void)tile;
    fail_msg("status asked for: %u %d", core, busy);
    return 0;
}

void tf_tile_fault(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                   uint64_t address, const char *format, ...)
{
    (void)tile;
    fail_msg("fault %u %d 0x%x 0x%llx %s", core, (int)category, instruction, (unsigned long long)address, format);
}

static const struct {
    uint32_t word, pc;
    const char *text;
} recorded[] = {
#include "unit/riscv/objdump_vectors.inc"
#include "unit/riscv/objdump_v.inc"
};

/* Not in GNU's tables, or spelt otherwise there. */
static const struct {
    uint32_t word, pc;
    const char *text;
} own[] = {
    {0x68155513, 0, "grevi a0,a0,0x1"},
    {0x7c012573, 0, "csrrs a0,cfg0,sp"},
    {0xbc002573, 0, "csrrs a0,tt_cfg_qstatus,zero"},
    {0x12352573, 0, "csrrs a0,0x123,a0"},
    {0x060280d7, 0, ".word 0x60280d7"},
    {0xffffffff, 0, ".word 0xffffffff"},
    {0x000000a8, 0, "TENSIX 0x0000002a"},
    {0x00000002, 0, "TENSIX 0x80000000"},
    {0xffdff06f, 2, "jal zero,0xfffffffe"},
};

static void check(uint32_t word, uint32_t pc, const char *want)
{
    char text[80];
    int length = tf_riscv_disassemble(word, pc, text, sizeof text);
    if (strcmp(text, want) != 0) {
        fail_msg("0x%08x at 0x%x: \"%s\", not \"%s\"", word, pc, text, want);
    }
    assert_int_equal(length, strlen(want));
}

static void test_like_objdump(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
        check(recorded[i].word, recorded[i].pc, recorded[i].text);
    }
}

static void test_beyond_objdump(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        check(own[i].word, own[i].pc, own[i].text);
    }
}

static void test_short_buffer(void **state)
{
    (void)state;
    char text[8] = "#######";
    assert_int_equal(tf_riscv_disassemble(0x00150513, 0, text, 5), strlen("addi a0,a0,1"));
    assert_string_equal(text, "addi");
    assert_int_equal(text[5], '#');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_objdump),
        cmocka_unit_test(test_beyond_objdump),
        cmocka_unit_test(test_short_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
