/* SPDX-License-Identifier: Apache-2.0 */
/* The instance of the interpreter for counted chips with a race checker. */
#define TF_COUNTED 1
#define TF_CHECKED 1
#include "tile/riscv/interp/interp.c" // NOLINT(bugprone-suspicious-include)
