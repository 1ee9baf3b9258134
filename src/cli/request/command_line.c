/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/command_line.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/options.h"
#include "cli/request/chips.h"
#include "cli/request/contradict.h"
#include "cli/request/memory.h"
#include "cli/request/named_workload.h"
#include "cli/request/outputs.h"
#include "cli/request/request.h"
#include "cli/request/value.h"
#include "cli/systems.h"
#include "cli/text.h"
#include "farm/chip/defaults.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_system_config.h"

#define SEED 1u /* default of --seed */
#define LIMIT_SECONDS_MAX 31536000u

#define TEXT_OF(tokens) #tokens
#define TEXT(macro) TEXT_OF(macro)
#define SLICES TEXT(TF_SLICE_CYCLES_LEAST) " to " TEXT(TF_SLICE_CYCLES_MOST)

static bool take_fill(void *into, const char *option, const char *value)
{
    struct tf_fill *fill = &((struct tf_request *)into)->job.fill;
    return tf_fill_read(value, fill) || tf_value_bad(option, value, "zero, ones or random:SEED");
}

static bool take_timing(void *into, const char *option, const char *value)
{
    struct tf_config *config = tf_job_config(&((struct tf_request *)into)->job);
    config->timing = true;
    config->timing_coarse = value != NULL;
    return value == NULL || strcmp(value, "coarse") == 0 || tf_value_bad(option, value, "coarse");
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
        return tf_value_bad(option, value, form);
    }
    last = first;
    if (value[length] == ':' &&
        (!tf_cli_u64(value + length + 1, &last) || last < first || last > TF_MOST(epoch_cycles_max))) {
        snprintf(form, sizeof form, "MIN:MAX in cycles, with MAX from MIN to %u", (unsigned)TF_MOST(epoch_cycles_max));
        return tf_value_bad(option, value, form);
    }
    request->epoch_least = (uint32_t)first;
    request->epoch_most = (uint32_t)last;
    return true;
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

