/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The accesses of a tile that a race checker sees (src/races). Without a checker tile->check is NULL. Checked chips use
 * an interpreter of their own (riscv/interp/checked.c), so other chips pay nothing. The checker changes no state.
 *
 * Thread: the one that runs the tile, or lets a request act at it.
 */
#ifndef TILE_CHECK_H
#define TILE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/observe.h"

/* An access of a core to L1. */
struct tf_check_access {
    uint64_t cycle;
    uint32_t pc, address;
    uint8_t core, bytes;
};

/* Units of the coprocessor that access L1. */
enum tf_check_unit {
    TF_CHECK_UNPACKER_0,
    TF_CHECK_UNPACKER_1,
    TF_CHECK_PACKER,
    TF_CHECK_SCALAR,
    TF_CHECK_MOVER,
    TF_CHECK_UNITS,
};

/* For rows, TF_CHECK_READS means that the result needs some of them, and TF_CHECK_NEEDS that it needs each of them.
   In L1 an atomic of the scalar unit TF_CHECK_CHANGES a word, and TF_CHECK_AWAITS a value of one that it leaves. */
enum tf_check_use { TF_CHECK_READS, TF_CHECK_WRITES, TF_CHECK_CHANGES, TF_CHECK_NEEDS, TF_CHECK_AWAITS };

/* Registers of the coprocessor whose accesses rows() reports. */
enum tf_check_file {
    TF_CHECK_DST,  /* physical rows */
    TF_CHECK_SRCA, /* rows; those of bank 1 follow those of bank 0 */
    TF_CHECK_SRCB,
    TF_CHECK_FILES,
};

/* An instruction of the vector unit while SFPLOADMACRO's schedule is at work. */
struct tf_check_vector {
    uint32_t word, pc; /* pc: of the instruction, or of the SFPLOADMACRO that has scheduled it */
    uint64_t cycle;
    uint32_t unready; /* LRegs, as bits, that results under way enter after this cycle */
    uint8_t thread, vd, vb, vc;
    bool scheduled;
};

/* Clashes of two instructions that SFPLOADMACRO.md and the pages of instructions forbid. */
enum tf_check_clash {
    TF_CLASH_DISCARDED,   /* the second is issued to a sub-unit in the cycle in which the first acts there */
    TF_CLASH_RESULTS,     /* the simple and the round sub-unit act, and not just one of them writes LReg[16] */
    TF_CLASH_SWAP_BEGINS, /* the second, SFPSWAP, without SFPNOP in the MAD sub-unit */
    TF_CLASH_SWAP_ENDS,   /* the second, in the second cycle of SFPSWAP */
    TF_CLASH_SHIFTS,      /* the second, in the cycle after an SFPSHFT2 that takes two */
    TF_CLASH_STALE_ROW,   /* the second loads a row of Dst that the first, scheduled, has not stored yet */
    TF_CLASH_GAP,         /* the second uses a register of the first, whose delay counts cycles, before that acts */
};

/* TT-link packets of a TX queue or for an RX queue. */
struct tf_check_packet {
    uint64_t number, count; /* of the first one in its queue, from 0 on; of packets */
    uint64_t cycle;
    uint32_t address,
        bytes;     /* sent: the data in L1, and their length. Received: what is written. bytes 0: one register */
    unsigned core; /* sent: that has stored the command, or TF_FROM_NOC */
    uint8_t queue;
};

struct tf_check {
    struct tf_observer observer; /* of no core; it marks the tile as observed */
    /* A core is about to load from L1, to store to it, or to perform an AMO. */
    void (*load)(struct tf_check *check, struct tf_check_access access);
    void (*store)(struct tf_check *check, struct tf_check_access access);
    void (*amo)(struct tf_check *check, struct tf_check_access access);
    /* A core executes a fence. */
    void (*fence)(struct tf_check *check, unsigned core);
    /* A core has loaded a register. Or a core is about to store to one; it may call this again when it retries. */
    void (*loaded)(struct tf_check *check, unsigned core, uint32_t pc, uint32_t address, uint32_t value);
    void (*storing)(struct tf_check *check, unsigned core, uint32_t pc, uint32_t address, uint32_t value);
    /* A unit of the coprocessor has accessed L1 for a thread, whose instruction is at its gate. */
    void (*unit)(struct tf_check *check, unsigned thread, enum tf_check_unit unit, uint32_t address, uint32_t bytes,
                 enum tf_check_use use);
    /* The scalar unit accesses a register for a thread. */
    void (*unit_register)(struct tf_check *check, unsigned thread, uint32_t address, bool store);
    /* An instruction has passed the gate of its thread, and has acted. */
    void (*passed)(struct tf_check *check, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle);
    /* A core leaves reset. */
    void (*started)(struct tf_check *check, unsigned core);
    /* The pointers below may be NULL. Either all of the last four are set, or none. */
    /* A core is held in reset. */
    void (*held)(struct tf_check *check, unsigned core);
    /* A thread's instruction gives a bank of SrcA or SrcB to the matrix unit, or back to the unpackers. */
    void (*handed)(struct tf_check *check, unsigned thread, unsigned side, unsigned bank, bool to_matrix);
    /* The mover has accessed L1: for an instruction that core's thread was pushed, or for a command of the core. */
    void (*moved)(struct tf_check *check, unsigned core, bool pushed, uint32_t address, uint32_t bytes, bool write);
    /* It is about to write to the configuration, from a byte of its window on. from: the data; NULL: zeros. */
    void (*moved_config)(struct tf_check *check, unsigned core, bool pushed, uint32_t offset, const uint8_t *from,
                         uint32_t bytes);
    /* An instruction or a core reads or writes rows. `by`: thread 0, 1 or 2, or TF_CHECK_BY() of a core. If this
       pointer is not NULL, passed() gets each instruction, including those of the vector unit, and gpr-only ones. */
    void (*rows)(struct tf_check *check, unsigned by, enum tf_check_file file, unsigned first, unsigned count,
                 enum tf_check_use use);
    /* While SFPLOADMACRO's schedule is at work. vector: the unit is about to execute an instruction. lregs: results
       have entered LRegs. clash: two instructions clash; `first` may be NULL. */
    void (*vector)(struct tf_check *check, const struct tf_check_vector *what);
    void (*lregs)(struct tf_check *check, uint32_t written);
    void (*clash)(struct tf_check *check, enum tf_check_clash clash, const struct tf_check_vector *first,
                  const struct tf_check_vector *second);
    /* Of a tile with a link: a TX queue has taken a command; a packet is about to act. */
    void (*sent)(struct tf_check *check, const struct tf_check_packet *packet);
    void (*received)(struct tf_check *check, const struct tf_check_packet *packet);
};

#endif
