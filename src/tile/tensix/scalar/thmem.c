/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/transfers.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/scalar/thmem.h"

#include <stdio.h>
#include <string.h>

#include "host/line.h"
#include "host/mutant.h"
#include "tile/check.h"
#include "tile/word.h"
#include "tile/riscv/code/code.h"
#include "tilefarm_address.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/data/adc.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/registers.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/scalar_request.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/state.h"

/* Sizes of LOADIND and STOREIND. */
enum { SIZE_128, SIZE_32, SIZE_16, SIZE_8 };

static uint32_t *gprs(const struct tf_tile *tile, unsigned thread)
{
    return tile->tensix->thcon->gpr[thread];
}

static uint32_t half_reg(const uint32_t *gpr, unsigned half)
{
    return gpr[half >> 1] >> (half & 1) * 16 & 0xFFFF;
}

/* Returns the 16-bit offset of an indirect access, and increments it by 0, 2, 4 or 16. */
static uint32_t take_offset(uint32_t *gpr, unsigned half, unsigned increment)
{
    static const uint8_t step[4] = {0, 2, 4, 16};
    uint32_t offset = half_reg(gpr, half);
    uint32_t next = (offset + step[increment]) & 0xFFFF;
    unsigned shift = (half & 1) * 16;
    gpr[half >> 1] = (gpr[half >> 1] & ~(0xFFFFu << shift)) | next << shift;
    return offset;
}

static bool in_l1(struct tf_tile *tile, unsigned thread, uint32_t address)
{
    if (address < tile->arch->l1_bytes)
        return true;
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, address, "the address 0x%08x is beyond L1", address);
    return false;
}

/* A GPR times 16, truncated to 32 bits. */
static uint32_t line_address(const uint32_t *gpr, unsigned reg)
{
    return gpr[reg] * 16;
}

/* Drops decoded code in one aligned 16-byte line that was written. */
static inline void line_written(struct tf_tile *tile, uint32_t address, unsigned bytes)
{
    if (tf_code_near(&tile->code, address))
        tf_code_written(tile, address, bytes, TF_WROTE_SCALAR);
}

/* Stores 1, 2, 4 or 16 bytes to L1, without tearing a word. */
static void store_l1(struct tf_tile *tile, uint32_t address, const void *data, unsigned bytes)
{
    uint8_t *at = tile->l1 + address;
    uint32_t value;
    switch (bytes) {
    case 1: __atomic_store_n(at, *(const uint8_t *)data, __ATOMIC_RELAXED); break;
    case 2:
        memcpy(&value, data, 2);
        __atomic_store_n((uint16_t *)(void *)at, (uint16_t)value, __ATOMIC_RELAXED);
        break;
    default:
        for (unsigned i = 0; i < bytes; i += 4) {
            memcpy(&value, (const uint8_t *)data + i, 4);
            __atomic_store_n((uint32_t *)(void *)(at + i), value, __ATOMIC_RELAXED);
        }
    }
    line_written(tile, address, bytes);
}

/* Report an access to a race checker. */
static inline void tell(const struct tf_tile *tile, unsigned thread, uint32_t address, unsigned bytes,
                        enum tf_check_use use)
{
    if (TF_HOOK(tile->check) != NULL)
        tile->check->unit(tile->check, thread, TF_CHECK_SCALAR, address, bytes, use);
}

/* Report the aligned bytes of a LOADIND or STOREIND. */
static void tell_sized(const struct tf_tile *tile, unsigned thread, uint32_t address, unsigned size,
                       enum tf_check_use use)
{
    static const uint8_t bytes[] = {[SIZE_128] = 16, [SIZE_32] = 4, [SIZE_16] = 2, [SIZE_8] = 1};
    tell(tile, thread, address & ~(bytes[size] - 1u), bytes[size], use);
}

/* If other orders are explored: does the request that was sent act later? If so, this captures what it needs. */
static inline bool is_late(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address, const uint32_t *data,
                           unsigned words)
{
    if (TF_HOOK(tile->explore) == NULL)
        return false;
    struct tf_scalar_request request = {.word = word, .address = address, .thread = (uint8_t)thread};
    if (words != 0)
        memcpy(request.data, data, words * sizeof *data);
    return tf_explored_sends(tile, &request);
}

