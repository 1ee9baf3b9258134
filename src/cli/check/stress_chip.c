/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/check/stress.h"
#include "cli/check/stress_chip.h"
#include "cli/check/stress_counters.h"
#include "cli/check/stress_units.h"
#include "cli/check/stress_words.h"
#include "images.h"
#include "noc/niu_layout.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_config.h"

#define REQUESTS 192u
#define FIRST_OTHER 20u /* index of the first tile outside the rectangle that may take part */

_Static_assert(REQUESTS <= TF_STRESS_REQUESTS_MAX, "a core's log holds a round");
_Static_assert(TF_STRESS_TILES *TF_TILE_CORES <= 256, "a record has a byte for the hart");

_Static_assert(TF_STRESS_RECTANGLE == 4, "a rectangle of 2 x 2 tiles");

static void set_failure(struct tf_stress_failure *failure, const char *what, int error)
{
    snprintf(failure->text, sizeof failure->text, "%s: %s", what, tf_strerror(error));
}

/* Does a family's NOC have an operation in a profile? */
static bool has_operation(const struct tf_arch *arch, enum tf_atomics profile, const struct tf_noc_atomic_row *row)
{
    return (row->profiles >> profile & 1) && (arch->noc.emu_spec_atomics || profile == TF_ATOMICS_ISA) &&
           (arch->noc.atomics >> (row->match >> 12) & 1);
}

bool tf_stress_has_op(const struct tf_arch *arch, enum tf_atomics profile, const char *op)
{
    const struct tf_noc_atomic_row *rows;
    size_t count = tf_noc_atomic_rows(&rows);
    for (size_t i = 0; i < count; i++) {
        if (has_operation(arch, profile, &rows[i]) && (strcmp(op, "all") == 0 || strcmp(op, rows[i].name) == 0))
            return true;
    }
    return false;
}

static void choose_rows(struct tf_stress_chip *stress, const char *op)
{
    const struct tf_noc_atomic_row *rows;
    size_t count = tf_noc_atomic_rows(&rows);
    for (size_t i = 0; i < count && stress->rows < TF_STRESS_ROWS_MAX; i++) {
        if (has_operation(stress->arch, stress->profile, &rows[i]) &&
            (strcmp(op, "all") == 0 || strcmp(op, rows[i].name) == 0))
            stress->row[stress->rows++] = &rows[i];
    }
}

static void add_target(struct tf_stress_chip *stress, struct tf_coord node)
{
    stress->target_at[node.y][node.x] = (int8_t)stress->targets;
    stress->target[stress->targets++].node = node;
}

/* Find the first and the last Ethernet tile. Returns false if none has memory. */
static bool find_ethernet(const struct tf_arch *arch, struct tf_coord eth[2])
{
    unsigned found = 0;
    for (unsigned i = 0; i < tf_arch_nodes(arch) && arch->tile[TF_TILE_ETH].tiles != 0; i++) {
        struct tf_coord node = {(uint8_t)(i % arch->grid_x), (uint8_t)(i / arch->grid_x)};
        if (tf_node_kind(arch, node) == TF_NODE_ETH)
            eth[found++ != 0] = node;
    }
    return found > 1;
}

/* Find the first 2 x 2 adjacent Tensix tiles. They are targets, and also take part. */
static bool find_rectangle(const struct tf_arch *arch, struct tf_coord *rectangle)
{
    bool found = false;
    for (unsigned tile = 0; tile < arch->tile[TF_TILE_TENSIX].tiles && !found; tile++) {
        struct tf_coord first;
        tf_tile_coord(arch, tile, &first);
        found = true;
        for (unsigned i = 0; i < TF_STRESS_RECTANGLE; i++) {
            rectangle[i] = (struct tf_coord){(uint8_t)(first.x + i % 2), (uint8_t)(first.y + i / 2)};
            found &= tf_node_kind(arch, rectangle[i]) == TF_NODE_TENSIX;
        }
    }
    return found;
}

/* Set the targets: the rectangle, and the first and the last Ethernet tile, if these have memory. Returns false if
   there is no rectangle. */
