/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays programs of the cores T0 to T2 in timing mode, which push instructions of the coprocessor, and compares their
 * cycles with figures of a card (recorded/). A block of pushes runs n times, for several n, as in the recorded ones.
 * The slope is the cost of a push. Usage: timing_tensix FAMILY FIGURES [EVERY]. Plays all probes, or each EVERYth one.
 * Prints a table in Markdown. Exits with 1 if a limit of docs/timing.md is passed.
 */
#include "chip_wish.h"
#include "compare.h"
#include "pushes.h"

enum {
    BLOCK_MAX = 128,
    PROBES_MAX = 128,
    THREADS = 3,
    OPERANDS = 0x80000, /* of matrix products */
    MEDIAN_LIMIT = 5,   /* percent */
    MOST_LIMIT = 15,    /* percent, of nine points in ten */
};

/* Instructions of the coprocessor. */
enum {
    NOP = 0x02000000,
    REPLAY = 0x04000000,
    MOP = 0x01800000, /* of template 1 */
    ZEROACC_ALL = 0x10180000,
    MVMUL = 0x26000000,
    ELWMUL = 0x27000000,
    ELWADD = 0x28000000,
    SETRWC = 0x37000000,
    INCRWC = 0x38000000,
    UNPACR = 0x42000000,
    SETDMAREG = 0x45000000 | 7 << 8 | 120,
    SETDVALID = 0x57000000,
    ADDDMAREG = 0x58800000 | 60 << 12 | 1 << 6 | 60,
    MULDMAREG = 0x5A800000 | 60 << 12 | 1 << 6 | 60,
    SHIFTDMAREG = 0x5C800000 | 60 << 12 | 1 << 6 | 60,
    CMPDMAREG = 0x5D800000 | 60 << 12 | 1 << 6 | 60,
    SETADCXX = 0x5E000000,
    DMANOP = 0x60000000,
    SFPMOV = 0x7C000000,
    SFPABS = 0x7D000000,
    SFPMAD = 0x84000000,
    SFPADD = 0x85000000,
    SFPMUL = 0x86000000,
    SFPNOP = 0x8F000000,
};
#define STALLWAIT 0xA2000000u
#define RDCFG (0xB1000000u | 60 << 16)
#define SETC16 0xB2000000u
#define RMWCIB0 0xB3000000u
#define ALL_BLOCKED (0x1FFu << 15) /* of STALLWAIT */
#define STALLWAIT_CORE STALLWAIT   /* stands for one that waits for accesses of the core */

/* Two of three operands are LReg[1] and LReg[2], the result is LReg[0]. */
#define LREGS (2u << 16 | 1u << 12 | 9u << 8 | 0u << 4)

struct probe {
    const char *name;
    uint32_t block[2];  /* instructions, repeated; 0: none */
    uint32_t others[2]; /* of T0 and T2, if they differ */
    bool matrix, moves; /* needs SrcA and SrcB; T1 moves on in Dst */
};

static const struct probe probes[] = {
    {"loop_overhead", {0}, {0}, false, false},
    {"NOP", {NOP}, {0}, false, false},
    {"DMANOP", {DMANOP}, {0}, false, false},
    {"SFPNOP", {SFPNOP}, {0}, false, false},
    {"SFPMOV", {SFPMOV | 1u << 8}, {0}, false, false},
    {"SFPADD", {SFPADD | LREGS}, {0}, false, false},
    {"SFPMUL", {SFPMUL | LREGS}, {0}, false, false},
    {"SFPMAD", {SFPMAD | LREGS}, {0}, false, false},
    {"SFPABS", {SFPABS | 1u << 8}, {0}, false, false},
    {"SETDMAREG", {SETDMAREG}, {0}, false, false},
    {"ADDDMAREG", {ADDDMAREG}, {0}, false, false},
    {"MULDMAREG", {MULDMAREG}, {0}, false, false},
    {"SHIFTDMAREG", {SHIFTDMAREG}, {0}, false, false},
    {"CMPDMAREG", {CMPDMAREG}, {0}, false, false},
    {"RDCFG", {RDCFG}, {0}, false, false},
    {"SETRWC", {SETRWC}, {0}, false, false},
    {"INCRWC", {INCRWC}, {0}, false, false},
    {"MVMUL", {MVMUL}, {0}, true, false},
    {"ELWADD", {ELWADD}, {0}, true, false},
    {"ELWMUL", {ELWMUL}, {0}, true, false},
    {"MVMUL moving", {MVMUL}, {0}, true, true},
    {"ELWADD moving", {ELWADD}, {0}, true, true},
    {"ELWMUL moving", {ELWMUL}, {0}, true, true},
    {"RDCFG_STALL", {RDCFG, STALLWAIT_CORE}, {0}, false, false},
    {"SETDMA_STALL", {SETDMAREG, STALLWAIT_CORE}, {0}, false, false},
    {"RDCFG_CFGSTALL", {RDCFG, STALLWAIT | ALL_BLOCKED | 1 << 12}, {0}, false, false},
    {"RMWCIB_CFGSTALL", {RMWCIB0, STALLWAIT | ALL_BLOCKED | 1 << 12}, {0}, false, false},
    {"SETDMA_CFGSTALL", {SETDMAREG, STALLWAIT | ALL_BLOCKED | 1 << 12}, {0}, false, false},
    {"RMWCIB0", {RMWCIB0}, {0}, false, false},
    {"RDCFG_DEP", {RDCFG, ADDDMAREG}, {0}, false, false},
    {"RDCFG_INDEP", {RDCFG, ADDDMAREG - 1}, {0}, false, false},
    {"C12_XTHREAD", {STALLWAIT | ALL_BLOCKED | 1 << 12, NOP}, {RMWCIB0, NOP}, false, false},
    {"C12_XTHREAD_NULL", {NOP, NOP}, {RMWCIB0, NOP}, false, false},
};