static void load(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address)
{
    uint32_t *gpr = gprs(tile, thread);
    unsigned size = TF_FIELD(word, LOADIND, size_sel), result = TF_FIELD(word, LOADIND, data_reg_index);
    uint32_t value = tf_tile_word(tile, address & ~3u);
    tell_sized(tile, thread, address, size, TF_CHECK_READS);
    switch (size) {
    case SIZE_128:
        for (unsigned i = 0; i < 4; i++)
            gpr[(result & 0x3C) + i] = tf_tile_word(tile, (address & ~15u) + i * 4);
        break;
    case SIZE_32: gpr[result] = value; break;
    case SIZE_16: gpr[result] = (gpr[result] & 0xFFFF0000u) | (value >> (address & 2) * 8 & 0xFFFF); break;
    default: gpr[result] = (gpr[result] & 0xFFFFFF00u) | (value >> (address & 3) * 8 & 0xFF);
    }
}

void tf_exec_LOADIND(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t *gpr = gprs(tile, thread);
    uint32_t address = line_address(gpr, TF_FIELD(word, LOADIND, addr_reg_index)) +
                       half_reg(gpr, TF_FIELD(word, LOADIND, offset_index));
    if (!in_l1(tile, thread, address))
        return;
    take_offset(gpr, TF_FIELD(word, LOADIND, offset_index), TF_FIELD(word, LOADIND, auto_inc_spec));
    if (!is_late(tile, thread, word, address, NULL, 0))
        load(tile, thread, word, address);
}

/* data: one word or four words. The two size bits are adjacent: STOREIND_L1.md, bits 22:21. */
static void store(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address, const uint32_t *data)
{
    tell_sized(tile, thread, address, word >> 21 & 3, TF_CHECK_WRITES);
    switch (word >> 21 & 3) {
    case SIZE_128: store_l1(tile, address & ~15u, data, 16); break;
    case SIZE_32: store_l1(tile, address & ~3u, data, 4); break;
    case SIZE_16: store_l1(tile, address & ~1u, data, 2); break;
    default: store_l1(tile, address, data, 1);
    }
}

static void store_to_l1(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t *gpr = gprs(tile, thread);
    uint32_t address = line_address(gpr, TF_FIELD(word, STOREIND, addr_reg_index)) +
                       half_reg(gpr, TF_FIELD(word, STOREIND, offset_index));
    if (!in_l1(tile, thread, address))
        return;
    take_offset(gpr, TF_FIELD(word, STOREIND, offset_index), TF_FIELD(word, STOREIND, auto_inc_spec));
    bool whole = (word >> 21 & 3) == SIZE_128;
    const uint32_t *data = &gpr[TF_FIELD(word, STOREIND, data_reg_index) & (whole ? 0x3C : 0x3F)];
    if (!is_late(tile, thread, word, address, data, whole ? 4 : 1))
        store(tile, thread, word, address, data);
}

/* Returns the address of a STOREIND that is not to L1. It is a GPR plus a 12-bit offset, which is then incremented. */
static uint32_t take_sum(uint32_t *gpr, uint32_t word)
{
    uint32_t base = gpr[TF_FIELD(word, STOREIND, addr_reg_index)];
    unsigned increment = TF_FIELD(word, STOREIND, auto_inc_spec);
    return base + (take_offset(gpr, TF_FIELD(word, STOREIND, offset_index), increment) >> 4);
}

static void store_to_register(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t *gpr = gprs(tile, thread);
    uint32_t value = gpr[TF_FIELD(word, STOREIND, data_reg_index)];
    uint32_t address = TF_REGISTERS_BASE + (take_sum(gpr, word) & 0x000FFFFCu);
    if (!is_late(tile, thread, word, address, &value, 1))
        tf_register_store(tile, thread, address, value);
}

static void store_to_src(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t *gpr = gprs(tile, thread);
    unsigned first = TF_FIELD(word, STOREIND, data_reg_index) & 0x3C;
    const uint32_t data[2] = {gpr[first], gpr[first + 1]};
    tf_src_store(tile, thread, word, take_sum(gpr, word) & 0xFFFFF, data);
}

void tf_exec_STOREIND(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (TF_FIELD(word, STOREIND, mem_hier_sel))
        store_to_l1(tile, thread, word);
    else if (tf_storeind_to_src(word))
        store_to_src(tile, thread, word);
    else
        store_to_register(tile, thread, word);
}

