/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays flows of packets in timing mode, and compares their cycles with figures of a card (recorded/). Core B of each
 * initiator issues its packets to one target, and waits for the last answer; flows of a probe run at the same time.
 * Usage: timing_noc FAMILY FIGURES [MEDIAN MOST]. Prints a table in Markdown. Exits with 1 if the median error passes
 * MEDIAN percent, or if fewer than nine in ten points are within MOST percent.
 *
 * The loop that issues is ours. It is padded, so that a packet of 64 bytes takes as long as on the card: figures say
 * nothing about its instructions, and packets of 64 bytes nothing about the NOCs.
 */
#include "chip_wish.h"
#include "compare.h"
#include "stress/rv_emit.h"
#include "tile/niu_words.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

enum {
    CODE_WORDS = 256,
    RESULT = 0x100000, /* in L1 */
    DATA = 0x20000,
    LANDING = 0x40000,
    COUNTS = 0x100, /* in local RAM */
    FLOWS_MAX = 12,
};

/* Multicasts go to all tiles of a rectangle, whose first corner is in the place of the address. The packets of linked
   ones are one transaction. */
enum direction { WRITES, READS, READS_SAMPLED, MULTICASTS, MULTICASTS_LINKED, DIRECTIONS };

/* Instructions that pad the loop, by direction. */
static const struct {
    const char *family;
    unsigned pad[DIRECTIONS];
} loops[] = {{"blackhole", {11, 11, 24, 0, 0}}, {"wormhole", {17, 17, 22, 0, 0}}};

/* Bits of NOC_CTRL. */
enum { CONTROL_BROADCAST = 1 << 5, CONTROL_LINKED = 1 << 6, CONTROL_RESERVE = 1 << 8, CONTROL_WITH_SOURCE = 1 << 17 };

struct flow {
    char name[32];
    unsigned noc, vc, direction, packets, bytes, from_x, from_y, to_x, to_y, address;
    double card, mode;
};

/* Registers of the program. */
enum { NIU = 5, CTRL, NEAR, FAR_LO, FAR_MID, FAR_HI, LENGTH, ONE, LEFT, CLOCK, LOCAL, COUNT, T0, T1, A, B, BEGAN, AT };

struct setup {
    const char *family;
    bool wormhole;
    unsigned packet_bytes;
    bool coarse;
};

static bool is_read(const struct flow *flow)
{
    return flow->direction == READS || flow->direction == READS_SAMPLED;
}

static bool is_multicast(const struct flow *flow)
{
    return flow->direction == MULTICASTS || flow->direction == MULTICASTS_LINKED;
}

/* How many tiles acknowledge a packet. */
static unsigned recipients_of(const struct setup *setup, const struct flow *flow)
{
    const struct tf_arch *arch = tf_arch_find(setup->family);
    unsigned count = 0;
    for (unsigned y = flow->address >> 6; y <= flow->to_y; y++)
        for (unsigned x = flow->address & 63; x <= flow->to_x; x++)
            count += tf_tile_index(arch, (struct tf_coord){(uint8_t)x, (uint8_t)y}) >= 0;
    return is_multicast(flow) ? count : 1;
}

/* NOC_CTRL of all packets but the last one. */
static uint32_t control_of(const struct flow *flow)
{
    const uint32_t linked = flow->direction == MULTICASTS_LINKED ? CONTROL_LINKED : 0;
    if (is_read(flow))
        return 1u << 4 | 1u << 7 | 1u << 13;
    if (is_multicast(flow))
        return 2u | 1u << 4 | CONTROL_BROADCAST | 1u << 7 | CONTROL_RESERVE | 4u << 13 | CONTROL_WITH_SOURCE | linked;
    return 2u | 1u << 4 | 1u << 7 | flow->vc << 13;
}

