/* SPDX-License-Identifier: Apache-2.0 */
/* The instance of the interpreter for counted chips with a race checker. */
#define TF_INTERP tf_interp_both
#define TF_INTERP_HANDLERS tf_interp_both_handlers
#define TF_COUNTED 1
#define TF_CHECKED 1
#include "tile/riscv/interp/interp.c" // NOLINT(bugprone-suspicious-include)