static bool choose_places(struct tf_stress_chip *stress)
{
    const struct tf_arch *arch = stress->arch;
    struct tf_coord eth[2], rectangle[TF_STRESS_RECTANGLE];
    if (!find_rectangle(arch, rectangle))
        return false;
    memset(stress->slot_at, -1, sizeof stress->slot_at);
    memset(stress->target_at, -1, sizeof stress->target_at);
    for (unsigned i = 0; i < TF_STRESS_RECTANGLE; i++)
        add_target(stress, rectangle[i]);
    bool has_eth = find_ethernet(arch, eth);
    for (unsigned i = 0; i < 2 && has_eth; i++)
        add_target(stress, eth[i]);
    unsigned tiles = arch->tile[TF_TILE_TENSIX].tiles, others = TF_STRESS_TILES - TF_STRESS_RECTANGLE;
    for (unsigned i = 0; i < TF_STRESS_TILES; i++) {
        stress->tile[i] = i < TF_STRESS_RECTANGLE
                              ? (unsigned)tf_tile_index(arch, rectangle[i])
                              : FIRST_OTHER + (i - TF_STRESS_RECTANGLE) * ((tiles - FIRST_OTHER) / others);
        struct tf_coord node;
        tf_tile_coord(arch, stress->tile[i], &node);
        stress->slot_at[node.y][node.x] = (int8_t)i;
        stress->node[stress->nodes++] = node;
    }
    tf_tile_coord(arch, tiles - 1, &stress->office);
    for (unsigned i = 0; i < 2 && has_eth; i++)
        stress->node[stress->nodes++] = eth[i];
    stress->node[stress->nodes++] = stress->office;
    return true;
}

/* Record what an atomic did. Called by the worker. */
static void record_atomic(void *user, const struct tf_atomic_event *event)
{
    struct tf_stress_chip *stress = user;
    size_t index = atomic_fetch_add_explicit(&stress->history.count, 1, memory_order_relaxed);
    if (index >= stress->history.room)
        return;
    int slot = stress->slot_at[event->initiator.y][event->initiator.x];
    int target = stress->target_at[event->target.y][event->target.x];
    stress->history.record[index] = (struct tf_stress_record){
        .begin = event->begin,
        .end = event->end,
        .address = (uint32_t)event->address,
        .at_data = event->at_data,
        .result = event->result,
        .at_len_be = event->at_len_be,
        .answered = event->answered,
        .hart = (uint8_t)(slot < 0 || event->core >= tf_stress_cores(stress) ? 255
                                                                             : slot * (int)TF_TILE_CORES + event->core),
        .target = (uint8_t)(target < 0 ? 255 : target),
        .noc = event->noc,
    };
}

/* NOC_ID_LOGICAL (NoC/MemoryMap.md): the name of a node on both NOCs when they translate. */
int tf_stress_place(const struct tf_arch *arch, struct tf_chip *chip, struct tf_coord node,
                    struct tf_stress_place *place)
{
    uint32_t logical = 0, offset = tf_niu_layout_own(arch->niu, TF_NIU_CONFIG + 4 * TF_NIU_ID_LOGICAL);
    int error = tf_read(chip, node, TF_NIU_BASE(0) + offset, &logical, sizeof logical);
    *place = (struct tf_stress_place){node.x, node.y, logical & 63, logical >> 6 & 63};
    return error;
}

static bool changes_word(uint8_t kind)
{
    return kind != TF_NOC_AT_STORE_IND && kind != TF_NOC_AT_SWAP_MASK && kind != TF_NOC_AT_ACCUMULATE;
}

/* NOC_AT_LEN_BE of an operation that the profile has, with operands of 0. */
static uint16_t code_of(enum tf_atomics profile, const char *op)
{
    const struct tf_noc_atomic_row *rows;
    size_t i = 0, count = tf_noc_atomic_rows(&rows);
    while (i + 1 < count && (!(rows[i].profiles >> profile & 1) || strcmp(rows[i].name, op) != 0))
        i++;
    return rows[i].match;
}

