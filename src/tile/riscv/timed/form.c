/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/timed/form.h"

#include "tile/riscv/isa/ids.h"

/* clang-format off */
#define NONE {0, 0}
#define X {31, 0}
#define F {31, TF_OP_F}

/* By the formats of decode.h: rs1, rs2, rs3, rd. */
#define FORM_NONE   {NONE, NONE, NONE, NONE}
#define FORM_R      {X, X, NONE, X}
#define FORM_R1     {X, NONE, NONE, X}
#define FORM_I      {X, NONE, NONE, X}
#define FORM_SHIFT  {X, NONE, NONE, X}
#define FORM_LOAD   {X, NONE, NONE, X}
#define FORM_STORE  {X, X, NONE, NONE}
#define FORM_FLOAD  {X, NONE, NONE, F}
#define FORM_FSTORE {X, F, NONE, NONE}
#define FORM_AMO    {X, X, NONE, X}
#define FORM_BRANCH {X, X, NONE, NONE}
#define FORM_U      {NONE, NONE, NONE, X}
#define FORM_J      {NONE, NONE, NONE, X}
#define FORM_JALR   {X, NONE, NONE, X}
#define FORM_CSR    {X, NONE, NONE, X}
#define FORM_CSRI   {NONE, NONE, NONE, X}
#define FORM_FENCE  {NONE, NONE, NONE, NONE}
#define FORM_R4     {F, F, F, F}
#define FORM_FR     {F, F, NONE, F}
#define FORM_FFF    {F, NONE, NONE, F}
#define FORM_FCMP   {F, F, NONE, X}
#define FORM_FXF    {F, NONE, NONE, X}
#define FORM_FFX    {X, NONE, NONE, F}
/* clang-format on */

/* Those that are not listed neither wait for registers nor name one: pushes have none, and of V no page says. */
const struct tf_timed_form tf_timed_form[TF_RV_COUNT] = {
#define RV(id, mnemonic, mask, match, format, extension, flags) [TF_RV_##id] = FORM_##format,
#include "tile/riscv/isa/rv.def"
#undef RV
};
