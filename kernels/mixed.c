/* SPDX-License-Identifier: Apache-2.0 */
/* Integer work of eight kinds on every core. The host computes the same sums in another way. */
#include "tilefarm_kernel.h"
#include "tilefarm_workloads.h"

struct work {
    uint32_t state;
    uint32_t *buffer;
};

static uint32_t buffer[TF_MIXED_WORDS];
static uint8_t composite[TF_MIXED_SIEVE_BASE + TF_MIXED_SIEVE_SPAN];
static int32_t matrix[3][TF_MIXED_SIDE][TF_MIXED_SIDE];
static uint32_t crc_table[256] __attribute__((section(".local")));

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

static inline uint32_t rotl(uint32_t x, unsigned by)
{
    return x << by | x >> (-by & 31);
}

static uint32_t hash(struct work *work)
{
    uint32_t h = work->state;
    fill(work);
    for (unsigned pass = 0; pass < 4; pass++) {
        for (unsigned i = 0; i < TF_MIXED_WORDS; i++) {
            uint32_t k = rotl(work->buffer[i] * 0xCC9E2D51u, 15 + pass) * 0x1B873593u;
            h = rotl(h ^ k, 13) * 5 + 0xE6546B64u;
        }
    }
    return h ^ h >> 16;
}

static uint32_t crc(struct work *work)
{
    const uint8_t *bytes = (const uint8_t *)work->buffer;
    uint32_t c = 0xFFFFFFFFu;
    fill(work);
    for (unsigned i = 0; i < TF_MIXED_WORDS * 4; i++)
        c = crc_table[(c ^ bytes[i]) & 255] ^ c >> 8;
    return ~c;
}

static void sift(int32_t *a, unsigned root, unsigned count)
{
    for (unsigned child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && a[child] < a[child + 1])
            child++;
        if (a[root] >= a[child])
            return;
        int32_t swap = a[root];
        a[root] = a[child];
        a[child] = swap;
    }
}

static uint32_t sort(struct work *work)
{
    int32_t *a = (int32_t *)work->buffer;
    uint32_t sum = 0;
    fill(work);
    for (unsigned i = TF_MIXED_WORDS / 2; i-- > 0;)
        sift(a, i, TF_MIXED_WORDS);
    for (unsigned n = TF_MIXED_WORDS - 1; n > 0; n--) {
        int32_t swap = a[0];
        a[0] = a[n];
        a[n] = swap;
        sift(a, 0, n);
    }
    for (unsigned i = 0; i < TF_MIXED_WORDS; i++)
        sum = sum * 31 + (uint32_t)a[i];
    return sum;
}

static uint32_t sieve(struct work *work)
{
    uint32_t limit = TF_MIXED_SIEVE_BASE + next(work) % TF_MIXED_SIEVE_SPAN;
    uint32_t sum = 0;
    for (unsigned i = 0; i < limit; i++)
        composite[i] = 0;
    for (unsigned i = 2; i < limit; i++) {
        if (composite[i])
            continue;
        sum = sum * 3 + i;
        for (unsigned k = i * i; k < limit; k += i)
            composite[k] = 1;
    }
    return sum;
}

static uint32_t multiply(struct work *work)
{
    uint32_t sum = 0;
    for (unsigned m = 0; m < 2; m++)
        for (unsigned i = 0; i < TF_MIXED_SIDE; i++)
            for (unsigned j = 0; j < TF_MIXED_SIDE; j++)
                matrix[m][i][j] = (int32_t)next(work) >> 8;
    for (unsigned i = 0; i < TF_MIXED_SIDE; i++) {
        for (unsigned j = 0; j < TF_MIXED_SIDE; j++) {
            int64_t dot = 0;
            for (unsigned k = 0; k < TF_MIXED_SIDE; k++)
                dot += (int64_t)matrix[0][i][k] * matrix[1][k][j];
            matrix[2][i][j] = (int32_t)(dot >> 16);
        }
    }
    for (unsigned i = 0; i < TF_MIXED_SIDE; i++)
        for (unsigned j = 0; j < TF_MIXED_SIDE; j++)
            sum = rotl(sum, 7) + (uint32_t)matrix[2][i][j];
    return sum;
}

