/* SPDX-License-Identifier: Apache-2.0 */
/* Agent expressions (GDB manual, "The GDB Agent Expression Mechanism"). */
#ifndef DEBUG_GDB_CONDITION_H
#define DEBUG_GDB_CONDITION_H

#include "debug/gdb/parts.h"

enum {
    TF_AGENT_ADD = 0x02,
    TF_AGENT_SUB,
    TF_AGENT_MUL,
    TF_AGENT_DIV_S,
    TF_AGENT_DIV_U,
    TF_AGENT_REM_S,
    TF_AGENT_REM_U,
    TF_AGENT_LSH,
    TF_AGENT_RSH_S,
    TF_AGENT_RSH_U,
    TF_AGENT_LOG_NOT = 0x0e,
    TF_AGENT_AND,
    TF_AGENT_OR,
    TF_AGENT_XOR,
    TF_AGENT_NOT,
    TF_AGENT_EQUAL,
    TF_AGENT_LESS_S,
    TF_AGENT_LESS_U,
    TF_AGENT_EXT,
    TF_AGENT_REF8,
    TF_AGENT_REF16,
    TF_AGENT_REF32,
    TF_AGENT_REF64,
    TF_AGENT_IF_GOTO = 0x20,
    TF_AGENT_GOTO,
    TF_AGENT_CONST8,
    TF_AGENT_CONST16,
    TF_AGENT_CONST32,
    TF_AGENT_CONST64,
    TF_AGENT_REG,
    TF_AGENT_END,
    TF_AGENT_DUP,
    TF_AGENT_POP,
    TF_AGENT_ZERO_EXT,
    TF_AGENT_SWAP,
};
#define TF_AGENT_WRITER 0xFFFFu /* a register that GDB does not have: tf_gdb.writer */

/* Does the condition of a point hold? True also if it cannot be computed. */
bool tf_gdb_condition(struct tf_gdb *gdb, const struct point *point);

#endif
