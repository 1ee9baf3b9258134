/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/file.h"
#include "cli/options.h"
#include "cli/request.h"
#include "cli/systems.h"
#include "cli/text.h"
#include "farm/chip/defaults.h"
#include "look/profile_text.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_config.h"

#define SEED 1u /* default of --seed */
#define LIMIT_SECONDS_MAX 31536000u

#define TEXT_OF(tokens) #tokens
#define TEXT(macro) TEXT_OF(macro)
#define SLICES TEXT(TF_SLICE_CYCLES_LEAST) " to " TEXT(TF_SLICE_CYCLES_MOST)

static bool bad(const char *option, const char *value, const char *form)
{
    tf_cli_error("%s: '%s' is not %s", option, value, form);
    return false;
}

static void no_tiles(const struct tf_arch *arch, const char *option, const char *tiles)
{
    struct tf_shape shape;
    tf_arch_shape(tf_arch_or_default(arch), &shape);
    tf_cli_error(
        "%s: '%s' names no tiles of %s; give an index from 0 to %u, x,y, first-last, all, or several joined by +",
        option, tiles, shape.title, shape.tensix_tiles - 1);
}

static bool take_epoch(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    char least[32], form[96];
    size_t length = strcspn(value, ":");
    uint64_t first, last;
    snprintf(least, sizeof least, "%.*s", (int)length, value);
    if (length >= sizeof least || !tf_cli_u64(least, &first) || first < TF_LEAST(epoch_cycles_min) ||
        first > TF_MOST(epoch_cycles_min)) {
        snprintf(form, sizeof form, "a number of cycles from %u to %u, or MIN:MAX",
                 (unsigned)TF_LEAST(epoch_cycles_min), (unsigned)TF_MOST(epoch_cycles_min));
        return bad(option, value, form);
    }
    last = first;
    if (value[length] == ':' &&
        (!tf_cli_u64(value + length + 1, &last) || last < first || last > TF_MOST(epoch_cycles_max))) {
        snprintf(form, sizeof form, "MIN:MAX in cycles, with MAX from MIN to %u", (unsigned)TF_MOST(epoch_cycles_max));
        return bad(option, value, form);
    }
    request->epoch_least = (uint32_t)first;
    request->epoch_most = (uint32_t)last;
    return true;
}

/* End a text at a character in it. Returns the text after the character, or NULL if `at` is NULL. */
static char *cut(char *at)
{
    if (at == NULL)
        return NULL;
    *at = '\0';
    return at + 1;
}

/* Returns NULL after an error line. */
static char *copy_of(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        tf_cli_error("too little memory");
    return copy;
}

/* Read the number of a chip and a colon, if places begin with them: *text then leads behind them. Returns false after
   an error line. */
static bool take_chip(const struct tf_request *request, const char *option, char **text, bool *of_chip, unsigned *chip)
{
    char *colon = *text != NULL ? strchr(*text, ':') : NULL;
    uint64_t number = 0;
    *of_chip = colon != NULL;
    if (*of_chip) {
        cut(colon);
        if (request->system == NULL || !tf_cli_u64(*text, &number) || number >= request->cluster.chips) {
            tf_cli_error("%s: '%s:' is no chip; give --system before, and one of its chips from 0 on", option, *text);
            return false;
        }
        *text = colon + 1;
    }
    *chip = (unsigned)number;
    return true;
}

/* Read TILES, or PORTS of an Ethernet core, of a load: with --system behind the number of a chip and a colon. Returns
   false after an error line. */
static bool take_places(const struct tf_request *request, const char *option, char *text, struct tf_load *load)
{
    const struct tf_arch *arch = tf_job_config(&request->job)->arch;
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    if (!take_chip(request, option, &text, &load->of_chip, &load->chip))
        return false;
    text = text == NULL ? "0" : text;
    if (load->kind == TF_TILE_ETH    ? tf_cli_ports(shape.eth_tiles, text, &load->tiles)
        : load->kind == TF_TILE_DRAM ? tf_cli_dram_tiles(arch, text, &load->tiles)
                                     : tf_cli_tiles(arch, text, &load->tiles))
        return true;
    if (load->kind == TF_TILE_TENSIX)
        no_tiles(arch, option, text);
    else if (load->kind == TF_TILE_DRAM && tf_cli_dram_tiles_of(arch) == 0)
        tf_cli_error("%s: DRAM tiles of %s have no cores", option, tf_cli_title(arch));
    else
        tf_cli_error("%s: '%s' names no %ss; give a number from 0 to %u,%s first-last, all, or several joined by +",
                     option, text, tf_cli_place_word(load->kind),
                     (load->kind == TF_TILE_ETH ? shape.eth_tiles : tf_cli_dram_tiles_of(arch)) - 1,
                     load->kind == TF_TILE_DRAM ? " x,y," : "");
    return false;
}