static const struct tf_option options[] = {
    CALL("arch", TF_CLI_FAMILY_NAMES, tf_take_arch, TF_CLI_ARCH_HELP "; later options name tiles of this chip"),
    CALL("board", "NAME", tf_take_board, TF_BOARD_HELP "; later options name tiles of this board"),
    CALL("columns-off", "LIST", tf_take_columns_off, TF_BOARD_COLUMNS_HELP),
    CALL("rows-off", "LIST", tf_take_rows_off, TF_BOARD_ROWS_HELP),
    CALL("banks-off", "LIST", tf_take_banks_off, TF_BOARD_BANKS_HELP),
    CALL("system", "NAME|FILE", tf_take_system,
         "run on all chips of a system (docs/systems.md): " TF_SYSTEM_HELP "; later options name tiles of its family"),
    FIELD("link-latency", "CYCLES", TF_OPTION_U32, link_latency, 1, TF_LINK_LATENCY_CYCLES_MOST,
          "with --system: time of a packet on a link (default: 1024)"),
    FIELD("link-gbps", "N", TF_OPTION_U32, link_gbps, 1, TF_LINK_GBPS_MOST,
          "with --system: rate of each direction of a link in Gb/s (default: 400, on Wormhole 100)"),
    FIELD(
        "link-fault", "FAULTS", TF_OPTION_TEXT, link_fault, 0, 0,
        "with --system: links that are down, cut, up again, slow, or lose packets, as in '0:8 cut 20000, 1:0 lose 3 4' "
        "(docs/systems.md)"),
    FIELD("ranks-by", "any|board|chip", TF_OPTION_CHOICE, ranks_by, TF_RANKS_BY_ANY, 0,
          "with --system and mpirun: what each rank gets some of; any: boards, if there are enough"),
    CALL("load", "CORE=FILE[@TILES]", tf_take_load,
         "run an ELF executable on a core (B, NC, T0, T1, T2) of tiles, on E0 or E1 of the Ethernet tiles of ports, or "
         "on DRISC of DRAM tiles; with --system, CORE=FILE@CHIP:TILES"),
    FLAG("load-local", TF_OPTION_SET, job.load_local, "with --load: write data for a core's local RAM after its reset"),
    CALL("flat", "CORE=FILE:ADDR[@TILES]", tf_take_flat, "run a flat image from an address in L1"),
    CALL("symbols", "FILE", tf_take_symbols,
         "take the names of functions and lines from an ELF file whose code a restored chip, --write or --flat brings"),
    CALL("args", "CORE=N,N...[@TILES]", tf_take_arguments,
         "runtime arguments of a core's programs, for get_arg_val() of tilefarm_dataflow.h; CORE may be common "
         "(default: on the tiles of --load); with --system, CORE=N,N...@CHIP:TILES"),
    CALL("write", "TILES:ADDR=FILE", tf_take_write,
         "write a file to memory of tiles or of a node before the run; with --system, CHIP:TILES:ADDR=FILE"),
    CALL("dump", "TILE:ADDR:LENGTH=FILE", tf_take_dump,
         "write memory to a file after the run; with --system, CHIP:TILE:ADDR:LENGTH=FILE"),
    CALL("save-at", "CYCLE=FILE", tf_take_save,
         "save the chip or the system at the end of the first epoch that ends at or after this cycle, and run on"),
    CALL("save-every", "CYCLES=FILE", tf_take_save_every,
         "with --system: save the system once in so many cycles, each time in place of the last save"),
    CALL("restore", "FILE", tf_take_restore,
         "continue from a saved chip, with its family, board and epochs, or from a saved system, with its chips and "
         "links; name the workload to check the results"),
    FIELD("schedule", "FILE", TF_OPTION_TEXT, schedule, 0, 0,
          "replay the order in a schedule of 'tilefarm explore' (docs/explore.md)"),
    CALL("until", "[TILE:]ADDR=VALUE", tf_take_until,
         "end the run when a word of a tile (default: tile 0) has this value; with --system, CHIP:TILE:ADDR=VALUE"),
    FIELD("limit-cycles", "N", TF_OPTION_U64, job.run.cycles_max, 1, UINT64_MAX,
          "end the run so many cycles after its start, with the epoch in which they pass (default: no limit)"),
    FIELD("limit-seconds", "N", TF_OPTION_SECONDS, job.limit_s, 0, LIMIT_SECONDS_MAX,
          "end the run after so many seconds of the host's time, such as 60 or 0.5 (default: no limit)"),
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
             "modelled (slower); coarse: cores of a tile see each other's stores late, for up to an eighth less time "
             "(docs/timing.md)"},
    CONFIG_FLAG("serial-delivery", TF_OPTION_SET, serial_delivery,
                "deliver requests one by one in delivery order, on one thread"),
    CONFIG_FLAG("no-parking", TF_OPTION_CLEAR, parking, "execute polling loops, instead of skipping them"),
    CONFIG_FLAG("check", TF_OPTION_SET, check,
                "report races: conflicting accesses to memory that nothing orders (docs/races.md)"),
    FIELD("suppress", "FILE", TF_OPTION_TEXT, suppress, 0, 0,
          "do not report races of the functions in FILE: each line has a name pattern, or two for a pair"),
    CALL("fill", "zero|ones|random:SEED", take_fill,
         "what L1 holds at the start: on a chip it is undefined (default: zero)"),
    CALL("trace", "FILE[@TILES]", tf_take_trace,
         "write a line for each Tensix instruction that passes its wait gate (default: of all tiles); with --system, "
         "FILE@CHIPS:TILES, as in the options below"),
    CALL("riscv-trace", "FILE[@TILES[/CORES]]", tf_take_riscv_trace,
         "write a line in Spike's format for each instruction that cores retire (default: all cores of all tiles)"),
    CALL("profile", "FILE[@TILES[/CORES]]", tf_take_profile,
         "write instructions and waits of cores by call path, as text; or in the format of the suffix: .folded, .svg, "
         ".pb, .pb.gz"),
    FIELD("coverage", "FILE", TF_OPTION_TEXT, out[TF_OUT_COVERAGE], 0, 0,
          "write how often each source line was executed, in lcov's format"),
    CALL("report", "FILE.html", tf_take_report, "write a report of the run as a web page"),
    CALL("timeline", "FILE[@TILES[/CORES]]", tf_take_timeline,
         "write a timeline for Perfetto (ui.perfetto.dev); compressed if FILE ends with .gz"),
    CALL("timeline-cycles", "FROM:TO", tf_take_timeline_cycles, "restrict the timeline to these cycles (default: all)"),
    FIELD("critical-path", "FILE|-", TF_OPTION_TEXT, out[TF_OUT_CRITICAL], 0, 0,
          "with --timing: record which waits, in order, made the run as long as it is, and write them as a table; "
          "also in the report and --json"),
    FIELD("noc-trace", "FILE", TF_OPTION_TEXT, out[TF_OUT_NOC_TRACE], 0, 0,
          "write all NOC requests as JSON for tt-npe"),
    FIELD("gdb", "[HOST:]PORT", TF_OPTION_TEXT, job.gdb, 0, 0,
          "wait for GDB (target extended-remote), which then drives the run (docs/debugging.md)"),
    FLAG("monitor", TF_OPTION_SET, job.monitor,
         "drive the run by commands: steps, breakpoints, registers, memory, waits; 'help' lists them"),
    FIELD("json", "FILE|-", TF_OPTION_TEXT, out[TF_OUT_JSON], 0, 0, "write the results and statistics as JSON"),
    FIELD("junit", "FILE|-", TF_OPTION_TEXT, out[TF_OUT_JUNIT], 0, 0,
          "write the verdict as a test case in JUnit's XML, for CI"),
    CALL("svg", "FILE", tf_take_svg, "draw the chip, or each chip of a system, to an SVG file"),
    {.name = "map",
     .argument = "instructions|traffic",
     .optional = true,
     .kind = TF_OPTION_CHOICE,
     .offset = offsetof(struct tf_request, map),
     .least = TF_MAP_INSTRUCTIONS,
     .help = "draw the chip, or each chip of a system, in the terminal"},
    FLAG("quiet", TF_OPTION_SET, quiet, "print errors only"),
    TF_OPTIONS_OF_LOG(offsetof(struct tf_request, job.log)),
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
    .text =
        "Run a workload on the whole chip and check its results, or run programs of your own.\n"
        "TILES: an index from 0 on, NOC 0 coordinates x,y, a range first-last, all, or several joined by +\n"
        "(default: 0). Numbers are decimal or 0x..., and may end with k, M, G, Ki, Mi or Gi.\n"
        "A trace, profile or timeline shows FILE@TILES/CORES. CORES: B, NC, T0, T1, T2 or several joined by +; or\n"
        "E0 and E1, and TILES are ports of Ethernet tiles; or DRISC of DRAM tiles. Without CORES, all is all tiles\n"
        "of all kinds. With --system, CHIPS: before TILES holds up to the next one: FILE@0:1-3+5+1:all shows four\n"
        "tiles of chip 0, and chip 1.\n",
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

/* A field that no option has set is that of the saved chip or system. --slice and --epoch set fields together. */
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
    if (request->job.restore != NULL && (request->system == NULL || request->restored != NULL))
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
    free(request->restored);
    tf_suppressions_free(request->job.suppressions);
    for (unsigned i = 0; i < TF_OUTS; i++)
        free(request->out_text[i]);
    for (unsigned i = 0; i < request->job.loads; i++) {
        free(request->load[i].image);
        free((char *)request->load[i].path);
    }
    for (unsigned i = 0; i < request->job.names; i++)
        free(request->job.named[i].image);
}
