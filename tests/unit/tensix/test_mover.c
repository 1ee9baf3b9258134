/* SPDX-License-Identifier: Apache-2.0 */
/* The mover through XMOV and TDMA-RISC, and TDMA-RISC's other registers. */
#include "tile/tensix/whole/window.h"
#include "unless_hostile.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/unpack/state.h"
#include "unit/tensix/units.h"
#include "tilefarm_address.h"

#define TDMA TF_TDMA_BASE
enum { L0_TO_L1, L1_TO_L0, L0_TO_L0, L1_TO_L1 };

static enum tf_access store(struct bare *bare, unsigned core, uint32_t offset, uint32_t value)
{
    return tf_tensix_store(&bare->tile, core, TDMA + offset, value);
}

static uint32_t load(struct bare *bare, unsigned core, uint32_t offset)
{
    uint32_t value = 0xBAD;
    bool pure;
    assert_int_equal(tf_tensix_load(&bare->tile, core, TDMA + offset, &value, &pure), TF_ACCESS_OK);
    return value;
}

static enum tf_access load_fails(struct bare *bare, unsigned core, uint32_t offset)
{
    uint32_t value;
    bool pure;
    return tf_tensix_load(&bare->tile, core, TDMA + offset, &value, &pure);
}

static void fill(struct bare *bare, uint32_t address, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += 4)
        set_l1_word(bare, address + at, address + at + 0x01010101);
}

static void set_xmov(struct bare *bare, unsigned bank, uint32_t dst, uint32_t src, uint32_t lines, unsigned mode)
{
    uint32_t *config = bare->tile.tensix->config->bank[bank];
    config[TF_CFG_THCON_SEC0_REG6_Source_address >> 16] = src >> 4;
    config[TF_CFG_THCON_SEC0_REG6_Destination_address >> 16] = dst >> 4;
    config[TF_CFG_THCON_SEC0_REG6_Buffer_size >> 16] = lines | mode << 30;
}

static void test_xmov(void **state)
{
    struct bare *bare = *state;
    fill(bare, 0x1000, 0x400);
    set_xmov(bare, 0, 0x8000, 0x1000, 0x40, L1_TO_L1);
    execute(bare, 0, W(XMOV));
    assert_memory_equal(bare->tile.l1 + 0x8000, bare->tile.l1 + 0x1000, 0x400);
    assert_int_equal(l1_word(bare, 0x8400), 0);
    set_xmov(bare, 1, 0x8010, 0, 2, L0_TO_L1);
    bare->tile.tensix->config->thread[2][0] = 1; /* T2 uses bank 1 */
    execute(bare, 2, W(XMOV));
    for (uint32_t at = 0x8010; at < 0x8030; at += 4)
        assert_int_equal(l1_word(bare, at), 0);
    assert_int_equal(l1_word(bare, 0x800C), 0x100C + 0x01010101);
    assert_int_equal(l1_word(bare, 0x8030), 0x1030 + 0x01010101);
    set_l1_word(bare, 0x80000 - 4, 77);
    set_xmov(bare, 0, 0x80000, 0, 0x8000, L1_TO_L1); /* half a MiB */
    execute(bare, 0, W(XMOV));
    assert_int_equal(l1_word(bare, 0x100000 - 4), 77);
    set_xmov(bare, 0, 0x9000, 0x1000, 0x10000, L1_TO_L1); /* 16 bits of the size count: nothing */
    execute(bare, 0, W(XMOV));
    assert_int_equal(l1_word(bare, 0x9000), 0);
}

/* The mover goes upwards. If the destination begins within the source, it reads lines again that it has written. */
static void test_overlap(void **state)
{
    struct bare *bare = *state;
    fill(bare, 0x1000, 0x100);
    set_xmov(bare, 0, 0x1020, 0x1000, 6, L1_TO_L1);
    execute(bare, 0, W(XMOV));
    for (uint32_t at = 0x1020; at < 0x1080; at += 0x20)
        assert_memory_equal(bare->tile.l1 + at, bare->tile.l1 + 0x1000, 0x20);
    assert_int_equal(l1_word(bare, 0x1080), 0x1080 + 0x01010101);
    set_xmov(bare, 0, 0x1080, 0x1090, 6, L1_TO_L1);
    execute(bare, 0, W(XMOV));
    for (uint32_t at = 0x1080; at < 0x10E0; at += 4)
        assert_int_equal(l1_word(bare, at), at + 0x10 + 0x01010101);
}