/* Products of two tiles, by fidelity. After three SETDVALIDs unpackers and matrix unit take turns at the banks; after
   an even number they overlap. */
static const struct product {
    const char *name;
    unsigned phases, handed_over;
} products[] = {
    {"matmul LoFi", 1, 3},         {"matmul HiFi2", 2, 3},         {"matmul HiFi4", 4, 3},
    {"matmul LoFi aligned", 1, 0}, {"matmul HiFi2 aligned", 2, 0}, {"matmul HiFi4 aligned", 4, 0},
};

/* What differs between the families: registers of SETC16, words of configuration. */
static const struct places {
    const char *family;
    unsigned dst_increment, overrides, descriptor, out_format, base, section, to_row;
    uint32_t row; /* the value of to_row: SrcA begins at row 4 */
    uint32_t stallwait_core;
} places[] = {
    {"blackhole", 28, 5, 64, 72, 76, 48, 49, 128, STALLWAIT | ALL_BLOCKED | 1 << 10},
    {"wormhole", 23, 3, 52, 60, 64, 40, 40, 128u << 16, STALLWAIT | ALL_BLOCKED | 1 << 13},
};

/* Figures of one probe by one number of threads. */
struct figures {
    char name[32];
    unsigned threads, points, unroll, first; /* first: the first thread that was measured */
    unsigned n[POINTS_MAX];
    double card[THREADS][POINTS_MAX], mode[THREADS][POINTS_MAX];
};

struct known {
    struct figures figures[PROBES_MAX];
    unsigned count;
};

static struct figures *figures_of(struct known *known, const char *name, unsigned threads)
{
    for (unsigned i = 0; i < known->count; i++)
        if (strcmp(known->figures[i].name, name) == 0 && known->figures[i].threads == threads)
            return &known->figures[i];
    if (known->count == PROBES_MAX)
        die("too many probes", name);
    struct figures *figures = &known->figures[known->count++];
    snprintf(figures->name, sizeof figures->name, "%s", name);
    figures->threads = threads;
    return figures;
}

static void read_figures(struct known *known, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[128], name[32];
    unsigned threads, thread, n, unroll, cycles;
    if (file == NULL)
        die("cannot read", path);
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%31[^,],%u,%u,%u,%u,%u", name, &threads, &thread, &n, &unroll, &cycles) != 6)
            continue;
        struct figures *figures = figures_of(known, name, threads);
        unsigned point = 0;
        while (point < figures->points && figures->n[point] != n)
            point++;
        if (point == POINTS_MAX || thread >= THREADS)
            die("too many points", name);
        figures->n[point] = n;
        figures->unroll = unroll;
        figures->card[thread][point] = cycles;
        figures->points = point == figures->points ? point + 1 : figures->points;
    }
    fclose(file);
}

static bool runs(const struct figures *figures, unsigned thread)
{
    return figures->threads == 3 || thread == 1 || (figures->threads == 2 && thread == 0);
}

/* --- Programs --- */

