/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that hold in any order: no ticket twice, nothing lost under a lock or in a queue, exact sums. */
#include "cli/workloads/common.h"

static const char *const variants[] = {"all", "tickets", "locks", "queue", "swaps", "sums", "local", NULL};

#define POINTER 2u /* opcodes of NOC atomics */
#define ZAAMO 10u

static bool has_atomic(const struct tf_wl *wl, unsigned opcode)
{
    return wl->noc_atomics >> opcode & 1;
}

/* Does this run have a part of the workload? Without Zaamo requests there are no sums. */
static bool part(const struct tf_wl *wl, uint32_t variant)
{
    if (variant == TF_ATOMICS_SUMS && !has_atomic(wl, ZAAMO))
        return false;
    return wl->options.variant == TF_ATOMICS_ALL || wl->options.variant == variant;
}

/* Set words that do not start at 0. */
static int initialise(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    static const uint32_t sum_start[TF_K_ZAAMO_COUNT] = {
        [TF_K_AND] = ~0u,
        [TF_K_MIN] = INT32_MAX,
        [TF_K_MAX] = 0x80000000u,
        [TF_K_MINU] = ~0u,
    };
    int result = tf_wl_write(chip, tile, TF_SUM_WORD(0), sum_start, sizeof sum_start, message);
    if (result == TF_OK)
        result = tf_wl_write_word(chip, tile, TF_MAP_WORD, TF_MAP_VALUE, message);
    for (unsigned i = 0; i < TF_TOKEN_WORDS && result == TF_OK; i++) {
        if (tile == TF_TOKEN_HOME(i, wl->tiles))
            result = tf_wl_write_word(chip, tile, TF_TOKEN, 0x20000u + i, message);
    }
    return result;
}

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, &tf_workload_atomics, options, TF_WL_ALL, &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    if (wl->options.variant == TF_ATOMICS_SUMS && !has_atomic(wl, ZAAMO))
        return tf_wl_lacks(chip, "Zaamo requests", message);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++)
        result = initialise(chip, wl, tile, message);
    return result == TF_OK ? tf_wl_start(chip, wl, message) : result;
}

/* Check that each counter has given each of its numbers once, and to one tile in growing order. */
static int verify_tickets(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    uint32_t count = TF_TICKETS * wl->options.scale, total = count / TF_TICKET_COUNTERS * wl->tiles;
    uint8_t *seen = calloc(TF_TICKET_COUNTERS, total);
    uint32_t *list = malloc(count * sizeof *list);
    int result = seen == NULL || list == NULL ? TF_ENOMEM : TF_OK;
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++) {
        result = tf_wl_read(chip, tile, TF_TICKET_LIST, list, count * sizeof *list, message);
        for (uint32_t i = 0; i < count && result == TF_OK; i++) {
            unsigned counter = (tile + i) % TF_TICKET_COUNTERS;
            if (list[i] >= total || seen[counter * total + list[i]]++)
                result = tf_wl_wrong(message, "tile %u: ticket %u of counter %u, %s", tile, list[i], counter,
                                     list[i] >= total ? "was never issued" : "was issued twice");
            else if (i >= TF_TICKET_COUNTERS && list[i] < list[i - TF_TICKET_COUNTERS])
                result = tf_wl_wrong(message, "tile %u: ticket %u of counter %u came after a later one", tile, list[i],
                                     counter);
        }
    }
    for (unsigned i = 0; i < TF_TICKET_COUNTERS && result == TF_OK; i++)
        result = tf_wl_expect_word(chip, TF_TICKET_HOME(i, wl->tiles), "ticket counter", i, TF_TICKET_COUNTER, total,
                                   message);
    free(seen);
    free(list);
    return result;
}

static int verify_locks(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    int result = TF_OK;
    for (unsigned lock = 0; lock < TF_LOCKS && result == TF_OK; lock++) {
        uint32_t entries = 0, sum = 0, xor = 0, home = TF_LOCK_HOME(lock, wl->tiles), record[4];
        for (unsigned tile = lock; tile < wl->tiles; tile += TF_LOCKS) {
            for (uint32_t i = 0; i < TF_LOCK_ENTRIES * wl->options.scale; i++, entries++) {
                sum += tf_k_input(wl->options.seed, tile, i);
                xor ^= tf_k_input(wl->options.seed, tile, i);
            }
        }
        result = tf_wl_read(chip, home, TF_LOCK_RECORD, record, sizeof record, message);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, home, "entries under lock", lock, record[0], entries);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, home, "sum under lock", lock, record[1], sum);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, home, "xor under lock", lock, record[2], xor);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, home, "last tile % 20 under lock", lock, record[3] % TF_LOCKS, lock);
        if (result == TF_OK)
            result = tf_wl_expect_word(chip, home, "lock", lock, TF_LOCK, 0, message);
    }
    return result;
}