static void load_register(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address)
{
    uint32_t value;
    if (tf_register_load(tile, thread, address, &value))
        gprs(tile, thread)[TF_FIELD(word, LOADREG, tdma_data_reg_index)] = value;
}

void tf_exec_LOADREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t address = TF_REGISTERS_BASE + (TF_FIELD(word, LOADREG, reg_addr) << 2);
    if (!is_late(tile, thread, word, address, NULL, 0))
        load_register(tile, thread, word, address);
}

void tf_exec_STOREREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t address = TF_REGISTERS_BASE + (TF_FIELD(word, STOREREG, reg_addr) << 2);
    uint32_t value = gprs(tile, thread)[TF_FIELD(word, STOREREG, tdma_data_reg_index)];
    if (!is_late(tile, thread, word, address, &value, 1))
        tf_register_store(tile, thread, address, value);
}

static void move_to_adc(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t value = gprs(tile, thread)[TF_FIELD(word, REG2FLOP, reg_index)];
    unsigned shift = TF_FIELD(word, REG2FLOP, byte_offset);
    switch (TF_FIELD(word, REG2FLOP, size_sel)) {
    case 0: value = 0; break;
    case 1: value = shift == 0 ? value : 0; break;
    case 2: value = shift == 0 ? value & 0xFFFF : shift == 2 ? value >> 16 : 0; break;
    default: value = value >> shift * 8 & 0xFF;
    }
    unsigned target = TF_FIELD(word, REG2FLOP, flop_index); /* Channel, ADCSel, Cr, XYZW */
    unsigned which = TF_FIELD(word, REG2FLOP, target_sel) & 1 ? TF_FIELD(word, REG2FLOP, context_id_2) : thread;
    unsigned user = target >> 3 & 3;
    if (which >= 3 || user >= TF_ADC_USERS)
        return;
    struct tf_adc_channel *channel = &tile->tensix->adcs->of[which][user].channel[target >> 5 & 1];
    if (target >> 2 & 1)
        tf_adc_set_cr(channel, target & 3, value);
    else
        tf_adc_set_value(channel, target & 3, value);
}

void tf_exec_REG2FLOP(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (TF_FIELD(word, REG2FLOP, target_sel) & 2) {
        move_to_adc(tile, thread, word);
        return;
    }
    unsigned index = TF_FIELD(word, REG2FLOP, flop_index);
    const struct tf_config_arch *arch = tf_config_arch(tile);
    if (index >= (unsigned)arch->global - arch->thcon) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "THCON configuration of %s has no word %u",
                        tile->arch->family, index);
        return;
    }
    const uint32_t *gpr = gprs(tile, thread);
    unsigned input = TF_FIELD(word, REG2FLOP, reg_index);
    unsigned bank = tf_config_bank(tile->tensix->config, thread);
    if (TF_FIELD(word, REG2FLOP, size_sel) != 0) {
        tf_config_write(tile, bank, arch->thcon + index, gpr[input]);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        tf_config_write(tile, bank, arch->thcon + (index & ~3u) + i, gpr[(input & 0x3C) + i]);
}

