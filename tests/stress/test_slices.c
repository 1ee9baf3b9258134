/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs of the five cores and the coprocessor of one tile. The order of cycles decides what they do to each
 * other by registers. So the state is equal with any slices, with waiting cores skipped or not, with a trace of the
 * coprocessor, and while GDB watches memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gdb_watcher.h"
#include "one_column.h"
#include "rv_emit.h"
#include "tilefarm/tilefarm.h"

#define EPOCH 65536u /* a multiple of all slices: requests act at equal cycles */
#define ROUNDS 2u    /* of requests that wake cores, an epoch each */
#define CODE_WORDS 1024u
#define CODE_AT(core) (0x4000u + 0x4000u * (core))
#define DATA_AT(core) (0x20000u + 0x4000u * (core))
#define TILE 7u
#define SENDER 8u           /* whose B sends requests to TILE */
#define SENDS TF_TILE_CORES /* in place of a core: the program of that B */
#define WORD_AT(round, core) (0x38000u + 0x100 * (round) + 16 * (core))
#define ONES 0x39000u /* what requests write */
#define ONES_BYTES 0x100u

enum { X_VALUE = 5, X_ADDRESS = 6, X_COUNT = 7, X_DATA = 8, X_TIME = 9 };

#define STREAM(s) (0xFFB40000u + 0x1000 * (s) + 4 * 31)
#define PUSH_CTRL0 0xFFB120A0u /* INSTRN_BUF_CTRL0: takes a FIFO from its core, and pushes INSTRN_BUF_CTRL1 */
#define PUSH_CTRL1 0xFFB120A4u
#define REPLAYED 32u /* entries of the replay buffer */

/* The debug bus pushes for T2 alone, which pushes nothing itself: a push into a full FIFO is a fault. */
#define KEEP_T2 0x04u
#define PUSH_T2 0x44u
#define GPRS 64u
#define COUNT_UP (0x58800000u | 1 << 6) /* ADDDMAREG: GPR 0 += 1 */
#define TRISC_SYNC 56u                  /* word of thread configuration that switches Auto TTSync on and off */

/* SETDMAREG of the lower or upper half. */
static uint32_t set_gpr(uint32_t gpr, uint32_t half, uint32_t value)
{
    return 0x45000000 | value << 8 | gpr * 2 | half;
}

static uint32_t storereg(uint32_t gpr, uint32_t address)
{
    return 0x67000000 | gpr << 18 | (address - 0xFFB00000) >> 2;
}

/* Words of the coprocessor that wait for nothing that may never come. The fields follow tensix.def. */
static uint32_t tensix_word(struct dice *dice)
{
    uint32_t a = pick(dice, GPRS), b = pick(dice, 64), c = pick(dice, GPRS);
    switch (pick(dice, 17)) {
    case 0: return set_gpr(pick(dice, GPRS), pick(dice, 2), pick(dice, 0x4000));         /* SETDMAREG */
    case 1: return 0x58000000 | c << 12 | b << 6 | a;                                    /* ADDDMAREG */
    case 2: return 0x5A000000 | c << 12 | b << 6 | a;                                    /* MULDMAREG */
    case 3: return 0xA4000000 | pick(dice, 256) << 2;                                    /* SEMPOST */
    case 4: return 0xA5000000 | pick(dice, 256) << 2;                                    /* SEMGET */
    case 5: return 0xA3000000 | 15u << 20 | pick(dice, 16) << 16 | pick(dice, 256) << 2; /* SEMINIT */
    case 6: return 0xB3000000 | pick(dice, 256) << 16 | pick(dice, 256) << 8 | 0x90;     /* RMWCIB0 */
    case 7: return 0xB0000000 | a << 16 | (0xA0 + pick(dice, 4));                        /* WRCFG */
    case 8: return 0xB1000000 | a << 16 | (0xA0 + pick(dice, 4));                        /* RDCFG */
    case 9: return 0x71000000 | pick(dice, 4) << 20 | pick(dice, 65536);                 /* SFPLOADI */
    case 10: return 0xA2000000 | 0x1FFu << 15 | 0x1F;                                    /* STALLWAIT for units */
    case 11: return 0x57000000 | 1u << pick(dice, 2);                                    /* SETDVALID */
    case 12: return 0x36000000 | 1u << (22 + pick(dice, 2));                             /* CLEARDVALID */
    case 13: return storereg(a, STREAM(pick(dice, 4)));                                  /* STOREREG */
    case 14: return 0x58800000 | pick(dice, 8) << 12 | 1 << 6 | pick(dice, 8);           /* ADDDMAREG of 1 */
    case 15: return 0xB2000000 | TRISC_SYNC << 16 | pick(dice, 32);                      /* SETC16: Auto TTSync */
    default: return 0x02000000;                                                          /* NOP */
    }
}

