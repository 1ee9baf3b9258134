/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sums of kernels/mixed.c, computed by other algorithms where possible. The CRC goes bit by bit, sorting is
 * qsort(), primes come by trial division. Bit operations take one bit or byte at a time, and matrices are transposed.
 */
#include "cli/workloads/common.h"
#include "tile/arch.h"

struct work {
    uint32_t state;
    uint32_t buffer[TF_MIXED_WORDS];
};

static uint32_t next(struct work *work)
{
    uint32_t s = work->state;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return work->state = s;
}

static void fill(struct work *work)
{
    for (unsigned i = 0; i < TF_MIXED_WORDS; i++)
        work->buffer[i] = next(work);
}

static uint32_t rotate(uint32_t x, unsigned by)
{
    uint64_t wide = (uint64_t)x << (by & 31);
    return (uint32_t)wide | (uint32_t)(wide >> 32);
}

static uint8_t byte_of(const struct work *work, unsigned i)
{
    return (uint8_t)(work->buffer[i / 4] >> i % 4 * 8);
}

static uint32_t hash(struct work *work)
{
    uint32_t h = work->state;
    fill(work);
    for (unsigned i = 0; i < 4 * TF_MIXED_WORDS; i++) {
        h ^= rotate(work->buffer[i % TF_MIXED_WORDS] * 0xCC9E2D51u, 15 + i / TF_MIXED_WORDS) * 0x1B873593u;
        h = rotate(h, 13) * 5 + 0xE6546B64u;
    }
    return h ^ h >> 16;
}

static uint32_t crc(struct work *work)
{
    uint32_t c = 0xFFFFFFFFu;
    fill(work);
    for (unsigned i = 0; i < TF_MIXED_WORDS; i++) {
        c ^= work->buffer[i];
        for (unsigned bit = 0; bit < 32; bit++)
            c = c >> 1 ^ (0xEDB88320u & (0u - (c & 1)));
    }
    return ~c;
}

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t sort(struct work *work)
{
    uint32_t sum = 0;
    fill(work);
    qsort(work->buffer, TF_MIXED_WORDS, sizeof *work->buffer, compare);
    for (unsigned i = 0; i < TF_MIXED_WORDS; i++)
        sum = sum * 31 + work->buffer[i];
    return sum;
}

static uint32_t sieve(struct work *work)
{
    uint32_t limit = TF_MIXED_SIEVE_BASE + next(work) % TF_MIXED_SIEVE_SPAN, sum = 0;
    for (uint32_t i = 2; i < limit; i++) {
        uint32_t divisor = 2;
        while (divisor * divisor <= i && i % divisor)
            divisor++;
        if (divisor * divisor > i)
            sum = sum * 3 + i;
    }
    return sum;
}

static uint32_t multiply(struct work *work)
{
    int64_t a[TF_MIXED_SIDE][TF_MIXED_SIDE], b_transposed[TF_MIXED_SIDE][TF_MIXED_SIDE];
    uint32_t sum = 0;
    for (unsigned i = 0; i < TF_MIXED_SIDE * TF_MIXED_SIDE; i++)
        a[i / TF_MIXED_SIDE][i % TF_MIXED_SIDE] = (int32_t)next(work) >> 8;
    for (unsigned i = 0; i < TF_MIXED_SIDE * TF_MIXED_SIDE; i++)
        b_transposed[i % TF_MIXED_SIDE][i / TF_MIXED_SIDE] = (int32_t)next(work) >> 8;
    for (unsigned i = 0; i < TF_MIXED_SIDE * TF_MIXED_SIDE; i++) {
        uint64_t dot = 0;
        for (unsigned k = 0; k < TF_MIXED_SIDE; k++)
            dot += (uint64_t)(a[i / TF_MIXED_SIDE][k] * b_transposed[i % TF_MIXED_SIDE][k]);
        sum = rotate(sum, 7) + (uint32_t)(dot >> 16);
    }
    return sum;
}

/* Bit i of the result is bit i ^ control of x: Bitmanip 0.94's grevi. */
static uint32_t reverse(uint32_t x, unsigned control)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= (x >> (i ^ control) & 1) << i;
    return result;
}

static uint32_t spread_bytes(uint32_t x)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i += 8)
        result |= x >> i & 0xFF ? 0xFFu << i : 0;
    return result;
}

static unsigned ones(uint32_t x)
{
    unsigned count = 0;
    for (; x; x &= x - 1)
        count++;
    return count;
}