static int write_params(struct tf_stress_chip *stress, unsigned slot)
{
    struct tf_stress_params params = {
        .seed = stress->seed,
        .requests = stress->requests,
        .slot = slot,
        .rows = stress->rows,
        .targets = stress->targets,
        .add = code_of(stress->profile, "amoadd"),
        .lock = code_of(stress->profile, "amomaxu"),
        .swap = code_of(stress->profile, "swap-7"),
    };
    if (!(stress->arch->noc.atomics >> (params.add >> 12) & 1)) { /* increment all bits; compare with 0, set 5 */
        params.add = code_of(stress->profile, "incr-get") | 31 << 2;
        params.lock = code_of(stress->profile, "cas") | 5 << 6;
    }
    int error = tf_stress_place(stress->arch, stress->chip, stress->office, &params.office);
    for (unsigned i = 0; i < stress->targets && error == TF_OK; i++)
        error = tf_stress_place(stress->arch, stress->chip, stress->target[i].node, &params.target[i]);
    params.corner[0] = params.target[0];
    params.corner[1] = params.target[TF_STRESS_RECTANGLE - 1];
    for (unsigned i = 0; i < stress->rows; i++) {
        params.row[i] = (struct tf_stress_row){
            .match = stress->row[i]->match,
            .operands = stress->row[i]->operands,
            .ofs = stress->row[i]->ofs == TF_NOC_AT_NO_OFS ? TF_STRESS_NO_OFS : stress->row[i]->ofs,
            .indirect = stress->row[i]->kind == TF_NOC_AT_STORE_IND,
            .word = changes_word(stress->row[i]->kind),
        };
    }
    struct tf_coord node;
    if (error == TF_OK)
        error = tf_tile_coord(stress->arch, stress->tile[slot], &node);
    return error != TF_OK ? error : tf_write(stress->chip, node, TF_STRESS_PARAMS, &params, sizeof params);
}

static int write_pointers(struct tf_stress_chip *stress)
{
    static const uint32_t pointers[4] = {TF_STRESS_LINE, TF_STRESS_LINE + 4, TF_STRESS_LINE + 8, TF_STRESS_LINE + 12};
    int error = TF_OK;
    for (unsigned i = 0; i < stress->targets && error == TF_OK; i++)
        error = tf_write(stress->chip, stress->target[i].node, TF_STRESS_POINTERS, pointers, sizeof pointers);
    return error;
}

bool tf_stress_start(const struct tf_arch *arch, struct tf_chip *chip, unsigned tile, unsigned core,
                     const char *program, struct tf_stress_failure *failure)
{
    char name[64];
    bool in_folder = tf_arch_find(arch->name) != tf_arch_find(NULL);
    snprintf(name, sizeof name, "%s%s%s", in_folder ? arch->name : "", in_folder ? "/" : "", program);
    const struct tf_kernel_image *image = tf_kernel_find(name);
    struct tf_message message = {""};
    int error = image ? tf_load_elf(chip, tile, (enum tf_core)core, image->name, image->data, tf_kernel_bytes(image),
                                    &message)
                      : TF_EIO;
    if (error == TF_OK)
        error = tf_core_start(chip, tile, (enum tf_core)core);
    if (error != TF_OK)
        set_failure(failure, message.text[0] ? message.text : program, error);
    return error == TF_OK;
}

static bool load_programs(struct tf_stress_chip *stress, struct tf_stress_failure *failure)
{
    static const char *const program[TF_TILE_CORES] = {"stress.b", "stress.nc", "stress.t0", "stress.t1", "stress.t2"};
    for (unsigned slot = 0; slot < TF_STRESS_TILES; slot++)
        for (unsigned core = 0; core < tf_stress_cores(stress); core++)
            if (!tf_stress_start(stress->arch, stress->chip, stress->tile[slot], core, program[core], failure))
                return false;
    return true;
}

static bool prepare(struct tf_stress_chip *stress, struct tf_stress_failure *failure)
{
    int error = write_pointers(stress);
    for (unsigned slot = 0; slot < TF_STRESS_TILES && error == TF_OK; slot++)
        error = write_params(stress, slot);
    if (error == TF_OK)
        error = tf_stress_count_begin(stress);
    if (error != TF_OK) {
        set_failure(failure, "the chip cannot be prepared", error);
        return false;
    }
    return load_programs(stress, failure);
}