static void test_to_configuration(void **state)
{
    struct bare *bare = *state;
    struct tf_backend_config *config = bare->tile.tensix->config;
    fill(bare, 0x1000, 0x1000);
    set_xmov(bare, 0, 112 * 4, 0x1000, 2, L1_TO_L0); /* words 112..119 of bank 0 */
    execute(bare, 0, W(XMOV));
    assert_int_equal(config->bank[0][112], 0x1000 + 0x01010101);
    assert_int_equal(config->bank[0][118], 0x1018 + 0x01010101);
    assert_int_equal(config->bank[0][120], 0);
    assert_int_equal(config->bank[1][112], 0);
    set_xmov(bare, 0, (TF_CFG_WORDS + 112) * 4, 0x1100, 1, L1_TO_L0);
    execute(bare, 0, W(XMOV));
    assert_int_equal(config->bank[1][112], 0x1100 + 0x01010101);
    assert_int_equal(config->bank[0][112], 0x1000 + 0x01010101);
    set_xmov(bare, 0, (2 * TF_CFG_WORDS + 112) * 4, 0x1200, 1, L1_TO_L0);
    execute(bare, 0, W(XMOV));
    assert_int_equal(config->bank[0][113], 0x1204 + 0x01010101);
    assert_int_equal(config->bank[1][113], 0x1204 + 0x01010101);
    set_xmov(bare, 0, 112 * 4, 0, 1, L0_TO_L0);
    execute(bare, 0, W(XMOV));
    assert_int_equal(config->bank[0][113], 0);
    assert_int_equal(config->bank[1][113], 0x1204 + 0x01010101);
    /* To no region, and to NC's instruction RAM on a chip without it. */
    uint64_t before = config->bank[0][112];
    set_xmov(bare, 0, 0x20000, 0x1000, 1, L1_TO_L0);
    execute(bare, 0, W(XMOV));
    set_xmov(bare, 0, 0x40000, 0x1000, 1, L1_TO_L0);
    execute(bare, 0, W(XMOV));
    set_xmov(bare, 0, 0xFFF0, 0x1000, 1, L1_TO_L0); /* the last line of the region */
    execute(bare, 0, W(XMOV));
    assert_int_equal(config->bank[0][112], before);
}

static void test_undefined(void **state)
{
    struct bare *bare = *state;
    set_xmov(bare, 0, TF_L1_BYTES, 0, 1, L1_TO_L1);
    execute_fault(bare, 0, W(XMOV), TF_FAULT_UNDEFINED);
    set_xmov(bare, 0, 0, TF_L1_BYTES, 1, L1_TO_L1);
    execute_fault(bare, 0, W(XMOV), TF_FAULT_UNDEFINED);
    set_xmov(bare, 0, 0, TF_L1_BYTES - 16, 2, L1_TO_L0);
    execute_fault(bare, 0, W(XMOV), TF_FAULT_UNDEFINED);
    set_xmov(bare, 0, TF_L1_BYTES - 16, 0, 2, L0_TO_L1);
    execute_fault(bare, 0, W(XMOV), TF_FAULT_UNDEFINED);
    set_xmov(bare, 0, 0xFFF0, 0, 2, L0_TO_L0); /* two regions */
    execute_fault(bare, 0, W(XMOV), TF_FAULT_UNDEFINED);
    set_xmov(bare, 0, TF_L1_BYTES - 16, 0, 1, L0_TO_L1);
    execute(bare, 0, W(XMOV));
}