static uint32_t bits(struct work *work)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < TF_MIXED_WORDS; i++) {
        uint32_t x = next(work), y = rotate(x, x & 31);
        uint32_t fold = x | 1, leading, trailing;
        for (unsigned by = 1; by < 32; by *= 2)
            fold |= fold >> by;
        leading = 32 - ones(fold);
        trailing = ones(((x | 0x80000000u) - 1) & ~(x | 0x80000000u));
        sum += leading + trailing * 32;
        sum ^= ones(y) << 20 | reverse(x, 24) >> 12;
        sum += (x ^ 0x80000000u) < (y ^ 0x80000000u) ? x : y;
        sum ^= x > y ? x : y;
        sum += spread_bytes(x & y) ^ reverse(y, 7);
        sum ^= reverse(x, 24) + reverse(y, 13);
        sum += (y << 16 | (x & 0xFFFF)) + ((x & 0xFF) ^ 0x80) - 0x80 + ((y & 0xFFFF) ^ 0x8000) - 0x8000;
        sum ^= (x & ~y) + (x | ~y) + ~(x ^ y);
        sum += x * 2 + y + y * 4 + x + x * 8 + sum;
    }
    return sum;
}

static uint32_t gcd(uint32_t x, uint32_t y)
{
    return y ? gcd(y, x % y) : x;
}

static uint32_t divide(struct work *work)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < TF_MIXED_DIVISIONS; i++) {
        uint32_t a = next(work), b = next(work) >> (a & 31);
        int64_t c = (int32_t)next(work), d = (int32_t)b | 1;
        sum += b ? a / b : 0xFFFFFFFFu;
        sum ^= b ? a % b : a;
        if (c != INT32_MIN || d != -1)
            sum += (uint32_t)(c / d) ^ (uint32_t)(c % d);
        sum += (uint32_t)((uint64_t)(c * d) >> 32);
        sum ^= (uint32_t)((uint64_t)a * b >> 32);
        sum += (uint32_t)((uint64_t)(c * (int64_t)a) >> 32);
        sum = sum * 7 + gcd(a | 1, b | 1);
    }
    return sum;
}

static uint32_t bytes(struct work *work)
{
    uint8_t b[TF_MIXED_WORDS * 4];
    uint32_t sum = 0, count[16] = {0};
    fill(work);
    for (unsigned i = 0; i < sizeof b; i++) {
        b[i] = byte_of(work, i);
        count[b[i] / 16]++;
    }
    for (unsigned i = 1; i < sizeof b; i++)
        b[i] = (uint8_t)(b[i] + (b[i - 1] ^ 0x5A));
    for (unsigned i = 0; i < sizeof b; i += 2)
        sum = sum * 17 + (uint32_t)b[i] + (uint32_t)b[i + 1] * 256 - (b[i + 1] & 0x80u) * 512;
    for (unsigned i = 0; i < sizeof b; i++)
        sum += (b[i] - (b[i] & 0x80u) * 2) * (i % 8);
    for (unsigned i = 0; i < 16; i++)
        sum = sum * 5 + count[i];
    return sum;
}

static uint32_t (*const phases[TF_MIXED_PHASES])(struct work *) = {
    [TF_MIXED_HASH] = hash,       [TF_MIXED_CRC] = crc,   [TF_MIXED_SORT] = sort,     [TF_MIXED_SIEVE] = sieve,
    [TF_MIXED_MATRIX] = multiply, [TF_MIXED_BITS] = bits, [TF_MIXED_DIVIDE] = divide, [TF_MIXED_BYTES] = bytes,
};

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    return tf_wl_setup(chip, &tf_workload_mixed, options, TF_WL_ALL, state, message);
}

static int verify_hart(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, unsigned core,
                       struct tf_message *message)
{
    uint32_t got[TF_MIXED_ROUNDS + 1], sums[TF_MIXED_PHASES] = {0};
    struct work work = {.state = tf_k_input(wl->options.seed, tile, core) | 1};
    int result = tf_wl_result(chip, tile, core, got, TF_MIXED_ROUNDS + 1, message);
    for (uint32_t i = 0; i < wl->options.scale * TF_MIXED_PHASES; i++) {
        unsigned phase = (i + core) % TF_MIXED_PHASES;
        sums[phase] = sums[phase] * 3 + phases[phase](&work);
        work.state = (work.state ^ sums[phase]) | 1;
    }
    for (unsigned i = 0; i < TF_MIXED_PHASES && result == TF_OK; i++)
        result = tf_wl_expect(chip, message, tile, tf_tensix_core_name(core), i, got[i], sums[i]);
    if (result == TF_OK)
        result = tf_wl_expect(chip, message, tile, tf_tensix_core_name(core), TF_MIXED_STATE, got[TF_MIXED_STATE],
                              work.state);
    if (result == TF_OK)
        result = tf_wl_expect(chip, message, tile, tf_tensix_core_name(core), TF_MIXED_ROUNDS, got[TF_MIXED_ROUNDS],
                              wl->options.scale);
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    int result = tf_wl_done(chip, wl, message);
    for (unsigned hart = 0; hart < wl->tiles * TF_K_CORES && result == TF_OK; hart++)
        result = verify_hart(chip, wl, hart / TF_K_CORES, hart % TF_K_CORES, message);
    return result;
}

const struct tf_workload tf_workload_mixed = {
    .name = "mixed",
    .summary = "hash, CRC, sort, sieve, matrix, bit, division and byte work on all cores",
    .scale_default = 15,
    .scale_max = 1000000,
    .scale_test = 1,
    .columns_least = 1,
    .rows_least = 1,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