static void put_issue(struct code *code, const struct setup *setup, const struct flow *flow)
{
    const bool writes = !is_read(flow);
    const unsigned far = writes ? TF_NIU_RET_LO : TF_NIU_TARG_LO, near = writes ? TF_NIU_TARG_LO : TF_NIU_RET_LO;
    const unsigned command = setup->wormhole ? 0x28 : 4 * TF_NIU_CMD_CTRL;
    unsigned poll = code->count;
    put(code, rv_i(LW, A, NIU, command));
    branch_to(code, BNE, A, 0, poll);
    put(code, rv_s(SW, CTRL, NIU, 4 * TF_NIU_CTRL));
    put(code, rv_s(SW, NEAR, NIU, 4 * near));
    put(code, rv_s(SW, FAR_LO, NIU, 4 * far));
    put(code, rv_s(SW, FAR_MID, NIU, 4 * far + 4));
    if (!setup->wormhole)
        put(code, rv_s(SW, FAR_HI, NIU, 4 * far + 8));
    put(code, rv_s(SW, LENGTH, NIU, 4 * TF_NIU_AT_LEN_BE));
    put(code, rv_s(SW, ONE, NIU, command));
    put(code, rv_i(LW, A, LOCAL, 0));
    put(code, rv_i(LW, B, LOCAL, 4));
    put(code, rv_i(ADDI, A, A, 1));
    put(code, rv_i(ADDI, B, B, 1));
    put(code, rv_s(SW, A, LOCAL, 0));
    put(code, rv_s(SW, B, LOCAL, 4));
}

static unsigned padding(const char *family, unsigned direction)
{
    for (unsigned i = 0; i < sizeof loops / sizeof loops[0]; i++)
        if (strcmp(loops[i].family, family) == 0)
            return loops[i].pad[direction];
    die("no loop for", family);
    return 0;
}

static void put_program(struct code *code, const struct setup *setup, const struct flow *flow)
{
    const bool writes = !is_read(flow);
    const bool multicast = is_multicast(flow);
    const uint32_t xy = flow->to_x | flow->to_y << 6 | (multicast ? flow->address << 12 : 0);
    const uint32_t far = flow->address != 0 && !multicast ? flow->address : writes ? LANDING : DATA;
    const uint32_t own = flow->from_x | flow->from_y << 6;
    const unsigned counter = writes ? 1 : 2, of_command = (flow->bytes - 1) / setup->packet_bytes + 1;
    li(code, NIU, TF_NIU_BASE(flow->noc));
    li(code, CTRL, control_of(flow));
    li(code, NEAR, writes ? DATA : LANDING);
    li(code, FAR_LO, far);
    li(code, FAR_MID, setup->wormhole ? xy << 4 : 0);
    li(code, FAR_HI, xy);
    li(code, T0, setup->wormhole ? own << 4 : own);
    put(code, rv_s(SW, T0, NIU, 4 * (writes ? TF_NIU_TARG_LO : TF_NIU_RET_LO) + (setup->wormhole ? 4 : 8)));
    li(code, LENGTH, flow->bytes);
    li(code, ONE, 1);
    li(code, LEFT, flow->packets - multicast);
    li(code, COUNT, flow->packets * of_command * recipients_of(setup, flow));
    li(code, CLOCK, TF_DEBUG_BASE + TF_DEBUG_CLOCK_L);
    li(code, LOCAL, TF_LOCAL_BASE + COUNTS);
    li(code, AT, RESULT);
    put(code, rv_s(SW, 0, LOCAL, 0));
    put(code, rv_s(SW, 0, LOCAL, 4));
    put(code, rv_i(LW, BEGAN, CLOCK, 0));
    unsigned next = code->count;
    put_issue(code, setup, flow);
    for (unsigned i = padding(setup->family, flow->direction); i > 0; i--)
        put(code, rv_i(ADDI, T0, T0, 1));
    put(code, rv_i(ADDI, LEFT, LEFT, 0xFFF));
    branch_to(code, BNE, LEFT, 0, next);
    if (multicast) {
        li(code, CTRL, control_of(flow) & ~(uint32_t)CONTROL_LINKED);
        put_issue(code, setup, flow);
    }
    unsigned wait = code->count;
    put(code, rv_i(LW, A, NIU, TF_NIU_COUNTER + 4 * counter));
    put(code, rv_i(LW, B, LOCAL, 4));
    branch_to(code, BNE, A, COUNT, wait);
    put(code, rv_i(LW, T1, CLOCK, 0));
    put(code, rv_r(SUB, T1, T1, BEGAN));
    put(code, rv_s(SW, T1, AT, 0));
    jump_to(code, 0, code->count);
}

static int tile_of(const struct tf_arch *arch, unsigned x, unsigned y)
{
    return tf_tile_index(arch, (struct tf_coord){(uint8_t)x, (uint8_t)y});
}

