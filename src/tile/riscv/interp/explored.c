/* SPDX-License-Identifier: Apache-2.0 */
/* The instance of the interpreter for chips that explore other orders. */
#define TF_EXPLORED 1
#include "tile/riscv/interp/interp.c" // NOLINT(bugprone-suspicious-include)