/* Read CORE=FILE[@TILES], and for flat images CORE=FILE:ADDRESS[@TILES]. */
static bool take_program(struct tf_request *request, const char *option, const char *value, bool flat)
{
    if (request->job.loads == TF_LOADS_MAX) {
        tf_cli_error("%s: given for more than %u programs", option, TF_LOADS_MAX);
        return false;
    }
    struct tf_load load = {.flat = flat};
    char *text = copy_of(value), *file = text == NULL ? NULL : cut(strchr(text, '='));
    char *tiles = file == NULL ? NULL : cut(strrchr(file, '@'));
    char *address = file == NULL || !flat ? NULL : cut(strrchr(file, ':'));
    uint64_t number = 0;
    bool fine = false;
    struct tf_shape shape;
    tf_arch_shape(tf_job_config(&request->job)->arch, &shape);
    if (text == NULL)
        return false;
    if (file == NULL || file[0] == '\0')
        bad(option, value, flat ? "CORE=FILE:ADDRESS[@TILES]" : "CORE=FILE[@TILES], as in B=kernel.b.elf");
    else if (flat ? !tf_cli_core(text, &load.core) : !tf_cli_any_core(text, &load.kind, &load.core))
        tf_cli_error("%s: no core '%s' (B, NC, T0, T1, T2%s)", option, text, flat ? "" : ", E0, E1, DRISC");
    else if (flat && (address == NULL || !tf_cli_u64(address, &number) || number % 4 != 0 || number >= shape.l1_bytes))
        bad(option, value, "CORE=FILE:ADDRESS[@TILES] with an address in L1 that is a multiple of 4");
    else if (take_places(request, option, tiles, &load))
        fine = (load.path = copy_of(file)) != NULL;
    free(text);
    load.address = (uint32_t)number;
    if (fine)
        request->load[request->job.loads++] = load;
    return fine;
}

/* A copy of an option's value becomes the path of a file. */
static char *take_path(struct tf_request *request, enum tf_out out, const char *value)
{
    free(request->out[out]);
    request->out[out] = copy_of(value);
    return request->out[out];
}

/* Read FILE[@TILES]. */
static bool take_fill(void *into, const char *option, const char *value)
{
    struct tf_fill *fill = &((struct tf_request *)into)->job.fill;
    return tf_fill_read(value, fill) || bad(option, value, "zero, ones or random:SEED");
}

static bool take_timing(void *into, const char *option, const char *value)
{
    struct tf_config *config = tf_job_config(&((struct tf_request *)into)->job);
    config->timing = true;
    config->timing_coarse = value != NULL;
    return value == NULL || strcmp(value, "coarse") == 0 || bad(option, value, "coarse");
}

static bool take_trace(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    struct tf_tile_set set;
    char *file = take_path(request, TF_OUT_TRACE, value), *tiles = file == NULL ? NULL : cut(strrchr(file, '@'));
    if (file == NULL || file[0] == '\0')
        return bad(option, value, "FILE[@TILES]");
    if (!tf_cli_tiles(tf_job_config(&request->job)->arch, tiles == NULL ? "all" : tiles, &set)) {
        no_tiles(tf_job_config(&request->job)->arch, option, tiles);
        return false;
    }
    memcpy(tf_job_config(&request->job)->tensix_traced, set.has, sizeof set.has);
    return true;
}

/* Read FILE[@TILES[/CORE+CORE...]]: a file, and for each tile its cores as bits. */
static bool take_cores(struct tf_request *request, enum tf_out out, const char *option, const char *value,
                       uint8_t *cores_of)
{
    struct tf_tile_set set;
    char *file = take_path(request, out, value), *tiles = file == NULL ? NULL : cut(strrchr(file, '@'));
    char *cores = tiles == NULL ? NULL : cut(strchr(tiles, '/'));
    uint8_t mask = cores == NULL ? 0xFF : 0;
    if (file == NULL || file[0] == '\0')
        return bad(option, value, "FILE[@TILES[/CORES]]");
    if (!tf_cli_tiles(tf_job_config(&request->job)->arch, tiles == NULL ? "all" : tiles, &set)) {
        no_tiles(tf_job_config(&request->job)->arch, option, tiles);
        return false;
    }
    for (char *rest = NULL, *name = cores == NULL ? NULL : strtok_r(cores, "+", &rest); name != NULL;
         name = strtok_r(NULL, "+", &rest)) {
        enum tf_core core;
        if (!tf_cli_core(name, &core)) {
            tf_cli_error("%s: no core '%s' (B, NC, T0, T1, T2)", option, name);
            return false;
        }
        mask |= (uint8_t)(1u << core);
    }
    for (unsigned tile = 0; tile < sizeof set.has; tile++)
        cores_of[tile] = set.has[tile] ? mask : 0;
    return true;
}

