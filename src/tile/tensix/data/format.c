/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/data/format.h"

const struct tf_format_info tf_format_info[TF_FORMATS] = {
    [TF_FORMAT_FP32] = {.bits = 32},
    [TF_FORMAT_FP16] = {.bits = 16, .fp16_family = true},
    [TF_FORMAT_BFP8A] = {.bits = 8, .bfp = true, .fp16_family = true},
    [TF_FORMAT_BFP4A] = {.bits = 4, .shift_left = 4, .bfp = true, .fp16_family = true},
    [TF_FORMAT_TF32] = {.bits = 32},
    [TF_FORMAT_BF16] = {.bits = 16},
    [TF_FORMAT_BFP8] = {.bits = 8, .bfp = true},
    [TF_FORMAT_BFP4] = {.bits = 4, .shift_left = 4, .bfp = true},
    [TF_FORMAT_INT32] = {.bits = 32},
    [TF_FORMAT_INT16] = {.bits = 16},
    [TF_FORMAT_FP8] = {.bits = 8, .fp16_family = true},
    [TF_FORMAT_BFP2A] = {.bits = 2, .shift_left = 6, .bfp = true, .fp16_family = true},
    [TF_FORMAT_INT8] = {.bits = 8, .fp16_family = true},
    [TF_FORMAT_BFP2] = {.bits = 2, .shift_left = 6, .bfp = true},
};

const char *tf_format_text(unsigned format)
{
    static const char *const text[TF_FORMATS] = {
        [TF_FORMAT_FP32] = "fp32",
        [TF_FORMAT_FP16] = "fp16",
        [TF_FORMAT_BFP8A] = "bfp8a",
        [TF_FORMAT_BFP4A] = "bfp4a",
        [TF_FORMAT_TF32] = "tf32",
        [TF_FORMAT_BF16] = "bf16",
        [TF_FORMAT_BFP8] = "bfp8",
        [TF_FORMAT_BFP4] = "bfp4",
        [TF_FORMAT_INT32] = "int32",
        [TF_FORMAT_INT16] = "uint16",
        [TF_FORMAT_FP8] = "fp8",
        [TF_FORMAT_BFP2A] = "bfp2a",
        [TF_FORMAT_INT8] = "int8",
        [TF_FORMAT_BFP2] = "bfp2",
        [12] = "12",
        [13] = "13",
    };
    return text[format % TF_FORMATS];
}