/* A REPLAY of what start_recording() has recorded. */
static uint32_t replay_word(struct dice *dice)
{
    return 0x04000000 | pick(dice, REPLAYED) << 14 | pick_between(dice, 1, REPLAYED) << 4;
}

/* Instructions that only a T core may push: its own replay buffer holds something, and its MOP is complete. */
static uint32_t expanded_word(struct dice *dice)
{
    switch (pick(dice, 12)) {
    case 0: return 0x01800000; /* MOP */
    case 1: return replay_word(dice);
    default: return tensix_word(dice);
    }
}

static void store_to(struct code *code, uint32_t address, uint32_t value)
{
    li(code, X_ADDRESS, address);
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
}

/* Load a register, and keep what it had. */
static void load_from(struct code *code, uint32_t address)
{
    li(code, X_ADDRESS, address);
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    put(code, rv_s(SW, X_VALUE, X_DATA, 0));
    put(code, rv_i(ADDI, X_DATA, X_DATA, 4));
}

static void keep_time(struct code *code)
{
    put(code, rv_i(CSRRS, X_TIME, 0, CSR_CYCLE));
    put(code, rv_s(SW, X_TIME, X_DATA, 0));
    put(code, rv_i(ADDI, X_DATA, X_DATA, 4));
}

static void delay(struct code *code, uint32_t rounds)
{
    li(code, X_COUNT, rounds);
    unsigned loop = code->count;
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, 0xFFF));
    branch_to(code, BNE, X_COUNT, 0, loop);
}

/* Push words, through the store window or as instructions; more than the FIFO holds, at times. */
static void push(struct code *code, struct dice *dice, unsigned core)
{
    unsigned count = once_in(dice, 4) ? pick(dice, 60) : pick(dice, 6);
    bool from_b = core == TF_CORE_B;
    li(code, X_ADDRESS, 0xFFE40000u + (from_b ? pick(dice, 3) << 16 : 0));
    if (from_b && count > 6)
        count = 6;
    while (count-- != 0) {
        uint32_t word = from_b ? tensix_word(dice) : expanded_word(dice);
        if (!from_b && once_in(dice, 2)) {
            put(code, word << 2 | word >> 30); /* .ttinsn */
            continue;
        }
        li(code, X_VALUE, word);
        put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
    }
}

/* Set up a MOP of its own, of words that wait for nothing. */
static void configure_mop(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, 0xFFE80008); /* MOPExpanderDoneCheck */
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    store_to(code, 0xFFB80000, pick_between(dice, 1, 8));
    store_to(code, 0xFFB80004, pick_between(dice, 1, 40));
    bool replays = once_in(dice, 3);
    for (unsigned word = 2; word < 9; word++)
        store_to(code, 0xFFB80000 + 4 * word,
                 word < 5                      ? 0x02000000
                 : replays && once_in(dice, 2) ? replay_word(dice)
                                               : tensix_word(dice));
}

static void run_mop(struct code *code, struct dice *dice)
{
    configure_mop(code, dice);
    store_to(code, 0xFFE40000, 0x01800000);
}