/* Wormhole: data past NC's instruction RAM are dropped, and not written to another place. */
static void test_end_of_iram(void **state)
{
    struct bare *bare = *state;
    const uint32_t iram_bytes = bare->tile.arch->iram_bytes, end = bare->tile.arch->l1_bytes + iram_bytes;
    fill(bare, 0x1000, 0x20);
    set_xmov(bare, 0, 0x40000 + iram_bytes - 16, 0x1000, 2, L1_TO_L0);
    execute(bare, 0, W(XMOV));
    assert_memory_equal(bare->tile.l1 + end - 16, bare->tile.l1 + 0x1000, 16);
    assert_int_equal(bare->noted_address, end - 16);
    assert_int_equal(bare->noted_bytes, 16);
    set_xmov(bare, 0, 0x40000 + iram_bytes, 0x1000, 2, L1_TO_L0);
    execute(bare, 0, W(XMOV));
}

/* Both ways to move data between workers' tiles have equal outcomes. */
static void test_shared(void **state)
{
    struct bare *bare = *state;
    bare->tile.mode.shared = true;
    test_xmov(state);
    test_overlap(state);
    test_to_configuration(state);
    (void)bare;
}

static void test_xmov_waits(void **state)
{
    struct bare *bare = *state;
    tf_tensix_delay(&bare->tile, 30);
    set_xmov(bare, 0, 0x8000, 0x1000, 1, L1_TO_L1);
    bare_push(bare, 0, W(XMOV));
    bare_run(bare, 5);
    assert_int_equal(load(bare, TF_CORE_B, 0x14) & 1, 1);
    bare_push(bare, 1, W(XMOV));
    bare_run(bare, 5);
    assert_false(bare->tile.tensix->thread[0].gate.full);
    assert_true(bare->tile.tensix->thread[1].gate.full);
    bare_run(bare, 30);
    assert_false(bare->tile.tensix->thread[1].gate.full);
    bare_run(bare, 40);
    assert_int_equal(load(bare, TF_CORE_B, 0x14), 0x428);
}

/* TDMA-RISC's moves keep the mover busy, too, for commands of any core. */
static void test_command_keeps_busy(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    static const unsigned core[4] = {TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2};
    static const uint32_t waits[2] = {W(XMOV),
                                      W(STALLWAIT) | V(STALLWAIT, stall_res, 1 << 5) | V(STALLWAIT, wait_res, 1 << 9)};
    for (unsigned i = 0; i < 8; i++)
        for (unsigned thread = 0; thread < 3; thread++) {
            struct bare *bare;
            bare_setup((void **)&bare);
            const struct tf_gate *gate = &bare->tile.tensix->thread[thread].gate;
            tf_tensix_delay(&bare->tile, 30);
            assert_int_equal(store(bare, core[i / 2], 0x10, 0x80000040u | 0x80u << 16 | 1u << 24 | 1u << 30),
                             TF_ACCESS_OK);
            assert_int_equal(load(bare, TF_CORE_B, 0x14) & 1, 1);
            bare_push(bare, thread, waits[i % 2]);
            bare_push(bare, thread, W(DMANOP));
            bare_run(bare, 28);
            assert_true(gate->full);
            bare_run(bare, 10);
            assert_false(gate->full);
            bare_teardown((void **)&bare);
        }
}

static void test_mover_reset(void **state)
{
    struct bare *bare = *state;
    fill(bare, 0x1000, 0x10);
    set_xmov(bare, 0, 0x8000, 0x1000, 1, L1_TO_L1);
    bare->tile.mmio.debug.soft_reset = 1u << 6;
    tf_tensix_reset(&bare->tile);
    execute(bare, 0, W(XMOV)); /* discarded */
    assert_int_equal(l1_word(bare, 0x8000), 0);
    store(bare, TF_CORE_B, 0x2C, 0x100);
    store(bare, TF_CORE_B, 0x10, 0x80000040u | 0x80u << 16 | 1u << 24 | 1u << 30);
    assert_int_equal(l1_word(bare, 0x800), 0);
    bare->tile.mmio.debug.soft_reset = 0;
    tf_tensix_reset(&bare->tile);
    execute(bare, 0, W(XMOV));
    assert_int_equal(l1_word(bare, 0x8000), 0x1000 + 0x01010101);
}

