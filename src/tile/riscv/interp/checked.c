/* SPDX-License-Identifier: Apache-2.0 */
/* The instance of the interpreter for chips with a race checker. */
#define TF_INTERP tf_interp_checked
#define TF_INTERP_HANDLERS tf_interp_checked_handlers
#define TF_CHECKED 1
#include "tile/riscv/interp/interp.c" // NOLINT(bugprone-suspicious-include)