/* Fill the replay buffer, so that every REPLAY plays words that wait for nothing. */
static void record_replays(struct code *code, struct dice *dice)
{
    put(code, (0x04000000u | REPLAYED << 4 | 1) << 2); /* .ttinsn REPLAY, load_mode */
    for (unsigned i = 0; i < REPLAYED; i++) {
        uint32_t word = tensix_word(dice);
        put(code, word << 2 | word >> 30);
    }
}

/* A push by stores to debug registers, which may end any wait. Or they take FIFOs of T0 and T1, or give them back; so
   does the coprocessor, by STOREREG. */
static void push_by_debug(struct code *code, struct dice *dice, unsigned core)
{
    if (once_in(dice, 2)) {
        store_to(code, PUSH_CTRL0, KEEP_T2 | pick(dice, 4));
        return;
    }
    if (core >= TF_CORE_T0 && once_in(dice, 2)) {
        const uint32_t words[] = {set_gpr(GPRS - 1, 0, KEEP_T2 | pick(dice, 4)), set_gpr(GPRS - 1, 1, 0),
                                  storereg(GPRS - 1, PUSH_CTRL0)};
        for (unsigned i = 0; i < 3; i++)
            put(code, words[i] << 2 | words[i] >> 30); /* .ttinsn */
        return;
    }
    store_to(code, PUSH_CTRL1, tensix_word(dice));
    store_to(code, PUSH_CTRL0, PUSH_T2);
    store_to(code, PUSH_CTRL0, KEEP_T2);
}

static uint32_t semaphore(struct dice *dice)
{
    return 0xFFE80020u + 4 * pick(dice, 8);
}

/* Poll a semaphore until it is not what it was, or for so many rounds. */
static void poll(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, semaphore(dice));
    li(code, X_COUNT, pick_between(dice, 1, 2000));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    put(code, rv_b(BNE, X_VALUE, 0, 12));
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, 0xFFF));
    branch_to(code, BNE, X_COUNT, 0, loop);
}

/* The same without end: of a stream's register, which another core or the coprocessor may set. */
static void wait_for_stream(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, STREAM(pick(dice, 4)));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    branch_to(code, BEQ, X_VALUE, 0, loop);
}

/* Poll for ever whether a mailbox holds anything: nothing but a core's store can change that. */
static void wait_for_mailbox(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, 0xFFEC0004u + 0x1000 * pick(dice, 4));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    branch_to(code, BEQ, X_VALUE, 0, loop);
}

static void step_of_t(struct code *code, struct dice *dice, unsigned core)
{
    switch (pick(dice, 12)) {
    case 0: store_to(code, semaphore(dice), pick(dice, 2)); break;
    case 1: load_from(code, semaphore(dice)); break;
    case 2: store_to(code, 0xFFE00000 + 4 * pick(dice, 64), roll(dice)); break;
    case 3: load_from(code, 0xFFE00000 + 4 * pick(dice, 64)); break;
    case 4: load_from(code, 0xFFE80004); break; /* CoprocessorDoneCheck */
    case 5: run_mop(code, dice); break;
    case 6: poll(code, dice); break;
    case 7:
        put(code, rv_i(CSRRS, X_VALUE, 0, 0xBC0));
        keep_time(code);
        break; /* tt_cfg_qstatus */
    default: push(code, dice, core); break;
    }
}

static void step_of_any(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    switch (pick(dice, 8)) {
    case 0: load_from(code, 0xFFEF0000 + 4 * (0x90 + pick(dice, 20))); break;
    case 1: store_to(code, 0xFFEF0000 + 4 * (0xA0 + pick(dice, 4)), roll(dice)); break;
    case 2: store_to(code, 0xFFEC0000 + 0x1000 * pick(dice, 4), roll(dice)); break; /* mailboxes may fill up */
    case 3: load_from(code, 0xFFEC0004 + 0x1000 * pick(dice, 4)); break;
    case 4: delay(code, pick_between(dice, 1, 600)); break;
    case 5: load_from(code, STREAM(pick(dice, 4))); break;
    case 6:
        if (once_in(dice, 4))
            store_to(code, STREAM(pick(dice, 4)), pick(dice, 3));
        else if (core == TF_CORE_B)
            push(code, dice, core);
        else if (debugged)
            push_by_debug(code, dice, core);
        break;
    default: keep_time(code); break;
    }
}

