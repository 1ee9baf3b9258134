/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the tensor workloads share on the host: numbers in the chip's formats, and tiles in DRAM. Results are
 * checked twice: against doubles, within a stated bound, and bit by bit against the hash of the reference
 * (recorded_FAMILY.def).
 */
#ifndef CLI_WORKLOADS_TENSOR_H
#define CLI_WORKLOADS_TENSOR_H

#include "cli/workloads/common.h"
#include "tilefarm/tilefarm_numbers.h"
#include "tilefarm_tensor.h"

/* The numbers of a tile in memory order: face by face. */
struct tf_tile_numbers {
    double number[TF_TILE_NUMBERS];
};

/* Position of a row and a column, 0..31, in memory order. */
static inline unsigned tf_tile_at(unsigned row, unsigned column)
{
    return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

/* Convert a tile to and from bytes of memory, rounded to the nearest number of the format. */
static inline void tf_tile_encode(unsigned format, const struct tf_tile_numbers *tile, uint8_t *bytes)
{
    tf_numbers_encode((int)format, tile->number, TF_TILE_NUMBERS, bytes);
}

static inline void tf_tile_decode(unsigned format, const uint8_t *bytes, struct tf_tile_numbers *tile)
{
    tf_numbers_decode((int)format, bytes, TF_TILE_NUMBERS, tile->number);
}

/* Numbers of an input tensor, least..most, as the format holds them. */
struct tf_tensor_input {
    uint32_t seed;
    unsigned tensor, format;
    double least, most;
};

struct tf_tensor_range {
    double least, most;
};

/* The range of an integer format. */
struct tf_tensor_range tf_tensor_integers(unsigned format);

void tf_tensor_input(const struct tf_tensor_input *input, uint32_t index, struct tf_tile_numbers *tile);

/* Put `count` tiles of an input into DRAM. TF_OK or a negative code. */
int tf_tensor_put(struct tf_chip *chip, const struct tf_tensor_input *input, uint32_t count,
                  struct tf_message *message);

/* Fill the output with TF_TENSOR_UNTOUCHED. */
int tf_tensor_blank(struct tf_chip *chip, uint32_t count, unsigned format, struct tf_message *message);

int tf_tensor_get(struct tf_chip *chip, uint32_t index, unsigned format, struct tf_tile_numbers *tile,
                  struct tf_message *message);

/* Hash of `count` tiles of output: FNV-1a over their bytes, tile after tile. */
int tf_tensor_hash(struct tf_chip *chip, uint32_t count, unsigned format, uint64_t *hash);

/* TF_OK when the hash is the one recorded for these options, or none is recorded; else TF_WORKLOAD_WRONG. */
int tf_tensor_expect_recorded(const struct tf_wl *wl, uint64_t hash, struct tf_message *message);

/* TF_OK when |got - expected| <= bound, else TF_WORKLOAD_WRONG; at: position in tile `index` of the output. */
int tf_tensor_expect(struct tf_message *message, uint32_t index, unsigned at, double got, double expected,
                     double bound);

/*
 * ---- Workloads that compute tile i of OUT from one tile of each operand. struct tf_workload points to a table of what
 * differs between them ----
 */

struct tf_tensor_work {
    const struct tf_tensor_kind *kind;                        /* by variant */
    unsigned operands;                                        /* 1: A, 2: A and B */
    bool ones;                                                /* B is one tile of ones */
    unsigned (*ones_rows)(const struct tf_tensor_kind *kind); /* rows of ones in it; NULL: all rows */
    /* Range of the operands' numbers; NULL: -2 to 2, and all numbers of integer formats. */
    struct tf_tensor_range (*range)(const struct tf_tensor_kind *kind);
    /* Index of the operands' tiles for a tile of OUT; NULL: the same index. */
    uint32_t (*source)(const struct tf_wl *wl, uint32_t index);
    /* The expected numbers of OUT's tile, in memory order, and how far each may be off. */
    void (*expect)(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound);
    /* How far magnitudes may be off on average, as a fraction of their bounds; NULL: up to the bounds. */
    double (*drift)(const struct tf_tensor_kind *kind);
};

/* The input of an operand. */
struct tf_tensor_input tf_tensor_input_of(const struct tf_wl *wl, unsigned tensor);

/* For struct tf_workload. */
int tf_tensor_setup(struct tf_chip *chip, const struct tf_workload *workload, const struct tf_workload_options *options,
                    void **state, struct tf_message *message);
int tf_tensor_verify(struct tf_chip *chip, void *state, struct tf_message *message);
int tf_tensor_results(struct tf_chip *chip, void *state, uint64_t *hash);

/* Define a workload with the table `work` and a check of its own. */
#define TF_TENSOR_WORKLOAD_CHECKED(name_, summary_, variants_, work_, scale_test_, verify_, results_) \
    static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,   \
                     struct tf_message *message)                                                      \
    {                                                                                                 \
        return tf_tensor_setup(chip, &tf_workload_##name_, options, state, message);                  \
    }                                                                                                 \
    const struct tf_workload tf_workload_##name_ = {                                                  \
        .name = #name_,                                                                               \
        .summary = summary_,                                                                          \
        .variants = variants_,                                                                        \
        .tensor = work_,                                                                              \
        .scale_default = 64,                                                                          \
        .scale_max = 4096,                                                                            \
        .scale_test = scale_test_,                                                                    \
        .setup = setup,                                                                               \
        .verify = verify_,                                                                            \
        .results = results_,                                                                          \
        .release = tf_wl_release,                                                                     \
    }

/* Define a workload that is checked tile by tile. */
#define TF_TENSOR_WORKLOAD(name_, summary_, variants_, work_, scale_test_) \
    TF_TENSOR_WORKLOAD_CHECKED(name_, summary_, variants_, work_, scale_test_, tf_tensor_verify, tf_tensor_results)

#endif