/* Wait until the others have begun. */
static void put_delay(struct code *code)
{
    li(code, VALUE, 0x7FFFFFFF);
    li(code, DIVISOR, 3);
    for (unsigned i = 0; i < 24; i++) {
        put(code, rv_r(0x02005033, VALUE, VALUE, DIVISOR));
        put(code, rv_i(ADDI, VALUE, VALUE, 0x7FF));
    }
}

static void put_probe(struct code *code, const struct places *at, const struct probe *probe,
                      const struct figures *figures, unsigned thread)
{
    uint32_t block[BLOCK_MAX];
    const uint32_t *pair = thread != 1 && probe->others[0] != 0 ? probe->others : probe->block;
    const unsigned length = pair[0] == 0 ? 0 : pair[1] == 0 ? 1 : 2;
    if (figures->unroll * length > BLOCK_MAX)
        die("too many instructions", probe->name);
    if (probe->matrix && thread == 1)
        push(code, SETDVALID | 3);
    if (probe->moves && thread == 1)
        push(code, SETC16 | at->dst_increment << 16 | 8);
    put_delay(code);
    for (unsigned i = 0; i < figures->unroll * length; i++)
        block[i] = pair[i % length] == STALLWAIT_CORE ? at->stallwait_core : pair[i % length];
    put_points(code, thread, figures->points, block, figures->unroll * length);
    put_end(code);
}

/* Unpackers 0 and 1 move a tile of 1,024 numbers in bf16 each. */
static void put_unpacks(struct code *code, const struct places *at, const struct figures *figures)
{
    static const uint32_t block[2] = {UNPACR | 1 << 23 | 1 << 6, UNPACR | 1 << 6};
    for (unsigned side = 0; side < 2; side++) {
        const unsigned section = at->section * side;
        configure(code, at->descriptor + section, 5 | 1 << 4 | 16u << 16); /* bf16, uncompressed, XDim 16 */
        configure(code, at->descriptor + section + 1, 64 | 1 << 16);
        configure(code, at->descriptor + section + 2, 1);
        configure(code, at->descriptor + section + 3, 0);
        configure(code, at->out_format + section, 5 | 2 << 4); /* speed x4 */
        configure(code, at->base + section, (OPERANDS + 0x10000 * side) / 16 - 1);
    }
    configure(code, at->to_row, at->row);
    push(code, SETADCXX | 3 << 21 | 1023 << 10);
    push(code, SETC16 | at->overrides << 16 | 4);
    put_points(code, 0, figures->points, block, 2);
    put_end(code);
}

/* 16 MVMULs for each phase, by a MOP of REPLAYs; then SrcA and SrcB go back. */
static void put_products(struct code *code, const struct figures *figures, const struct product *product)
{
    static const uint32_t block[2] = {MOP, SETRWC | 3u << 22};
    const uint32_t mop[9] = {
        1, product->phases, NOP, NOP, NOP, REPLAY | 16 << 4, NOP, REPLAY | 16 << 4, REPLAY | 16 << 4};
    li(code, AT, TF_MOP_CFG_BASE);
    for (unsigned i = 0; i < 9; i++) {
        li(code, VALUE, mop[i]);
        put(code, rv_s(SW, VALUE, AT, 4 * i));
    }
    push(code, REPLAY | 16 << 4 | 1);
    for (unsigned i = 0; i < 16; i++)
        push(code, MVMUL | i % 8 * 8);
    for (unsigned i = 0; i < product->handed_over; i++)
        push(code, SETDVALID | 3);
    put_points(code, 1, figures->points, block, 2);
    for (unsigned i = 0; i < (product->handed_over != 0 ? 2u : 0u); i++) {
        push(code, block[0]);
        push(code, block[1]);
    }
    put_end(code);
}

/* --- Runs --- */

