/* SPDX-License-Identifier: Apache-2.0 */
/* The instance of the interpreter for chips that explore other orders. */
#define TF_INTERP tf_interp_explored
#define TF_INTERP_HANDLERS tf_interp_explored_handlers
#define TF_EXPLORED 1
#include "tile/riscv/interp/interp.c" // NOLINT(bugprone-suspicious-include)