static void test_command_with_parameters(void **state)
{
    struct bare *bare = *state;
    fill(bare, 0x1000, 0x100);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(store(bare, TF_CORE_T1, 4 * i, (uint32_t[]){0x100, 0x800, 0xFFFF0004, 0xFC | L1_TO_L1}[i]),
                         TF_ACCESS_OK);
    for (unsigned i = 0; i <= 4; i++)
        assert_int_equal(load(bare, TF_CORE_T1, 4 * i), 0);
    assert_int_equal(store(bare, TF_CORE_T1, 0x10, 0x40), TF_ACCESS_OK);
    assert_memory_equal(bare->tile.l1 + 0x8000, bare->tile.l1 + 0x1000, 0x40);
    assert_int_equal(l1_word(bare, 0x8040), 0);
    assert_int_equal(store(bare, TF_CORE_T1, 0x10, 0x46), TF_ACCESS_OK);
    assert_int_equal(store(bare, TF_CORE_T1, 0x10, 0x80000089), TF_ACCESS_OK);
    assert_int_equal(store(bare, TF_CORE_T1, 0x14, 5), TF_ACCESS_OK);
    assert_int_equal(load(bare, TF_CORE_T1, 0x14), 0x428);
    assert_int_equal(store(bare, TF_CORE_T1, 0x10, 0x41), TF_ACCESS_FAULT);
    store(bare, TF_CORE_T1, 4, TF_L1_BYTES >> 4);
    assert_int_equal(store(bare, TF_CORE_T1, 0x10, 0x40), TF_ACCESS_FAULT);
    assert_int_equal(bare->hart_faults, 2);
}

static void test_compact_command(void **state)
{
    struct bare *bare = *state;
    static const unsigned core[4] = {TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2};
    for (unsigned i = 0; i < 4; i++)
        store(bare, core[i], 0x2C, 0x100 * (i + 1));
    fill(bare, 0x1000, 0x4000);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(load(bare, core[i], 0x2C), 0x100 * (i + 1));
        store(bare, core[i], 0x10, 0x80000040u | 3u << 8 | (0x20u + i) << 16 | 1u << 24 | 1u << 30);
        assert_int_equal(l1_word(bare, 0x200 + 16 * i), 0x1000 * (i + 1) + 0x30 + 0x01010101);
    }
    /* The most that it can move. */
    store(bare, TF_CORE_B, 0x10, 0x80000040u | 0x40u << 16 | 63u << 24 | 1u << 30);
    assert_memory_equal(bare->tile.l1 + 0x400, bare->tile.l1 + 0x1000, 63 * 16);
    assert_int_equal(l1_word(bare, 0x400 + 63 * 16), 0);
    /* To configuration: bit 30 clear. */
    store(bare, TF_CORE_T0, 0x10, 0x80000040u | 28u << 16 | 1u << 24);
    assert_int_equal(bare->tile.tensix->config->bank[0][112], 0x2000 + 0x01010101);
}

static void test_write_command(void **state)
{
    struct bare *bare = *state;
    for (unsigned i = 0; i < 4; i++)
        store(bare, TF_CORE_B, 4 * i, (uint32_t[]){0x3008, 0, 0x11111111, 0x22222222}[i]);
    assert_int_equal(store(bare, TF_CORE_B, 0x10, 0x666), TF_ACCESS_OK);
    assert_int_equal(l1_word(bare, 0x3008), 0x11111111);
    assert_int_equal(l1_word(bare, 0x300C), 0);
    assert_int_equal(store(bare, TF_CORE_B, 0x10, 0x766), TF_ACCESS_OK);
    assert_int_equal(l1_word(bare, 0x300C), 0x22222222);
    assert_int_equal(store(bare, TF_CORE_B, 0x10, 0x266), TF_ACCESS_FAULT);
    assert_int_equal(store(bare, TF_CORE_B, 0x10, 0x80000666), TF_ACCESS_FAULT);
    store(bare, TF_CORE_B, 0, TF_L1_BYTES);
    assert_int_equal(store(bare, TF_CORE_B, 0x10, 0x666), TF_ACCESS_FAULT);
    store(bare, TF_CORE_B, 0, TF_L1_BYTES - 4);
    assert_int_equal(store(bare, TF_CORE_B, 0x10, 0x666), TF_ACCESS_OK);
    assert_int_equal(l1_word(bare, TF_L1_BYTES - 4), 0x11111111);
}

