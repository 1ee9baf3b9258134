/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workloads/tensor.h"

#include <math.h>
#include <stdio.h>

/* ---- Formats ---- */

/* Sign, exponent and mantissa of a format with so many bits; what is too small becomes 0. */
static uint32_t pack_float(double x, int exponent_bits, int mantissa_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1, exponent;
    uint32_t sign = (uint32_t)(signbit(x) != 0) << (exponent_bits + mantissa_bits);
    double fraction = frexp(fabs(x), &exponent); /* 0.5 .. 1 */
    uint64_t mantissa = (uint64_t)nearbyint(ldexp(fraction, mantissa_bits + 1));
    if (mantissa >> (mantissa_bits + 1) != 0) {
        mantissa >>= 1;
        exponent++;
    }
    if (x == 0 || exponent - 1 + bias <= 0)
        return sign;
    return sign | (uint32_t)(exponent - 1 + bias) << mantissa_bits | (uint32_t)(mantissa & ((1u << mantissa_bits) - 1));
}

static double unpack_float(uint32_t bits, int exponent_bits, int mantissa_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = (int)(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
    uint32_t leading = exponent != 0 ? 1u << mantissa_bits : 0;
    double mantissa = (double)((bits & ((1u << mantissa_bits) - 1)) | leading);
    double x = ldexp(mantissa, (exponent != 0 ? exponent : 1) - bias - mantissa_bits);
    return bits >> (exponent_bits + mantissa_bits) & 1 ? -x : x;
}

static void put_number(unsigned format, double x, uint8_t *bytes)
{
    uint32_t bits = format == TF_FP32   ? pack_float(x, 8, 23)
                    : format == TF_FP16 ? pack_float(x, 5, 10)
                                        : pack_float(x, 8, 7);
    memcpy(bytes, &bits, format == TF_FP32 ? 4 : 2);
}

static double get_number(unsigned format, const uint8_t *bytes)
{
    uint32_t bits = 0;
    memcpy(&bits, bytes, format == TF_FP32 ? 4 : 2);
    return format == TF_FP32 ? unpack_float(bits, 8, 23) : format == TF_FP16 ? unpack_float(bits, 5, 10)
                                                                             : unpack_float(bits, 8, 7);
}

/* Sixteen numbers with one exponent: magnitudes of seven bits, the first of which is worth 2^(exponent - 127). */
static void put_block(const double *number, uint8_t *exponent, uint8_t *magnitude)
{
    int most = -126;
    for (unsigned i = 0; i < 16; i++) {
        int power;
        if (number[i] != 0) {
            frexp(number[i], &power);
            most = power - 1 > most ? power - 1 : most;
        }
    }
    *exponent = (uint8_t)(most + 127);
    for (unsigned i = 0; i < 16; i++) {
        unsigned whole = (unsigned)nearbyint(ldexp(fabs(number[i]), 6 - most));
        whole = whole > 127 ? 127 : whole;
        magnitude[i] = (uint8_t)(whole | (whole != 0 && number[i] < 0 ? 0x80u : 0));
    }
}

static void get_block(uint8_t exponent, const uint8_t *magnitude, double *number)
{
    for (unsigned i = 0; i < 16; i++) {
        double x = ldexp(magnitude[i] & 0x7F, exponent - 127 - 6);
        number[i] = magnitude[i] & 0x80 ? -x : x;
    }
}

void tf_tile_encode(unsigned format, const struct tf_tile_numbers *tile, uint8_t *bytes)
{
    for (unsigned i = 0; format != TF_BFP8 && i < TF_TILE_NUMBERS; i++)
        put_number(format, tile->number[i], bytes + i * (format == TF_FP32 ? 4 : 2));
    for (unsigned i = 0; format == TF_BFP8 && i < TF_TILE_EXPONENTS; i++)
        put_block(tile->number + i * 16, bytes + i, bytes + TF_TILE_EXPONENTS + i * 16);
}

void tf_tile_decode(unsigned format, const uint8_t *bytes, struct tf_tile_numbers *tile)
{
    for (unsigned i = 0; format != TF_BFP8 && i < TF_TILE_NUMBERS; i++)
        tile->number[i] = get_number(format, bytes + i * (format == TF_FP32 ? 4 : 2));
    for (unsigned i = 0; format == TF_BFP8 && i < TF_TILE_EXPONENTS; i++)
        get_block(bytes[i], bytes + TF_TILE_EXPONENTS + i * 16, tile->number + i * 16);
}

/* ---- Tensors ---- */

static int complain(int result, const char *what, uint32_t index, struct tf_message *message)
{
    if (result != TF_OK && message != NULL)
        snprintf(message->text, sizeof message->text, "%s tile %u: %s", what, index, tf_strerror(result));
    return result;
}

void tf_tensor_input(const struct tf_tensor_input *input, uint32_t index, struct tf_tile_numbers *tile)
{
    uint8_t bytes[TF_TILE_BYTES_MAX];
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
        double fraction = tf_k_input(input->seed + input->tensor, index, i) / 4294967296.0;
        tile->number[i] = input->least + fraction * (input->most - input->least);
    }
    tf_tile_encode(input->format, tile, bytes);
    tf_tile_decode(input->format, bytes, tile);
}

