/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_events.h
 * What a chip reports to the callbacks of struct tf_config: faults, instructions, texts, atomics, and steps of NOC
 * requests. tilefarm.h includes it.
 */
#ifndef TILEFARM_EVENTS_H
#define TILEFARM_EVENTS_H

#include "tilefarm/tilefarm_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The cause of a fault. */
enum tf_fault_category {
    TF_FAULT_UNDEFINED,     /**< The program did something that the documentation leaves undefined. */
    TF_FAULT_UNPREDICTABLE, /**< The program used a value that the documentation leaves unpredictable. */
    TF_FAULT_UNIMPLEMENTED, /**< The hardware has this function, and tilefarm does not have it yet. */
    TF_FAULT_UNSUPPORTED,   /**< The hardware has this function, and tilefarm is not meant to have it. */
    TF_FAULT_CONFIG,        /**< The configuration of the chip cannot work. */
    TF_FAULT_HOST,          /**< The host has too little memory or another resource. */
    TF_FAULT_INTERNAL,      /**< A defect of tilefarm. */
};

/** No core: a value of fields that otherwise have an enum tf_core. */
#define TF_CORE_NONE 255

/** A violation. A fault stops only the core or coprocessor thread that caused it. */
struct tf_fault {
    enum tf_fault_category category;
    struct tf_coord tile; /**< Where the initiator is. */
    uint8_t core;         /**< enum tf_core; on an Ethernet tile 0 for E0, 1 for E1; or TF_CORE_NONE. */
    uint32_t pc;          /**< Program counter of the initiator. */
    uint32_t instruction; /**< The instruction word at pc, or the Tensix word; 0: none. */
    uint64_t address;     /**< The address or register concerned; 0: none. */
    uint64_t cycle;
    bool hazard;    /**< A hazard: it is only recorded, and the chip does what hardware does. */
    char text[160]; /**< One sentence, without the fields above. */
};

/** One instruction that a RISC-V core has retired. */
struct tf_riscv_event {
    struct tf_coord tile;
    uint8_t core;  /**< enum tf_core */
    uint8_t bytes; /**< Length of its access to memory or registers; 0: no access. */
    bool loads, stores;
    uint8_t rd; /**< 1..31: x register written; 32..63: f register; 0: none. */
    uint32_t pc;
    uint32_t instruction;
    uint32_t value;   /**< Of register `rd`, afterwards. */
    uint32_t address; /**< Of the access. */
    uint32_t stored;  /**< A store or atomic to L1 or local RAM: the value there afterwards. Else the value stored. */
    uint64_t cycle;
    uint64_t skipped; /**< Instructions of polling loops, without events, that it retired since its last event. */
};

/** A text or a mark from a device program, by the functions of tilefarm_print.h or by RISC-V semihosting. */
struct tf_print_event {
    struct tf_coord tile;
    uint8_t core; /**< enum tf_core */
    bool mark;    /**< `text` is a mark for a timeline, from tf_mark(). Else it is text to print. */
    uint32_t pc;
    uint64_t cycle;
    const char *text; /**< Ends with a 0; may end in the middle of a line. Valid until the callback returns. */
    size_t bytes;     /**< Without that 0. */
};

/** A NOC atomic that has taken effect, for tools that check histories. */
struct tf_atomic_event {
    struct tf_coord initiator, target;
    uint8_t core;        /**< The core that issued it. */
    uint8_t noc;         /**< 0 or 1. */
    uint16_t at_len_be;  /**< Opcode and operands, NOC_AT_LEN_BE. */
    uint32_t at_data;    /**< NOC_AT_DATA. */
    uint64_t address;    /**< Target address. */
    bool answered;       /**< The request asked for a response. */
    uint32_t result;     /**< The word returned; 0 if it is not answered. */
    uint64_t begin, end; /**< Ticks of one clock of the host, before and after the operation. */
};

/** An instruction that has passed the wait gate of its Tensix thread. MOP and REPLAY appear as the instructions that
 *  they expand to. An atomic that is retried appears once, when it succeeds. */