static void run(struct table *table, const struct places *at, struct figures *figures, const struct probe *probe,
                const struct product *product)
{
    struct chip_wish config;
    struct tf_message message;
    struct tf_chip *chip;
    enum tf_end end;
    struct tf_coord tile;
    chip_wish_init(&config);
    config.arch = tf_arch_find(table->family);
    config.timing = true;
    config.timing_coarse = table->coarse;
    config.threads = 1;
    if (chip_wish_create(&config, &chip, &message) != TF_OK)
        die(figures->name, message.text);
    bool ok = tf_tile_coord(config.arch, 0, &tile) == TF_OK &&
              tf_write(chip, tile, RESULTS, figures->n, sizeof figures->n) == TF_OK;
    for (unsigned t = 0; t < THREADS && ok; t++) {
        uint32_t word[WORDS_MAX];
        struct code code = {word, 0, WORDS_MAX};
        if (!runs(figures, t) || (product != NULL && t == 2))
            continue;
        if (product == NULL)
            put_probe(&code, at, probe, figures, t);
        else if (t == 0)
            put_unpacks(&code, at, figures);
        else
            put_products(&code, figures, product);
        ok = start(chip, tile, t, &code);
    }
    ok = ok && tf_run(chip, NULL, &end) == TF_OK && end == TF_END_QUIET;
    for (unsigned t = 0; t < THREADS && ok; t++) {
        uint32_t cycles[POINTS_MAX];
        ok = tf_read(chip, tile, RESULTS + 256 * (t + 1), cycles, sizeof cycles) == TF_OK;
        for (unsigned i = 0; i < figures->points; i++)
            figures->mode[t][i] = cycles[i];
    }
    tf_chip_destroy(chip);
    if (!ok)
        die("the program failed", figures->name);
}

/* --- Tables --- */

/* Cycles of an instruction, or of a product: the mean of threads. Of products T1 shows it. */
static double slope(const struct figures *figures, const double (*cycles)[POINTS_MAX])
{
    const unsigned last = figures->points - 1;
    double sum = 0, threads = 0;
    for (unsigned t = 0; t < THREADS; t++) {
        if (figures->card[t][last] == 0 || (figures->unroll == 1 && t != 1))
            continue;
        threads++;
        sum += (cycles[t][last] - cycles[t][0]) / (figures->n[last] - figures->n[0]) / figures->unroll;
    }
    return threads == 0 ? 0 : sum / threads;
}

static void report(struct table *table, const struct figures *figures)
{
    char point[32] = "";
    if (figures->unroll != 1)
        snprintf(point, sizeof point, ", threads: %u", figures->threads);
    row(table, figures->name, point, slope(figures, figures->card), slope(figures, figures->mode));
}

/* What more phases of fidelity cost. */
static void report_difference(struct table *table, struct known *known, const char *more, const char *less)
{
    char name[64], names[2][32];
    snprintf(names[0], sizeof names[0], "matmul %s", more);
    snprintf(names[1], sizeof names[1], "matmul %s", less);
    const struct figures *first = figures_of(known, names[0], 3), *second = figures_of(known, names[1], 3);
    snprintf(name, sizeof name, "matmul %s - %s", more, less);
    row(table, name, "", slope(first, first->card) - slope(second, second->card),
        slope(first, first->mode) - slope(second, second->mode));
}

/* Probes that rows of the word `measured` were read from, though a hash keeps them from fits. */
static const char *const read_directly[] = {"wormhole/RDCFG", NULL};

int main(int argc, char **argv)
{
    static struct known known;
    static struct table table = {.digits = 3,
                                 .median_limit = MEDIAN_LIMIT,
                                 .most_limit = MOST_LIMIT,
                                 .read = read_directly};
    table.coarse = takes_coarse(&argc, argv);
    if (argc < 3 || argc > 4 || tf_arch_find(argv[1]) == NULL)
        die("usage", "timing_tensix FAMILY FIGURES [EVERY] [coarse]");
    const unsigned every = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
    table.family = argv[1];
    const struct places *at = &places[strcmp(argv[1], places[0].family) != 0];
    read_figures(&known, argv[2]);
    head(&table, "cycles an instruction or product, card");
    for (unsigned i = 0; i < known.count; i += every != 0 ? every : 1) {
        const struct probe *probe = NULL;
        const struct product *product = NULL;
        for (unsigned p = 0; p < sizeof probes / sizeof probes[0]; p++)
            probe = strcmp(probes[p].name, known.figures[i].name) == 0 ? &probes[p] : probe;
        for (unsigned p = 0; p < sizeof products / sizeof products[0]; p++)
            product = strcmp(products[p].name, known.figures[i].name) == 0 ? &products[p] : product;
        if (probe == NULL && product == NULL)
            die("no program", known.figures[i].name);
        run(&table, at, &known.figures[i], probe, product);
        report(&table, &known.figures[i]);
    }
    if (every == 1) {
        report_difference(&table, &known, "HiFi2", "LoFi");
        report_difference(&table, &known, "HiFi4", "HiFi2");
    }
    return finish(&table);
}