int tf_tensor_put(struct tf_chip *chip, const struct tf_tensor_input *input, uint32_t count,
                  struct tf_message *message)
{
    uint32_t bytes = TF_TILE_BYTES(input->format);
    uint8_t memory[TF_TILE_BYTES_MAX];
    int result = TF_OK;
    for (uint32_t i = 0; i < count && result == TF_OK; i++) {
        struct tf_tile_numbers tile;
        tf_tensor_input(input, i, &tile);
        tf_tile_encode(input->format, &tile, memory);
        result = tf_dram_write(chip, TF_TENSOR_CHANNEL(i), TF_TENSOR_ADDRESS(input->tensor, i, bytes), memory, bytes);
        complain(result, "writing", i, message);
    }
    return result;
}

int tf_tensor_put_ones(struct tf_chip *chip, unsigned tensor, unsigned format, struct tf_message *message)
{
    uint8_t memory[TF_TILE_BYTES_MAX];
    struct tf_tile_numbers tile;
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++)
        tile.number[i] = 1;
    tf_tile_encode(format, &tile, memory);
    int result = tf_dram_write(chip, 0, TF_TENSOR_BASE(tensor), memory, TF_TILE_BYTES(format));
    return complain(result, "writing", 0, message);
}

int tf_tensor_blank(struct tf_chip *chip, uint32_t count, unsigned format, struct tf_message *message)
{
    uint32_t bytes = TF_TILE_BYTES(format);
    uint8_t memory[TF_TILE_BYTES_MAX];
    int result = TF_OK;
    memset(memory, TF_TENSOR_UNTOUCHED, sizeof memory);
    for (uint32_t i = 0; i < count && result == TF_OK; i++) {
        result = tf_dram_write(chip, TF_TENSOR_CHANNEL(i), TF_TENSOR_ADDRESS(TF_TENSOR_OUT, i, bytes), memory, bytes);
        complain(result, "writing", i, message);
    }
    return result;
}

static int read_output(struct tf_chip *chip, uint32_t index, unsigned format, uint8_t *memory)
{
    uint32_t bytes = TF_TILE_BYTES(format);
    return tf_dram_read(chip, TF_TENSOR_CHANNEL(index), TF_TENSOR_ADDRESS(TF_TENSOR_OUT, index, bytes), memory, bytes);
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
    uint64_t value = 0xCBF29CE484222325ull;
    for (uint32_t i = 0; i < count; i++) {
        int result = read_output(chip, i, format, memory);
        if (result != TF_OK)
            return result;
        for (uint32_t k = 0; k < TF_TILE_BYTES(format); k++)
            value = (value ^ memory[k]) * 0x100000001B3ull;
    }
    *hash = value;
    return TF_OK;
}

/* ---- Expectations ---- */

/* What the reference gave. */
static const struct {
    const char *workload, *variant;
    uint32_t scale, seed;
    uint64_t hash;
} recorded[] = {
#define TF_RECORDED(workload, variant, scale, seed, hash) {#workload, variant, scale, seed, hash},
#include "cli/workloads/recorded.def"
#undef TF_RECORDED
    {.workload = NULL},
};

int tf_tensor_expect_recorded(const struct tf_wl *wl, uint64_t hash, struct tf_message *message)
{
    const char *variant = wl->workload->variants[wl->options.variant];
    for (size_t i = 0; recorded[i].workload != NULL; i++)
        if (strcmp(recorded[i].workload, wl->workload->name) == 0 && strcmp(recorded[i].variant, variant) == 0 &&
            recorded[i].scale == wl->options.scale && recorded[i].seed == wl->options.seed && recorded[i].hash != hash)
            return tf_wl_wrong(message, "the hash of the results is 0x%016llx, not 0x%016llx as the reference gave",
                               (unsigned long long)hash, (unsigned long long)recorded[i].hash);
    return TF_OK;
}

int tf_tensor_expect(struct tf_message *message, uint32_t index, unsigned at, double got, double expected,
                     double bound)
{
    if (fabs(got - expected) <= bound)
        return TF_OK;
    return tf_wl_wrong(message, "tile %u of the result, face %u, row %u, column %u: %.9g, not within %.3g of %.9g",
                       index, at / 256, at / 16 % 16, at % 16, got, bound, expected);
}
