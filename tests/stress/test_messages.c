/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs without races. In each round every core sends messages to others, in all the ways that a NOC has. It
 * waits until a counter says that its own messages have arrived, and folds them into its state. With any slices,
 * epochs, threads and mode, the final states are those that the host computes.
 *
 * Invariants R2 to R6 of docs/design.md.
 *
 * TF_SEED takes the seed, TF_ROUNDS how many are tried from there on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip_wish.h"
#include "noc_request.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"

#define NODES_MAX 60u
#define ROUNDS_MAX 6u
#define SENDS_MAX 3u
#define INBOX_MAX 8u
#define MEMORY 0x20000u /* of a tile, given out from here */
#define STEP 0x9E3779B9u
#define MESSAGES_MAX (NODES_MAX * ROUNDS_MAX * SENDS_MAX)

enum way { BY_WRITE, BY_POSTED_WRITE, BY_BYTE_MASK, BY_READ, BY_DRAM, WAYS };

struct message {
    unsigned from, to;
    enum way way;
    uint32_t bytes;
    uint32_t source, target; /* in L1 of the sender and of the receiver */
    uint32_t dram;           /* where it rests in between */
    struct tf_coord port;
};

struct node {
    struct tf_coord tile;
    unsigned core;
    uint32_t counter[ROUNDS_MAX];
    unsigned inbox[ROUNDS_MAX][INBOX_MAX], arrivals[ROUNDS_MAX];
    unsigned outbox[ROUNDS_MAX][SENDS_MAX], sends[ROUNDS_MAX];
    uint32_t state, result; /* at first, and where the last one goes */
};

struct net {
    struct node node[NODES_MAX];
    unsigned nodes, rounds;
    struct message message[MESSAGES_MAX];
    unsigned messages;
    uint32_t free_at[TF_TENSIX_TILES];
    uint32_t dram_at;
};

static uint32_t allot(struct net *net, struct tf_coord tile, uint32_t bytes)
{
    uint32_t *at = &net->free_at[tf_tile_index(NULL, tile)];
    uint32_t start = *at == 0 ? MEMORY : *at;
    *at = start + ((bytes + 63) & ~63u);
    return start;
}

static uint32_t some_bytes(struct dice *dice)
{
    static const uint32_t bytes[] = {4, 16, 60, 64, 256, 1020, 2048, 2052, 4096, 16384, 20480};
    return bytes[pick(dice, one_in(dice, 3) ? 11 : 6)];
}

static void add_message(struct dice *dice, struct net *net, unsigned round, unsigned from)
{
    struct node *sender = &net->node[from];
    unsigned to = pick(dice, net->nodes);
    struct node *receiver = &net->node[to];
    if (receiver->arrivals[round] == INBOX_MAX)
        return;
    struct message *message = &net->message[net->messages];
    *message = (struct message){.from = from, .to = to, .way = (enum way)pick(dice, WAYS), .bytes = some_bytes(dice)};
    if (message->way == BY_BYTE_MASK)
        message->bytes = 4 * pick_between(dice, 1, 8);
    message->source = allot(net, sender->tile, message->bytes);
    message->target = allot(net, receiver->tile, message->bytes);
    message->dram = net->dram_at;
    net->dram_at += (message->bytes + 63) & ~63u;
    message->port = (struct tf_coord){.x = (uint8_t)(17 + pick(dice, 2)), .y = (uint8_t)pick_between(dice, 12, 23)};
    receiver->inbox[round][receiver->arrivals[round]++] = net->messages;
    sender->outbox[round][sender->sends[round]++] = net->messages++;
}