static void increment(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address, uint32_t by)
{
    uint32_t mask = (2u << TF_FIELD(word, ATINCGET, wrap_val)) - 1;
    uint32_t *at = (uint32_t *)(void *)(tile->l1 + address);
    uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
    uint32_t new = ((old + by) & mask) | (old & ~mask);
    TF_MUTANT_PAUSE(TORN_ATINCGET)
    if (!tile->mode.shared || TF_MUTANT(TORN_ATINCGET))
        *at = new;
    else
        while (!__atomic_compare_exchange_n(at, &old, new, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            new = ((old + by) & mask) | (old & ~mask);
    gprs(tile, thread)[TF_FIELD(word, ATINCGET, data_reg_index)] = old;
    tell(tile, thread, address, 4, TF_CHECK_CHANGES);
    line_written(tile, address, 4);
}

void tf_exec_ATINCGET(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const uint32_t *gpr = gprs(tile, thread);
    uint32_t address = line_address(gpr, TF_FIELD(word, ATINCGET, addr_reg_index)) +
                       TF_FIELD(word, ATINCGET, sel_32b) * 4;
    uint32_t by = gpr[TF_FIELD(word, ATINCGET, data_reg_index)];
    if (in_l1(tile, thread, address) && !is_late(tile, thread, word, address, &by, 1))
        increment(tile, thread, word, address, by);
}

/* Replaces a line if it equals `old`. Returns false if it differs; `old` then has its value. torn: a mutant of test
   builds. */
static inline bool exchange(struct tf_tile *tile, uint32_t address, struct tf_line *old, const struct tf_line *new,
                            bool torn)
{
    if (torn)
        memcpy(tile->l1 + address, new, sizeof *new);
    return torn || tf_line_exchange(tile->l1 + address, old, new);
}

/* ATINCGETPTR.md: may the FIFO whose counters a line begins with be popped (even word) or pushed (odd word)? */
static bool fifo_ready(const struct tf_line *fifo, uint32_t word)
{
    uint32_t size = fifo->word[1] - fifo->word[0];
    if ((TF_FIELD(word, ATINCGETPTR, sel_32b) & 1) == 0)
        return size != 0;
    uint32_t width = TF_FIELD(word, ATINCGETPTR, wrap_val);
    uint32_t capacity = width != 0 ? 1u << (width - 1) : 0x8000;
    return size == 0 || size % capacity != 0;
}

void tf_exec_ATINCGETPTR(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t *gpr = gprs(tile, thread);
    uint32_t address = line_address(gpr, TF_FIELD(word, ATINCGETPTR, addr_reg_index));
    if (!in_l1(tile, thread, address))
        return;
    unsigned which = TF_FIELD(word, ATINCGETPTR, sel_32b);
    uint32_t increment = TF_FIELD(word, ATINCGETPTR, no_incr) ? 0 : 1u << TF_FIELD(word, ATINCGETPTR, incr_val);
    uint32_t mask = (1u << TF_FIELD(word, ATINCGETPTR, wrap_val)) - 1;
    struct tf_line old, new;
    tf_line_guess(tile->l1 + address, &old);
    do {
        if (!fifo_ready(&old, word)) {
            tile->tensix->thcon->unfinished = true;
            return;
        }
        new = old;
        new.word[which] = ((old.word[which] + increment) & mask) | (old.word[which] & ~mask);
        TF_MUTANT_PAUSE(TORN_ATINCGETPTR)
    } while (!exchange(tile, address, &old, &new, TF_MUTANT(TORN_ATINCGETPTR)));
    gpr[TF_FIELD(word, ATINCGETPTR, data_reg_index)] = old.word[which];
    for (unsigned i = 0; i < 4; i++)
        if (i == which || i < 2)
            tell(tile, thread, (address & ~15u) + i * 4, 4, i == which ? TF_CHECK_CHANGES : TF_CHECK_AWAITS);
    line_written(tile, address, 16);
}

static uint32_t atcas_address(const uint32_t *gpr, uint32_t word)
{
    return line_address(gpr, TF_FIELD(word, ATCAS, addr_reg_index)) + TF_FIELD(word, ATCAS, sel_32b) * 4;
}

void tf_exec_ATCAS(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t address = atcas_address(gprs(tile, thread), word);
    if (!in_l1(tile, thread, address))
        return;
    uint32_t expected = TF_FIELD(word, ATCAS, cmp_val), new = TF_FIELD(word, ATCAS, swap_val);
    uint32_t *at = (uint32_t *)(void *)(tile->l1 + address);
    if (tf_tile_word(tile, address) == expected && TF_MUTANT(TORN_ATCAS)) {
        TF_MUTANT_PAUSE(TORN_ATCAS)
        *at = new;
    } else if (!__atomic_compare_exchange_n(at, &expected, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        tile->tensix->thcon->unfinished = true;
        return;
    }
    tell(tile, thread, address, 4, TF_CHECK_CHANGES);
    line_written(tile, address, 4);
}

/* data: a line. */
static void swap(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address, const uint32_t *data)
{
    uint32_t mask = TF_FIELD(word, ATSWAP, swap_mask);
    struct tf_line old, new;
    tf_line_guess(tile->l1 + address, &old);
    do {
        for (unsigned i = 0; i < 4; i++) {
            uint32_t keep = (mask >> i * 2 & 1 ? 0 : 0xFFFFu) | (mask >> (i * 2 + 1) & 1 ? 0 : 0xFFFF0000u);
            new.word[i] = (old.word[i] & keep) | (data[i] & ~keep);
        }
        TF_MUTANT_PAUSE(TORN_ATSWAP)
    } while (!exchange(tile, address, &old, &new, TF_MUTANT(TORN_ATSWAP)));
    for (unsigned i = 0; i < 4; i++)
        if ((mask >> i * 2 & 3) != 0)
            tell(tile, thread, (address & ~15u) + i * 4, 4, TF_CHECK_CHANGES);
    line_written(tile, address, 16);
}

void tf_exec_ATSWAP(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const uint32_t *gpr = gprs(tile, thread);
    uint32_t address = line_address(gpr, TF_FIELD(word, ATSWAP, addr_reg_index));
    if (!in_l1(tile, thread, address))
        return;
    unsigned from = TF_FIELD(word, ATSWAP, data_reg_index);
    uint32_t data[4] = {0};
    if (TF_FIELD(word, ATSWAP, single_data_reg))
        data[from & 3] = gpr[from];
    else
        memcpy(data, &gpr[from & 0x3C], sizeof data);
    if (!is_late(tile, thread, word, address, data, 4))
        swap(tile, thread, word, address, data);
}

void tf_scalar_finish(struct tf_tile *tile, const struct tf_scalar_request *request)
{
    const uint32_t word = request->word, address = request->address;
    switch (word >> 24) {
    case TF_OP_LOADIND: load(tile, request->thread, word, address); break;
    case TF_OP_LOADREG: load_register(tile, request->thread, word, address); break;
    case TF_OP_ATINCGET: increment(tile, request->thread, word, address, request->data[0]); break;
    case TF_OP_ATSWAP: swap(tile, request->thread, word, address, request->data); break;
    case TF_OP_STOREIND:
        if (TF_FIELD(word, STOREIND, mem_hier_sel)) {
            store(tile, request->thread, word, address, request->data);
            break;
        }
        /* fall through */
    default: tf_register_store(tile, request->thread, address, request->data[0]);
    }
}

/* If other orders are explored: are earlier requests under way, which the unit's memory port serves first? */
static bool follows_requests(const struct tf_tile *tile)
{
    return TF_HOOK(tile->explore) != NULL && tf_explored_requesting(tile, TF_TENSIX_THREADS);
}

bool tf_stalls_ATCAS(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t address = atcas_address(gprs(tile, thread), word);
    if (follows_requests(tile))
        return true;
    return address < tile->arch->l1_bytes && tf_tile_word(tile, address) != TF_FIELD(word, ATCAS, cmp_val);
}

bool tf_stalls_ATINCGETPTR(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (follows_requests(tile))
        return true;
    uint32_t address = line_address(gprs(tile, thread), TF_FIELD(word, ATINCGETPTR, addr_reg_index));
    if (address >= tile->arch->l1_bytes)
        return false;
    struct tf_line fifo;
    tf_line_guess(tile->l1 + address, &fifo);
    return !fifo_ready(&fifo, word);
}

bool tf_stalls_STOREIND(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)thread;
    return tf_storeind_to_src(word) && tf_src_store_waits(tile, word);
}

int tf_thmem_describe_wait(const struct tf_tile *tile, unsigned thread, uint32_t word, char *text, unsigned bytes)
{
    const uint32_t *gpr = gprs(tile, thread);
    const bool cas = word >> 24 == TF_OP_ATCAS, atomic = cas || word >> 24 == TF_OP_ATINCGETPTR;
    const uint32_t address = cas ? atcas_address(gpr, word)
                                 : line_address(gpr, TF_FIELD(word, ATINCGETPTR, addr_reg_index));
    if (atomic && address >= tile->arch->l1_bytes) /* see follows_requests() */
        return snprintf(text, bytes, "earlier requests of the scalar unit to act");
    switch (word >> 24) {
    case TF_OP_ATCAS:
        return snprintf(text, bytes, "the word at 0x%05x to become %u; it is 0x%x", address,
                        TF_FIELD(word, ATCAS, cmp_val), tf_tile_word(tile, address));
    case TF_OP_ATINCGETPTR:
        return snprintf(text, bytes, "the FIFO at 0x%05x not to be %s: %u taken, %u put", address,
                        TF_FIELD(word, ATINCGETPTR, sel_32b) & 1 ? "full" : "empty", tf_tile_word(tile, address),
                        tf_tile_word(tile, address + 4));
    default: return snprintf(text, bytes, "the matrix unit to release its bank of Src%c", word >> 21 & 1 ? 'B' : 'A');
    }
}