static uint32_t bits(struct work *work)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < TF_MIXED_WORDS; i++) {
        uint32_t x = next(work), y = rotl(x, x & 31);
        sum += (uint32_t)__builtin_clz(x | 1) + (uint32_t)__builtin_ctz(x | 0x80000000u) * 32u;
        sum ^= (uint32_t)__builtin_popcount(y) << 20 | tf_rev8(x) >> 12;
        sum += (int32_t)x < (int32_t)y ? x : y;
        sum ^= x > y ? x : y;
        sum += tf_orc_b(x & y) ^ tf_brev8(y);
        sum ^= TF_GREVI(x, 24) + TF_GREVI(y, 13);
        sum += tf_pack(x, y) + (uint32_t)(int32_t)(int8_t)x + (uint32_t)(int32_t)(int16_t)y;
        sum ^= (x & ~y) + (x | ~y) + ~(x ^ y);
        sum += (x << 1) + y + (y << 2) + x + (x << 3) + sum;
    }
    return sum;
}

static uint32_t divide(struct work *work)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < TF_MIXED_DIVISIONS; i++) {
        uint32_t a = next(work), b = next(work) >> (a & 31);
        int32_t c = (int32_t)next(work), d = (int32_t)b | 1;
        sum += b ? a / b : 0xFFFFFFFFu;
        sum ^= b ? a % b : a;
        if (!(c == INT32_MIN && d == -1))
            sum += (uint32_t)(c / d) ^ (uint32_t)(c % d);
        sum += (uint32_t)((int64_t)c * d >> 32);
        sum ^= (uint32_t)((uint64_t)a * b >> 32);
        sum += (uint32_t)((int64_t)c * (int64_t)(uint64_t)a >> 32);
        uint32_t x = a | 1, y = b | 1;
        while (y) {
            uint32_t r = x % y;
            x = y;
            y = r;
        }
        sum = sum * 7 + x;
    }
    return sum;
}

/* Wait until loads of any width see this core's stores. last: the last byte that it stored (MemoryOrdering.md). */
static void see_stores(const volatile uint8_t *last)
{
    if (TF_K_LOADS_MATCH_FIRST_BYTE)
        (void)*last;
}

static uint32_t bytes(struct work *work)
{
    uint8_t *b = (uint8_t *)work->buffer;
    uint16_t count[16] = {0};
    uint32_t sum = 0;
    fill(work);
    for (unsigned i = 0; i < TF_MIXED_WORDS * 4; i++)
        count[b[i] >> 4]++;
    for (unsigned i = 1; i < TF_MIXED_WORDS * 4; i++)
        b[i] = (uint8_t)(b[i] + (uint8_t)(b[i - 1] ^ 0x5A));
    see_stores(&b[TF_MIXED_WORDS * 4 - 1]);
    for (unsigned i = 0; i < TF_MIXED_WORDS * 2; i++)
        sum = sum * 17 + (uint32_t)((int16_t *)work->buffer)[i];
    for (unsigned i = 0; i < TF_MIXED_WORDS * 4; i++)
        sum += (uint32_t)(int32_t)(int8_t)b[i] * (i & 7);
    for (unsigned i = 0; i < 16; i++)
        sum = sum * 5 + count[i];
    return sum;
}

static uint32_t (*const phases[TF_MIXED_PHASES])(struct work *) = {
    [TF_MIXED_HASH] = hash,       [TF_MIXED_CRC] = crc,   [TF_MIXED_SORT] = sort,     [TF_MIXED_SIEVE] = sieve,
    [TF_MIXED_MATRIX] = multiply, [TF_MIXED_BITS] = bits, [TF_MIXED_DIVIDE] = divide, [TF_MIXED_BYTES] = bytes,
};

int main(void)
{
    uint32_t sums[TF_MIXED_PHASES] = {0};
    uint32_t rounds = TF_PARAMS->scale;
    struct work work = {tf_k_input(TF_PARAMS->seed, tf_my_tile(), TF_CORE) | 1, buffer};

    for (unsigned i = 0; i < 256; i++) {
        uint32_t c = i;
        for (unsigned k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
        crc_table[i] = c;
    }
    for (uint32_t round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < TF_MIXED_PHASES; i++) {
            unsigned phase = (i + TF_CORE) % TF_MIXED_PHASES;
            sums[phase] = sums[phase] * 3 + phases[phase](&work);
            work.state = (work.state ^ sums[phase]) | 1;
        }
    }
    for (unsigned i = 0; i < TF_MIXED_PHASES; i++)
        TF_RESULT[i] = sums[i];
    TF_RESULT[TF_MIXED_STATE] = work.state;
    TF_RESULT[TF_MIXED_ROUNDS] = rounds;
    return 0;
}