static void random_steps(struct code *code, struct dice *dice, unsigned core, bool debugged, unsigned steps)
{
    for (unsigned step = 0; step < steps && code->count + 200 < code->capacity; step++) {
        if (core != TF_CORE_B && !(debugged && core == TF_CORE_T2) && once_in(dice, 2))
            step_of_t(code, dice, core);
        else
            step_of_any(code, dice, core, debugged);
    }
}

/* Data of random steps. */
static void begin_program(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    li(code, X_DATA, DATA_AT(core));
    if (core < TF_CORE_T0 || core == SENDS || (debugged && core == TF_CORE_T2))
        return;
    configure_mop(code, dice);
    record_replays(code, dice);
}

static void make_program(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    unsigned steps = core == TF_CORE_NC ? 0 : pick_between(dice, 5, 30);
    begin_program(code, dice, core, debugged);
    random_steps(code, dice, core, debugged, steps);
    if (core != TF_CORE_NC && once_in(dice, 3)) {
        if (once_in(dice, 4))
            wait_for_mailbox(code, dice);
        else
            wait_for_stream(code, dice);
        for (unsigned i = 0; i < 4; i++)
            load_from(code, 0xFFE00000 + 4 * pick(dice, 8)); /* a GPR */
    }
    keep_time(code);
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, core == TF_CORE_NC)); /* NC never waits, so that all run equally long */
    put(code, rv_j(0, -4));
}

/* A request to TILE: words for all cores at once, or one more for the word of one core. */
static void request(struct code *code, struct dice *dice, unsigned round)
{
    struct tf_coord to = one_column_coord(TILE);
    bool writes = !once_in(dice, 3);
    uint32_t target = writes ? WORD_AT(round, 0) : WORD_AT(round, pick(dice, TF_TILE_CORES));
    uint32_t node = (uint32_t)to.y << 6 | (uint32_t)to.x;
    const uint32_t words[][2] = {
        {0x00, writes ? ONES : target},
        {0x08, node},
        {0x0C, writes ? target : ONES},
        {0x14, node},
        {0x18, 1 << 10},
        {0x1C, writes ? 0x12 : 0x11}, /* answered */
        {0x20, writes ? ONES_BYTES : 0x107C},
        {0x28, 1},
        {0x40, 1},
    };
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        store_to(code, 0xFFB20000 + words[i][0], words[i][1]);
}

/* Wait until a request has acted or was answered. The register of the longer loop may end it, too. */
static void wait_for_request(struct code *code, struct dice *dice, unsigned core, unsigned round)
{
    uint32_t word = WORD_AT(round, once_in(dice, 4) ? pick(dice, TF_TILE_CORES) : core);
    unsigned kind = pick(dice, 8), loop = code->count + 4;
    if (kind == 0) {
        load_from(code, 0xFFEC0000u + 0x1000 * pick(dice, 4)); /* a mailbox */
        return;
    }
    li(code, X_ADDRESS, kind == 1 ? 0xFFB20200 + 4 * (once_in(dice, 2) ? 0x01 : 0x31) : word); /* acknowledgments */
    li(code, X_TIME, semaphore(dice));
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    for (unsigned i = pick(dice, 4); i != 0; i--)
        put(code, rv_i(ADDI, X_COUNT, 0, i));
    if (kind < 4) {
        put(code, rv_b(BNE, X_VALUE, 0, 12));
        put(code, rv_i(LW, X_VALUE, X_TIME, 0));
    }
    branch_to(code, BEQ, X_VALUE, 0, loop);
    keep_time(code);
}

