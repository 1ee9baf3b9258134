/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/atomic.h"

#include <string.h>

#include "host/line.h"
#include "host/mutant.h"
#include "tile/accumulate.h"

#define PROFILES_i (1u << TF_ATOMICS_ISA)
#define PROFILES_e (1u << TF_ATOMICS_EMU_SPEC)
#define PROFILES_b (PROFILES_i | PROFILES_e)

/* clang-format off */
#define ROW(name_, profiles_, select_, match_, operands_, kind_, code_, ofs_, summary_)                                \
    {.name = (name_), .profiles = PROFILES_##profiles_, .kind = TF_NOC_AT_##kind_, .code = (code_), .ofs = (ofs_),     \
     .select = (select_), .match = (match_), .operands = (operands_), .summary = (summary_)},
/* clang-format on */

static const struct tf_noc_atomic_row rows[] = {TF_NOC_ATOMICS(ROW)};

#define ROWS (sizeof rows / sizeof rows[0])

static uint32_t field(uint32_t value, unsigned low, unsigned width)
{
    return value >> low & ((1u << width) - 1);
}

static const struct tf_noc_atomic_row *row_of(enum tf_atomics profile, uint32_t at_len_be)
{
    for (size_t i = 0; i < ROWS; i++) {
        if ((rows[i].profiles & 1u << profile) && (at_len_be & rows[i].select) == rows[i].match)
            return &rows[i];
    }
    return NULL;
}

static const char *why_unknown(enum tf_atomics profile, uint32_t at_len_be)
{
    switch (field(at_len_be, 12, 4)) {
    case 0x6: return "NOC atomic 0x6 (indexed swap) has bit 2 of NOC_AT_LEN_BE clear";
    case 0x9: return "NOC atomic ACC names a format that does not exist";
    case 0xA:
        if (profile == TF_ATOMICS_ISA)
            return "NOC atomic 0xA is neither a Zaamo operation nor an indexed swap";
        break;
    default: break;
    }
    return "NOC atomic opcode is undefined in this profile (--atomics)";
}

/* Field INCR of the emulator specification, bits 9:6; 0 means 1. */
static uint32_t incr_field(uint32_t at_len_be)
{
    uint32_t incr = field(at_len_be, 6, 4);
    return incr ? incr : 1;
}

/* Decode the fields that depend on the kind. out->data already holds NOC_AT_DATA. */
static void decode_operands(const struct tf_noc_atomic_row *row, uint32_t at_len_be, struct tf_noc_atomic *out)
{
    bool as_emu_spec = row->code == 1;
    switch (row->kind) {
    case TF_NOC_AT_INCREMENT:
        out->mask = as_emu_spec ? ~0u : (uint32_t)((2ull << field(at_len_be, 2, 5)) - 1);
        if (as_emu_spec)
            out->data = incr_field(at_len_be);
        break;
    case TF_NOC_AT_POINTER:
        out->data = incr_field(at_len_be);
        out->limit = field(at_len_be, 2, 4);
        break;
    case TF_NOC_AT_COMPARE_SWAP:
        out->mask = as_emu_spec ? 0xFFFFu : ~0u;
        out->compare = as_emu_spec ? out->data & 0xFFFFu : field(at_len_be, 2, 4);
        out->data = as_emu_spec ? out->data >> 16 : field(at_len_be, 6, 4);
        break;
    case TF_NOC_AT_SWAP_MASK: out->mask = field(at_len_be, row->code, 8); break;
    default: break;
    }
}

const char *tf_noc_atomic_decode(enum tf_atomics profile, uint32_t at_len_be, uint32_t at_data,
                                 struct tf_noc_atomic *out)
{
    const struct tf_noc_atomic_row *row = row_of(profile, at_len_be);
    if (!row)
        return why_unknown(profile, at_len_be);
    *out = (struct tf_noc_atomic){.kind = row->kind, .code = row->code, .data = at_data};
    if (row->ofs != TF_NOC_AT_NO_OFS) {
        out->has_ofs = true;
        out->ofs = (uint8_t)field(at_len_be, row->ofs, 2);
    }
    decode_operands(row, at_len_be, out);
    return NULL;
}

const char *tf_noc_atomic_name(enum tf_atomics profile, uint32_t at_len_be)
{
    const struct tf_noc_atomic_row *row = row_of(profile, at_len_be);
    return row ? row->name : NULL;
}

size_t tf_noc_atomic_rows(const struct tf_noc_atomic_row **out)
{
    *out = rows;
    return ROWS;
}

/* Swap four granules of 16 bits at a time: move bit i of the mask to bit 16 * i, and spread it over its granule. */
static void swap_granules(uint32_t mask, uint32_t data, uint32_t line[4])
{
    uint64_t half[2], copies = data | (uint64_t)data << 32;
    memcpy(half, line, sizeof half);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t bits = ((mask >> 4 * i & 15) * 0x0000200040008001u & 0x0001000100010001u) * 0xFFFF;
        half[i] = (half[i] & ~bits) | (copies & bits);
    }
    memcpy(line, half, sizeof half);
}