static bool take_memory(struct tf_stress_chip *stress)
{
    size_t requests = (size_t)TF_STRESS_HARTS * stress->requests;
    stress->history.room = requests * TF_STRESS_RECTANGLE;
    stress->history.record = malloc(stress->history.room * sizeof *stress->history.record);
    stress->log = malloc(requests * sizeof *stress->log);
    stress->office_word = malloc(requests * sizeof *stress->office_word);
    stress->step = malloc(TF_STRESS_STEPPING * 2 * (size_t)stress->requests * sizeof *stress->step);
    return stress->history.record && stress->log && stress->office_word && stress->step;
}

int tf_stress_create(const struct tf_stress_wish *wish,
                     void (*on_atomic)(void *user, const struct tf_atomic_event *event), void *user,
                     struct tf_chip **chip, struct tf_message *message)
{
    struct tf_config config;
    tf_config_init(&config);
    config.mode = TF_MODE_RELAXED;
    config.arch = wish->arch;
    config.atomics = wish->profile;
    config.threads = wish->threads;
    config.on_atomic = on_atomic;
    config.user = user;
    return tf_chip_create(&config, chip, message);
}

bool tf_stress_open(struct tf_stress_chip *stress, const struct tf_stress_wish *wish, struct tf_stress_failure *failure)
{
    *stress =
        (struct tf_stress_chip){.arch = wish->arch, .profile = wish->profile, .seed = wish->seed, .requests = REQUESTS};
    choose_rows(stress, wish->op);
    if (!choose_places(stress)) {
        snprintf(failure->text, sizeof failure->text, "the chip has no 2 x 2 Tensix tiles side by side");
        return false;
    }
    if (!take_memory(stress)) {
        set_failure(failure, "recording", TF_ENOMEM);
        tf_stress_close(stress);
        return false;
    }
    struct tf_message message = {""};
    int error = tf_stress_create(wish, record_atomic, stress, &stress->chip, &message);
    if (error != TF_OK)
        set_failure(failure, message.text[0] ? message.text : "the chip cannot be created", error);
    if (error != TF_OK || !prepare(stress, failure)) {
        tf_stress_close(stress);
        return false;
    }
    return true;
}

void tf_stress_close(struct tf_stress_chip *stress)
{
    tf_chip_destroy(stress->chip);
    free(stress->history.record);
    free(stress->log);
    free(stress->office_word);
    free(stress->step);
    stress->chip = NULL;
}

static void describe_fault(const struct tf_arch *arch, struct tf_chip *chip, struct tf_stress_failure *failure)
{
    struct tf_fault fault;
    for (size_t i = 0; tf_fault_get(chip, i, &fault) == TF_OK; i++) {
        if (fault.hazard)
            continue;
        snprintf(failure->text, sizeof failure->text, "%s fault of %s at %s, pc 0x%x: %s",
                 tf_fault_category_name(fault.category), tf_core_name(arch, tf_node_kind(arch, fault.tile), fault.core),
                 TF_STRESS_NODE(arch, fault.tile), fault.pc, fault.text);
        return;
    }
}

bool tf_stress_run(const struct tf_arch *arch, struct tf_chip *chip, bool *interrupted,
                   struct tf_stress_failure *failure)
{
    enum tf_end end = TF_END_STOPPED;
    int error = tf_run(chip, NULL, &end);
    if (error != TF_OK) {
        set_failure(failure, "the run failed", error);
        return false;
    }
    if (end == TF_END_FAULT)
        describe_fault(arch, chip, failure);
    *interrupted = end == TF_END_STOPPED;
    return end != TF_END_FAULT;
}

#define WAITS 32u

uint32_t tf_stress_tell_wait(struct tf_chip *chip, unsigned tile, unsigned core, struct tf_stress_failure *failure)
{
    struct tf_waiting *waits = calloc(WAITS, sizeof *waits);
    size_t count = waits == NULL ? 0 : tf_waits(chip, waits, WAITS);
    uint32_t polled = 0;
    for (size_t i = 0; i < count && i < WAITS; i++) {
        size_t length = strlen(failure->text);
        if (!waits[i].stuck || waits[i].core != core || (waits[i].tile[tile / 64] >> tile % 64 & 1) == 0)
            continue;
        polled = waits[i].thread ? polled : waits[i].address;
        snprintf(failure->text + length, sizeof failure->text - length, "; %s %.300s",
                 waits[i].thread ? "its thread" : "it", waits[i].what);
    }
    free(waits);
    return polled;
}

