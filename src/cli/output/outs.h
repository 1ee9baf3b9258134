/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a run writes. */
#ifndef CLI_OUTPUT_OUTS_H
#define CLI_OUTPUT_OUTS_H

enum tf_out {
    TF_OUT_JSON,
    TF_OUT_JUNIT,
    TF_OUT_SVG,
    TF_OUT_TRACE,
    TF_OUT_RISCV,
    TF_OUT_NOC_TRACE,
    TF_OUT_PROFILE,
    TF_OUT_COVERAGE,
    TF_OUT_TIMELINE,
    TF_OUT_REPORT,
    TF_OUT_CRITICAL,
    TF_OUTS
};

/* The option that names such a file: "--json". */
const char *tf_out_option(enum tf_out out);

#endif