/* Apply an operation to a line that no other worker accesses. word: the word that it changes. */
static void change_line(const struct tf_noc_atomic *op, unsigned word, uint32_t line[4])
{
    const uint32_t copies[4] = {op->data, op->data, op->data, op->data};
    switch (op->kind) {
    case TF_NOC_AT_SWAP_MASK: swap_granules(op->mask, op->data, line); break;
    case TF_NOC_AT_ACCUMULATE: tf_accumulate(op->code, line, copies); break;
    default: line[word] = tf_noc_atomic_word(op, line[word]); break;
    }
}

static uint32_t *word_at(uint8_t *l1, uint32_t address)
{
    return (uint32_t *)(void *)(l1 + address);
}

/* Change a shared word in one atomic step. The operation must change one word. Returns the old value. */
static uint32_t change_shared(const struct tf_noc_atomic *op, uint32_t *word)
{
    TF_MUTANT_WORD(op, word)
    if (op->kind == TF_NOC_AT_READ)
        return __atomic_load_n(word, __ATOMIC_SEQ_CST);
    if (op->kind == TF_NOC_AT_SWAP)
        return __atomic_exchange_n(word, op->data, __ATOMIC_SEQ_CST);
    if (op->kind == TF_NOC_AT_INCREMENT && op->mask == ~0u)
        return __atomic_fetch_add(word, op->data, __ATOMIC_SEQ_CST);
    uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(word, &old, tf_noc_atomic_word(op, old), true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return old;
}

uint32_t tf_noc_atomic_shared(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t address)
{
    uint8_t *line = l1 + (address & ~15u);
    unsigned answer = address / 4 % 4, word = tf_noc_atomic_place(op, address);
    if (!tf_noc_atomic_whole_line(op) && word == answer)
        return change_shared(op, word_at(l1, address));
    TF_MUTANT_LINE(op, l1, address)
    struct tf_line old, new;
    tf_line_guess(line, &old);
    do {
        new = old;
        change_line(op, word, new.word);
    } while (!tf_line_exchange(line, &old, &new));
    return old.word[answer];
}

static uint32_t owned_line(const struct tf_noc_atomic *op, uint8_t *line, unsigned answer, unsigned word)
{
    uint32_t old[4], new[4];
    memcpy(old, line, sizeof old);
    memcpy(new, old, sizeof new);
    change_line(op, word, new);
    memcpy(line, new, sizeof new);
    return old[answer];
}

/* Why may STORE_IND not store to this address? Returns a constant sentence, or NULL if it may. */
static const char *why_no_pointer(uint32_t pointer, uint32_t l1_bytes)
{
    if (pointer % 4)
        return "NOC atomic STORE_IND: the address at the target is not a multiple of 4";
    if (pointer > l1_bytes - 4)
        return "NOC atomic STORE_IND: the address at the target is outside L1";
    return NULL;
}

static uint32_t store_ind(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t l1_bytes, uint32_t address, bool shared,
                          struct tf_noc_atomic_effect *effect)
{
    uint8_t *line = l1 + (address & ~15u);
    unsigned answer = address / 4 % 4;
    uint32_t pointer = __atomic_load_n(word_at(l1, address), __ATOMIC_SEQ_CST);
    for (;;) {
        *effect = (struct tf_noc_atomic_effect){.fault = why_no_pointer(pointer, l1_bytes)};
        if (effect->fault)
            return 0;
        effect->address = pointer;
        effect->bytes = 4;
        if (!shared || (pointer & ~15u) != (address & ~15u)) {
            __atomic_store_n(word_at(l1, pointer), op->data, __ATOMIC_SEQ_CST);
            return pointer;
        }
        struct tf_line old, new;
        tf_line_guess(line, &old);
        new = old;
        new.word[pointer / 4 % 4] = op->data;
        if (old.word[answer] == pointer && tf_line_exchange(line, &old, &new))
            return pointer;
        pointer = old.word[answer];
    }
}

uint32_t tf_noc_atomic_apply(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t l1_bytes, uint32_t address,
                             bool shared, struct tf_noc_atomic_effect *effect)
{
    *effect = (struct tf_noc_atomic_effect){.address = address & ~15u, .bytes = 16};
    if (address % 4) {
        effect->fault = "NOC atomic: target address is not a multiple of 4";
        effect->bytes = 0;
        return 0;
    }
    if (op->kind == TF_NOC_AT_STORE_IND)
        return store_ind(op, l1, l1_bytes, address, shared, effect);
    unsigned answer = address / 4 % 4, word = tf_noc_atomic_place(op, address);
    uint8_t *line = l1 + (address & ~15u);
    bool whole_line = tf_noc_atomic_whole_line(op);
    if (!whole_line) {
        effect->address += 4 * word;
        effect->bytes = op->kind == TF_NOC_AT_READ ? 0 : 4;
    }
    if (!shared)
        return whole_line ? owned_line(op, line, answer, word) : tf_noc_atomic_owned(op, line, answer, word);
    return tf_noc_atomic_shared(op, l1, address);
}
