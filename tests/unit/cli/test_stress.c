/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tilefarm stress` without a chip: a fake one performs the requests one after another, with overlapping times, and
 * does one thing wrong on demand. Right results must pass, and each wrong one must be found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/check/stress.h"
#include "cli/check/stress_check.h"
#include "cli/check/stress_chip.h"
#include "noc/niu_layout.h"
#include "tile/arch.h"
#include "tile/numbered.h"
#include "images.h"
#include "random.h"
#include "tilefarm/tilefarm_config.h"

#define NODE_BYTES 0x180000u

/* The cores of a tile of the fake chip. */
static uint8_t cores = TF_TILE_CORES;

enum wrong {
    NOTHING,
    LOST_UPDATE,  /* an atomic answers, and changes nothing */
    WRONG_ANSWER, /* a core sees another answer than the one given */
    WRONG_OFFICE, /* the core sees a wrong answer that went to another tile */
    MISSING_EVENT,
    EXTRA_EVENT,
    OTHER_EVENT,    /* an atomic with other data than the core asked for */
    OVERTAKING,     /* two requests of a core to one target, in the other order */
    LOST_COUNT,     /* a counter of the target does not move */
    EXTRA_COUNT,    /* a counter that has nothing to do with atomics does */
    OUTSTANDING,    /* an answer that the initiator does not count as received */
    LOST_STEP,      /* a core's own atomic returns the old value, and changes nothing */
    STRAY_WORD,     /* a word that cores and NOC atomics change gets another value */
    LOST_RAISE,     /* a stream has less than it was raised by */
    OPEN_MUTEX,     /* a guarded word lacks what a core did */
    LOST_POST,      /* the semaphore holds less than it should */
    DOUBLE_POST,    /* the semaphore holds more than it should */
    DEFERRED_WRITE, /* a line changes after the round, without a request */
    UNFINISHED,     /* a core does not reach its end */
    LOCKED,         /* a core that waits for a lock does not reach its end */
    UNCOUNTED,      /* a core whose NIU lacks an answer does not reach its end */
    GUEST_FAULT,
    STOPPED,
};

#define TID 3u
#define POLLED (TF_NIU_BASE(0) + TF_NIU_COUNTER + 4 * (TF_MST_REQS_OUTSTANDING + TID))

struct tf_chip {
    struct tf_config config;
    uint8_t *memory[12][17];
    uint32_t counter[12][17][2][TF_NIU_COUNTERS];
    uint32_t space[12][17]; /* available of the stream */
    uint64_t time;
    uint64_t random;
};

static enum wrong wrong;

static uint8_t *at(struct tf_chip *chip, struct tf_coord node, uint64_t address)
{
    if (!chip->memory[node.y][node.x])
        chip->memory[node.y][node.x] = calloc(1, NODE_BYTES);
    assert_non_null(chip->memory[node.y][node.x]);
    return chip->memory[node.y][node.x] + address;
}

/* ---- the public interface, as far as it is used ---- */

void tf_config_init_sized(struct tf_config *config, size_t bytes)
{
    *config = (struct tf_config){.struct_bytes = bytes};
}

const char *tf_strerror(int error)
{
    return error ? "an error" : "no error";
}

const char *tf_tensix_core_name(unsigned core)
{
    static const char *const name[] = TF_TENSIX_CORE_NAMES;
    return core < 5 ? name[core] : "-";
}

const char *tf_core_name(const struct tf_arch *arch, enum tf_node_kind kind, unsigned core)
{
    (void)arch, (void)kind;
    return tf_tensix_core_name(core);
}

uint32_t tf_niu_layout_own(const struct tf_niu_arch *layout, uint32_t common)
{
    assert_null(layout);
    return common;
}

const char *tf_fault_category_name(enum tf_fault_category category)
{
    (void)category;
    return "undefined";
}

/* Two families: the first has what this test's fake chip has, the second fewer atomics. */
const struct tf_arch *tf_arch_find(const char *name)
{
    static struct tf_arch families[2] = {
        {.name = "fake",
         .grid_x = 17,
         .grid_y = 12,
         .tile = {[TF_TILE_TENSIX] = {.tiles = TF_TENSIX_TILES}, [TF_TILE_ETH] = {.tiles = TF_ETH_TILES}},
         .noc = {.emu_spec_atomics = true, .atomics = 0xFFFF}},
        {.name = "wormhole", .noc = {.atomics = 0xDA}},
    };
    families[0].tile[TF_TILE_TENSIX].cores = cores;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++)
        families[0].place[TF_K_Y(tile) * 17 + TF_K_X(tile)] = (struct tf_place){TF_NODE_TENSIX, (uint8_t)tile};
    return &families[name != NULL];
}

void tf_arch_shape(const struct tf_arch *arch, struct tf_shape *shape)
{
    (void)arch;
    *shape = (struct tf_shape){.grid_x = 17, .grid_y = 12};
}

enum tf_node_kind tf_node_kind(const struct tf_arch *arch, struct tf_coord coord)
{
    (void)arch;
    if (coord.y == 1 && coord.x > 0 && coord.x != 8 && coord.x != 9)
        return TF_NODE_ETH;
    return coord.y >= 2 && tf_tile_index(NULL, coord) >= 0 ? TF_NODE_TENSIX : TF_NODE_EMPTY;
}

unsigned tf_arch_port(const struct tf_arch *arch, struct tf_coord node)
{
    (void)arch;
    return node.x;
}

int tf_tile_coord(const struct tf_arch *arch, unsigned tile, struct tf_coord *coord)
{
    (void)arch;
    *coord = (struct tf_coord){(uint8_t)TF_K_X(tile), (uint8_t)TF_K_Y(tile)};
    return tile < TF_TENSIX_TILES ? TF_OK : TF_ENODEV;
}

bool tf_numbered_coord(const struct tf_arch *arch, unsigned number, struct tf_coord *coord)
{
    return tf_tile_coord(arch, number, coord) == TF_OK;
}

const struct tf_arch *tf_arch_or_default(const struct tf_arch *arch)
{
    return arch;
}

int tf_tile_index(const struct tf_arch *arch, struct tf_coord coord)
{
    (void)arch;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        if (TF_K_X(tile) == coord.x && TF_K_Y(tile) == coord.y)
            return (int)tile;
    }
    return TF_ENODEV;
}

int tf_chip_create(const struct tf_config *config, struct tf_chip **chip, struct tf_message *message)
{
    (void)message;
    *chip = calloc(1, sizeof **chip);
    assert_non_null(*chip);
    (*chip)->config = *config;
    (*chip)->time = 100;
    assert_int_equal(config->mode, TF_MODE_RELAXED);
    return TF_OK;
}

void tf_chip_destroy(struct tf_chip *chip)
{
    for (unsigned i = 0; chip && i < 12 * 17; i++)
        free(chip->memory[i / 17][i % 17]);
    free(chip);
}

int tf_write(struct tf_chip *chip, struct tf_coord node, uint64_t address, const void *data, size_t bytes)
{
    memcpy(at(chip, node, address), data, bytes);
    return TF_OK;
}

int tf_read(struct tf_chip *chip, struct tf_coord node, uint64_t address, void *data, size_t bytes)
{
    static const uint8_t other_register[4];
    uint64_t counter = (address & 0xFFFF) - TF_NIU_COUNTER;
    if (address < NODE_BYTES)
        memcpy(data, at(chip, node, address), bytes);
    else if (address >> 16 == 0xFFB4)
        memcpy(data, &chip->space[node.y][node.x], bytes);
    else if (counter < 4 * TF_NIU_COUNTERS)
        memcpy(data, &chip->counter[node.y][node.x][address >> 16 & 1][counter / 4], bytes);
    else
        memcpy(data, other_register, bytes);
    return TF_OK;
}

int tf_load_elf(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *path, const void *image,
                size_t image_bytes, struct tf_message *message)
{
    (void)chip, (void)tile, (void)path, (void)image, (void)image_bytes, (void)message;
    return core < cores ? TF_OK : TF_ENODEV;
}

int tf_core_start(struct tf_chip *chip, unsigned tile, enum tf_core core)
{
    (void)chip, (void)tile;
    return core < cores ? TF_OK : TF_ENODEV;
}

int tf_fault_get(struct tf_chip *chip, size_t index, struct tf_fault *fault)
{
    (void)chip;
    *fault = (struct tf_fault){.core = TF_CORE_NC, .text = "it did what it must not"};
    return index == 0 ? TF_OK : TF_ERANGE;
}

/* The thread of T0, in all tiles. */
size_t tf_waits(struct tf_chip *chip, struct tf_waiting *waits, size_t room)
{
    (void)chip;
    assert_true(room > 0);
    waits[0] = (struct tf_waiting){.stuck = true, .thread = true, .core = TF_CORE_T0, .what = "waits for a lock"};
    if (wrong == UNCOUNTED)
        waits[0] = (struct tf_waiting){.stuck = true, .core = TF_CORE_T1, .address = POLLED, .what = "polls"};
    memset(waits[0].tile, 255, sizeof waits[0].tile);
    return 1;
}

const struct tf_kernel_image *tf_kernel_find(const char *name)
{
    static const struct tf_kernel_image image = {"stress", NULL, NULL};
    (void)name;
    return &image;
}

/* ---- the cores ---- */

static uint32_t next(struct tf_chip *chip)
{
    return test_random(&chip->random);
}

/* One recipient's atomic, reported; the answer. */
static uint32_t perform(struct tf_chip *chip, struct tf_coord from, unsigned core, struct tf_coord node,
                        const struct tf_stress_entry *entry, bool answered)
{
    struct tf_noc_atomic op;
    struct tf_noc_atomic_effect effect = {0};
    const char *why = tf_noc_atomic_decode(chip->config.atomics, entry->at_len_be, entry->at_data, &op);
    assert_null(why);
    uint8_t before[16];
    memcpy(before, at(chip, node, TF_STRESS_LINE), sizeof before);
    uint32_t answer = tf_noc_atomic_apply(&op, at(chip, node, 0), NODE_BYTES, entry->address, true, &effect);
    assert_null(effect.fault);
    bool changed = memcmp(before, at(chip, node, TF_STRESS_LINE), sizeof before) != 0;
    if (wrong == LOST_UPDATE && changed && chip->time > 3000) {
        memcpy(at(chip, node, TF_STRESS_LINE), before, sizeof before);
        wrong = NOTHING;
    }
    chip->time++;
    struct tf_atomic_event event = {
        .initiator = from,
        .target = node,
        .core = (uint8_t)core,
        .noc = entry->noc,
        .at_len_be = entry->at_len_be,
        .at_data = entry->at_data,
        .address = entry->address,
        .answered = answered,
        .result = answered ? answer : 0,
        .begin = chip->time - next(chip) % 3,
        .end = chip->time + next(chip) % 3,
    };
    bool errs = chip->time > 5000;
    if (errs && wrong == OTHER_EVENT)
        event.at_data ^= 1;
    if (!errs || wrong != MISSING_EVENT)
        chip->config.on_atomic(chip->config.user, &event);
    if (errs && wrong == EXTRA_EVENT)
        chip->config.on_atomic(chip->config.user, &event);
    if (errs && (wrong == OTHER_EVENT || wrong == MISSING_EVENT || wrong == EXTRA_EVENT))
        wrong = NOTHING;
    return answer;
}

/* The counters that a request moves at its initiator, and its answers at the node that receives them. */
static void count_request(struct tf_chip *chip, struct tf_coord from, unsigned core, struct tf_coord receiver,
                          const struct tf_stress_entry *entry, unsigned answers)
{
    uint32_t *counter = chip->counter[from.y][from.x][entry->noc];
    unsigned tid = entry->manner == TF_STRESS_AWAITED ? core : 8 + core;
    bool answered = entry->manner != TF_STRESS_POSTED && entry->manner != TF_STRESS_MULTICAST_POSTED;
    bool errs = chip->time > 5000;
    counter[TF_MST_CMD_ACCEPTED]++;
    counter[TF_MST_POSTED_ATOMIC_SENT] += !answered;
    counter[TF_MST_NONPOSTED_ATOMIC_STARTED] += answered;
    counter[TF_MST_NONPOSTED_ATOMIC_SENT] += answered;
    counter[TF_MST_REQS_OUTSTANDING + tid] = (uint8_t)(counter[TF_MST_REQS_OUTSTANDING + tid] + answered);
    counter = chip->counter[receiver.y][receiver.x][entry->noc];
    counter[TF_MST_ATOMIC_RESP_RECEIVED] += answers;
    if (errs && wrong == EXTRA_COUNT)
        counter[TF_SLV_WR_ACK_SENT]++;
    if (errs && wrong == OUTSTANDING && answers == 1)
        answers = 0;
    counter[TF_MST_REQS_OUTSTANDING + tid] = (uint8_t)(counter[TF_MST_REQS_OUTSTANDING + tid] - answers);
    if (errs && (wrong == EXTRA_COUNT || (wrong == OUTSTANDING && answers == 0 && answered)))
        wrong = NOTHING;
}

static void count_atomic(struct tf_chip *chip, struct tf_coord node, const struct tf_stress_entry *entry, bool answers)
{
    uint32_t *counter = chip->counter[node.y][node.x][entry->noc];
    bool answered = entry->manner != TF_STRESS_POSTED && entry->manner != TF_STRESS_MULTICAST_POSTED;
    counter[TF_SLV_REQ_ACCEPTED]++;
    counter[TF_SLV_NONPOSTED_ATOMIC_RECEIVED] += answered;
    counter[TF_SLV_POSTED_ATOMIC_RECEIVED] += !answered;
    counter[TF_SLV_ATOMIC_RESP_SENT] += answers;
    if (wrong == LOST_COUNT && chip->time > 5000) {
        counter[TF_SLV_REQ_ACCEPTED]--;
        wrong = NOTHING;
    }
}

/* A multicast: all recipients answer in the profile isa, the first alone in emu-spec; the last answer stays. */
static uint32_t perform_all(struct tf_chip *chip, struct tf_coord from, unsigned core,
                            const struct tf_stress_params *params, const struct tf_stress_entry *entry)
{
    bool answered = entry->manner != TF_STRESS_POSTED && entry->manner != TF_STRESS_MULTICAST_POSTED;
    if (entry->manner != TF_STRESS_MULTICAST && entry->manner != TF_STRESS_MULTICAST_POSTED) {
        struct tf_coord node = {params->target[entry->target].x, params->target[entry->target].y};
        bool by_office = entry->manner == TF_STRESS_OFFICE_ANSWERED;
        struct tf_coord office = {params->office.x, params->office.y};
        uint32_t answer = perform(chip, from, core, node, entry, answered);
        count_atomic(chip, node, entry, answered);
        count_request(chip, from, core, by_office ? office : from, entry, answered);
        return answer;
    }
    unsigned answers = 0;
    uint32_t kept = 0;
    for (unsigned i = 0; i < TF_STRESS_RECTANGLE; i++) {
        struct tf_coord node = {params->target[i].x, params->target[i].y};
        uint32_t answer = perform(chip, from, core, node, entry, answered);
        if (i == 0 || chip->config.atomics == TF_ATOMICS_ISA)
            kept = answer;
        bool with_answers = answered && (i == 0 || chip->config.atomics == TF_ATOMICS_ISA);
        count_atomic(chip, node, entry, with_answers);
        answers += with_answers;
    }
    count_request(chip, from, core, from, entry, answers);
    return kept;
}

/* Swap two posted requests that go to one place and differ, as if they had been issued in the other order. */
static void swap_logged(struct tf_stress_entry *entry)
{
    struct tf_stress_entry first = entry[0];
    if (entry[0].manner != TF_STRESS_POSTED || entry[1].manner != TF_STRESS_POSTED || entry[0].noc != entry[1].noc ||
        entry[0].target != entry[1].target || entry[0].at_data == entry[1].at_data)
        return;
    entry[0] = entry[1];
    entry[1] = first;
    wrong = NOTHING;
}

static void request(struct tf_chip *chip, struct tf_coord from, unsigned core, uint32_t index)
{
    const struct tf_stress_params *params = (const void *)at(chip, from, TF_STRESS_PARAMS);
    struct tf_stress_entry *entry = (struct tf_stress_entry *)(void *)at(chip, from, TF_STRESS_LOG(core)) + index;
    const struct tf_stress_row *row = &params->row[next(chip) % params->rows];
    *entry = (struct tf_stress_entry){
        .at_len_be = (uint16_t)(row->match | (next(chip) & row->operands)),
        .manner = (uint8_t)(next(chip) % 5),
        .target = next(chip) % params->targets & 127,
        .noc = next(chip) & 1,
        .at_data = next(chip) % 3 ? next(chip) & 0x000F000F : next(chip),
        .address = (row->indirect ? TF_STRESS_POINTERS : TF_STRESS_LINE) + 4 * (next(chip) % 4),
    };
    uint32_t answer = perform_all(chip, from, core, params, entry);
    struct tf_coord office = {params->office.x, params->office.y};
    bool by_office = entry->manner == TF_STRESS_OFFICE_ANSWERED;
    bool falsify = chip->time > 5000 && ((wrong == WRONG_ANSWER && entry->manner == TF_STRESS_AWAITED) ||
                                         (wrong == WRONG_OFFICE && by_office));
    if (falsify) {
        answer ^= 0x40;
        wrong = NOTHING;
    }
    if (by_office)
        memcpy(at(chip, office, TF_STRESS_OFFICE_WORD(params->slot * TF_K_CORES + core, params->requests, index)),
               &answer, 4);
    else if (entry->manner == TF_STRESS_AWAITED || entry->manner == TF_STRESS_MULTICAST)
        entry->answer = answer;
    if (wrong == OVERTAKING && chip->time > 5000 && index > 0)
        swap_logged(entry - 1);
}

/* A core, or the coprocessor for it, adds to a word of its own tile. ATSWAP does not record the old value. */
static void step(struct tf_chip *chip, struct tf_coord node, unsigned core, uint32_t index)
{
    struct tf_stress_step *to = (struct tf_stress_step *)(void *)at(chip, node, TF_STRESS_STEPS(core)) + 2 * index;
    uint32_t random = next(chip), *word = (uint32_t *)(void *)at(chip, node, TF_STRESS_WORDS) + random % 4;
    *to = (struct tf_stress_step){.word = random % 4, .data = next(chip), .old = *word};
    switch (random >> 8 & 3) {
    case 0:
        to->kind = TF_STRESS_AMO;
        to->code = TF_K_XOR;
        *word ^= to->data;
        break;
    case 1:
        to->kind = TF_STRESS_AMO;
        to->code = TF_K_ZAAMO_COUNT;
        *word = to->data;
        break;
    case 2:
        to->kind = TF_STRESS_ATINCGET;
        to->code = 15;
        *word = (*word & 0xFFFF0000u) | ((*word + to->data) & 0xFFFF);
        break;
    default:
        to->kind = TF_STRESS_ATSWAP;
        *word = to->data;
        to->old = 0;
        break;
    }
    if (wrong == LOST_STEP && index == 100 && to->kind == TF_STRESS_ATINCGET && (to->data & 0xFFFF) != 0) {
        *word = to->old;
        wrong = NOTHING;
    }
}

/* A core raises the streams of the rectangle; T0 to T2 there the guarded word, and they end with the semaphore. */
static void use_units(struct tf_chip *chip, const struct tf_stress_params *params, struct tf_coord from, unsigned hart)
{
    unsigned slot = hart / TF_TILE_CORES, core = hart % TF_TILE_CORES;
    struct tf_stress_units *units = (struct tf_stress_units *)(void *)at(chip, from, TF_STRESS_UNITS(core));
    for (unsigned i = 0; i < TF_STRESS_RECTANGLE; i++) {
        uint32_t by = next(chip) & 0xFFFF;
        uint32_t *space = &chip->space[params->target[i].y][params->target[i].x];
        units->added[i] += by;
        *space = (*space + by - (wrong == LOST_RAISE && hart == 70)) & TF_STRESS_STREAM_MASK;
    }
    if (slot >= TF_STRESS_RECTANGLE || core < TF_CORE_T0)
        return;
    units->guarded += 3;
    *(uint32_t *)(void *)at(chip, from, TF_STRESS_GUARDED) += wrong == OPEN_MUTEX && hart == 19 ? 2 : 3;
    bool last = core == TF_CORE_T1; /* no core posts any more */
    units->semaphore = TF_STRESS_SEMAPHORE_BASE + !last + (wrong == DOUBLE_POST) - (last && wrong == LOST_POST);
}

/* The first hart from `hart` on whose core the chip has. */
static unsigned next_hart(unsigned hart)
{
    while (hart % TF_TILE_CORES >= cores)
        hart++;
    return hart;
}

int tf_run(struct tf_chip *chip, const struct tf_run_options *options, enum tf_end *end)
{
    (void)options;
    *end = wrong == GUEST_FAULT ? TF_END_FAULT : wrong == STOPPED ? TF_END_STOPPED : TF_END_QUIET;
    struct tf_coord tiles[TF_STRESS_TILES];
    const struct tf_stress_params *params = NULL;
    unsigned count = 0;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES && count < TF_STRESS_TILES; tile++) {
        struct tf_coord node;
        tf_tile_coord(NULL, tile, &node);
        params = (const void *)at(chip, node, TF_STRESS_PARAMS);
        if (params->rows)
            tiles[count++] = node;
    }
    assert_int_equal(count, TF_STRESS_TILES);
    params = (const void *)at(chip, tiles[0], TF_STRESS_PARAMS);
    for (uint32_t i = 0; i < params->requests; i++) {
        for (unsigned hart = next_hart(0); hart < TF_STRESS_HARTS; hart = next_hart(hart + 1))
            request(chip, tiles[hart / 5], hart % 5, i);
        for (unsigned hart = next_hart(0); hart < TF_STRESS_STEPPING; hart = next_hart(hart + 1))
            step(chip, (struct tf_coord){params->target[hart / 5].x, params->target[hart / 5].y}, hart % 5, i);
    }
    for (unsigned hart = next_hart(0); hart < TF_STRESS_HARTS; hart = next_hart(hart + 1)) {
        use_units(chip, params, tiles[hart / 5], hart);
        uint32_t done = TF_K_DONE_MAGIC | (params->round & 0xFFFFu);
        if ((wrong == UNFINISHED || wrong == UNCOUNTED) && hart == 33) {
            const struct tf_coord node = tiles[hart / 5];
            chip->counter[node.y][node.x][0][TF_MST_REQS_OUTSTANDING + TID] += wrong == UNCOUNTED;
        } else if (wrong != LOCKED || hart != 7)
            memcpy(at(chip, tiles[hart / 5], TF_K_DONE + 4 * (hart % 5)), &done, 4);
    }
    if (wrong == STRAY_WORD)
        at(chip, tiles[1], TF_STRESS_WORDS)[5] ^= 0x10;
    if (wrong == DEFERRED_WRITE)
        at(chip, tiles[1], TF_STRESS_LINE)[5] ^= 0x10;
    return TF_OK;
}

/* ---- tests ---- */

/* Rounds on a fake chip; false with the failure. */
static bool rounds(enum tf_atomics profile, const char *op, enum wrong what, struct tf_stress_failure *failure,
                   struct tf_stress_tally *tally, bool *interrupted, char *report, size_t report_bytes)
{
    struct tf_stress_chip stress;
    wrong = NOTHING;
    *failure = (struct tf_stress_failure){.text = ""};
    *tally = (struct tf_stress_tally){0};
    const struct tf_stress_wish wish = {
        .arch = tf_arch_find(NULL), .profile = profile, .op = op, .threads = 2, .seed = 7};
    assert_true(tf_stress_open(&stress, &wish, failure));
    bool fine = tf_stress_round(&stress, interrupted, failure) && tf_stress_check(&stress, tally, failure);
    if (!fine) {
        tf_stress_explain(stderr, &stress, failure);
        fail_msg("a good round: %s", failure->text);
    }
    wrong = what;
    fine = tf_stress_round(&stress, interrupted, failure) && (*interrupted || tf_stress_check(&stress, tally, failure));
    FILE *out = fmemopen(report, report_bytes, "w");
    assert_non_null(out);
    tf_stress_explain(out, &stress, failure);
    fclose(out);
    free(failure->ops);
    tf_stress_close(&stress);
    return fine;
}

static void good_rounds_pass(void **state)
{
    (void)state;
    static const char *const names[] = {"all", "incr-get", "cas", "acc-fp16", "nop", "amoadd", "incr-get-ptr"};
    struct tf_stress_failure failure;
    struct tf_stress_tally tally;
    char report[4096] = "";
    for (unsigned profile = 0; profile < 2; profile++) {
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            bool interrupted;
            if (!rounds((enum tf_atomics)profile, names[i], NOTHING, &failure, &tally, &interrupted, report,
                        sizeof report))
                fail_msg("%s, profile %u: %s", names[i], profile, failure.text);
            assert_int_equal(tally.rounds, 2);
            assert_int_equal(tally.histories, 12);
            assert_int_equal(tally.undecided, 0);
            assert_true(tally.atomics > tally.requests);
            assert_int_equal(report[0], '\0');
        }
    }
}

static void wrongs_are_found(void **state)
{
    (void)state;
    static const struct {
        enum wrong wrong;
        const char *text;
        const char *invariant; /* NULL: any, or none */
    } cases[] = {
        {LOST_UPDATE, "not linearizable", "R1:"},
        {WRONG_ANSWER, "the core saw", "R4:"},
        {WRONG_OFFICE, "the core saw", "R4:"},
        {MISSING_EVENT, "performed", NULL},
        {EXTRA_EVENT, "another atomic was performed", NULL},
        {OTHER_EVENT, "another atomic was performed", NULL},
        {DEFERRED_WRITE, "not linearizable", "R1:"},
        {UNFINISHED, "T1 at tile 40 (15,4) did not finish round 2", "R5: wakes"},
        {UNCOUNTED, "T1 at tile 40 (15,4) did not finish round 2", "R8:"},
        {LOCKED, "did not finish round 2; its thread waits for a lock", TF_STRESS_R5_OR_R1},
        {GUEST_FAULT, "it did what it must not", NULL},
        {OVERTAKING, "was performed before it", "R2:"},
        {LOST_COUNT, "counter 52 of NIU", "R8:"},
        {EXTRA_COUNT, "counter 49 of NIU", "R8:"},
        {OUTSTANDING, "of NIU", "R8:"},
        {LOST_STEP, "not linearizable", "R1:"},
        {STRAY_WORD, "not linearizable", "R1:"},
        {LOST_RAISE, "the space available of a stream at tile 0 (1,2)", "R6:"},
        {OPEN_MUTEX, "the word that a mutex guards at tile 15 (2,3)", "R6:"},
        {LOST_POST, "the semaphore at tile 0 (1,2) is 5", "R6:"},
        {DOUBLE_POST, "the semaphore at tile 0 (1,2) is 7", "R6:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned profile = 0; profile < 2; profile++) {
            struct tf_stress_failure failure;
            struct tf_stress_tally tally;
            bool interrupted;
            char report[8192] = "";
            if (rounds((enum tf_atomics)profile, "incr-get", cases[i].wrong, &failure, &tally, &interrupted, report,
                       sizeof report))
                fail_msg("wrong %d, profile %u: not found", cases[i].wrong, profile);
            if (!strstr(failure.text, cases[i].text))
                fail_msg("wrong %d: '%s' does not say '%s'", cases[i].wrong, failure.text, cases[i].text);
            if (cases[i].invariant != NULL &&
                (failure.invariant == NULL ||
                 strncmp(failure.invariant, cases[i].invariant, strlen(cases[i].invariant)) != 0))
                fail_msg("wrong %d: it breaks %s, not %s", cases[i].wrong,
                         failure.invariant == NULL ? "nothing" : failure.invariant, cases[i].invariant);
            if (cases[i].wrong == LOST_UPDATE) {
                assert_true(failure.report.ops >= 1 && failure.report.ops <= 12);
                assert_non_null(strstr(report, "incr-get"));
                assert_non_null(strstr(report, "the line holds"));
            }
            if (cases[i].wrong == DEFERRED_WRITE)
                assert_non_null(strstr(report, "in the end the line holds"));
        }
    }
}

/* The family's table says which cores take part: here B and NC. */
static void fewer_cores(void **state)
{
    (void)state;
    static const struct {
        enum wrong wrong;
        const char *text;
    } cases[] = {{LOST_UPDATE, "not linearizable"},
                 {LOST_COUNT, "counter 52 of NIU"},
                 {LOST_STEP, "not linearizable"},
                 {LOST_RAISE, "the space available of a stream at tile 0 (1,2)"}};
    struct tf_stress_failure failure;
    struct tf_stress_tally tally;
    bool interrupted;
    char report[8192] = "";
    cores = 2;
    if (!rounds(TF_ATOMICS_ISA, "all", NOTHING, &failure, &tally, &interrupted, report, sizeof report))
        fail_msg("%s", failure.text);
    assert_int_equal(tally.requests % (2 * TF_STRESS_TILES * cores), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (rounds(TF_ATOMICS_ISA, "incr-get", cases[i].wrong, &failure, &tally, &interrupted, report, sizeof report))
            fail_msg("wrong %d: not found", cases[i].wrong);
        if (!strstr(failure.text, cases[i].text))
            fail_msg("wrong %d: '%s' does not say '%s'", cases[i].wrong, failure.text, cases[i].text);
    }
    cores = TF_TILE_CORES;
}

static void a_stop_is_no_failure(void **state)
{
    (void)state;
    struct tf_stress_failure failure;
    struct tf_stress_tally tally;
    bool interrupted;
    char report[256];
    assert_true(rounds(TF_ATOMICS_ISA, "all", STOPPED, &failure, &tally, &interrupted, report, sizeof report));
    assert_true(interrupted);
    assert_int_equal(tally.rounds, 1);
}

static void names_of_operations(void **state)
{
    (void)state;
    assert_true(tf_stress_has_op(tf_arch_find(NULL), TF_ATOMICS_ISA, "all"));
    assert_true(tf_stress_has_op(tf_arch_find(NULL), TF_ATOMICS_ISA, "swap-6"));
    assert_false(tf_stress_has_op(tf_arch_find(NULL), TF_ATOMICS_EMU_SPEC, "swap-6"));
    assert_true(tf_stress_has_op(tf_arch_find(NULL), TF_ATOMICS_EMU_SPEC, "store-ind"));
    assert_false(tf_stress_has_op(tf_arch_find(NULL), TF_ATOMICS_ISA, "store-ind"));
    assert_false(tf_stress_has_op(tf_arch_find(NULL), TF_ATOMICS_ISA, "swap"));
    const struct tf_arch *wormhole = tf_arch_find("wormhole");
    assert_true(tf_stress_has_op(wormhole, TF_ATOMICS_ISA, "cas"));
    assert_false(tf_stress_has_op(wormhole, TF_ATOMICS_ISA, "amoadd"));
    assert_false(tf_stress_has_op(wormhole, TF_ATOMICS_EMU_SPEC, "cas"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_rounds_pass),     cmocka_unit_test(wrongs_are_found),    cmocka_unit_test(fewer_cores),
        cmocka_unit_test(a_stop_is_no_failure), cmocka_unit_test(names_of_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