/* Every number of lines up to a queue's worth and some beyond, from and to every line of a window. */
static void test_sizes(void **state)
{
    struct bare *bare = *state;
    static const uint32_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 255, 0xFFF};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint32_t shift = 0; shift < 4; shift++) {
            uint32_t bytes = sizes[i] * 16, from = 0x10000 + 0x10 * shift, to = 0x40000 + 0x10 * (3 - shift);
            memset(bare->tile.l1, 0xEE, 0x60000);
            fill(bare, from, bytes);
            set_xmov(bare, 0, to, from, sizes[i], L1_TO_L1);
            execute(bare, 0, W(XMOV));
            assert_memory_equal(bare->tile.l1 + to, bare->tile.l1 + from, bytes);
            assert_int_equal(l1_word(bare, to - 4), 0xEEEEEEEE);
            assert_int_equal(l1_word(bare, to + bytes), 0xEEEEEEEE);
            for (unsigned k = 0; k < 4; k++)
                store(bare, TF_CORE_T2, 4 * k, (uint32_t[]){0, to >> 4, sizes[i], L0_TO_L1}[k]);
            assert_int_equal(store(bare, TF_CORE_T2, 0x10, 0x40), TF_ACCESS_OK);
            for (uint32_t at = 0; at < bytes; at += 4)
                assert_int_equal(l1_word(bare, to + at), 0);
            assert_int_equal(l1_word(bare, to - 4), 0xEEEEEEEE);
            assert_int_equal(l1_word(bare, to + bytes), 0xEEEEEEEE);
        }
}

/* Command 0x66 writes whole words of its size. At other addresses it only faults. */
static void test_write_alignment(void **state)
{
    struct bare *bare = *state;
    for (uint32_t offset = 0; offset < 8; offset++)
        for (unsigned wide = 0; wide < 2; wide++) {
            memset(bare->tile.l1 + 0x3000, 0, 16);
            for (unsigned i = 0; i < 4; i++)
                store(bare, TF_CORE_B, 4 * i, (uint32_t[]){0x3000 + offset, 0, 0x11111111, 0x22222222}[i]);
            bool fine = offset % (wide ? 8 : 4) == 0;
            assert_int_equal(store(bare, TF_CORE_B, 0x10, 0x666 | wide << 8), fine ? TF_ACCESS_OK : TF_ACCESS_FAULT);
            assert_int_equal(l1_word(bare, 0x3000), fine && offset == 0 ? 0x11111111 : 0);
            assert_int_equal(l1_word(bare, 0x3004), offset == 0 && wide    ? 0x22222222
                                                    : offset == 4 && !wide ? 0x11111111
                                                                           : 0);
        }
}

static void test_set_registers(void **state)
{
    struct bare *bare = *state;
    struct tf_tdma *tdma = bare->tile.tensix->tdma;
    store(bare, TF_CORE_B, 0x24, 0xFFFFFFFF);
    assert_int_equal(load(bare, TF_CORE_B, 0x24), 0xFFFFFF7F);
    store(bare, TF_CORE_B, 0x3C, 0x1AB | 0x0CD << 9 | 0x1EFu << 18);
    store(bare, TF_CORE_B, 0x28, 0xFFFFFFFF);
    assert_int_equal(load(bare, TF_CORE_B, 0x28), 0x01FF007F);
    assert_int_equal(tdma->set_reg_scaler[0], 0x1AB);
    assert_int_equal(tdma->set_reg_scaler[1], 0x0CD);
    assert_int_equal(tdma->set_reg_scaler[2], 0x1EF);
    assert_int_equal(tdma->set_reg_scaler[3], 0x1FF);
    assert_int_equal(load(bare, TF_CORE_B, 0x3C), 0x1AB | 0x0CD << 9 | 0x1EFu << 18);
    assert_int_equal(load(bare, TF_CORE_B, 0x13C), 0x1AB | 0x0CD << 9 | 0x1EFu << 18);
    store(bare, TF_CORE_B, 0x13C, 0x123);
    assert_int_equal(tdma->set_reg_scaler[0], 0x123);
    store(bare, TF_CORE_B, 0x38, 0x00912345 | 2u << 20);
    assert_int_equal(load(bare, TF_CORE_B, 0x38), (0x00912345u | 2u << 20) << 8 | 0x55);
    uint32_t raw = 0x00912345 | 2u << 20;
    assert_int_equal(tdma->set_reg_base[0], (raw >> 20 & 3) << 18 | (raw & 0x3FF) << 2);
    assert_int_equal(tdma->set_reg_base[1], (raw >> 22 & 3) << 18 | (raw >> 10 & 0x3FF) << 2);
    bare->tile.mmio.debug.soft_reset = 1u << 8;
    tf_tensix_reset(&bare->tile);
    assert_int_equal(tdma->set_reg_base[0] | tdma->set_reg_scaler[0] | tdma->param[0], 0);
    store(bare, TF_CORE_B, 0x24, 0);
    assert_int_equal(load(bare, TF_CORE_B, 0x24), 0xFFFFFF7F); /* stores are lost during the reset */
}

