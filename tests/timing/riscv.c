/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays programs of one core, T1, in timing mode, and compares their cycles with figures of a card (recorded/). Each
 * program runs a block of instructions n times, for several n, as the recorded programs did: the slope is the cost of
 * a block. Usage: timing_riscv FAMILY FIGURES. Prints a table in Markdown. Exits with 1 if a limit of docs/timing.md is
 * passed.
 *
 * The figures of a probe may have been used to fit a row of times.def only if its name says so (compare.h).
 */
#include "chip_wish.h"
#include "compare.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

enum {
    WORDS_MAX = 16384,
    POINTS_MAX = 8,
    PROBES_MAX = 64,
    RESULTS = 0x100000, /* in L1: cycles of the points */
    SCRATCH = 0x100400,
    STACK = 0x400,    /* in local RAM */
    MEDIAN_LIMIT = 3, /* percent */
    MOST_LIMIT = 10,  /* percent, of nine points in ten */
};

/* Registers of the programs. */
enum {
    A0 = 10,
    A1,
    A2,
    A3,
    TOGGLE,
    N,
    T0,
    T1,
    ONE,
    DIVIDEND,
    DIVISOR,
    AT_SCRATCH,
    AT_STACK,
    AT_RESULT,
    AT_CLOCK,
    AT_PC,
    AT_LIST
};

enum { MUL = 0x02000033, DIVU = 0x02005033, XORI = 0x4013 };

static uint32_t ttinsn(uint32_t word)
{
    return word << 2 | word >> 30;
}

#define TT_NOP ttinsn(0x02000000u)
#define TT_SFPNOP ttinsn(0x8F000000u)
#define TT_SETDMAREG ttinsn(0x45000000u | 7 << 8 | 120)
#define TT_ADDDMAREG ttinsn(0x58000000u | 1 << 23 | 60 << 12 | 1 << 6 | 60)

/* How a probe is measured. */
enum kind { BLOCKS, BURST, BURST_DONE };

struct probe {
    const char *name;
    unsigned unit;                              /* instructions that one call of put() emits */
    void (*put)(struct code *code, unsigned i); /* emit instruction group i of the block */
    enum kind kind;
};

static void put_addi(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_i(ADDI, A0, A0, 1));
}

static void put_addi_free(struct code *code, unsigned i)
{
    put(code, rv_i(ADDI, A0 + i % 4, A0 + i % 4, 1));
}

static void put_mul(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_r(MUL, A0, A0, DIVISOR));
}

static void put_mul_free(struct code *code, unsigned i)
{
    put(code, rv_r(MUL, A0 + i % 4, A0 + i % 4, DIVISOR));
}

static void put_div(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_r(DIVU, A0, DIVIDEND, DIVISOR));
}

static void put_chase(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_i(LW, AT_SCRATCH, AT_SCRATCH, 0));
}

static void put_loads(struct code *code, unsigned i)
{
    put(code, rv_i(LW, A0 + i % 4, AT_SCRATCH, i % 4 * 16));
}

static void put_spread(struct code *code, unsigned i)
{
    put(code, rv_s(SW, A0, AT_SCRATCH, 64 + i % 4 * 16));
}

static void put_coalesced(struct code *code, unsigned i)
{
    put(code, rv_s(SW, A0, AT_SCRATCH, 64 + i % 2 * 4));
}

static void put_stack_load(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_i(LW, AT_STACK, AT_STACK, 0));
}

static void put_stack_store(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_s(SW, AT_STACK, AT_STACK, 0));
}

static void put_nop(struct code *code, unsigned i)
{
    (void)i;
    put(code, TT_NOP);
}

static void put_sfpnop(struct code *code, unsigned i)
{
    (void)i;
    put(code, TT_SFPNOP);
}

static void put_setdmareg(struct code *code, unsigned i)
{
    (void)i;
    put(code, TT_SETDMAREG);
}

static void put_adddmareg(struct code *code, unsigned i)
{
    (void)i;
    put(code, TT_ADDDMAREG);
}

