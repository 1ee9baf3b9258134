/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workloads/tensor.h"

#include <math.h>
#include <stdio.h>

#include "cli/workloads/grid.h"
#include "host/mix.h"
#include "tile/arch.h"

/* ---- Tensors ---- */

/* The DRAM channel of a tile, and its address there. */
static unsigned channel_of(const struct tf_chip *chip, uint32_t index)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    return tf_grid_channel(arch, index % tf_grid_channels(arch));
}

static uint64_t address_of(const struct tf_chip *chip, unsigned tensor, uint32_t index, uint32_t bytes)
{
    return TF_TENSOR_ADDRESS(tensor, index, tf_grid_channels(tf_chip_arch(chip)), bytes);
}

static int complain(int result, const char *what, uint32_t index, struct tf_message *message)
{
    if (result != TF_OK && message != NULL)
        snprintf(message->text, sizeof message->text, "%s tile %u: %s", what, index, tf_strerror(result));
    return result;
}

/* Make a tile of an input tensor in its format. */
static void make_input(const struct tf_tensor_input *input, uint32_t index, uint8_t *bytes)
{
    struct tf_tile_numbers tile;
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
        double fraction = tf_k_input(input->seed + input->tensor, index, i) / 4294967296.0;
        tile.number[i] = input->least + fraction * (input->most - input->least);
    }
    tf_tile_encode(input->format, &tile, bytes);
}

void tf_tensor_input(const struct tf_tensor_input *input, uint32_t index, struct tf_tile_numbers *tile)
{
    uint8_t bytes[TF_TILE_BYTES_MAX];
    make_input(input, index, bytes);
    tf_tile_decode(input->format, bytes, tile);
}

int tf_tensor_put(struct tf_chip *chip, const struct tf_tensor_input *input, uint32_t count, struct tf_message *message)
{
    uint32_t bytes = TF_TILE_BYTES(input->format);
    uint8_t memory[TF_TILE_BYTES_MAX];
    int result = TF_OK;
    for (uint32_t i = 0; i < count && result == TF_OK; i++) {
        make_input(input, i, memory);
        result = tf_dram_write(chip, channel_of(chip, i), address_of(chip, input->tensor, i, bytes), memory, bytes);
        complain(result, "writing", i, message);
    }
    return result;
}

/* Put pairs of adjacent tiles, row by row, into DRAM where a tile of twice the size would be. */
static int put_strips(struct tf_chip *chip, const struct tf_tensor_input *input, uint32_t count,
                      struct tf_message *message)
{
    uint32_t bytes = TF_TILE_BYTES(input->format), number = TF_FORMAT_BITS(input->format) / 8;
    uint8_t strip[2 * TF_TILE_BYTES_MAX], memory[TF_TILE_BYTES_MAX];
    int result = TF_OK;
    for (uint32_t i = 0; i < count && result == TF_OK; i++) {
        make_input(input, i, memory);
        for (unsigned k = 0; k < TF_TILE_NUMBERS; k++) {
            unsigned row = k / TF_TILE_SIDE, column = k % TF_TILE_SIDE;
            memcpy(strip + ((row * 2 + i % 2) * TF_TILE_SIDE + column) * number,
                   memory + tf_tile_at(row, column) * number, number);
        }
        if (i % 2 == 1)
            result = tf_dram_write(chip, channel_of(chip, i / 2), address_of(chip, input->tensor, i / 2, 2 * bytes),
                                   strip, 2 * bytes);
        complain(result, "writing", i, message);
    }
    return result;
}

/* Put a tile of ones into DRAM, with zeros from row `rows` on. It is the only tile of its tensor. */
static int put_ones(struct tf_chip *chip, unsigned tensor, unsigned format, unsigned rows, struct tf_message *message)
{
    uint8_t memory[TF_TILE_BYTES_MAX];
    struct tf_tile_numbers tile;
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++)
        tile.number[tf_tile_at(i / TF_TILE_SIDE, i % TF_TILE_SIDE)] = i / TF_TILE_SIDE < rows;
    tf_tile_encode(format, &tile, memory);
    int result = tf_dram_write(chip, channel_of(chip, 0), TF_TENSOR_BASE(tensor), memory, TF_TILE_BYTES(format));
    return complain(result, "writing", 0, message);
}