#define PACK(mask) (W(PACR) | V(PACR, read_intf_sel, mask) | V(PACR, flush, 1))

/* Wormhole's packers have a busy bit each; PACR_SETREG goes through all four. */
static void test_status_of_four(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint32_t word, packers;
    } packs[] = {{PACK(0), 1},   {PACK(2), 2},   {PACK(8), 8},
                 {PACK(12), 12}, {PACK(15), 15}, {W(PACR_SETREG) | 0x800F02, 15}};
    tf_tensix_delay(&bare->tile, 20);
    bare->tile.tensix->tdma->set_reg_base[0] = 0x40000;
    for (unsigned i = 0; i < sizeof packs / sizeof packs[0]; i++)
        for (unsigned t = 0; t < 3; t++) {
            uint32_t value;
            bool pure;
            bare_push(bare, t, packs[i].word);
            bare_run(bare, 5);
            assert_int_equal(tf_tensix_load(&bare->tile, TF_CORE_B, TDMA + 0x3C, &value, &pure), TF_ACCESS_OK);
            assert_int_equal(value, t == 2 ? packs[i].packers << 27 : 0);
            assert_int_equal(pure, t != 2);
            bare_run(bare, 30);
            assert_int_equal(load(bare, TF_CORE_B, 0x3C), 0);
            assert_int_equal(bare->tile.faults.count, 0);
        }
}

/* Bits 5:2 of SOFT_RESET_0 hold packers 0 to 3: PACR waits if one of its packers is held. */
static void test_reset_of_four(void **state)
{
    struct bare *bare = *state;
    for (unsigned held = 0; held < 4; held++)
        for (unsigned mask = 1; mask <= 8; mask *= 2) {
            bare->tile.mmio.debug.soft_reset = 4u << held;
            tf_tensix_reset(&bare->tile);
            bare_push(bare, 0, PACK(mask));
            bare_run(bare, 5);
            assert_int_equal(bare->tile.tensix->thread[0].gate.full, mask == 1u << held);
            bare->tile.mmio.debug.soft_reset = 0;
            tf_tensix_reset(&bare->tile);
            bare_run(bare, 5);
            assert_false(bare->tile.tensix->thread[0].gate.full);
            assert_int_equal(bare->tile.faults.count, 0);
        }
}

/*
 * ScalarsAndStatus: three scalers, the packer's condition as T2 would wait for it, and bit 16 of the sum of the
 * unpacker that the address names.
 */