static void make_net(struct dice *dice, struct net *net)
{
    memset(net, 0, sizeof *net);
    bool used[TF_TENSIX_TILES][TF_TILE_CORES] = {{false}};
    unsigned tiles = pick_between(dice, 1, TF_TENSIX_TILES);
    net->nodes = pick_between(dice, 2, tiles * 5 < NODES_MAX ? tiles * 5 : NODES_MAX);
    net->rounds = pick_between(dice, 1, ROUNDS_MAX);
    for (unsigned i = 0; i < net->nodes; i++) {
        struct node *node = &net->node[i];
        unsigned tile;
        do {
            tile = pick(dice, tiles);
            node->core = pick(dice, TF_TILE_CORES);
        } while (used[tile][node->core]);
        used[tile][node->core] = true;
        tf_tile_coord(NULL, tile, &node->tile);
        node->state = roll(dice);
        node->result = allot(net, node->tile, 4);
        for (unsigned round = 0; round < net->rounds; round++)
            node->counter[round] = allot(net, node->tile, 4);
    }
    for (unsigned round = 0; round < net->rounds; round++)
        for (unsigned i = 0; i < net->nodes; i++)
            for (unsigned sends = pick(dice, SENDS_MAX + 1); sends > 0; sends--)
                add_message(dice, net, round, i);
}

/* The sum of a message's words, for a state of its sender. */
static uint32_t sum_of(uint32_t state, uint32_t bytes)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < bytes / 4; i++)
        sum += state + i * STEP;
    return sum;
}

static void compute(const struct net *net, uint32_t *state)
{
    uint32_t before[NODES_MAX];
    for (unsigned i = 0; i < net->nodes; i++)
        state[i] = net->node[i].state;
    for (unsigned round = 0; round < net->rounds; round++) {
        memcpy(before, state, sizeof before);
        for (unsigned i = 0; i < net->nodes; i++)
            for (unsigned k = 0; k < net->node[i].arrivals[round]; k++) {
                const struct message *message = &net->message[net->node[i].inbox[round][k]];
                state[i] = state[i] * 31 + sum_of(before[message->from], message->bytes);
            }
    }
}

/* ---- Programs: x8 state, x9..x13 and x26..x28 scratch ---- */

enum { X_STATE = 8, X_AT = 9, X_END = 10, X_WORD = 11, X_STEP = 12, X_SUM = 13 };

#define MUL 0x02000033u

static uint32_t xy(struct tf_coord at)
{
    return at.x | (uint32_t)at.y << 6;
}

static unsigned noc_of(const struct node *node)
{
    return node->core >= 3 ? 1 : 0;
}

static void wait_zero(struct code *code, uint32_t address)
{
    li(code, 26, address);
    unsigned loop = code->count;
    put(code, rv_i(LW, 27, 26, 0));
    branch_to(code, BNE, 27, 0, loop);
}

static void wait_answered(struct code *code, const struct node *node)
{
    wait_zero(code, NIU_COUNTER(0, 16) + noc_of(node) * 0x10000u + node->core * 4);
}

static void fill(struct code *code, const struct message *message)
{
    li(code, X_AT, message->source);
    li(code, X_END, message->source + message->bytes);
    li(code, X_STEP, STEP);
    put(code, rv_r(ADD, X_WORD, X_STATE, 0));
    unsigned loop = code->count;
    put(code, rv_s(SW, X_WORD, X_AT, 0));
    put(code, rv_r(ADD, X_WORD, X_WORD, X_STEP));
    put(code, rv_i(ADDI, X_AT, X_AT, 4));
    branch_to(code, BNE, X_AT, X_END, loop);
}

static void fold(struct code *code, const struct message *message)
{
    li(code, X_AT, message->target);
    li(code, X_END, message->target + message->bytes);
    put(code, rv_i(ADDI, X_SUM, 0, 0));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_WORD, X_AT, 0));
    put(code, rv_r(ADD, X_SUM, X_SUM, X_WORD));
    put(code, rv_i(ADDI, X_AT, X_AT, 4));
    branch_to(code, BNE, X_AT, X_END, loop);
    put(code, rv_i(ADDI, X_STEP, 0, 31));
    put(code, rv_r(MUL, X_STATE, X_STATE, X_STEP));
    put(code, rv_r(ADD, X_STATE, X_STATE, X_SUM));
}

static void request(struct code *code, const struct node *node, const uint32_t word[NOC_WORDS])
{
    struct noc_request asked = {.noc = noc_of(node), .initiator = node->core % 3};
    memcpy(asked.word, word, sizeof asked.word);
    asked.word[N_TAG] = node->core << 10;
    emit_request(code, &asked);
}

