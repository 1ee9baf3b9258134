/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/data/src.h"

#include <string.h>

#include "tile/check.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"

static bool client_held(const struct tf_tensix *tensix, unsigned side)
{
    return (tensix->soft_reset & (uint32_t)(side == TF_SRC_A ? TF_RESET_SRCA_CLIENT : TF_RESET_SRCB)) != 0;
}

/* One bit for each column whose data are held in reset. */
static uint32_t columns_in(uint32_t reset, unsigned side)
{
    if (side == TF_SRC_B)
        return reset & TF_RESET_SRCB ? 0xFFFF : 0;
    if (reset & TF_RESET_MATRIX)
        return 0xFFFF;
    uint32_t columns = 0, groups = (reset & TF_RESET_SRCA_COLUMNS) / (TF_RESET_SRCA_COLUMNS / 15);
    for (unsigned group = 0; groups >> group != 0; group++)
        if ((groups >> group & 1) != 0)
            columns |= 0xFu << 4 * group;
    return columns;
}

uint32_t tf_src_columns_held(const struct tf_tensix *tensix, unsigned side)
{
    return columns_in(tensix->soft_reset, side);
}

/* tf_src_write() for tiles with a race checker. */
static __attribute__((noinline)) uint32_t (*tell_write(struct tf_tile *tile, unsigned thread, unsigned side,
                                                       unsigned bank, unsigned first, unsigned count))[TF_SRC_COLUMNS]
{
    tf_src_report(tile, thread, side, bank, first, count, TF_CHECK_WRITES);
    return tile->tensix->src_data->datum[side][bank];
}

uint32_t (*tf_src_write(struct tf_tile *tile, unsigned thread, unsigned side, unsigned bank, unsigned first,
                        unsigned count))[TF_SRC_COLUMNS]
{
    tile->tensix->src_writes[side][bank]++;
    if (__builtin_expect(tf_reports_all(tile), 0))
        return tell_write(tile, thread, side, bank, first, count);
    return tile->tensix->src_data->datum[side][bank];
}

/* Report a handed-over bank to a race checker. */
static void tell(struct tf_tile *tile, unsigned thread, unsigned side, unsigned bank, bool to_matrix)
{
    if (TF_HOOK(tile->check) != NULL && tile->check->handed != NULL)
        tile->check->handed(tile->check, thread, side, bank, to_matrix);
}

/* The units that wait for a bank of a side, expressed as the changes that release them. */
static unsigned waiters(const struct tf_src_banks *banks, unsigned side)
{
    return (tf_src_unpack_waits(banks, side) ? (unsigned)TF_CHANGE_UNPACK_A << side : 0) |
           (tf_src_matrix_waits(banks, side) ? (unsigned)TF_CHANGE_MATRIX_A << side : 0);
}

void tf_src_give(struct tf_tile *tile, unsigned thread, unsigned side)
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_src_banks *banks = tensix->src;
    unsigned before = waiters(banks, side);
    tf_gate_before_change(tile, TF_CHANGE_SRC);
    if (!client_held(tensix, side)) {
        tell(tile, thread, side, banks->unpack_bank[side], true);
        banks->to_matrix[side][banks->unpack_bank[side]] = true;
        banks->unpack_bank[side] ^= 1;
    }
    tensix->src_data->unpack_row[side][thread] = (uint8_t)tf_src_base(tensix->config, thread, side);
    tf_gate_reconsider(tile, before & ~waiters(banks, side));
}

/* Report that a bank is not valid, because the matrix unit does not own it (SrcASrcB.md). On the chip the banks then
   get out of step. */
static void note_release_of_invalid(struct tf_tile *tile, unsigned thread, unsigned side, unsigned bank)
{
    const struct tf_gate *gate = &tile->tensix->thread[thread].gate;
    tf_tile_hazard_at(tile, TF_CORE_T0 + thread, gate->pc, tile->cycle, TF_FAULT_UNDEFINED, gate->word,
                      "Tensix T%u releases bank %u of Src%c, which is not valid: the unpackers own it", thread, bank,
                      side == TF_SRC_A ? 'A' : 'B');
}

void tf_src_release(struct tf_tile *tile, unsigned thread, unsigned side, bool hand_back, bool flip)
{
    struct tf_src_banks *banks = tile->tensix->src;
    unsigned bank = banks->matrix_bank[side];
    if (client_held(tile->tensix, side))
        return;
    if (hand_back && !banks->to_matrix[side][bank])
        note_release_of_invalid(tile, thread, side, bank);
    unsigned before = waiters(banks, side);
    tf_gate_before_change(tile, TF_CHANGE_SRC);
    if (hand_back) {
        tell(tile, thread, side, bank, false);
        banks->to_matrix[side][bank] = false;
    }
    if (flip)
        banks->matrix_bank[side] ^= 1;
    tf_gate_reconsider(tile, before & ~waiters(banks, side));
}