/* Requests of another tile wake cores in one round, and in the other one requests of NC. */
static void make_woken(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    bool sends = core == TF_CORE_NC || core == SENDS;
    begin_program(code, dice, core, debugged);
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (!sends)
            random_steps(code, dice, core, debugged, pick_between(dice, 2, 8));
        else
            delay(code, round == 0 ? pick_between(dice, 1, EPOCH / 8) : EPOCH / 2);
        if (!sends)
            wait_for_request(code, dice, core, round);
        else if ((core == SENDS) == (round == debugged))
            for (unsigned requests = pick_between(dice, 1, 3); requests != 0; requests--)
                request(code, dice, round);
    }
    random_steps(code, dice, sends ? TF_CORE_B : core, debugged, sends ? 0 : pick_between(dice, 2, 15));
    keep_time(code);
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, sends));
    put(code, rv_j(0, -4));
}

static void ignore_event(void *user, const struct tf_tensix_event *event)
{
    (void)event;
    ++*(uint64_t *)user;
}

struct way {
    uint32_t slice;
    bool parking, traced, watched;
};

#define STOPS_MAX 40u     /* of GDB, in a run */
#define WATCHED_ONE_IN 4u /* programs: stops take time */

static unsigned stops; /* of GDB, in all runs */

/* Of GDB: what cores kept, GPRs of T0, semaphores, a word of configuration, a stream, a mailbox. */
static const struct gdb_range watched[] = {
    {DATA_AT(TF_CORE_B), 16, '2'},
    {DATA_AT(TF_CORE_T1), 8, '4'},
    {0xFFE00000, 4, '2'},
    {0xFFE80020, 4, '4'},
    {0xFFEF0280, 4, '2'},
    {STREAM(0), 4, '4'},
    {WORD_AT(0, TF_CORE_T0), 4, '2'},
    {0xFFEC0000, 4, '2'},
};

#define KEPT_WORDS 64u

struct outcome {
    uint64_t hash;
    struct tf_core_view core[TF_TILE_CORES];
    uint32_t kept[TF_TILE_CORES][KEPT_WORDS]; /* what the programs have written */
};

/* The first thing that differs, for people. */
static void describe(const struct outcome *a, const struct outcome *b, char *text, size_t bytes)
{
    static const char *const name[] = {"B", "NC", "T0", "T1", "T2"};
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        for (unsigned i = 0; i < KEPT_WORDS; i++)
            if (a->kept[core][i] != b->kept[core][i]) {
                snprintf(text, bytes, "%s has kept 0x%x, not 0x%x, as word %u", name[core], b->kept[core][i],
                         a->kept[core][i], i);
                return;
            }
        const struct tf_core_view *x = &a->core[core], *y = &b->core[core];
        if (x->pc != y->pc || x->cycle != y->cycle || x->instret != y->instret || x->state != y->state) {
            snprintf(text, bytes,
                     "%s is at pc 0x%x cycle %" PRIu64 " instret %" PRIu64 " state %d, not 0x%x %" PRIu64 " %" PRIu64
                     " %d",
                     name[core], y->pc, y->cycle, y->instret, y->state, x->pc, x->cycle, x->instret, x->state);
            return;
        }
        for (unsigned r = 0; r < 32; r++)
            if (x->x[r] != y->x[r]) {
                snprintf(text, bytes, "x%u of %s is 0x%x, not 0x%x", r, name[core], y->x[r], x->x[r]);
                return;
            }
    }
    snprintf(text, bytes, "cores are equal; the coprocessor or a register is not");
}

/* A program, and words for requests to take. */
static void start(struct tf_chip *chip, unsigned tile, enum tf_core core, const struct code *code)
{
    static uint32_t ones[ONES_BYTES / 4];
    struct tf_coord node = one_column_coord(tile);
    for (unsigned i = 0; i < ONES_BYTES / 4; i++)
        ones[i] = 1;
    assert_int_equal(tf_write(chip, node, ONES, ones, sizeof ones), TF_OK);
    assert_int_equal(tf_write(chip, node, CODE_AT(core), code->word, 4 * code->count), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, core, CODE_AT(core)), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, core), TF_OK);
}

