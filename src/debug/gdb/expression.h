/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of watchpoints: from C's form to GDB's agent expressions. */
#ifndef DEBUG_GDB_EXPRESSION_H
#define DEBUG_GDB_EXPRESSION_H

#include "debug/gdb/parts.h"

/* Compile the condition of a watchpoint at an address, to at most CONDITION_BYTES bytes. Returns NULL, or the place of
   a syntax error in the text. */
const char *tf_gdb_compile(const char *text, uint32_t address, uint8_t *code, unsigned *bytes);

#endif