/* Cores of Ethernet tiles and DRAM nodes are chosen unless Tensix tiles are named. */
static uint8_t other_cores(const char *value)
{
    return strrchr(value, '@') == NULL ? 0xFF : 0;
}

static bool take_riscv_trace(void *into, const char *option, const char *value)
{
    return take_cores(into, TF_OUT_RISCV, option, value,
                      tf_job_config(&((struct tf_request *)into)->job)->riscv_traced);
}

static bool take_profile(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    if (!take_cores(request, TF_OUT_PROFILE, option, value, request->job.look.profiled))
        return false;
    request->job.look.profiled_others = other_cores(value);
    request->job.look.profile_form = tf_profile_form_of(request->out[TF_OUT_PROFILE]);
    return true;
}

static bool take_timeline(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    if (!take_cores(request, TF_OUT_TIMELINE, option, value, request->job.look.timeline_cores))
        return false;
    request->job.look.timeline_others = other_cores(value);
    const char *file = request->out[TF_OUT_TIMELINE];
    size_t length = strlen(file);
    request->job.look.timeline_compressed = length > 3 && strcmp(file + length - 3, ".gz") == 0;
    return true;
}

/* Read FROM:TO. */
static bool take_timeline_cycles(void *into, const char *option, const char *value)
{
    struct tf_look_wish *look = &((struct tf_request *)into)->job.look;
    char text[64];
    snprintf(text, sizeof text, "%s", value);
    char *to = cut(strchr(text, ':'));
    if (strlen(value) >= sizeof text || to == NULL || !tf_cli_u64(text, &look->timeline_from) ||
        !tf_cli_u64(to, &look->timeline_to) || look->timeline_from >= look->timeline_to)
        return bad(option, value, "FROM:TO, two cycles");
    return true;
}

static bool take_report(void *into, const char *option, const char *value)
{
    (void)option;
    return take_path(into, TF_OUT_REPORT, value) != NULL;
}

static bool take_coverage(void *into, const char *option, const char *value)
{
    (void)option;
    return take_path(into, TF_OUT_COVERAGE, value) != NULL;
}

static bool take_critical(void *into, const char *option, const char *value)
{
    (void)option;
    return take_path(into, TF_OUT_CRITICAL, value) != NULL;
}

static bool take_json(void *into, const char *option, const char *value)
{
    (void)option;
    return take_path(into, TF_OUT_JSON, value) != NULL;
}

static bool take_junit(void *into, const char *option, const char *value)
{
    (void)option;
    return take_path(into, TF_OUT_JUNIT, value) != NULL;
}

/* Does a name promise a picture that is not SVG? */
static bool is_other_picture(const char *path)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".eps", ".ps"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static bool take_svg(void *into, const char *option, const char *value)
{
    if (is_other_picture(value)) {
        tf_cli_error("%s: '%s' would hold SVG; name a file with the ending .svg", option, value);
        return false;
    }
    return take_path(into, TF_OUT_SVG, value) != NULL;
}

static bool take_noc_trace(void *into, const char *option, const char *value)
{
    (void)option;
    return take_path(into, TF_OUT_NOC_TRACE, value) != NULL;
}

static bool take_load(void *into, const char *option, const char *value)
{
    return take_program(into, option, value, false);
}

static bool take_flat(void *into, const char *option, const char *value)
{
    return take_program(into, option, value, true);
}

static bool take_arguments(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    if (request->argument_lists == TF_ARGUMENTS_MAX) {
        tf_cli_error("%s: given more than %u times", option, TF_ARGUMENTS_MAX);
        return false;
    }
    struct tf_arguments *list = &request->arguments[request->argument_lists++];
    char *text = copy_of(value), *tiles = text != NULL ? cut(strchr(text, '@')) : NULL;
    const bool fine = text != NULL && take_chip(request, option, &tiles, &list->of_chip, &list->chip) &&
                      tf_arguments_take(list, tf_job_config(&request->job)->arch, option, text, tiles);
    free(text);
    return fine;
}