struct tf_tensix_event {
    struct tf_coord tile;
    uint8_t thread;       /**< 0..2 */
    uint64_t cycle;       /**< A thread has at most one event in a cycle. */
    uint32_t instruction; /**< The word; tf_tensix_text() disassembles it. */
    uint32_t pc;          /**< Of the core's instruction that pushed it, or its MOP or REPLAY. */
    const char *unit;     /**< Name of the unit; constant. */
};

/** What a NOC request does. */
enum tf_noc_kind {
    TF_NOC_READ,
    TF_NOC_WRITE,        /**< By length. */
    TF_NOC_WRITE_BE,     /**< By byte mask, up to 64 bytes. */
    TF_NOC_WRITE_INLINE, /**< NOC_AT_DATA: 4 bytes, or a line of 16 bytes under a byte mask. */
    TF_NOC_ATOMIC,
};

/** The steps of a NOC request. */
enum tf_noc_step {
    TF_NOC_LANDED,  /**< A response has reached its node: data first, then counters. */
    TF_NOC_REFUSED, /**< A node refused the request; the initiator has a fault instead of a response. */
    TF_NOC_ISSUED,  /**< The NIU of the initiator has accepted it. */
    TF_NOC_ACTED,   /**< It has acted at a node. */
};

/** A step of a packet. A long request consists of several packets; each one is a request of its own here. */
struct tf_noc_event {
    uint64_t request; /**< Its number, from 1 on, in delivery order. */
    enum tf_noc_step step;
    enum tf_noc_kind kind;
    uint64_t epoch; /**< Of the step, from 0 on. A request acts in the epoch in which it is issued. */
    /** ISSUED: the cycle of the store to NOC_CMD_CTRL, in the initiator's tile. ACTED: the cycle in which the epoch
     *  ends. LANDED and REFUSED: the cycle in which it starts. */
    uint64_t cycle;
    struct tf_coord initiator;   /**< The node whose NIU issues it. */
    struct tf_coord target;      /**< The node that acts. ISSUED, of a multicast: the first corner of its rectangle. */
    struct tf_coord target_last; /**< Of a multicast: the last corner; the rectangle may wrap. Else as `target`. */
    struct tf_coord answer;      /**< The node where responses land; the initiator if there are none. */
    unsigned recipients;         /**< Number of nodes addressed, including those whose NIUs have opted out. */
    uint8_t noc;                 /**< 0 or 1 */
    uint8_t request_initiator;   /**< ISSUED: the NIU's request initiator, 0..3. */
    uint8_t core;                /**< The core whose store issued it; TF_CORE_NONE: a store through the NOC. */
    uint8_t tid;                 /**< Transaction identifier, 0..15. */
    uint8_t vc;                  /**< ISSUED: the virtual channel, if `vc_static`. */
    bool vc_static, vc_linked;   /**< ISSUED */
    bool answered;               /**< It has a response: a read, or a write or atomic that is not posted. */
    bool multicast, source_include, major_y;
    bool captured;           /**< ISSUED, writes: the data were read at issue. False: at the end of the epoch. */
    uint32_t exclude;        /**< Of a multicast: NOC_BRCST_EXCLUDE. */
    uint32_t pc;             /**< Of the store to NOC_CMD_CTRL. */
    uint64_t address;        /**< At the target. */
    uint64_t source_address; /**< Of a write's data, at the initiator. */
    uint64_t return_address; /**< Of a read's data or an atomic's result, at `answer`. */
    uint32_t bytes;          /**< Length from `address` on; 4 for an atomic. */
    uint64_t byte_mask;      /**< Of a write with a byte mask: bit 0 is the byte at `address`. Else 0. */
    uint32_t at_len_be;      /**< Of an atomic: opcode and operands, NOC_AT_LEN_BE. */
    uint32_t at_data;        /**< Of an atomic, or of an inline write: NOC_AT_DATA. */
    uint32_t result;         /**< LANDED, atomics: the word returned. */
};

#ifdef __cplusplus
}
#endif
#endif
