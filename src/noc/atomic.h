/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NOC atomics: decode NOC_AT_LEN_BE and NOC_AT_DATA into an operation, and apply it to an aligned 16-byte line of L1.
 * Bits that no field covers are ignored; so are bits 31:16 of NOC_AT_LEN_BE.
 *
 * All functions may be called by any thread. Those without the word "shared" need exclusive access to the memory.
 *
 * Sources: BlackholeA0/NoC/Atomics.md with the layouts of Diagrams/Src/Bits32.lua (profile isa); noc-atomics.md of the
 * Blackhole emulator specification (profile emu-spec).
 */
#ifndef NOC_ATOMIC_H
#define NOC_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm_base.h"

/*
 * The changes by an operation. Most operations change a word. With a field Ofs it is the word at (target & ~15) + 4 *
 * Ofs, else the word at the target address. Two change the line: the aligned 16 bytes that include the target address.
 * Every operation answers the old value of the word at the target address.
 */
enum tf_noc_atomic_kind {
    TF_NOC_AT_READ,         /* changes nothing */
    TF_NOC_AT_INCREMENT,    /* adds `data` to the bits of `mask` */
    TF_NOC_AT_POINTER,      /* adds `data`; a sum that reaches `limit` wraps to 0; limit 0: no limit */
    TF_NOC_AT_COMPARE_SWAP, /* if the bits of `mask` equal `compare`, they become `data` */
    TF_NOC_AT_SWAP,         /* the word becomes `data` */
    TF_NOC_AT_ZAAMO,        /* `code`: see tf_noc_zaamo() */
    TF_NOC_AT_SWAP_MASK,    /* line: 16-bit granules of `mask` become halves of `data` */
    TF_NOC_AT_ACCUMULATE,   /* line: adds `data` to its elements; `code` is the field Fmt */
    TF_NOC_AT_STORE_IND,    /* stores `data` to the L1 address that the target word holds */
};

#define TF_NOC_AT_NO_OFS 0xFFu

/*
 * Every operation: X(name, profiles, select, match, operands, kind, code, ofs, summary).
 *   profiles  i isa, e emu-spec, b both
 *   select, match  NOC_AT_LEN_BE encodes this operation when (value & select) == match
 *   operands  bits of NOC_AT_LEN_BE that its fields cover
 *   ofs       lowest bit of the field Ofs, or TF_NOC_AT_NO_OFS
 * Two rows have one name where the profiles encode the operation's fields differently.
 */
