/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/outs.h"

const char *tf_out_option(enum tf_out out)
{
    static const char *const option[TF_OUTS] = {
        [TF_OUT_JSON] = "--json",
        [TF_OUT_JUNIT] = "--junit",
        [TF_OUT_SVG] = "--svg",
        [TF_OUT_TRACE] = "--trace",
        [TF_OUT_RISCV] = "--riscv-trace",
        [TF_OUT_NOC_TRACE] = "--noc-trace",
        [TF_OUT_PROFILE] = "--profile",
        [TF_OUT_COVERAGE] = "--coverage",
        [TF_OUT_TIMELINE] = "--timeline",
        [TF_OUT_REPORT] = "--report",
        [TF_OUT_CRITICAL] = "--critical-path",
    };
    return option[out];
}
