/* SPDX-License-Identifier: Apache-2.0 */
/* The flags of decode.h by the names that the rows of rv.def use. Part of the files that include rv.def. */
enum {
    PURE = TF_RV_F_PURE,
    BRANCH = TF_RV_F_BRANCH,
    JUMP = TF_RV_F_JUMP,
    LOAD = TF_RV_F_LOAD,
    STORE = TF_RV_F_STORE,
    AMO = TF_RV_F_AMO,
    FENCE = TF_RV_F_FENCE,
    CSR = TF_RV_F_CSR,
    FP = TF_RV_F_FP,
    ROUND = TF_RV_F_ROUND,
    SYSTEM = TF_RV_F_SYSTEM,
};
