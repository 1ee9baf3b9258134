/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tensor workloads share on the host: numbers in the chip's formats, tiles in DRAM, results checked twice,
 * against doubles within a stated bound, and bit for bit against the hash that the reference gave (recorded.def).
 */
#ifndef CLI_WORKLOADS_TENSOR_H
#define CLI_WORKLOADS_TENSOR_H

#include "cli/workloads/common.h"
#include "tilefarm_tensor.h"

/* A tile as numbers in the order in which they lie in memory: face by face. */
struct tf_tile_numbers {
    double number[TF_TILE_NUMBERS];
};

/* Position of a row and a column, 0..31, in that order. */
static inline unsigned tf_tile_at(unsigned row, unsigned column)
{
    return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

/* To and from memory; rounded to the nearest number of the format. */
void tf_tile_encode(unsigned format, const struct tf_tile_numbers *tile, uint8_t *bytes);
void tf_tile_decode(unsigned format, const uint8_t *bytes, struct tf_tile_numbers *tile);

/* Numbers of an input tensor, least..most, as the format holds them. */
struct tf_tensor_input {
    uint32_t seed;
    unsigned tensor, format;
    double least, most;
};

void tf_tensor_input(const struct tf_tensor_input *input, uint32_t index, struct tf_tile_numbers *tile);

/* Put `count` tiles of an input into DRAM. TF_OK or a negative code. */
int tf_tensor_put(struct tf_chip *chip, const struct tf_tensor_input *input, uint32_t count,
                  struct tf_message *message);

/* A tile of ones, the only one of a tensor. */
int tf_tensor_put_ones(struct tf_chip *chip, unsigned tensor, unsigned format, struct tf_message *message);

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

#endif