/* Check that each item that went into a row's queue has come out once. */
static int verify_queue(struct tf_chip *chip, const struct tf_wl *wl, unsigned row, struct tf_message *message)
{
    uint32_t items = TF_QUEUE_ITEMS * wl->options.scale, total = items * (wl->row / 2),
             home = TF_QUEUE_HOME(row, wl->row);
    uint32_t pointer = has_atomic(wl, POINTER) ? total % TF_QUEUE_SLOTS : total;
    uint32_t sum = 0, xor = 0, word[3];
    int result = TF_OK;
    for (unsigned tile = row * wl->row; tile < (row + 1) * wl->row && result == TF_OK; tile++) {
        bool idle = TF_QUEUE_IDLE(tile, wl->row);
        result = tf_wl_result(chip, tile, TF_CORE_NC, word, 3, message);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, tile, "items of queue", row, word[TF_QUEUE_COUNT], idle ? 0 : items);
        sum -= word[TF_QUEUE_SUM];
        xor ^= word[TF_QUEUE_XOR];
        for (uint32_t i = 0; tile % wl->row < wl->row / 2 && i < items; i++) {
            sum += tf_k_input(wl->options.seed, tile, i);
            xor ^= tf_k_input(wl->options.seed, tile, i);
        }
    }
    if (result == TF_OK)
        result = tf_wl_expect(chip, message, home, "sum in less sum out of queue", row, sum, 0);
    if (result == TF_OK)
        result = tf_wl_expect(chip, message, home, "xor in and out of queue", row, xor, 0);
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, home, "tail of queue", row, TF_QUEUE_TAIL, pointer, message);
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, home, "head of queue", row, TF_QUEUE_HEAD, pointer, message);
    for (uint32_t slot = 0; slot < TF_QUEUE_SLOTS && result == TF_OK; slot++)
        result = tf_wl_expect_word(chip, home, "state of slot", slot, TF_QUEUE_STATE(slot), TF_QUEUE_EMPTY, message);
    return result;
}

/* Check that no token is lost or doubled. Tiles and words together hold each token once. */
static int verify_tokens(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    uint8_t tile_token[TF_TENSIX_TILES_MAX] = {0}, word_token[TF_TOKEN_WORDS] = {0};
    int result = TF_OK;
    for (unsigned i = 0; i < wl->tiles + TF_TOKEN_WORDS && result == TF_OK; i++) {
        uint32_t token, tile = i < wl->tiles ? i : TF_TOKEN_HOME(i - wl->tiles, wl->tiles);
        if (i < wl->tiles)
            result = tf_wl_result(chip, i, TF_CORE_T0, &token, 1, message);
        else
            result = tf_wl_read(chip, tile, TF_TOKEN, &token, sizeof token, message);
        if (result != TF_OK)
            return result;
        uint8_t *mark = token - 0x10000u < wl->tiles        ? &tile_token[token - 0x10000u]
                        : token - 0x20000u < TF_TOKEN_WORDS ? &word_token[token - 0x20000u]
                                                            : NULL;
        if (mark == NULL || (*mark)++)
            result = tf_wl_wrong(message, "tile %u: token 0x%x %s", tile, token,
                                 mark ? "exists twice" : "does not exist");
    }
    return result;
}

static int verify_swaps(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    int result = verify_tokens(chip, wl, message);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++) {
        unsigned lane = tile % TF_SWAP_GROUP;
        uint32_t last = tf_k_input(wl->options.seed, tile, TF_SWAPS * wl->options.scale - 1) & 0xFFFF;
        uint16_t half;
        uint8_t byte;
        result = tf_wl_read(chip, tile - lane, TF_SWAP_LINE + lane * 2, &half, sizeof half, message);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, tile - lane, "granule", lane, half, last);
        if (result == TF_OK)
            result = tf_wl_read(chip, TF_BYTES_HOME(tile), TF_BYTES_LINE + tile % 64, &byte, sizeof byte, message);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, TF_BYTES_HOME(tile), "byte", tile % 64, byte, (uint8_t)(tile ^ 0x5A));
    }
    return result;
}

