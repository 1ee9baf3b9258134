/* SPDX-License-Identifier: Apache-2.0 */
/* A Wormhole chip, whose first tile a test instructs past the farm. After cmocka.h. */
#ifndef TESTS_CONFORMANCE_FAMILY_WORMHOLE_TILE_H
#define TESTS_CONFORMANCE_FAMILY_WORMHOLE_TILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/family/wormhole_chip.h"
#include "farm/chip/chip.h"
#include "one_chip.h"
#include "tile/mmio/map/map.h"
#include "tile/tensix/isa/isa.h"
#include "tilefarm_address.h"

#define PUSH TF_INSTRN_BUF_BASE
#define GPRS TF_GPR_BASE
#define CONFIG TF_CFG_BASE

/* An instruction with operands. */
#define W(op) ((uint32_t)TF_OP_##op << 24)
#define V(op, field, value) ((uint32_t)(value) << (TF_FIELD_##op##_##field & 0xFF))

static const struct tf_coord first = {1, 1};

static inline int setup(void **state)
{
    (void)state;
    chip = wormhole_chip();
    return 0;
}

static inline void store(unsigned core, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_mmio_store(&chip->tiles.tile[0], core, address, 4, value), TF_ACCESS_OK);
}

static inline uint32_t load(unsigned core, uint32_t address)
{
    uint32_t value = 0;
    bool pure;
    assert_int_equal(tf_mmio_load(&chip->tiles.tile[0], core, address, 4, &value, &pure), TF_ACCESS_OK);
    return value;
}

static inline void put(uint32_t address, uint32_t word)
{
    assert_int_equal(tf_write(chip, first, address, &word, sizeof word), TF_OK);
}

static inline uint32_t get(uint32_t address)
{
    uint32_t word;
    assert_int_equal(tf_read(chip, first, address, &word, sizeof word), TF_OK);
    return word;
}

/* The store wakes the tile. */
static inline void run(void)
{
    enum tf_end end;
    put(0x70000, 0);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
}

static inline void push_to(unsigned thread, uint32_t word)
{
    store(TF_CORE_T0 + thread, PUSH, word);
    run();
    struct tf_fault fault;
    if (tf_fault_count(chip) != 0 && tf_fault_get(chip, 0, &fault) == TF_OK)
        fail_msg("0x%08x: %s", word, fault.text);
}

static inline void push(uint32_t word)
{
    push_to(0, word);
}

static inline void set(unsigned gpr, uint32_t value)
{
    store(TF_CORE_T0, GPRS + 4 * gpr, value);
}

static inline uint32_t gpr(unsigned index)
{
    return load(TF_CORE_T0, GPRS + 4 * index);
}

static inline void configure(unsigned word, uint32_t value)
{
    store(TF_CORE_B, CONFIG + 4 * word, value);
}

#endif
