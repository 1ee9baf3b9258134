/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of device programs to the host: RISC-V semihosting (riscv-non-isa/riscv-semihosting, binary interface), and two
 * operations from the range that it leaves to implementations. kernels/include/tilefarm_print.h makes them. The effect
 * of a call on its core does not depend on a listener.
 */
#ifndef TILE_RISCV_EXEC_HOSTED_H
#define TILE_RISCV_EXEC_HOSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tf_tile;
struct tf_hart;

/* Operations, in a0. a1 is the address of what they need. */
enum tf_hosted {
    TF_HOSTED_WRITEC = 0x03, /* a character */
    TF_HOSTED_WRITE0 = 0x04, /* a text that ends with a 0 */
    TF_HOSTED_WRITE = 0x05,  /* three words: a handle, which is not looked at, address and length of a text */
    TF_HOSTED_MARK = 0x100,  /* a text that ends with a 0: the name of a moment */
    TF_HOSTED_PRINTF = 0x101 /* two words: address of a format as in printf(), address of the arguments (va_list) */
};

#define TF_HOSTED_BYTES_MAX 4096u /* of a text; the rest is left out */

/* The texts and marks of a tile's cores since the last report. */
struct tf_said {
    struct tf_said_text {
        uint64_t cycle;
        size_t at; /* in `text` */
        uint32_t bytes, pc;
        uint8_t core;
        bool mark;
    } * entry;
    size_t entries, entry_room;
    char *text;
    size_t bytes, text_room;
    bool lost; /* the host had no memory for some of it */
};

/* Is the ebreak at hart->pc a call? If so, make it: a0 is 0 afterwards, or -1 where the operation is not known. */
bool tf_hosted_call(struct tf_tile *tile, struct tf_hart *hart);

/* Sort by cycle and core. */
void tf_said_sort(struct tf_said *said);
void tf_said_free(struct tf_said *said);

#endif