static struct tf_places places_of(const struct tf_request *request)
{
    return (struct tf_places){.arch = tf_job_config(&request->job)->arch,
                              .system = request->system,
                              .cluster = &request->cluster};
}

/* Read [[CHIP:]TILE:]ADDRESS=VALUE. */
static bool take_until(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    struct tf_run_options *run = &request->job.run;
    const struct tf_places places = places_of(request);
    struct tf_dump range = {.chip = 0};
    char text[96];
    uint64_t word;
    snprintf(text, sizeof text, "%s", value);
    char *expected = cut(strchr(text, '='));
    if (strlen(value) >= sizeof text || expected == NULL || !tf_cli_u64(expected, &word) || word > UINT32_MAX)
        return bad(option, value, "[TILE:]ADDRESS=VALUE with a 32-bit value");
    if (!tf_range_take_place(&places, &range, option, text))
        return false;
    if (range.address % 4 != 0)
        return bad(option, value, "[TILE:]ADDRESS=VALUE with an address that is a multiple of 4");
    run->until = true;
    run->until_node = range.node;
    run->until_address = range.address;
    run->until_value = (uint32_t)word;
    request->until_chip = range.chip;
    return true;
}

static bool take_dump(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    const struct tf_places places = places_of(request);
    if (request->dumps < TF_DUMPS_MAX)
        return tf_range_take(&places, &request->dump[request->dumps++], option, value, true);
    tf_cli_error("%s: given more than %u times", option, TF_DUMPS_MAX);
    return false;
}

static bool take_write(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    const struct tf_places places = places_of(request);
    if (request->inputs < TF_WRITES_MAX)
        return tf_range_take(&places, &request->input[request->inputs++], option, value, false);
    tf_cli_error("%s: given more than %u times", option, TF_WRITES_MAX);
    return false;
}

/* clang-format off */
#define CALL(name_, argument_, call_, help_) \
    {.name = name_, .argument = argument_, .help = help_, .kind = TF_OPTION_CALL, .call = call_}
#define AT(name_, argument_, kind_, at_, least_, most_, help_) \
    {.name = name_, .argument = argument_, .help = help_, .kind = kind_, .offset = at_, .least = least_, .most = most_}
/* clang-format on */
#define FIELD(name_, argument_, kind_, field_, least_, most_, help_) \
    AT(name_, argument_, kind_, offsetof(struct tf_request, field_), least_, most_, help_)
#define CHOICE(name_, argument_, field_, least_, help_) \
    FIELD(name_, argument_, TF_OPTION_CHOICE, field_, least_, 0, help_)
/* Fields of the configuration; a number has the limits of config.def. */
#define NUMBER(name_, argument_, field_, help_) \
    AT(name_, argument_, TF_OPTION_U32, TF_REQUEST_CONFIG(field_), TF_LEAST(field_), TF_MOST(field_), help_)
#define CONFIG_FLAG(name_, kind_, field_, help_) AT(name_, NULL, kind_, TF_REQUEST_CONFIG(field_), 0, 0, help_)
#define FLAG(name_, kind_, field_, help_) FIELD(name_, NULL, kind_, field_, 0, 0, help_)

/* Options below name tiles. Options above decide which tiles the chip has. */
static bool take_tiles_of(struct tf_request *request)
{
    tf_job_config(&request->job)->arch = request->family;
    return tf_board_settle(&request->board, &tf_job_config(&request->job)->arch);
}

static bool take_arch(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    return tf_cli_arch(option, value, &request->family) && take_tiles_of(request);
}

static bool take_board(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    (void)option;
    request->board.text.name = value;
    return take_tiles_of(request);
}

static bool take_columns_off(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    (void)option;
    request->board.text.columns = value;
    return take_tiles_of(request);
}

static bool take_rows_off(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    (void)option;
    request->board.text.rows = value;
    return take_tiles_of(request);
}

static bool take_banks_off(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    (void)option;
    request->board.text.banks = value;
    return take_tiles_of(request);
}

static bool take_system(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    request->system = value;
    if (!tf_cli_system(option, value, &request->cluster))
        return false;
    tf_job_config(&request->job)->arch = request->cluster.arch;
    return true;
}