#define TF_NOC_ATOMICS(X)                                                                                           \
    X("nop", b, 0xF000, 0x0000, 0x0000, READ, 0, TF_NOC_AT_NO_OFS, "no operation")                                  \
    X("incr-get", i, 0xF000, 0x1000, 0x007F, INCREMENT, 0, 0, "add NOC_AT_DATA within the low IntWidth+1 bits")     \
    X("incr-get", e, 0xF000, 0x1000, 0x03C3, INCREMENT, 1, 0, "add INCR, 0 meaning 1")                              \
    X("incr-get-ptr", b, 0xF000, 0x2000, 0x03FC, POINTER, 0, TF_NOC_AT_NO_OFS, "add INCR, to 0 at WRAP")            \
    X("swap-mask", i, 0xF000, 0x3000, 0x03FC, SWAP_MASK, 2, TF_NOC_AT_NO_OFS, "write 16-bit granules")              \
    X("swap-mask", e, 0xF000, 0x3000, 0x0FF0, SWAP_MASK, 4, TF_NOC_AT_NO_OFS, "write 16-bit granules")              \
    X("cas", i, 0xF000, 0x4000, 0x03FF, COMPARE_SWAP, 0, 0, "compare and set, 4-bit values")                        \
    X("cas", e, 0xF000, 0x4000, 0x000C, COMPARE_SWAP, 1, 2, "compare and set the low 16 bits")                      \
    X("get-tile-map", b, 0xF000, 0x5000, 0x0000, READ, 0, TF_NOC_AT_NO_OFS, "read")                                 \
    X("swap-6", i, 0xF004, 0x6004, 0x0003, SWAP, 0, 0, "swap a word")                                               \
    X("store-ind", e, 0xF000, 0x6000, 0x0000, STORE_IND, 0, TF_NOC_AT_NO_OFS, "store to the address at the target") \
    X("swap-7", b, 0xF000, 0x7000, 0x000C, SWAP, 0, 2, "swap a word")                                               \
    X("swap-10", i, 0xFF00, 0xA300, 0x0003, SWAP, 0, 0, "swap a word")                                              \
    TF_NOC_ATOMICS_ZAAMO(X, i, 0xFF00, 0xA800)                                                                      \
    TF_NOC_ATOMICS_ZAAMO(X, e, 0xF700, 0x8000)                                                                      \
    X("acc-fp32", b, 0xF00F, 0x9000, 0x0000, ACCUMULATE, 0, TF_NOC_AT_NO_OFS, "add to 4 fp32")                      \
    X("acc-fp16", b, 0xF00F, 0x9001, 0x0000, ACCUMULATE, 1, TF_NOC_AT_NO_OFS, "add to 8 fp16")                      \
    X("acc-bf16", b, 0xF00F, 0x9002, 0x0000, ACCUMULATE, 2, TF_NOC_AT_NO_OFS, "add to 8 bf16")                      \
    X("acc-u32", b, 0xF00F, 0x9004, 0x0000, ACCUMULATE, 4, TF_NOC_AT_NO_OFS, "add to 4 u32, wrapping")              \
    X("acc-u8-sat", b, 0xF00F, 0x9007, 0x0000, ACCUMULATE, 7, TF_NOC_AT_NO_OFS, "add to 16 u8, saturating")         \
    X("acc-fp32-8", b, 0xF00F, 0x9008, 0x0000, ACCUMULATE, 8, TF_NOC_AT_NO_OFS, "add to 4 fp32")                    \
    X("acc-fp16-9", b, 0xF00F, 0x9009, 0x0000, ACCUMULATE, 9, TF_NOC_AT_NO_OFS, "add to 8 fp16")                    \
    X("acc-bf16-10", b, 0xF00F, 0x900A, 0x0000, ACCUMULATE, 10, TF_NOC_AT_NO_OFS, "add to 8 bf16")                  \
    X("acc-u32-12", b, 0xF00F, 0x900C, 0x0000, ACCUMULATE, 12, TF_NOC_AT_NO_OFS, "add to 4 u32, wrapping")          \
    X("acc-u32-13", b, 0xF00F, 0x900D, 0x0000, ACCUMULATE, 13, TF_NOC_AT_NO_OFS, "add to 4 u32, wrapping")          \
    X("acc-u8", b, 0xF00F, 0x900F, 0x0000, ACCUMULATE, 15, TF_NOC_AT_NO_OFS, "add to 16 u8, wrapping")

#define TF_NOC_ATOMICS_ZAAMO(X, profile, select, match)                                     \
    X("amoadd", profile, select, (match) | 0x000, 3, ZAAMO, 0, 0, "word + NOC_AT_DATA")     \
    X("amoxor", profile, select, (match) | 0x100, 3, ZAAMO, 1, 0, "word ^ NOC_AT_DATA")     \
    X("amoor", profile, select, (match) | 0x200, 3, ZAAMO, 2, 0, "word | NOC_AT_DATA")      \
    X("amoand", profile, select, (match) | 0x300, 3, ZAAMO, 3, 0, "word & NOC_AT_DATA")     \
    X("amomin", profile, select, (match) | 0x400, 3, ZAAMO, 4, 0, "the smaller, signed")    \
    X("amomax", profile, select, (match) | 0x500, 3, ZAAMO, 5, 0, "the larger, signed")     \
    X("amominu", profile, select, (match) | 0x600, 3, ZAAMO, 6, 0, "the smaller, unsigned") \
    X("amomaxu", profile, select, (match) | 0x700, 3, ZAAMO, 7, 0, "the larger, unsigned")

/* A row of the list above. */
struct tf_noc_atomic_row {
    const char *name;
    uint8_t profiles; /* bit (1 << enum tf_atomics) */
    uint8_t kind;     /* enum tf_noc_atomic_kind */
    uint8_t code;
    uint8_t ofs;
    uint16_t select, match, operands;
    const char *summary;
};

/* Set *rows to the list above, in its order. Returns the number of rows. */
size_t tf_noc_atomic_rows(const struct tf_noc_atomic_row **rows);

