/* SPDX-License-Identifier: Apache-2.0 */
/* The instance of the interpreter for chips with ordered memory. */
#define TF_INTERP tf_interp_ordered
#define TF_INTERP_HANDLERS tf_interp_ordered_handlers
#define TF_ORDERED 1
#include "tile/riscv/interp/interp.c" // NOLINT(bugprone-suspicious-include)