/* Report a core that has not reached the end, although nothing is in flight. If requests lack answers, these were not
   counted. Otherwise nothing woke the core. Cores that wait for locks and FIFOs may do so because of a torn atomic. */
static void tell_unfinished(struct tf_stress_chip *stress, unsigned slot, unsigned core, struct tf_coord node,
                            struct tf_stress_failure *failure)
{
    bool shares = slot < TF_STRESS_RECTANGLE && core >= TF_CORE_T0;
    snprintf(failure->text, sizeof failure->text, "%s at %s did not finish round %u", tf_tensix_core_name(core),
             TF_STRESS_NODE(stress->arch, node), stress->round);
    uint32_t polled = tf_stress_tell_wait(stress->chip, stress->tile[slot], core, failure);
    failure->invariant = tf_stress_lacks_answers(stress, node, polled) ? TF_STRESS_R8_OR_R9
                         : shares                                      ? TF_STRESS_R5_OR_R1
                                                                       : TF_STRESS_R5;
}

static bool finished(struct tf_stress_chip *stress, struct tf_stress_failure *failure)
{
    for (unsigned slot = 0; slot < TF_STRESS_TILES; slot++) {
        struct tf_coord node;
        uint32_t done[TF_TILE_CORES];
        tf_tile_coord(stress->arch, stress->tile[slot], &node);
        int error = tf_read(stress->chip, node, TF_K_DONE, done, sizeof done);
        for (unsigned core = 0; core < tf_stress_cores(stress) && error == TF_OK; core++) {
            if (done[core] == (TF_K_DONE_MAGIC | (stress->round & 0xFFFFu)))
                continue;
            tell_unfinished(stress, slot, core, node, failure);
            return false;
        }
        if (error != TF_OK) {
            set_failure(failure, "the outcome cannot be read", error);
            return false;
        }
    }
    return true;
}

static int read_logs(struct tf_stress_chip *stress)
{
    size_t bytes = stress->requests * sizeof *stress->log;
    int error = tf_read(stress->chip, stress->office, TF_STRESS_OFFICE, stress->office_word,
                        TF_STRESS_HARTS * stress->requests * sizeof *stress->office_word);
    for (unsigned hart = 0; hart < TF_STRESS_HARTS && error == TF_OK; hart++) {
        if (!tf_stress_has_hart(stress, hart))
            continue;
        struct tf_coord node;
        tf_tile_coord(stress->arch, stress->tile[hart / TF_TILE_CORES], &node);
        error = tf_read(stress->chip, node, TF_STRESS_LOG(hart % TF_TILE_CORES), stress->log + hart * stress->requests,
                        bytes);
    }
    size_t steps = 2 * (size_t)stress->requests;
    for (unsigned hart = 0; hart < TF_STRESS_STEPPING && error == TF_OK; hart++)
        if (tf_stress_has_hart(stress, hart))
            error = tf_read(stress->chip, stress->target[hart / TF_TILE_CORES].node,
                            TF_STRESS_STEPS(hart % TF_TILE_CORES), stress->step + hart * steps,
                            steps * sizeof *stress->step);
    return error == TF_OK ? tf_stress_units_read(stress) : error;
}

bool tf_stress_round(struct tf_stress_chip *stress, bool *interrupted, struct tf_stress_failure *failure)
{
    int error = tf_stress_words_begin(stress);
    *interrupted = false;
    stress->round++;
    atomic_store(&stress->history.count, 0);
    for (unsigned slot = 0; slot < TF_STRESS_TILES && error == TF_OK; slot++) {
        struct tf_coord node;
        tf_tile_coord(stress->arch, stress->tile[slot], &node);
        error = tf_write(stress->chip, node, TF_STRESS_PARAMS + offsetof(struct tf_stress_params, round),
                         &stress->round, sizeof stress->round);
    }
    if (error != TF_OK) {
        set_failure(failure, "the round cannot be started", error);
        return false;
    }
    if (!tf_stress_run(stress->arch, stress->chip, interrupted, failure))
        return false;
    if (*interrupted)
        return true;
    if (!finished(stress, failure))
        return false;
    error = read_logs(stress);
    if (error != TF_OK)
        set_failure(failure, "the logs cannot be read", error);
    return error == TF_OK;
}