static void test_scalers_and_status(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    tf_tensix_delay(&bare->tile, 20);
    for (unsigned t = 0; t < 3; t++) {
        bare_push(bare, t, W(PACR_SETREG) | 0x800F02);
        bare_run(bare, 5);
        for (unsigned unpacker = 0; unpacker < 2; unpacker++) {
            uint32_t value;
            bool pure;
            assert_int_equal(tf_tensix_load(&bare->tile, TF_CORE_B, TDMA + (unpacker ? 0x13C : 0x3C), &value, &pure),
                             TF_ACCESS_OK);
            assert_int_equal(value, t == 2 ? 1u << 27 : 0);
            assert_int_equal(pure, t != 2); /* with time it changes */
        }
    }
    bare_run(bare, 20);
    store(bare, TF_CORE_B, 0x3C, 0x07FFFFFF);
    assert_int_equal(load(bare, TF_CORE_B, 0x3C), 0x07FFFFFF);
    for (unsigned unpacker = 0; unpacker < 2; unpacker++) {
        tensix->unpack->set_reg_acc[unpacker] = 0x10000;
        tensix->unpack->set_reg_acc[!unpacker] = 0x0FFFF;
        assert_int_equal(load(bare, TF_CORE_B, 0x3C), 0x07FFFFFF | (uint32_t)!unpacker << 31);
        assert_int_equal(load(bare, TF_CORE_B, 0x13C), 0x07FFFFFF | (uint32_t)unpacker << 31);
    }
}

static void test_packer_registers(void **state)
{
    struct bare *bare = *state;
    struct tf_packer *packer = bare->tile.tensix->packer;
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        packer[i].last_tile_size = (uint16_t)(0x40 + i);
        packer[i].last_thread = (uint8_t)(i % 3);
        packer[i].all_zero_flags = 0x12340000 + i;
        for (unsigned t = 0; t < 3; t++)
            packer[i].acc_tile_size[t] = (uint16_t)(0x100 * i + t + 1);
    }
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        for (unsigned t = 0; t < 3; t++) {
            assert_int_equal(load(bare, TF_CORE_T0, 0x100 * i + 0x40 * t + 0x18), t == i % 3 ? 0x40 + i : 0);
            assert_int_equal(load(bare, TF_CORE_T0, 0x100 * i + 0x40 * t + 0x1C), 0x100 * i + t + 1);
        }
        assert_int_equal(load(bare, TF_CORE_T0, 0x100 * i + 0x20), 0x12340000 + i);
        /* No packer has put anything into the FIFOs. A load of the status waits, and a load of a value gets none. */
        assert_int_equal(load_fails(bare, TF_CORE_T0, 0x100 * i + 0x30), TF_ACCESS_BLOCK);
        assert_true(tf_tensix_access_would_block(&bare->tile, TF_CORE_T0, TDMA + 0x100 * i + 0x30, false));
        assert_int_equal(load_fails(bare, TF_CORE_T0, 0x100 * i + 0x34), TF_ACCESS_FAULT);
        assert_int_equal(store(bare, TF_CORE_T0, 0x100 * i + 0x34, 0), TF_ACCESS_OK);
    }
    store(bare, TF_CORE_T0, 0x15C, 0xA1234); /* of packers 1 and 3 */
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        assert_int_equal(packer[i].acc_tile_size[1], i & 1 ? 0 : 0x100 * i + 2);
        assert_int_equal(packer[i].l1_dest_offset, i & 1 ? 0x1234 : 0);
    }
    static const uint32_t absent[] = {0x40, 0x60, 0x70, 0xD8, 0x418, 0x1C0, 0xFFC};
    for (unsigned i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        assert_int_equal(load_fails(bare, TF_CORE_T0, absent[i]), TF_ACCESS_FAULT);
        assert_int_equal(store(bare, TF_CORE_T0, absent[i], 0), TF_ACCESS_FAULT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_xmov, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_overlap, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_to_configuration, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_undefined, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_shared, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_xmov_waits, bare_setup, bare_teardown),
        cmocka_unit_test(test_command_keeps_busy),
        cmocka_unit_test_setup_teardown(test_mover_reset, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_command_with_parameters, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_compact_command, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_write_command, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_sizes, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_write_alignment, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_set_registers, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_scalers_and_status, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_end_of_iram, bare_setup_wormhole, bare_teardown),
        cmocka_unit_test_setup_teardown(test_status_of_four, bare_setup_wormhole, bare_teardown),
        cmocka_unit_test_setup_teardown(test_reset_of_four, bare_setup_wormhole, bare_teardown),
        cmocka_unit_test_setup_teardown(test_packer_registers, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
