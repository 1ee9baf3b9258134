/* SPDX-License-Identifier: Apache-2.0 */
/* The instance of the interpreter for counted chips. */
#define TF_INTERP tf_interp_counted
#define TF_INTERP_HANDLERS tf_interp_counted_handlers
#define TF_COUNTED 1
#include "tile/riscv/interp/interp.c" // NOLINT(bugprone-suspicious-include)