/* The chip is that of the file. If earlier options have named another chip, the file will not fit. */
static bool take_restore(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    struct tf_message message;
    request->job.restore = value;
    if (request->system != NULL)
        return true; /* the system has its chips */
    struct tf_config *saved = tf_config_in(&request->saved);
    tf_config_init(saved);
    if (tf_saved_config(value, saved, &message) != TF_OK) {
        tf_cli_error("%s: %s", option, message.text);
        return false;
    }
    struct tf_config *config = tf_job_config(&request->job);
    if (config->arch != NULL)
        return true;
    request->family = config->arch = saved->arch;
    return tf_board_make(&request->board, &saved->board, &config->arch);
}

/* Read CYCLE=FILE. */
static bool read_save(const char *value, struct tf_save *save)
{
    const char *equals = strchr(value, '=');
    char number[32];
    snprintf(number, sizeof number, "%.*s", equals != NULL ? (int)(equals - value) : 0, value);
    if (equals == NULL || equals[1] == '\0' || (size_t)(equals - value) >= sizeof number ||
        !tf_cli_u64(number, &save->cycle) || save->cycle == 0)
        return false;
    save->path = equals + 1;
    return true;
}

static bool take_save(void *into, const char *option, const char *value)
{
    struct tf_job *job = &((struct tf_request *)into)->job;
    struct tf_save save;
    if (!read_save(value, &save))
        return bad(option, value, "CYCLE=FILE with a cycle from 1 on");
    if (job->saves == TF_SAVES_MAX) {
        tf_cli_error("%s: given more than %u times", option, TF_SAVES_MAX);
        return false;
    }
    unsigned at = job->saves++;
    for (; at > 0 && job->save[at - 1].cycle > save.cycle; at--)
        job->save[at] = job->save[at - 1];
    job->save[at] = save;
    return true;
}

static bool take_save_every(void *into, const char *option, const char *value)
{
    struct tf_job *job = &((struct tf_request *)into)->job;
    if (read_save(value, &job->save_every))
        return true;
    return bad(option, value, "CYCLES=FILE with a number of cycles from 1 on");
}