void tf_exec_SETDVALID(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t sides = TF_FIELD(word, SETDVALID, setvalid);
    for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++)
        if (sides >> side & 1)
            tf_src_give(tile, thread, side);
}

static void reset_clients(struct tf_tile *tile, unsigned side)
{
    struct tf_src_banks *banks = tile->tensix->src;
    tf_gate_before_change(tile, TF_CHANGE_SRC);
    banks->to_matrix[side][0] = banks->to_matrix[side][1] = false;
    banks->unpack_bank[side] = banks->matrix_bank[side] = 0;
    tf_gate_reconsider(tile, TF_CHANGE_SRC);
}

void tf_exec_CLEARDVALID(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t reset = TF_FIELD(word, CLEARDVALID, reset) & 1;
    uint32_t keep = TF_FIELD(word, CLEARDVALID, reset) >> 1;
    uint32_t sides = TF_FIELD(word, CLEARDVALID, cleardvalid);
    for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
        if (reset && !client_held(tile->tensix, side))
            reset_clients(tile, side);
        else if (!reset && (sides >> side & 1))
            tf_src_release(tile, thread, side, true, !keep);
    }
}

/* The operand cache that this instruction invalidates is never stale here. */
void tf_exec_GATESRCRST(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)tile, (void)thread, (void)word;
}

static unsigned side_of(uint32_t word)
{
    return word >> 21 & 1 ? TF_SRC_B : TF_SRC_A;
}

bool tf_src_store_waits(const struct tf_tile *tile, uint32_t word)
{
    return tf_src_unpack_waits(tile->tensix->src, side_of(word));
}

/* The two halves of a GPR order sign, mantissa and exponent differently (STOREIND_Src.md). */
static uint32_t low_datum(uint32_t value)
{
    return (value & 0x8000) << 3 | (value & 0x7F00) << 3 | (value & 0xFF);
}

static uint32_t high_datum(uint32_t value)
{
    return value >> 31 << 18 | (value >> 16 & 0x7F) << 11 | (value >> 23 & 0xFF);
}

/* Returns the row; -1 if nothing is stored; -2 if the result is undefined. */
static int row_of(const struct tf_tensix *tensix, unsigned thread, unsigned side, uint32_t address)
{
    int row = (int)(address >> 2);
    bool absolute = false;
    if (side == TF_SRC_A) {
        row -= 4;
        if (row < 0)
            return -1;
        absolute = TF_THREAD_CFG(tensix->config, thread, SRCA_SET_SetOvrdWithAddr);
    }
    if (absolute)
        return row < (int)TF_SRC_ROWS ? row : -2;
    return row < 16 ? row + tensix->src_data->unpack_row[side][thread] : -2;
}

void tf_src_store(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address, const uint32_t data[2])
{
    struct tf_tensix *tensix = tile->tensix;
    unsigned side = side_of(word);
    int row = address & 0xF0000 ? -2 : row_of(tensix, thread, side, address);
    if (row == -2) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, address, "there is no row for address 0x%05x", address);
        return;
    }
    if (row == -1)
        return;
    const uint32_t datum[4] = {low_datum(data[0]), high_datum(data[0]), low_datum(data[1]), high_datum(data[1])};
    unsigned first = (address & 3) * 4;
    uint32_t held = tf_src_columns_held(tensix, side);
    uint32_t *at = tf_src_write(tile, thread, side, tensix->src->unpack_bank[side], (unsigned)row, 1)[row];
    for (unsigned i = 0; i < 4; i++)
        if ((held >> (first + i) & 1) == 0)
            at[first + i] = datum[i];
}

static void clear_columns(struct tf_tile *tile, unsigned side, uint32_t columns)
{
    for (unsigned bank = 0; bank < 2; bank++) {
        uint32_t(*rows)[TF_SRC_COLUMNS] = tf_src_write(tile, 0, side, bank, 0, TF_SRC_ROWS);
        for (unsigned row = 0; row < TF_SRC_ROWS; row++)
            for (unsigned column = 0; column < TF_SRC_COLUMNS; column++)
                if (columns >> column & 1)
                    rows[row][column] = 0;
    }
}

void tf_src_reset(struct tf_tile *tile, uint32_t entering)
{
    for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
        uint32_t columns = columns_in(entering, side);
        if (columns != 0)
            clear_columns(tile, side, columns);
    }
    if (entering & TF_RESET_SRCA_CLIENT)
        reset_clients(tile, TF_SRC_A);
    if (entering & TF_RESET_SRCB)
        reset_clients(tile, TF_SRC_B);
}