int tf_tensor_blank(struct tf_chip *chip, uint32_t count, unsigned format, struct tf_message *message)
{
    uint32_t bytes = TF_TILE_BYTES(format);
    uint8_t memory[TF_TILE_BYTES_MAX];
    int result = TF_OK;
    memset(memory, TF_TENSOR_UNTOUCHED, sizeof memory);
    for (uint32_t i = 0; i < count && result == TF_OK; i++) {
        result = tf_dram_write(chip, channel_of(chip, i), address_of(chip, TF_TENSOR_OUT, i, bytes), memory, bytes);
        complain(result, "writing", i, message);
    }
    return result;
}

static int read_output(struct tf_chip *chip, uint32_t index, unsigned format, uint8_t *memory)
{
    uint32_t bytes = TF_TILE_BYTES(format);
    return tf_dram_read(chip, channel_of(chip, index), address_of(chip, TF_TENSOR_OUT, index, bytes), memory, bytes);
}

int tf_tensor_get(struct tf_chip *chip, uint32_t index, unsigned format, struct tf_tile_numbers *tile,
                  struct tf_message *message)
{
    uint8_t memory[TF_TILE_BYTES_MAX];
    int result = read_output(chip, index, format, memory);
    if (result == TF_OK)
        tf_tile_decode(format, memory, tile);
    return complain(result, "reading", index, message);
}

int tf_tensor_hash(struct tf_chip *chip, uint32_t count, unsigned format, uint64_t *hash)
{
    uint8_t memory[TF_TILE_BYTES_MAX];
    uint64_t value = TF_FNV_FIRST;
    for (uint32_t i = 0; i < count; i++) {
        int result = read_output(chip, i, format, memory);
        if (result != TF_OK)
            return result;
        for (uint32_t k = 0; k < TF_TILE_BYTES(format); k++)
            value = tf_mix_fnv(value, memory[k]);
    }
    *hash = value;
    return TF_OK;
}

/* ---- Expectations ---- */

/* The results of the reference. The build includes the lists of all families (recorded_FAMILY.def). */
static const struct {
    const char *family, *workload, *variant;
    uint32_t scale, seed;
    uint64_t hash;
} recorded[] = {
#define TF_RECORDED(workload, variant, scale, seed, hash) {TF_RECORDED_FAMILY, #workload, variant, scale, seed, hash},
#include "recorded.inc"
#undef TF_RECORDED
    {.workload = NULL},
};

int tf_tensor_expect_recorded(const struct tf_wl *wl, uint64_t hash, struct tf_message *message)
{
    const char *variant = tf_workload_names(wl->workload)[wl->options.variant];
    for (size_t i = 0; wl->whole && recorded[i].workload != NULL; i++)
        if (strcmp(recorded[i].family, wl->family) == 0 && strcmp(recorded[i].workload, wl->workload->name) == 0 &&
            strcmp(recorded[i].variant, variant) == 0 && recorded[i].scale == wl->options.scale &&
            recorded[i].seed == wl->options.seed && recorded[i].hash != hash)
            return tf_wl_wrong(message, "the hash of the results is 0x%016llx, not 0x%016llx as the reference gave",
                               (unsigned long long)hash, (unsigned long long)recorded[i].hash);
    return TF_OK;
}

int tf_tensor_expect(struct tf_message *message, uint32_t index, unsigned at, double got, double expected, double bound)
{
    if (fabs(got - expected) <= bound)
        return TF_OK;
    return tf_wl_wrong(message, "tile %u of the result, face %u, row %u, column %u: %.9g, not within %.3g of %.9g",
                       index, at / 256, at / 16 % 16, at % 16, got, bound, expected);
}

/* ---- Workloads that make a tile of OUT out of a tile of each operand ---- */

static const struct tf_tensor_kind *kind_of(const struct tf_wl *wl)
{
    return &wl->workload->tensor->kind[wl->options.variant];
}

static uint32_t tiles(const struct tf_wl *wl)
{
    return wl->tiles * wl->options.scale;
}

struct tf_tensor_input tf_tensor_input_of(const struct tf_wl *wl, unsigned tensor)
{
    const struct tf_tensor_kind *kind = kind_of(wl);
    struct tf_tensor_input input = {.seed = wl->options.seed, .tensor = tensor, .format = kind->in};
    struct tf_tensor_range range = {-2, 2};
    if (wl->workload->tensor->range != NULL)
        range = wl->workload->tensor->range(kind);
    else if (TF_FORMAT_IS_INTEGER(kind->in))
        range = tf_tensor_integers(kind->in);
    input.least = range.least;
    input.most = range.most;
    return input;
}