static void send_write(struct code *code, const struct node *node, const struct message *message, struct tf_coord where,
                       uint32_t to, uint32_t ctrl)
{
    uint32_t word[NOC_WORDS] = {
        [N_TARG_LO] = message->source, [N_TARG_HI] = xy(node->tile), [N_RET_LO] = to,
        [N_RET_HI] = xy(where),        [N_CTRL] = 2 | ctrl,          [N_AT_LEN] = message->bytes};
    if (message->way == BY_BYTE_MASK) {
        word[N_CTRL] |= 1 << 2;
        word[N_AT_LEN] = UINT32_MAX >> (32 - message->bytes);
    }
    request(code, node, word);
}

/* One more message for the counter of the receiver. */
static void announce(struct code *code, struct dice *dice, const struct node *node, struct tf_coord tile,
                     uint32_t counter)
{
    const uint32_t word[NOC_WORDS] = {[N_TARG_LO] = counter,
                                      [N_TARG_HI] = xy(tile),
                                      [N_RET_LO] = 0x1F000,
                                      [N_RET_HI] = xy(node->tile),
                                      [N_CTRL] = 1 | (one_in(dice, 2) ? 1u << 4 : 0),
                                      [N_AT_LEN] = 0x1000 | 31u << 2,
                                      [N_AT_DATA] = 1};
    request(code, node, word);
}

static void send(struct code *code, struct dice *dice, const struct net *net, const struct node *node, unsigned round,
                 const struct message *message)
{
    const struct node *receiver = &net->node[message->to];
    fill(code, message);
    switch (message->way) {
    case BY_DRAM:
        send_write(code, node, message, message->port, message->dram, 1 << 4);
        wait_answered(code, node);
        break;
    case BY_READ: break;
    case BY_WRITE:
    case BY_BYTE_MASK: send_write(code, node, message, receiver->tile, message->target, 1 << 4); break;
    default: send_write(code, node, message, receiver->tile, message->target, 0); break;
    }
    announce(code, dice, node, receiver->tile, receiver->counter[round]);
}

/* A message that its sender did not write is read. */
static void fetch(struct code *code, const struct net *net, const struct node *node, const struct message *message)
{
    uint32_t word[NOC_WORDS] = {[N_TARG_LO] = message->source,
                                [N_TARG_HI] = xy(net->node[message->from].tile),
                                [N_RET_LO] = message->target,
                                [N_RET_HI] = xy(node->tile),
                                [N_AT_LEN] = message->bytes};
    if (message->way == BY_DRAM) {
        word[N_TARG_LO] = message->dram;
        word[N_TARG_HI] = xy(message->port);
    } else if (message->way != BY_READ) {
        return;
    }
    request(code, node, word);
    wait_answered(code, node);
}

static void receive(struct code *code, const struct net *net, const struct node *node, unsigned round)
{
    li(code, 26, node->counter[round]);
    put(code, rv_i(ADDI, 28, 0, node->arrivals[round]));
    unsigned loop = code->count;
    put(code, rv_i(LW, 27, 26, 0));
    branch_to(code, BNE, 27, 28, loop);
    for (unsigned k = 0; k < node->arrivals[round]; k++)
        fetch(code, net, node, &net->message[node->inbox[round][k]]);
    for (unsigned k = 0; k < node->arrivals[round]; k++)
        fold(code, &net->message[node->inbox[round][k]]);
}

static void write_program(struct code *code, struct dice *dice, const struct net *net, const struct node *node)
{
    li(code, X_STATE, node->state);
    for (unsigned round = 0; round < net->rounds; round++) {
        for (unsigned k = 0; k < node->sends[round]; k++)
            send(code, dice, net, node, round, &net->message[node->outbox[round][k]]);
        receive(code, net, node, round);
    }
    li(code, X_AT, node->result);
    put(code, rv_s(SW, X_STATE, X_AT, 0));
    put(code, rv_j(0, 0));
}

