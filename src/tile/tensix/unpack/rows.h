/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface to the unpackers' kernels, which convert whole rows of 16 data. A row's data are adjacent in L1 and
 * share an exponent. tf_unpack_datum() converts all others, datum by datum.
 */
#ifndef TILE_TENSIX_UNPACK_ROWS_H
#define TILE_TENSIX_UNPACK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#define TF_UNPACK_ROW 16u

/* Conversions (FormatConversion.md, "Configuring the conversion"); INT8 is sign and magnitude. FP8_HALF:
   the upper byte of FP16. */
/* clang-format off */
#define TF_UNPACK_KINDS_X(X)                                                                               \
    X(FP32_TO_TF32) X(FP32_TO_BF16) X(FP32_TO_FP16) X(BF16) X(FP16) X(INT16) X(BFP8) X(BFP4) X(BFP2)       \
    X(BFP8A) X(BFP4A) X(BFP2A) X(FP8_E5M2) X(FP8_E4M3) X(FP8_HALF) X(INT8) X(UINT8) X(WIDE)
/* clang-format on */

enum tf_unpack_kind {
#define X(name) TF_UNPACK_##name,
    TF_UNPACK_KINDS_X(X)
#undef X
        TF_UNPACK_KINDS,
    TF_UNPACK_NONE = TF_UNPACK_KINDS,
};

/*
 * Rows in L1: groups of `group_rows` adjacent rows; groups begin `stride_bytes` apart. In relaxed mode other tiles may
 * write there at the same time, so each datum is loaded once.
 */
struct tf_unpack_rows {
    const uint8_t *data;
    const uint8_t *exponent; /* one for each row; NULL: `fixed` for all */
    uint32_t stride_bytes;
    uint32_t rows;
    uint8_t row_bytes, group_rows, fixed;
};

/*
 * Converts to data of SrcA and SrcB, or of Dst32b (WIDE alone). All rows are written. Returns false if an exponent did
 * not fit, which is undefined.
 */
typedef bool tf_unpack_convert(const struct tf_unpack_rows *from, uint32_t (*to)[TF_UNPACK_ROW]);

/* Converts data of SrcA or SrcB for Dst16b: with five bits of exponent (`fp16`), else with eight. */
typedef void tf_unpack_narrow(const uint32_t *from, uint16_t *to, bool fp16);

/* Splits data of Dst32b into halves, which Dst keeps in different rows. */
typedef void tf_unpack_split(const uint32_t *from, uint16_t *high, uint16_t *low);

struct tf_unpack_kernels {
    const char *name;
    tf_unpack_convert *convert[TF_UNPACK_KINDS];
    tf_unpack_narrow *narrow;
    tf_unpack_split *split;
};

extern const struct tf_unpack_kernels tf_unpack_portable;
#if defined(__x86_64__)
extern const struct tf_unpack_kernels tf_unpack_avx2, tf_unpack_avx512;
#endif

#endif