/* Pushes among 16 additions: `adjacent` ones first, or four that no two of are adjacent. */
static void put_group(struct code *code, unsigned adjacent, bool spread)
{
    for (unsigned i = 0; i < adjacent; i++)
        put(code, TT_NOP);
    for (unsigned i = 0; i < 16; i++) {
        if (spread && i < 4)
            put(code, TT_NOP);
        put_addi(code, 0);
    }
}

static void put_pad(struct code *code, unsigned i)
{
    (void)i;
    put_group(code, 0, false);
}

static void put_fuse2(struct code *code, unsigned i)
{
    (void)i;
    put_group(code, 2, false);
}

static void put_fuse4(struct code *code, unsigned i)
{
    (void)i;
    put_group(code, 4, false);
}

static void put_spread4(struct code *code, unsigned i)
{
    (void)i;
    put_group(code, 0, true);
}

static void put_xori(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_i(XORI, TOGGLE, TOGGLE, 1));
}

static void put_not_taken(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_b(BNE, A0, A0, 4));
}

static void put_taken(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_b(BEQ, A0, A0, 4));
}

static void put_xori_not_taken(struct code *code, unsigned i)
{
    put_xori(code, i);
    put_not_taken(code, i);
}

static void put_xori_taken(struct code *code, unsigned i)
{
    put_xori(code, i);
    put_taken(code, i);
}

static void put_xori_alternating(struct code *code, unsigned i)
{
    put_xori(code, i);
    put(code, rv_b(BEQ, TOGGLE, 0, 4));
}

static void put_jump(struct code *code, unsigned i)
{
    (void)i;
    put(code, rv_j(0, 4));
}

static void put_nothing(struct code *code, unsigned i)
{
    (void)code;
    (void)i;
}

static const struct probe probes[] = {
    {"loop_overhead", 1, put_nothing, BLOCKS},
    {"rv_addi_indep", 1, put_addi_free, BLOCKS},
    {"rv_addi_dep", 1, put_addi, BLOCKS},
    {"rv_mul_indep", 1, put_mul_free, BLOCKS},
    {"rv_mul_dep", 1, put_mul, BLOCKS},
    {"rv_div", 1, put_div, BLOCKS},
    {"rv_load_chase", 1, put_chase, BLOCKS},
    {"rv_load_indep", 1, put_loads, BLOCKS},
    {"rv_store_spread", 1, put_spread, BLOCKS},
    {"rv_store_coalesce", 1, put_coalesced, BLOCKS},
    {"rv_load_stack", 1, put_stack_load, BLOCKS},
    {"rv_store_stack", 1, put_stack_store, BLOCKS},
    {"tt_nop", 1, put_nop, BLOCKS},
    {"tt_sfpnop", 1, put_sfpnop, BLOCKS},
    {"tt_setdmareg", 1, put_setdmareg, BLOCKS},
    {"tt_adddmareg", 1, put_adddmareg, BLOCKS},
    {"tt_pad", 1, put_pad, BLOCKS},
    {"tt_fuse2", 1, put_fuse2, BLOCKS},
    {"tt_fuse4", 1, put_fuse4, BLOCKS},
    {"tt_spread4", 1, put_spread4, BLOCKS},
    {"c_ctrl_xor", 1, put_xori, BLOCKS},
    {"c_nt", 1, put_not_taken, BLOCKS},
    {"c_t", 1, put_taken, BLOCKS},
    {"c_xor_nt", 1, put_xori_not_taken, BLOCKS},
    {"c_xor_t", 1, put_xori_taken, BLOCKS},
    {"c_xor_alt", 1, put_xori_alternating, BLOCKS},
    {"c_jal", 1, put_jump, BLOCKS},
    {"f_64", 1, put_addi, BLOCKS},
    {"f_128", 1, put_addi, BLOCKS},
    {"f_256", 1, put_addi, BLOCKS},
    {"f_512", 1, put_addi, BLOCKS},
    {"f_1024", 1, put_addi, BLOCKS},
    {"f_2048", 1, put_addi, BLOCKS},
    {"g_1024", 1, put_addi, BLOCKS},
    {"g_1152", 1, put_addi, BLOCKS},
    {"g_1280", 1, put_addi, BLOCKS},
    {"g_1408", 1, put_addi, BLOCKS},
    {"g_1536", 1, put_addi, BLOCKS},
    {"g_1792", 1, put_addi, BLOCKS},
    {"q_loop_addi", 1, put_addi, BURST},
    {"q_loop_adddmareg", 1, put_adddmareg, BURST},
    {"q_loop_adddmareg_sync", 1, put_adddmareg, BURST_DONE},
};