struct tf_tensor_range tf_tensor_integers(unsigned format)
{
    double most = format == TF_INT8 ? 127 : format == TF_INT32 ? 2147483647 : 65535;
    return (struct tf_tensor_range){format == TF_UINT16 ? 0 : -most, most};
}

int tf_tensor_setup(struct tf_chip *chip, const struct tf_workload *workload, const struct tf_workload_options *options,
                    void **state, struct tf_message *message)
{
    const struct tf_tensor_work *work = workload->tensor;
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, workload, options, TF_WL_ALL, &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    if (tf_chip_arch(chip)->tile[TF_TILE_TENSIX].units.one_fp8 &&
        (kind_of(wl)->in == TF_FP8_E4M3 || kind_of(wl)->out == TF_FP8_E4M3))
        return tf_wl_lacks(chip, "fp8 with four bits of exponent", message);
    for (unsigned tensor = TF_TENSOR_A; tensor < work->operands && result == TF_OK; tensor++) {
        struct tf_tensor_input input = tf_tensor_input_of(wl, tensor);
        result = kind_of(wl)->how == TF_HOW_TILIZE ? put_strips(chip, &input, tiles(wl), message)
                                                   : tf_tensor_put(chip, &input, tiles(wl), message);
    }
    if (result == TF_OK && work->ones)
        result = put_ones(chip, TF_TENSOR_B, kind_of(wl)->in,
                          work->ones_rows != NULL ? work->ones_rows(kind_of(wl)) : TF_TILE_SIDE, message);
    if (result == TF_OK)
        result = tf_tensor_blank(chip, tiles(wl), kind_of(wl)->out, message);
    return result == TF_OK ? tf_wl_start(chip, wl, message) : result;
}

/* Add up the errors of magnitudes, as parts of their bounds. */
static int verify_tile(struct tf_chip *chip, const struct tf_wl *wl, uint32_t index, double *drift,
                       struct tf_message *message)
{
    const struct tf_tensor_work *work = wl->workload->tensor;
    struct tf_tile_numbers operand[2], got, expected, bound;
    for (unsigned tensor = TF_TENSOR_A; tensor < work->operands; tensor++) {
        struct tf_tensor_input input = tf_tensor_input_of(wl, tensor);
        tf_tensor_input(&input, work->source != NULL ? work->source(wl, index) : index, &operand[tensor]);
    }
    work->expect(kind_of(wl), operand, &expected, &bound);
    int result = tf_tensor_get(chip, index, kind_of(wl)->out, &got, message);
    for (unsigned i = 0; i < TF_TILE_NUMBERS && result == TF_OK; i++)
        result = tf_tensor_expect(message, index, i, got.number[i], expected.number[i], bound.number[i]);
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++)
        if (bound.number[i] != 0)
            *drift += (fabs(got.number[i]) - fabs(expected.number[i])) / bound.number[i];
    return result;
}

static int expect_drift(const struct tf_wl *wl, double drift, struct tf_message *message)
{
    const struct tf_tensor_work *work = wl->workload->tensor;
    double mean = drift / TF_TILE_NUMBERS / tiles(wl);
    if (work->drift == NULL || fabs(mean) <= work->drift(kind_of(wl)))
        return TF_OK;
    return tf_wl_wrong(message, "magnitudes are off by %.3g of their bounds on average, not within %.3g", mean,
                       work->drift(kind_of(wl)));
}

int tf_tensor_results(struct tf_chip *chip, void *state, uint64_t *hash)
{
    return tf_tensor_hash(chip, tiles(state), kind_of(state)->out, hash);
}

int tf_tensor_verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    uint64_t hash = 0;
    double drift = 0;
    int result = tf_wl_done(chip, wl, message);
    for (uint32_t i = 0; i < tiles(wl) && result == TF_OK; i++)
        result = verify_tile(chip, wl, i, &drift, message);
    if (result == TF_OK)
        result = expect_drift(wl, drift, message);
    if (result == TF_OK)
        result = tf_tensor_results(chip, state, &hash);
    return result == TF_OK ? tf_tensor_expect_recorded(wl, hash, message) : result;
}