static const struct tf_option options[] = {
    CALL("arch", TF_CLI_FAMILY_NAMES, take_arch, TF_CLI_ARCH_HELP "; later options name tiles of this chip"),
    CALL("board", "NAME", take_board, TF_BOARD_HELP "; later options name tiles of this board"),
    CALL("columns-off", "LIST", take_columns_off, TF_BOARD_COLUMNS_HELP),
    CALL("rows-off", "LIST", take_rows_off, TF_BOARD_ROWS_HELP),
    CALL("banks-off", "LIST", take_banks_off, TF_BOARD_BANKS_HELP),
    CALL("system", "NAME|FILE", take_system,
         "run on all chips of a system (docs/systems.md): " TF_SYSTEM_HELP "; later options name tiles of its family"),
    FIELD("link-latency", "CYCLES", TF_OPTION_U32, link_latency, 1, 65536,
          "with --system: time of a packet on a link (default: 1024)"),
    FIELD("link-gbps", "N", TF_OPTION_U32, link_gbps, 1, 1000,
          "with --system: rate of each direction of a link in Gb/s (default: 400, on Wormhole 100)"),
    FIELD(
        "link-fault", "FAULTS", TF_OPTION_TEXT, link_fault, 0, 0,
        "with --system: links that are down, cut, up again, slow, or lose packets, as in '0:8 cut 20000, 1:0 lose 3 4' "
        "(docs/systems.md)"),
    FIELD("ranks-by", "any|board|chip", TF_OPTION_CHOICE, ranks_by, TF_RANKS_BY_ANY, 0,
          "with --system and mpirun: what each rank gets some of; any: boards, if there are enough"),
    CALL("load", "CORE=FILE[@TILES]", take_load,
         "run an ELF executable on a core (B, NC, T0, T1, T2) of tiles, on E0 or E1 of the Ethernet tiles of ports, or "
         "on DRISC of DRAM tiles; with --system, CORE=FILE@CHIP:TILES"),
    FLAG("load-local", TF_OPTION_SET, job.load_local, "with --load: write data for a core's local RAM after its reset"),
    CALL("flat", "CORE=FILE:ADDR[@TILES]", take_flat, "run a flat image from an address in L1"),
    CALL("args", "CORE=N,N...[@TILES]", take_arguments,
         "runtime arguments of a core's programs, for get_arg_val() of tilefarm_dataflow.h; CORE may be common "
         "(default: on the tiles of --load); with --system, CORE=N,N...@CHIP:TILES"),
    CALL("write", "TILE:ADDR=FILE", take_write,
         "write a file to memory before the run; with --system, CHIP:TILE:ADDR=FILE"),
    CALL("dump", "TILE:ADDR:LENGTH=FILE", take_dump,
         "write memory to a file after the run; with --system, CHIP:TILE:ADDR:LENGTH=FILE"),
    CALL("save-at", "CYCLE=FILE", take_save,
         "save the chip or the system at the end of the first epoch that ends at or after this cycle, and run on"),
    CALL("save-every", "CYCLES=FILE", take_save_every,
         "with --system: save the system once in so many cycles, each time in place of the last save"),
    CALL("restore", "FILE", take_restore,
         "continue from a saved chip, with its family, board and epochs, or after --system from a saved system; name "
         "the workload to check the results"),
    FIELD("schedule", "FILE", TF_OPTION_TEXT, schedule, 0, 0,
          "replay the order in a schedule of 'tilefarm explore' (docs/explore.md)"),
    CALL("until", "[TILE:]ADDR=VALUE", take_until,
         "end the run when a word of a tile (default: tile 0) has this value; with --system, CHIP:TILE:ADDR=VALUE"),
    FIELD("limit-cycles", "N", TF_OPTION_U64, job.run.cycles_max, 1, UINT64_MAX,
          "end the run with the first epoch that ends at or after this cycle (default: no limit)"),
    FIELD("limit-seconds", "N", TF_OPTION_U64, job.limit_s, 1, LIMIT_SECONDS_MAX,
          "end the run after so many seconds of the host's time (default: no limit)"),
    FIELD("scale", "N", TF_OPTION_U32, job.options.scale, 1, UINT32_MAX,
          "amount of work (default: the workload's own)"),
    FIELD("seed", "N", TF_OPTION_U32, job.options.seed, 0, UINT32_MAX, "seed of a workload's inputs"),
    FIELD("variant", "NAME", TF_OPTION_TEXT, variant, 0, 0,
          "variant of the workload; see 'tilefarm list' (default: the first)"),
    TF_OPTION_OF_THREADS(TF_REQUEST_CONFIG(threads)),
    TF_OPTION_OF_VECTORS(TF_REQUEST_CONFIG(vectors)),
    CONFIG_FLAG("no-pin", TF_OPTION_CLEAR, pin, "do not pin worker threads to CPUs"),
    CALL("epoch", "CYCLES|MIN:MAX", take_epoch,
         "length of an epoch; with MIN:MAX it grows from MIN while tiles send no requests "
         "(default: " TEXT(TF_DEFAULT_EPOCH_CYCLES_MIN) ":" TEXT(TF_DEFAULT_EPOCH_CYCLES_MAX) ")"),
    FIELD("slice", "CYCLES", TF_OPTION_U32, slice, TF_LEAST(slice_cycles), TF_MOST(slice_cycles),
          "length of a slice, " SLICES
          " (default: " TEXT(TF_DEFAULT_SLICE_CYCLES) ", or the length of a shorter epoch)"),
    NUMBER("niu-requests", "N", niu_requests_max, "requests that a NIU accepts in an epoch"),
    AT("relaxed", NULL, TF_OPTION_CHOICE, TF_REQUEST_CONFIG(mode), TF_MODE_RELAXED, 0,
       "run without epochs: the host's threads decide the order of requests"),
    AT("atomics", "isa|emu-spec", TF_OPTION_CHOICE, TF_REQUEST_CONFIG(atomics), TF_ATOMICS_ISA, 0,
       "the document that defines NOC atomics, where two differ: the ISA documentation, or the emulator's "
       "specification"),
    CONFIG_FLAG("keep-going", TF_OPTION_SET, go_on_after_fault, "continue after a fault"),
    CONFIG_FLAG("inline-l1-faults", TF_OPTION_SET, inline_l1_faults,
                "treat an inline write to L1 as a fault, not as a hazard"),
    {.name = "undefined",
     .argument = "fault|silicon",
     .kind = TF_OPTION_EITHER,
     .offset = TF_REQUEST_CONFIG(undefined_as_silicon),
     .help = "treat undefined behaviour whose outcome on silicon is known as a fault, or as a hazard with that "
             "outcome"},
    NUMBER("late", "CYCLES", late_cycles,
           "report each coprocessor instruction as busy for that long after it acts, to test waits (default: 0)"),
    CONFIG_FLAG(
        "ordered-memory", TF_OPTION_SET, ordered_memory,
        "order accesses of a tile's cores to L1, local RAM and NIUs by cycle, too, so that slices decide no race "
        "(slower)"),
    {.name = "timing",
     .argument = "coarse",
     .optional = true,
     .kind = TF_OPTION_CALL,
     .call = take_timing,
     .help = "take the cycles of silicon, by the tables that 'tilefarm isa --timing' prints, as far as they are "
             "modelled (slower); coarse: cores of a tile see each other's stores late, which is several times as fast "
             "as without (docs/timing.md)"},
    CONFIG_FLAG("serial-delivery", TF_OPTION_SET, serial_delivery,
                "deliver requests one by one in delivery order, on one thread"),
    CONFIG_FLAG("no-parking", TF_OPTION_CLEAR, parking, "execute polling loops, instead of skipping them"),
    CONFIG_FLAG("check", TF_OPTION_SET, check,
                "report races: conflicting accesses to memory that nothing orders (docs/races.md)"),
    FIELD("suppress", "FILE", TF_OPTION_TEXT, suppress, 0, 0,
          "do not report races of the functions in FILE: each line has a name pattern, or two for a pair"),
    CALL("fill", "zero|ones|random:SEED", take_fill,
         "what L1 holds at the start: on a chip it is undefined (default: zero)"),
    CALL("trace", "FILE[@TILES]", take_trace,
         "write a line for each Tensix instruction that passes its wait gate (default: of all tiles)"),
    CALL("riscv-trace", "FILE[@TILES[/CORES]]", take_riscv_trace,
         "write a line in Spike's format for each instruction that cores retire (default: all cores of all tiles)"),
    CALL("profile", "FILE[@TILES[/CORES]]", take_profile,
         "write instructions and waits of cores by call path, as text; or in the format of the suffix: .folded, .svg, "
         ".pb, .pb.gz"),
    CALL("coverage", "FILE", take_coverage, "write how often each source line was executed, in lcov's format"),
    CALL("report", "FILE.html", take_report, "write a report of the run as a web page"),
    CALL("timeline", "FILE[@TILES[/CORES]]", take_timeline,
         "write a timeline for Perfetto (ui.perfetto.dev); compressed if FILE ends with .gz"),
    CALL("timeline-cycles", "FROM:TO", take_timeline_cycles, "restrict the timeline to these cycles (default: all)"),
    CALL("critical-path", "FILE|-", take_critical,
         "with --timing: record which waits, in order, made the run as long as it is, and write them as a table; also "
         "in the report and --json"),
    CALL("noc-trace", "FILE", take_noc_trace, "write all NOC requests as JSON for tt-npe"),
    FIELD("gdb", "[HOST:]PORT", TF_OPTION_TEXT, job.gdb, 0, 0,
          "wait for GDB (target extended-remote), which then drives the run (docs/debugging.md)"),
    FLAG("monitor", TF_OPTION_SET, job.monitor,
         "drive the run by commands: steps, breakpoints, registers, memory, waits; 'help' lists them"),
    CALL("json", "FILE|-", take_json, "write the results and statistics as JSON"),
    CALL("junit", "FILE|-", take_junit, "write the verdict as a test case in JUnit's XML, for CI"),
    CALL("svg", "FILE", take_svg, "draw the chip, or each chip of a system, to an SVG file"),
    {.name = "map",
     .argument = "instructions|traffic",
     .optional = true,
     .kind = TF_OPTION_CHOICE,
     .offset = offsetof(struct tf_request, map),
     .least = TF_MAP_INSTRUCTIONS,
     .help = "draw the chip, or each chip of a system, in the terminal"},
    FLAG("quiet", TF_OPTION_SET, quiet, "print errors only"),
    CHOICE("log", "error|info|debug", job.log, TF_LOG_ERROR,
           "what to print: errors only, the report too, or each step of the command as well"),
    {.name = "verbose",
     .letter = 'v',
     .kind = TF_OPTION_CHOICE,
     .offset = offsetof(struct tf_request, job.log),
     .least = TF_LOG_DEBUG,
     .help = "the same as --log debug"},
};