typedef void make_program_fn(struct code *code, struct dice *dice, unsigned core, bool debugged);

static void run(make_program_fn *make, uint64_t seed, struct way way, uint64_t *events, struct outcome *outcome)
{
    struct tf_config config;
    struct tf_chip *chip;
    struct tf_coord node = one_column_coord(TILE);
    static uint32_t words[CODE_WORDS];
    tf_config_init(&config);
    one_column(&config);
    config.slice_cycles = way.slice;
    config.epoch_cycles_min = config.epoch_cycles_max = EPOCH;
    config.parking = way.parking;
    config.threads = 1;
    config.pin = false;
    config.go_on_after_fault = true;
    config.on_tensix = way.traced ? ignore_event : NULL;
    config.user = events;
    struct gdb_watcher *watcher = way.watched ? gdb_watcher_open(&config) : NULL;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    struct dice dice = {seed};
    bool woken = make == make_woken;
    for (unsigned core = 0; core < (woken ? SENDS + 1 : TF_TILE_CORES); core++) {
        struct code code = {words, 0, CODE_WORDS};
        make(&code, &dice, core, seed % 3 == 0);
        assert_true(code.count < code.capacity);
        start(chip, core == SENDS ? SENDER : TILE, core == SENDS ? TF_CORE_B : (enum tf_core)core, &code);
    }
    if (watcher != NULL)
        gdb_watcher_begin(watcher, chip, TILE, watched, sizeof watched / sizeof watched[0], STOPS_MAX);
    const struct tf_run_options options = {.cycles_max = (woken ? ROUNDS + 1 : 2) * EPOCH};
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    outcome->hash = tf_state_hash(chip);
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        assert_int_equal(tf_core_view(chip, TILE, (enum tf_core)core, &outcome->core[core]), TF_OK);
        assert_int_equal(tf_read(chip, node, DATA_AT(core), outcome->kept[core], sizeof outcome->kept[core]), TF_OK);
    }
    tf_chip_destroy(chip);
    if (watcher != NULL)
        stops += gdb_watcher_close(watcher);
}

/* The outcome is that of slices of 1024 cycles, whatever slices are. */
static void compare_ways(make_program_fn *make, uint64_t seed, uint64_t *events)
{
    static const struct way ways[] = {
        {.slice = 16, .parking = true},
        {.slice = 64, .parking = true},
        {.slice = 128},
        {.slice = 256, .parking = true},
        {.slice = 1024},
        {.slice = 1024, .parking = true, .traced = true},
        {.slice = 1024, .watched = true},
        {.slice = 4096, .parking = true},
        {.slice = 16384, .traced = true},
        {.slice = 65536, .parking = true},
        {.slice = 65536, .watched = true},
    };
    static struct outcome expected, found;
    char text[200];
    run(make, seed, (struct way){.slice = 1024, .parking = true}, events, &expected);
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (ways[i].watched && seed % WATCHED_ONE_IN != 0)
            continue;
        run(make, seed, ways[i], events, &found);
        if (found.hash == expected.hash)
            continue;
        describe(&expected, &found, text, sizeof text);
        fail_msg("TF_SEED=%" PRIu64 ": with slices of %u%s%s%s: %s", seed, ways[i].slice,
                 ways[i].parking ? "" : ", parking off", ways[i].traced ? ", traced" : "",
                 ways[i].watched ? ", watched" : "", text);
    }
}

static void test_slices(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), events = 0;
    for (uint64_t program = 0, programs = test_rounds(24); program < programs; program++)
        compare_ways(make_program, seed + program, &events);
    assert_true(events > 0);
    assert_true(stops > 0);
}

/* Cores that requests wake act in the order of their cycles, whatever the slice in which they wake is. */
static void test_woken(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1), events = 0;
    for (uint64_t program = 0, programs = test_rounds(24); program < programs; program++)
        compare_ways(make_woken, seed + program, &events);
}