static uint32_t zaamo(uint32_t op, uint32_t a, uint32_t b)
{
    int32_t x = (int32_t)a, y = (int32_t)b;
    switch (op) {
    case TF_K_ADD: return a + b;
    case TF_K_XOR: return a ^ b;
    case TF_K_OR: return a | b;
    case TF_K_AND: return a & b;
    case TF_K_MIN: return x < y ? a : b;
    case TF_K_MAX: return x > y ? a : b;
    case TF_K_MINU: return a < b ? a : b;
    default: return a > b ? a : b;
    }
}

static int verify_sums(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    int result = TF_OK;
    for (unsigned i = 0; i < TF_SUM_HOMES * TF_K_ZAAMO_COUNT && result == TF_OK; i++) {
        uint32_t home = i / TF_K_ZAAMO_COUNT, op = i % TF_K_ZAAMO_COUNT, word = 0;
        bool first = true;
        for (unsigned tile = 0; tile < wl->tiles; tile++) {
            for (uint32_t k = 0; k < TF_SUMS * wl->options.scale; k++) {
                uint32_t data = tf_sum_data(op, wl->options.seed, tile, k);
                if ((tile + k) % TF_SUM_HOMES != home)
                    continue;
                word = first ? data : zaamo(op, word, data);
                first = false;
            }
        }
        result = tf_wl_expect_word(chip, TF_SUM_HOME(home, wl->tiles), "result of Zaamo operation", op, TF_SUM_WORD(op),
                                   word, message);
    }
    return result;
}

/* Check the line, the multicast word and the own words of a tile. */
static int verify_local(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    uint32_t line[4] = {0}, multicast = 0, swapped = 0, added = 0, scale = wl->options.scale;
    unsigned next = (tile + 1) % wl->tiles;
    int result = TF_OK;
    for (uint32_t i = 0; i < TF_LOCAL_ADDS * scale; i++)
        line[i & 3] += i * TF_K_CORES + 0 + 1 + 2 + 3 + 4;
    for (uint32_t i = 0; i < TF_LOCAL_REMOTE * scale; i++) {
        line[i & 3] += i % 15 + 1;
        for (unsigned k = 0; k < 4; k++)
            line[k] += tf_k_input(wl->options.seed, next, i);
        multicast += (i % 15 + 1) * TF_LOCAL_CASTERS(wl->rows);
        swapped = tf_k_input(wl->options.seed, tile, i);
        added += swapped;
    }
    for (unsigned i = 0; i < 4 && result == TF_OK; i++)
        result = tf_wl_expect_word(chip, tile, "word of the line", i, TF_LOCAL_LINE + i * 4, line[i], message);
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, tile, "multicast increments", 0, TF_LOCAL_MULTI, multicast, message);
    if (result == TF_OK && wl->amos)
        result = tf_wl_expect_word(chip, tile, "amoadd", 0, TF_LOCAL_OPS, added, message);
    if (result == TF_OK && wl->amos)
        result = tf_wl_expect_word(chip, tile, "amoswap", 0, TF_LOCAL_OPS + 4, swapped, message);
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    int result = tf_wl_done(chip, wl, message);
    if (result == TF_OK && part(wl, TF_ATOMICS_TICKETS))
        result = verify_tickets(chip, wl, message);
    if (result == TF_OK && part(wl, TF_ATOMICS_LOCKS))
        result = verify_locks(chip, wl, message);
    for (unsigned row = 0; row < wl->rows && result == TF_OK && part(wl, TF_ATOMICS_QUEUE); row++)
        result = verify_queue(chip, wl, row, message);
    if (result == TF_OK && part(wl, TF_ATOMICS_SWAPS))
        result = verify_swaps(chip, wl, message);
    if (result == TF_OK && part(wl, TF_ATOMICS_SUMS))
        result = verify_sums(chip, wl, message);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK && part(wl, TF_ATOMICS_LOCAL); tile++)
        result = verify_local(chip, wl, tile, message);
    return result;
}

const struct tf_workload tf_workload_atomics = {
    .name = "atomics",
    .summary = "tickets, CAS locks, an MPMC queue, swaps and sums that many tiles contend for",
    .variants = variants,
    .scale_default = 50,
    .scale_max = TF_TICKETS_MAX / TF_TICKETS,
    .scale_test = 1,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