static const struct tf_group groups[] = {
    {"arch", "Chip"},
    {"system", "Systems"},
    {"load", "Programs and memory"},
    {"save-at", "Saved runs"},
    {"until", "Limits"},
    {"scale", "Workloads"},
    {"threads", "Host"},
    {"epoch", "Time and order"},
    {"keep-going", "Faults"},
    {"ordered-memory", "Checks"},
    {"trace", "Traces and debugger"},
    {"json", "Results"},
};

static const struct tf_usage usage = {
    .group = groups,
    .groups = sizeof groups / sizeof groups[0],
    .examples = "tilefarm run ring\n"
                "tilefarm run matmul --threads 2 --json result.json\n"
                "tilefarm run --load B=kernel.b.elf@all --check --limit-seconds 60\n"
                "tilefarm run --system n300 eth-ring\n",
    .synopsis = "run WORKLOAD [options]\n"
                "       tilefarm run --system NAME|FILE WORKLOAD [options]\n"
                "       tilefarm run --load CORE=FILE[@TILES] ... [options]\n"
                "       tilefarm run [WORKLOAD] --restore FILE [options]",
    .text = "Run a workload on the whole chip and check its results, or run programs of your own.\n"
            "TILES: an index from 0 on, NOC 0 coordinates x,y, a range first-last, all, or several joined by +\n"
            "(default: 0). Numbers are decimal or 0x..., and may end with k, M, G, Ki, Mi or Gi.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
    .operands_most = 1,
};

