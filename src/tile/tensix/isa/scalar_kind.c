/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/isa/scalar_kind.h"

/* The second form of SETDMAREG reads the packers' state. */
const struct tf_thcon_form tf_thcon_forms[256] = {
    [TF_OP_NOP] = {0, TF_THCON_NOTHING, 1, 0},
    [TF_OP_DMANOP] = {0, TF_THCON_NOTHING, 1, 0},
    [TF_OP_SETDMAREG] = {1u << (TF_FIELD_SETDMAREG_set_signals_mode & 0xFF), TF_THCON_SET_LOW, 1, 0},
#define X(op, first, count) [TF_OP_##op] = {0, TF_THCON_##first, count, TF_FIELD_##op##_op_b_is_const & 0xFF},
    TF_THCON_PAIR_OPS(X)
#undef X
};

_Static_assert((int)TF_FIELD_SHIFTDMAREG_op_sel == (int)TF_FIELD_BITWOPDMAREG_op_sel &&
                   (int)TF_FIELD_CMPDMAREG_op_sel == (int)TF_FIELD_BITWOPDMAREG_op_sel &&
                   (TF_FIELD_SETDMAREG_reg_index_16b & 0xFF) == 0,
               "where tf_thcon_kind_of() looks");