/* A request's operation, decoded. */
struct tf_noc_atomic {
    uint8_t kind; /* enum tf_noc_atomic_kind */
    uint8_t code;
    bool has_ofs;
    uint8_t ofs; /* word in the line, when has_ofs */
    uint32_t data;
    uint32_t mask;
    uint32_t compare;
    uint32_t limit;
};

/* Decode a request. Returns NULL, or a constant sentence that says why the request is a fault. */
const char *tf_noc_atomic_decode(enum tf_atomics profile, uint32_t at_len_be, uint32_t at_data,
                                 struct tf_noc_atomic *out);

/* The operation's name in the list; NULL if tf_noc_atomic_decode() returns a fault. */
const char *tf_noc_atomic_name(enum tf_atomics profile, uint32_t at_len_be);

/* A Zaamo operation. code: 0 to 7, in the order of the page's table. Returns the new word. */
static inline uint32_t tf_noc_zaamo(unsigned code, uint32_t word, uint32_t data)
{
    switch (code) {
    case 0: return word + data;
    case 1: return word ^ data;
    case 2: return word | data;
    case 3: return word & data;
    case 4: return (int32_t)word < (int32_t)data ? word : data;
    case 5: return (int32_t)word > (int32_t)data ? word : data;
    case 6: return word < data ? word : data;
    default: return word > data ? word : data;
    }
}

/* The new value of a word, for an operation that changes a word. */
static inline uint32_t tf_noc_atomic_word(const struct tf_noc_atomic *op, uint32_t word)
{
    if (op->kind == TF_NOC_AT_INCREMENT)
        return ((word + op->data) & op->mask) | (word & ~op->mask);
    switch (op->kind) {
    case TF_NOC_AT_POINTER: {
        uint64_t sum = (uint64_t)word + op->data;
        return op->limit && sum >= op->limit ? 0 : (uint32_t)sum;
    }
    case TF_NOC_AT_COMPARE_SWAP: return (word & op->mask) == op->compare ? (word & ~op->mask) | op->data : word;
    case TF_NOC_AT_SWAP: return op->data;
    case TF_NOC_AT_ZAAMO: return tf_noc_zaamo(op->code, word, op->data);
    default: return word;
    }
}

/* Does the operation change the whole line? */
static inline bool tf_noc_atomic_whole_line(const struct tf_noc_atomic *op)
{
    return op->kind == TF_NOC_AT_SWAP_MASK || op->kind == TF_NOC_AT_ACCUMULATE;
}

/* The word of the line, 0 to 3, that an operation at this address changes. */
static inline unsigned tf_noc_atomic_place(const struct tf_noc_atomic *op, uint32_t address)
{
    return op->has_ofs ? op->ofs : address / 4 % 4;
}

/* Change word `word` of a line. No other worker may access the line now. Returns the old value of word `answer`. */
static inline __attribute__((always_inline)) uint32_t tf_noc_atomic_owned(const struct tf_noc_atomic *op, uint8_t *line,
                                                                          unsigned answer, unsigned word)
{
    uint32_t *words = (uint32_t *)(void *)line, old = words[answer];
    words[word] = tf_noc_atomic_word(op, words[word]);
    return old;
}

/*
 * Apply any operation but STORE_IND to the shared line that includes `address`, in one atomic step. address: a multiple
 * of 4, in L1. Returns the old value of the word at `address`.
 */
uint32_t tf_noc_atomic_shared(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t address);

/* The outcome of an operation, without its answer. */
struct tf_noc_atomic_effect {
    const char *fault; /* NULL, or a constant sentence: memory is unchanged, and the answer has no meaning */
    uint32_t address;  /* the bytes that may have changed begin here */
    uint32_t bytes;    /* their number; 0: memory is unchanged */
};

/*
 * Apply an operation to L1. Returns the old value of the word at `address`.
 * l1: aligned to 16 bytes. address: in bytes; its line lies in L1.
 * shared: other workers access l1 now. The operation is then one atomic step on its word or line, even if it returns
 * one word and changes another. STORE_IND to another line takes two steps: it reads the pointer, then stores the word.
 * Faults: `address` is not a multiple of 4; STORE_IND's pointer is not a multiple of 4, or not in L1.
 */
uint32_t tf_noc_atomic_apply(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t l1_bytes, uint32_t address,
                             bool shared, struct tf_noc_atomic_effect *effect);

#endif