const struct tf_option *tf_request_options(unsigned *count)
{
    *count = usage.options;
    return usage.option;
}

/* An epoch is a whole number of slices. A short epoch shortens the slice, unless --slice is given. */
static void settle_epoch(struct tf_request *request)
{
    struct tf_config *config = tf_job_config(&request->job);
    if (request->slice != 0)
        config->slice_cycles = request->slice;
    if (request->epoch_least == 0) {
        if (config->epoch_cycles_min < config->slice_cycles)
            config->epoch_cycles_min = config->slice_cycles;
        if (config->epoch_cycles_max < config->epoch_cycles_min)
            config->epoch_cycles_max = config->epoch_cycles_min;
        return;
    }
    config->epoch_cycles_min = request->epoch_least;
    config->epoch_cycles_max = request->epoch_most;
    if (request->slice == 0 && request->epoch_least < config->slice_cycles)
        config->slice_cycles = request->epoch_least;
}

/* Options of workloads have no meaning for programs of the user's own. */
static int check_programs(const struct tf_request *request)
{
    const char *option = request->job.options.scale != 0     ? "--scale"
                         : request->job.options.seed != SEED ? "--seed"
                         : request->variant != NULL          ? "--variant"
                                                             : NULL;
    if (request->job.loads == 0 && request->job.restore != NULL && option == NULL)
        return -1;
    if (request->job.loads == 0 && request->job.restore == NULL)
        tf_cli_error("name a workload (see 'tilefarm list'), or a program with --load CORE=FILE");
    else if (option != NULL)
        tf_cli_error("%s: this option applies to workloads only, not to programs of --load", option);
    return request->job.loads == 0 || option != NULL ? TF_EXIT_USAGE : -1;
}

/* A field that no option has set is that of the saved chip. --slice and --epoch set fields together. */
static void settle_restore(struct tf_request *request)
{
    struct tf_config *config = tf_job_config(&request->job), defaults;
    const struct tf_config *saved = tf_config_in(&request->saved), asked = *config;
    tf_config_init(&defaults);
#define TF_CONFIG_KEPT(field_)             \
    if (config->field_ == defaults.field_) \
        config->field_ = saved->field_;
#include "farm/chip/config.def"
    if (request->slice != 0 || request->epoch_least != 0)
        config->slice_cycles = asked.slice_cycles;
    if (request->epoch_least != 0) {
        config->epoch_cycles_min = asked.epoch_cycles_min;
        config->epoch_cycles_max = asked.epoch_cycles_max;
    }
}

int tf_request_read(int argc, char **argv, struct tf_request *request)
{
    tf_config_init(tf_job_config(&request->job));
    request->job.load = request->load;
    request->job.options.seed = SEED;
    request->job.log = TF_LOG_INFO;
    int first, code = tf_cli_options(argc, argv, &usage, request, &first);
    if (code >= 0)
        return code;
    request->quiet |= request->job.log == TF_LOG_ERROR;
    settle_epoch(request);
    if (request->job.restore != NULL && request->system == NULL)
        settle_restore(request);
    if (!tf_request_agrees(request))
        return TF_EXIT_USAGE;
    if (first == argc)
        return check_programs(request);
    if (request->job.loads == 0)
        return tf_request_workload(request, argv[first]);
    tf_cli_error("give a workload or --load, not both");
    return TF_EXIT_USAGE;
}

void tf_request_free(struct tf_request *request)
{
    tf_board_free(&request->board);
    tf_replay_close(&request->replay);
    free(request->decision);
    tf_suppressions_free(request->job.suppressions);
    for (unsigned i = 0; i < TF_OUTS; i++)
        free(request->out[i]);
    for (unsigned i = 0; i < request->job.loads; i++) {
        free(request->load[i].image);
        free((char *)request->load[i].path);
    }
}