static void choose_config(struct dice *dice, struct chip_wish *config, bool relaxed)
{
    static const uint32_t slices[] = {16, 100, 1024, 4000, 20000};
    static const uint8_t threads[] = {1, 2, 3, 8};
    chip_wish_init(config);
    config->slice_cycles = slices[pick(dice, 5)];
    config->epoch_cycles_min = config->slice_cycles << pick(dice, 5);
    config->epoch_cycles_max = config->epoch_cycles_min << pick(dice, 6);
    config->niu_requests_max = one_in(dice, 2) ? pick_between(dice, 1, 4) : 64;
    config->threads = threads[pick(dice, relaxed ? 3 : 4)];
    config->serial_delivery = one_in(dice, 3);
    config->parking = !one_in(dice, 4);
    config->pin = false;
    config->mode = relaxed ? TF_MODE_RELAXED : TF_MODE_DETERMINISTIC;
}

static void load(struct tf_chip *chip, struct dice *dice, const struct net *net)
{
    static uint32_t word[CODE_WORDS];
    for (unsigned i = 0; i < net->nodes; i++) {
        const struct node *node = &net->node[i];
        struct code code = {.word = word, .capacity = CODE_WORDS};
        write_program(&code, dice, net, node);
        assert_true(code.count < code.capacity);
        assert_int_equal(tf_write(chip, node->tile, code_of(node->core), word, code.count * 4), TF_OK);
        assert_int_equal(tf_core_start(chip, (unsigned)tf_tile_index(NULL, node->tile), (enum tf_core)node->core),
                         TF_OK);
    }
}

static bool states_are_right(const struct net *net, uint64_t seed, bool relaxed)
{
    struct dice dice = {seed * 2 + relaxed};
    struct chip_wish config;
    choose_config(&dice, &config, relaxed);
    struct tf_chip *chip;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    load(chip, &dice, net);
    uint32_t expected[NODES_MAX];
    compute(net, expected);
    struct tf_run_options options = {.cycles_max = 100000000};
    enum tf_end end;
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    bool right = end == TF_END_QUIET && tf_fault_count(chip) == 0;
    unsigned shown = 0;
    for (unsigned i = 0; i < net->nodes; i++) {
        uint32_t found;
        assert_int_equal(tf_read(chip, net->node[i].tile, net->node[i].result, &found, 4), TF_OK);
        if (found != expected[i] && shown++ < 3)
            print_error("node %u, (%u,%u) %s: 0x%x, not 0x%x\n", i, net->node[i].tile.x, net->node[i].tile.y,
                        tf_core_name(NULL, TF_NODE_TENSIX, net->node[i].core), found, expected[i]);
        right = right && found == expected[i];
    }
    if (!right)
        print_error("seed %llu: %s, %u threads%s%s, slice %u, epoch %u..%u, niu %u: end %d, %zu faults\n",
                    (unsigned long long)seed, relaxed ? "relaxed" : "deterministic", config.threads,
                    config.serial_delivery ? ", serial" : "", config.parking ? "" : ", no parking", config.slice_cycles,
                    config.epoch_cycles_min, config.epoch_cycles_max, config.niu_requests_max, end,
                    tf_fault_count(chip));
    struct tf_fault fault;
    if (!right && tf_fault_get(chip, 0, &fault) == TF_OK)
        print_error("%s\n", fault.text);
    tf_chip_destroy(chip);
    return right;
}

static void messages_arrive_whole(void **state)
{
    (void)state;
    static struct net net;
    uint64_t seed = test_seed(1), rounds = test_rounds(20);
    unsigned failures = 0;
    print_message("seeds %llu to %llu\n", (unsigned long long)seed, (unsigned long long)(seed + rounds - 1));
    for (uint64_t i = 0; i < rounds; i++) {
        struct dice dice = {seed + i};
        make_net(&dice, &net);
        failures += !states_are_right(&net, seed + i, false);
        failures += !states_are_right(&net, seed + i + 1000000, false);
        failures += !states_are_right(&net, seed + i, true);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_arrive_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