/* Run the flows of a probe at the same time. */
static void run(const struct setup *setup, struct flow *flow, unsigned flows)
{
    uint32_t word[CODE_WORDS];
    struct chip_wish config;
    struct tf_message message;
    struct tf_chip *chip;
    enum tf_end end;
    chip_wish_init(&config);
    config.arch = tf_arch_find(setup->family);
    config.timing = true;
    config.timing_coarse = setup->coarse;
    config.threads = 1;
    if (chip_wish_create(&config, &chip, &message) != TF_OK)
        die(flow->name, message.text);
    bool ok = true;
    for (unsigned i = 0; i < flows; i++) {
        struct code code = {word, 0, CODE_WORDS};
        struct tf_coord at = {(uint8_t)flow[i].from_x, (uint8_t)flow[i].from_y};
        const int tile = tile_of(config.arch, at.x, at.y);
        put_program(&code, setup, &flow[i]);
        ok = ok && tile >= 0 && tf_write(chip, at, 0, word, code.count * 4) == TF_OK &&
             tf_core_set_pc(chip, (unsigned)tile, TF_CORE_B, 0) == TF_OK &&
             tf_core_start(chip, (unsigned)tile, TF_CORE_B) == TF_OK;
    }
    ok = ok && tf_run(chip, NULL, &end) == TF_OK && end == TF_END_QUIET;
    for (unsigned i = 0; i < flows; i++) {
        uint32_t cycles = 0;
        struct tf_coord at = {(uint8_t)flow[i].from_x, (uint8_t)flow[i].from_y};
        ok = ok && tf_read(chip, at, RESULT, &cycles, 4) == TF_OK;
        flow[i].mode = cycles;
    }
    tf_chip_destroy(chip);
    if (!ok)
        die("the program failed", flow->name);
}

/* The next flow of the file. Returns false at its end. */
static bool read_flow(FILE *file, struct flow *flow)
{
    char line[160];
    while (fgets(line, sizeof line, file) != NULL) {
        flow->address = 0;
        if (sscanf(line, "%31[^,#],%u,%u,%u,%u,%u,%u,%u,%u,%u,%lf,%u", flow->name, &flow->noc, &flow->vc,
                   &flow->direction, &flow->packets, &flow->bytes, &flow->from_x, &flow->from_y, &flow->to_x,
                   &flow->to_y, &flow->card, &flow->address) >= 11)
            return true;
    }
    return false;
}

/* A row for the flow that ended last. */
static void play(struct table *table, const struct setup *setup, struct flow *flow, unsigned flows)
{
    double card = 0, mode = 0;
    run(setup, flow, flows);
    for (unsigned i = 0; i < flows; i++) {
        card = fmax(card, flow[i].card);
        mode = fmax(mode, flow[i].mode);
    }
    row(table, flow->name, "", card, mode);
}

int main(int argc, char **argv)
{
    static struct table table;
    struct flow flow[FLOWS_MAX + 1];
    unsigned flows = 0;
    table.coarse = takes_coarse(&argc, argv);
    if (argc < 3 || tf_arch_find(argv[1]) == NULL)
        die("usage", "timing_noc FAMILY FIGURES [MEDIAN MOST] [coarse]");
    table.median_limit = argc > 3 ? atof(argv[3]) : 100;
    table.most_limit = argc > 4 ? atof(argv[4]) : 100;
    const bool wormhole = strcmp(argv[1], "wormhole") == 0;
    const struct setup setup = {argv[1], wormhole, wormhole ? 8192 : 16384, table.coarse};
    FILE *file = fopen(argv[2], "r");
    if (file == NULL)
        die("cannot read", argv[2]);
    table.family = argv[1];
    head(&table, "cycles of the slowest flow, card");
    while (read_flow(file, &flow[flows])) {
        if (flows != 0 && strcmp(flow[flows].name, flow[0].name) != 0) {
            play(&table, &setup, flow, flows);
            flow[0] = flow[flows];
            flows = 0;
        }
        if (++flows > FLOWS_MAX)
            die("too many flows", flow[0].name);
    }
    if (flows != 0)
        play(&table, &setup, flow, flows);
    fclose(file);
    return finish(&table);
}