/* Figures of one probe. */
struct figures {
    char name[32];
    unsigned points, unroll;
    unsigned n[POINTS_MAX];
    double card[POINTS_MAX], mode[POINTS_MAX];
};

struct probes {
    struct figures probe[PROBES_MAX];
    unsigned count;
};

static void read_figures(struct probes *known, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[128], name[32];
    unsigned n, unroll, cycles;
    if (file == NULL)
        die("cannot read", path);
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%31[^,],%u,%u,%u", name, &n, &unroll, &cycles) != 4)
            continue;
        struct figures *figures = &known->probe[known->count - (known->count != 0)];
        if (known->count == 0 || strcmp(figures->name, name) != 0) {
            if (known->count == PROBES_MAX)
                die("too many probes", path);
            figures = &known->probe[known->count++];
            snprintf(figures->name, sizeof figures->name, "%s", name);
            figures->unroll = unroll;
        }
        if (figures->points == POINTS_MAX)
            die("too many points", name);
        figures->n[figures->points] = n;
        figures->card[figures->points++] = cycles;
    }
    fclose(file);
}

static void put_drain(struct code *code)
{
    put(code, rv_s(SW, 0, AT_PC, 4));
    put(code, rv_i(LW, T1, AT_PC, 4));
    put(code, rv_r(ADD, T1, T1, 0));
}

/* The block, and the branch back to it. A branch reaches 4 KiB. */
static void put_loop(struct code *code, const struct probe *probe, unsigned block)
{
    unsigned begin = code->count;
    for (unsigned i = 0; i < block; i++)
        probe->put(code, i);
    put(code, rv_i(ADDI, N, N, 0xFFF));
    if (code->count - begin < 1000) {
        branch_to(code, BNE, N, 0, begin);
    } else {
        put(code, rv_b(BEQ, N, 0, 8));
        jump_to(code, 0, begin);
    }
}

/* One pass over the points; they follow each other in one program, so that all but the first find a warm cache. The
   first pass is not measured. */
static void put_program(struct code *code, const struct probe *probe, const struct figures *figures, bool has_l0)
{
    const bool burst = probe->kind != BLOCKS;
    if (has_l0)
        put(code, rv_i(CSRRS | 1u << 14, 0, 8, 0x7C0)); /* tt-metal switches the L0 data cache off: bit 3 of cfg0 */
    li(code, A0, 1);
    li(code, TOGGLE, 0);
    li(code, DIVIDEND, 0x12345678);
    li(code, DIVISOR, 3);
    li(code, AT_SCRATCH, SCRATCH);
    put(code, rv_s(SW, AT_SCRATCH, AT_SCRATCH, 0));
    li(code, AT_STACK, TF_LOCAL_BASE + STACK);
    put(code, rv_s(SW, AT_STACK, AT_STACK, 0));
    li(code, AT_CLOCK, TF_DEBUG_BASE + TF_DEBUG_CLOCK_L);
    li(code, AT_PC, TF_PC_BUF_OF(0));
    li(code, AT_RESULT, RESULTS);
    li(code, ONE, RESULTS + 4 * figures->points);
    li(code, AT_LIST, RESULTS + 64); /* the list of n */
    unsigned next = code->count;
    put(code, rv_i(LW, N, AT_LIST, 0));
    if (burst)
        put_drain(code);
    put(code, rv_r(ADD, N, N, 0));
    put(code, rv_i(LW, T0, AT_CLOCK, 0));
    put_loop(code, probe, burst ? 16 : figures->unroll);
    if (probe->kind == BURST_DONE)
        put_drain(code);
    put(code, rv_i(LW, T1, AT_CLOCK, 0));
    put(code, rv_r(SUB, T1, T1, T0));
    put(code, rv_s(SW, T1, AT_RESULT, 0));
    put(code, rv_i(ADDI, AT_RESULT, AT_RESULT, 4));
    put(code, rv_i(ADDI, AT_LIST, AT_LIST, 4));
    put(code, rv_b(BEQ, AT_RESULT, ONE, 8));
    jump_to(code, 0, next);
    jump_to(code, 0, code->count);
    if (code->count == code->capacity)
        die("the program is too long", probe->name);
}