static void rest(struct code *code)
{
    put(code, rv_i(ADDI, X_VALUE, X_VALUE, 1));
    put(code, rv_j(0, -4));
}

/* T0's MOP counts in its GPR 0, T1's STOREREG ends the wait of B, which then reads that GPR. */
static void make_woken_reader(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    switch (core) {
    case TF_CORE_T0:
        store_to(code, 0xFFB80000, 100);
        store_to(code, 0xFFB80004, 100);
        for (unsigned word = 2; word < 9; word++)
            store_to(code, 0xFFB80000 + 4 * word, 0x58800000 | 1 << 6); /* ADDDMAREG: GPR 0 plus 1 */
        store_to(code, 0xFFE40000, 0x01800000);
        break;
    case TF_CORE_T1:
        delay(code, pick_between(dice, 500, 3000));
        store_to(code, 0xFFE40000, set_gpr(0, 0, 1));
        store_to(code, 0xFFE40000, storereg(0, STREAM(0)));
        break;
    case TF_CORE_B:
        li(code, X_ADDRESS, STREAM(0));
        put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
        branch_to(code, BEQ, X_VALUE, 0, code->count - 1);
        for (unsigned i = 0; i < 4; i++)
            load_from(code, 0xFFE00000);
        break;
    default: break;
    }
    rest(code);
}

/* A core that polls a stream wakes in the middle of a turn: it sees GPRs as they are in its own cycle. */
static void test_woken_reader(void **state)
{
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (unsigned program = 0; program < 4; program++)
        compare_ways(make_woken_reader, seed + program, &events);
}

/* A MOP that adds to GPR 0 for some rounds^2 cycles. */
static void configure_long_mop(struct code *code, struct dice *dice, uint32_t rounds)
{
    configure_mop(code, dice);
    store_to(code, 0xFFB80000, rounds);
    store_to(code, 0xFFB80004, rounds);
    for (unsigned word = 2; word < 9; word++)
        store_to(code, 0xFFB80000 + 4 * word, COUNT_UP);
}

/* T0 waits for room after a long MOP; B gives its FIFO to the debug bus, which ends the wait. */
static void make_lost_push(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_T0) {
        configure_long_mop(code, dice, 100);
        for (unsigned i = 0; i < 40; i++)
            store_to(code, 0xFFE40000, i == 0 ? 0x01800000 : 0x02000000);
        keep_time(code);
    }
    if (core == TF_CORE_B) {
        delay(code, pick_between(dice, 1000, 2000));
        store_to(code, PUSH_CTRL0, 1);
    }
    rest(code);
}

/* A store to a debug register ends a wait before the expanders would. */
static void test_lost_push(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    compare_ways(make_lost_push, seed, &events);
    run(make_lost_push, seed, (struct way){.slice = 16384, .parking = true}, &events, &outcome);
    assert_in_range(outcome.kept[TF_CORE_T0][0], 1000, 9000);
}

/* T0 counts by pushes, ahead of B, which gives T0's FIFO to the debug bus for a while: only pushes of that while are
   lost. Or T0 switches Auto TTSync on, which must count the later pushes. A MOP before them may fill the FIFO. */
static void make_counted_pushes(struct code *code, struct dice *dice, unsigned core, bool synced)
{
    const uint32_t on = 0xB2000000 | TRISC_SYNC << 16 | 0x1F;
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_T0) {
        bool full = synced || once_in(dice, 2);
        configure_long_mop(code, dice, 10);
        delay(code, pick_between(dice, 1, 20));
        li(code, X_ADDRESS, 0xFFE40000);
        li(code, X_VALUE, COUNT_UP);
        if (synced)
            put(code, on << 2 | on >> 30); /* .ttinsn */
        if (full)
            put(code, 0x01800000u << 2); /* .ttinsn MOP */
        for (unsigned i = 0; i < (full && !synced ? 40 : 24); i++) {
            put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
            if (i % 4 == 0)
                delay(code, 1); /* a branch, so that a turn can end */
        }
        if (!synced)
            load_from(code, 0xFFE80004); /* CoprocessorDoneCheck */
        load_from(code, 0xFFE00000);     /* GPR 0 */
        keep_time(code);
    }
    if (core == TF_CORE_B && !synced) {
        delay(code, pick_between(dice, 20, 120));
        store_to(code, PUSH_CTRL0, 1);
        delay(code, pick_between(dice, 1, 30));
        store_to(code, PUSH_CTRL0, 0);
    }
    rest(code);
}