static void run(struct table *table, const struct probe *probe, struct figures *figures)
{
    static uint32_t word[WORDS_MAX];
    struct code code = {word, 0, WORDS_MAX};
    struct chip_wish config;
    struct tf_message message;
    struct tf_chip *chip;
    enum tf_end end;
    uint32_t n[POINTS_MAX], cycles[POINTS_MAX];
    chip_wish_init(&config);
    config.arch = tf_arch_find(table->family);
    config.timing = true;
    config.timing_coarse = table->coarse;
    config.threads = 1;
    put_program(&code, probe, figures, strcmp(table->family, "blackhole") == 0);
    for (unsigned i = 0; i < figures->points; i++)
        n[i] = probe->kind == BLOCKS ? figures->n[i] : figures->n[i] / 16;
    if (chip_wish_create(&config, &chip, &message) != TF_OK)
        die(probe->name, message.text);
    struct tf_coord tile;
    bool ok = tf_tile_coord(config.arch, 0, &tile) == TF_OK && tf_write(chip, tile, 0, word, code.count * 4) == TF_OK &&
              tf_write(chip, tile, RESULTS + 64, n, sizeof n) == TF_OK &&
              tf_core_set_pc(chip, 0, TF_CORE_T1, 0) == TF_OK && tf_core_start(chip, 0, TF_CORE_T1) == TF_OK &&
              tf_run(chip, NULL, &end) == TF_OK && end == TF_END_QUIET &&
              tf_read(chip, tile, RESULTS, cycles, sizeof cycles) == TF_OK;
    tf_chip_destroy(chip);
    if (!ok)
        die("the program failed", probe->name);
    for (unsigned i = 0; i < figures->points; i++)
        figures->mode[i] = cycles[i];
}

static void report(struct table *table, const struct probe *probe, const struct figures *figures)
{
    const unsigned last = figures->points - 1;
    if (probe->kind == BLOCKS) {
        const double blocks = figures->n[last] - figures->n[0], per = figures->unroll;
        row(table, figures->name, "", (figures->card[last] - figures->card[0]) / blocks / per,
            (figures->mode[last] - figures->mode[0]) / blocks / per);
        return;
    }
    for (unsigned i = 0; i <= last; i++) {
        char point[16];
        snprintf(point, sizeof point, " %u", figures->n[i]);
        if (figures->n[i] >= 64)
            row(table, figures->name, point, figures->card[i] / figures->n[i], figures->mode[i] / figures->n[i]);
    }
}

int main(int argc, char **argv)
{
    static struct probes known;
    static struct table table = {.digits = 3, .median_limit = MEDIAN_LIMIT, .most_limit = MOST_LIMIT};
    table.coarse = takes_coarse(&argc, argv);
    if (argc != 3 || tf_arch_find(argv[1]) == NULL)
        die("usage", "timing_riscv FAMILY FIGURES [coarse]");
    table.family = argv[1];
    read_figures(&known, argv[2]);
    head(&table, "cycles an instruction or group, card");
    for (unsigned i = 0; i < known.count; i++) {
        const struct probe *probe = NULL;
        for (unsigned p = 0; p < sizeof probes / sizeof probes[0]; p++)
            if (strcmp(probes[p].name, known.probe[i].name) == 0)
                probe = &probes[p];
        if (probe == NULL)
            die("no program", known.probe[i].name);
        run(&table, probe, &known.probe[i]);
        report(&table, probe, &known.probe[i]);
    }
    return finish(&table);
}