static void test_counted_pushes(void **state)
{
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    for (uint64_t program = 0, programs = test_rounds(24); program < programs; program++)
        compare_ways(make_counted_pushes, seed + program, &events);
}

/* B polls a mailbox that stays empty. T1 then reads what STOREREGs of its thread store. */
static void make_mailbox_poller(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    if (core == TF_CORE_B)
        wait_for_mailbox(code, dice);
    if (core == TF_CORE_T1) {
        delay(code, pick_between(dice, 1500, 3000));
        for (unsigned i = 1; i <= 8; i++) {
            store_to(code, 0xFFE40000, set_gpr(0, 0, i));
            store_to(code, 0xFFE40000, storereg(0, STREAM(1)));
            delay(code, 20);
            load_from(code, STREAM(1));
        }
    }
    rest(code);
}

/* A core that polls what the coprocessor cannot change does not hold it back. */
static void test_mailbox_poller(void **state)
{
    static struct outcome outcome;
    uint64_t seed = test_seed(1), events = 0;
    (void)state;
    compare_ways(make_mailbox_poller, seed, &events);
    run(make_mailbox_poller, seed, (struct way){.slice = 1024, .parking = true}, &events, &outcome);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(outcome.kept[TF_CORE_T1][i], i + 1);
}

/* Who polls semaphore 0, and when the other one of T1 and T2 posts it. */
static struct {
    unsigned poller, nops;
} meeting;

static void make_meeting(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    (void)dice;
    (void)debugged;
    li(code, X_DATA, DATA_AT(core));
    li(code, X_ADDRESS, 0xFFE80020);
    if (core == meeting.poller) {
        put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
        branch_to(code, BEQ, X_VALUE, 0, code->count - 1);
    } else if (core >= TF_CORE_T1) {
        delay(code, 2000);
        for (unsigned i = 0; i < meeting.nops; i++)
            put(code, rv_i(ADDI, X_VALUE, 0, 0));
        put(code, rv_s(SW, 0, X_ADDRESS, 0));
        put(code, rv_i(ADDI, X_VALUE, 0, 0)); /* as long as the poller's branch */
    }
    if (core >= TF_CORE_T1)
        keep_time(code);
    rest(code);
}

/* Within a cycle T1 comes before T2. A load of T1 misses a post of T2 in the same cycle; T2 sees one of T1. */
static void test_poller_in_same_cycle(void **state)
{
    static struct outcome outcome;
    (void)state;
    for (meeting.poller = TF_CORE_T1; meeting.poller <= TF_CORE_T2; meeting.poller++) {
        uint32_t seen = 0, first = meeting.poller == TF_CORE_T1;
        for (meeting.nops = 0; meeting.nops < 4; meeting.nops++)
            for (unsigned parking = 0; parking < 2; parking++) {
                run(make_meeting, 1, (struct way){.slice = 16384, .parking = parking}, NULL, &outcome);
                uint32_t late = outcome.kept[meeting.poller][0];
                late -= outcome.kept[TF_CORE_T1 + TF_CORE_T2 - meeting.poller][0];
                assert_in_range(late, first, first + 1); /* the loop has two instructions */
                seen |= 1u << late;
            }
        assert_int_equal(seen, 3u << first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_woken),
        cmocka_unit_test(test_woken_reader),
        cmocka_unit_test(test_lost_push),
        cmocka_unit_test(test_counted_pushes),
        cmocka_unit_test(test_mailbox_poller),
        cmocka_unit_test(test_poller_in_same_cycle),
    };
    return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
