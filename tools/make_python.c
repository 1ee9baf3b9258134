/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints _layout.py of the Python package: the structures of the library's interface for ctypes, and its constants. The
 * compiler computes sizes and offsets, so they equal those in the library of the same build.
 */
#include <stdio.h>
#include <stdlib.h>

#include "farm/chip/defaults.h"
#include "tilefarm_params.h"
#include "tilefarm/tilefarm.h"
#include "tilefarm/tilefarm_debug.h"
#include "tilefarm/tilefarm_explore.h"
#include "tilefarm/tilefarm_files.h"
#include "tilefarm/tilefarm_system.h"
#include "tilefarm/tilefarm_times.h"
#include "version.inc"

/* The ctypes name of a field. In _Generic an array is a pointer to its elements. */
/* clang-format off */
#define KIND(field_)                                                                             \
    _Generic((field_), bool: "c_bool", uint8_t: "c_uint8", uint16_t: "c_uint16", uint32_t: "c_uint32", \
             uint64_t: "c_uint64", int: "c_int32", int8_t: "c_int8", double: "c_double", struct tf_coord: "Coord",     \
             struct tf_board: "Board", struct tf_config: "Config", struct tf_run_options: "RunOptions",\
             struct tf_cluster_end: "ClusterEnd", const char *: "c_char_p", char *: "c_char[]", bool *: "c_bool[]",    \
             uint8_t *: "c_uint8[]", uint16_t *: "c_uint16[]", uint32_t *: "c_uint32[]",         \
             uint64_t *: "c_uint64[]", default: "c_void_p")
/* clang-format on */
#define FIELD(struct_, field_)                                                            \
    field(#field_, KIND(((struct struct_ *)0)->field_), offsetof(struct struct_, field_), \
          sizeof(((struct struct_ *)0)->field_))
#define BEGIN(struct_, name_) begin(name_, sizeof(struct struct_))
#define PLACE(name_, field_) printf("%s: Final = %zu\n", name_, offsetof(struct tf_params_block, field_))
#define VALUE(name_) printf("%s: Final = %lld\n", #name_, (long long)(name_))

static size_t at, whole;
static unsigned pads;

static void pad_to(size_t offset)
{
    if (offset < at) {
        fprintf(stderr, "make_python: fields are out of order\n");
        exit(1);
    }
    if (offset > at)
        printf("        (\"_pad%u\", c_uint8 * %zu),\n", pads++, offset - at);
    at = offset;
}

static void begin(const char *name, size_t bytes)
{
    at = 0;
    pads = 0;
    whole = bytes;
    printf("\n\nclass %s(Structure):\n    _fields_ = [\n", name);
}

static void end(void)
{
    pad_to(whole);
    printf("    ]\n");
}

/* The size in bytes of c_char, c_bool, c_uint8, c_uint16, c_uint32 or c_uint64. */
static size_t size_of(const char *kind)
{
    return kind[6] == '1' ? 2 : kind[6] == '3' ? 4 : kind[6] == '6' ? 8 : 1;
}

static void field(const char *name, const char *kind, size_t offset, size_t bytes)
{
    size_t length = 0;
    pad_to(offset);
    while (kind[length] != '\0' && kind[length] != '[')
        length++;
    if (kind[length] == '[')
        printf("        (\"%s\", %.*s * %zu),\n", name, (int)length, kind, bytes / size_of(kind));
    else
        printf("        (\"%s\", %s),\n", name, kind);
    at = offset + bytes;
}

/* A field that is an array of a structure. */
static void structures(const char *name, const char *kind, size_t offset, size_t count, size_t bytes)
{
    pad_to(offset);
    printf("        (\"%s\", %s * %zu),\n", name, kind, count);
    at = offset + bytes;
}

static void print_configuration(void)
{
    BEGIN(tf_board, "Board");
    FIELD(tf_board, name);
    FIELD(tf_board, product);
    FIELD(tf_board, columns_off);
    FIELD(tf_board, rows_off);
    FIELD(tf_board, banks_off);
    FIELD(tf_board, eth_off);
    FIELD(tf_board, cpus_off);
    end();
    BEGIN(tf_board_text, "BoardText");
    FIELD(tf_board_text, name);
    FIELD(tf_board_text, columns);
    FIELD(tf_board_text, rows);
    FIELD(tf_board_text, banks);
    FIELD(tf_board_text, eth);
    FIELD(tf_board_text, cpus);
    end();
    BEGIN(tf_config, "Config");
    FIELD(tf_config, struct_bytes);
#define TF_CONFIG_NUMBER(field_, default_, least_, most_) FIELD(tf_config, field_);
#define TF_CONFIG_OTHER(field_) FIELD(tf_config, field_);
#include "farm/chip/config.def"
    end();
    BEGIN(tf_run_options, "RunOptions");
    FIELD(tf_run_options, cycles_max);
    FIELD(tf_run_options, until);
    FIELD(tf_run_options, until_node);
    FIELD(tf_run_options, until_address);
    FIELD(tf_run_options, until_value);
    FIELD(tf_run_options, pause_cycle);
    FIELD(tf_run_options, wall_s_max);
    end();
}

static void print_records(void)
{
    BEGIN(tf_message, "Message");
    FIELD(tf_message, text);
    end();
    BEGIN(tf_shape, "Shape");
    FIELD(tf_shape, name);
    FIELD(tf_shape, title);
    FIELD(tf_shape, grid_x);
    FIELD(tf_shape, grid_y);
    FIELD(tf_shape, tensix_tiles);
    FIELD(tf_shape, eth_tiles);
    FIELD(tf_shape, cores);
    FIELD(tf_shape, l1_bytes);
    FIELD(tf_shape, dram_channels);
    FIELD(tf_shape, dram_channel_bytes);
    FIELD(tf_shape, clock_mhz);
    end();
    BEGIN(tf_fault, "Fault");
    FIELD(tf_fault, category);
    FIELD(tf_fault, tile);
    FIELD(tf_fault, core);
    FIELD(tf_fault, pc);
    FIELD(tf_fault, instruction);
    FIELD(tf_fault, address);
    FIELD(tf_fault, cycle);
    FIELD(tf_fault, hazard);
    FIELD(tf_fault, text);
    end();
    BEGIN(tf_waiting, "Waiting");
    FIELD(tf_waiting, stuck);
    FIELD(tf_waiting, thread);
    FIELD(tf_waiting, returned);
    FIELD(tf_waiting, core);
    FIELD(tf_waiting, node);
    FIELD(tf_waiting, status);
    FIELD(tf_waiting, pc);
    FIELD(tf_waiting, address);
    FIELD(tf_waiting, tiles);
    FIELD(tf_waiting, tile);
    FIELD(tf_waiting, what);
    end();
}

static void print_figures(void)
{
    BEGIN(tf_core_view, "CoreView");
    FIELD(tf_core_view, state);
    FIELD(tf_core_view, pc);
    FIELD(tf_core_view, x);
    FIELD(tf_core_view, cycle);
    FIELD(tf_core_view, instret);
    FIELD(tf_core_view, wait_address);
    FIELD(tf_core_view, thread_waits);
    end();
    BEGIN(tf_stats, "Stats");
    FIELD(tf_stats, epochs);
    FIELD(tf_stats, cycles);
    FIELD(tf_stats, instructions);
    FIELD(tf_stats, instructions_executed);
    FIELD(tf_stats, noc_requests);
    FIELD(tf_stats, noc_bytes);
    FIELD(tf_stats, noc_atomics);
    FIELD(tf_stats, faults);
    FIELD(tf_stats, hazards);
    FIELD(tf_stats, workers);
    FIELD(tf_stats, wall_s);
    FIELD(tf_stats, cpu_s);
    end();
    BEGIN(tf_core_times, "CoreTimes");
    FIELD(tf_core_times, cycles);
    FIELD(tf_core_times, spent);
    FIELD(tf_core_times, uncertain);
    FIELD(tf_core_times, ended);
    end();
    BEGIN(tf_tile_stats, "TileStats");
    FIELD(tf_tile_stats, instructions);
    FIELD(tf_tile_stats, noc_requests);
    FIELD(tf_tile_stats, noc_bytes);
    FIELD(tf_tile_stats, noc_atomics);
    FIELD(tf_tile_stats, noc_bytes_in);
    end();
    BEGIN(tf_tile_times, "TileTimes");
    FIELD(tf_tile_times, matrix);
    FIELD(tf_tile_times, vector);
    FIELD(tf_tile_times, unpack);
    FIELD(tf_tile_times, pack);
    FIELD(tf_tile_times, scalar);
    FIELD(tf_tile_times, config);
    FIELD(tf_tile_times, mover);
    FIELD(tf_tile_times, noc_out);
    FIELD(tf_tile_times, noc_in);
    FIELD(tf_tile_times, mvmul);
    end();
    BEGIN(tf_path_part, "PathPart");
    FIELD(tf_path_part, step);
    FIELD(tf_path_part, begin);
    FIELD(tf_path_part, end);
    FIELD(tf_path_part, cycles);
    FIELD(tf_path_part, kind);
    FIELD(tf_path_part, actor);
    FIELD(tf_path_part, at);
    FIELD(tf_path_part, to);
    FIELD(tf_path_part, number);
    FIELD(tf_path_part, pc);
    FIELD(tf_path_part, code);
    FIELD(tf_path_part, core);
    FIELD(tf_path_part, link);
    FIELD(tf_path_part, way);
    FIELD(tf_path_part, unit);
    FIELD(tf_path_part, uncertain);
    end();
    BEGIN(tf_system_path_part, "SystemPathPart");
    field("part", "PathPart", 0, sizeof(struct tf_path_part));
    FIELD(tf_system_path_part, chip);
    FIELD(tf_system_path_part, to_chip);
    pad_to(sizeof(struct tf_system_path_part));
    end();
}

static void print_events(void)
{
    BEGIN(tf_riscv_event, "RiscvEvent");
    FIELD(tf_riscv_event, tile);
    FIELD(tf_riscv_event, core);
    FIELD(tf_riscv_event, bytes);
    FIELD(tf_riscv_event, loads);
    FIELD(tf_riscv_event, stores);
    FIELD(tf_riscv_event, rd);
    FIELD(tf_riscv_event, pc);
    FIELD(tf_riscv_event, instruction);
    FIELD(tf_riscv_event, value);
    FIELD(tf_riscv_event, address);
    FIELD(tf_riscv_event, stored);
    FIELD(tf_riscv_event, cycle);
    FIELD(tf_riscv_event, skipped);
    end();
    BEGIN(tf_print_event, "PrintEvent");
    FIELD(tf_print_event, tile);
    FIELD(tf_print_event, core);
    FIELD(tf_print_event, mark);
    FIELD(tf_print_event, pc);
    FIELD(tf_print_event, cycle);
    FIELD(tf_print_event, text);
    FIELD(tf_print_event, bytes);
    end();
    BEGIN(tf_tensix_event, "TensixEvent");
    FIELD(tf_tensix_event, tile);
    FIELD(tf_tensix_event, thread);
    FIELD(tf_tensix_event, cycle);
    FIELD(tf_tensix_event, instruction);
    FIELD(tf_tensix_event, pc);
    FIELD(tf_tensix_event, unit);
    end();
}

static void print_noc_event(void)
{
    BEGIN(tf_noc_event, "NocEvent");
    FIELD(tf_noc_event, request);
    FIELD(tf_noc_event, step);
    FIELD(tf_noc_event, kind);
    FIELD(tf_noc_event, epoch);
    FIELD(tf_noc_event, cycle);
    FIELD(tf_noc_event, initiator);
    FIELD(tf_noc_event, target);
    FIELD(tf_noc_event, target_last);
    FIELD(tf_noc_event, answer);
    FIELD(tf_noc_event, recipients);
    FIELD(tf_noc_event, noc);
    FIELD(tf_noc_event, request_initiator);
    FIELD(tf_noc_event, core);
    FIELD(tf_noc_event, tid);
    FIELD(tf_noc_event, vc);
    FIELD(tf_noc_event, answered);
    FIELD(tf_noc_event, multicast);
    FIELD(tf_noc_event, pc);
    FIELD(tf_noc_event, address);
    FIELD(tf_noc_event, source_address);
    FIELD(tf_noc_event, return_address);
    FIELD(tf_noc_event, bytes);
    FIELD(tf_noc_event, at_len_be);
    FIELD(tf_noc_event, at_data);
    FIELD(tf_noc_event, result);
    end();
}

static void print_orders(void)
{
    BEGIN(tf_decision, "Decision");
    FIELD(tf_decision, freedom);
    FIELD(tf_decision, chip);
    FIELD(tf_decision, tile);
    FIELD(tf_decision, actor);
    FIELD(tf_decision, ordinal);
    FIELD(tf_decision, value);
    FIELD(tf_decision, pc);
    FIELD(tf_decision, cycle);
    FIELD(tf_decision, address);
    end();
    BEGIN(tf_explore, "Explore");
    FIELD(tf_explore, scheduled);
    FIELD(tf_explore, seed);
    FIELD(tf_explore, rate);
    FIELD(tf_explore, longest);
    FIELD(tf_explore, starves);
    FIELD(tf_explore, notes);
    FIELD(tf_explore, decision);
    FIELD(tf_explore, decisions);
    end();
    BEGIN(tf_places_count, "PlacesCount");
    FIELD(tf_places_count, places);
    FIELD(tf_places_count, all);
    FIELD(tf_places_count, packets);
    FIELD(tf_places_count, actors);
    end();
    BEGIN(tf_race_side, "RaceSide");
    FIELD(tf_race_side, tile);
    FIELD(tf_race_side, core);
    FIELD(tf_race_side, pc);
    FIELD(tf_race_side, caller);
    FIELD(tf_race_side, cycle);
    FIELD(tf_race_side, noc);
    FIELD(tf_race_side, tid);
    FIELD(tf_race_side, what);
    FIELD(tf_race_side, waited);
    FIELD(tf_race_side, waited_address);
    FIELD(tf_race_side, waited_pc);
    FIELD(tf_race_side, waited_cycle);
    end();
    BEGIN(tf_race, "Race");
    FIELD(tf_race, kind);
    FIELD(tf_race, node);
    FIELD(tf_race, address);
    for (unsigned i = 0; i < 2; i++)
        field(i == 0 ? "side0" : "side1", "RaceSide", offsetof(struct tf_race, side) + i * sizeof(struct tf_race_side),
              sizeof(struct tf_race_side));
    FIELD(tf_race, advice);
    FIELD(tf_race, count);
    end();
}

static void print_files(void)
{
    BEGIN(tf_files_wish, "FilesWish");
    FIELD(tf_files_wish, timeline);
    FIELD(tf_files_wish, report);
    FIELD(tf_files_wish, profile);
    FIELD(tf_files_wish, coverage);
    FIELD(tf_files_wish, noc_trace);
    end();
    BEGIN(tf_files_verdict, "FilesVerdict");
    FIELD(tf_files_verdict, title);
    FIELD(tf_files_verdict, verdict);
    FIELD(tf_files_verdict, message);
    FIELD(tf_files_verdict, good);
    end();
}

static void print_cluster(void)
{
    BEGIN(tf_cluster_chip, "ClusterChip");
    FIELD(tf_cluster_chip, board);
    FIELD(tf_cluster_chip, unique_id);
    FIELD(tf_cluster_chip, board_id);
    FIELD(tf_cluster_chip, pcie);
    FIELD(tf_cluster_chip, asic_location);
    FIELD(tf_cluster_chip, x);
    FIELD(tf_cluster_chip, y);
    FIELD(tf_cluster_chip, rack);
    FIELD(tf_cluster_chip, shelf);
    end();
    BEGIN(tf_cluster_end, "ClusterEnd");
    FIELD(tf_cluster_end, chip);
    FIELD(tf_cluster_end, port);
    end();
    BEGIN(tf_cluster_link, "ClusterLink");
    structures("end", "ClusterEnd", offsetof(struct tf_cluster_link, end), 2, sizeof((struct tf_cluster_link *)0)->end);
    end();
    BEGIN(tf_cluster, "Cluster");
    FIELD(tf_cluster, arch);
    FIELD(tf_cluster, chips);
    FIELD(tf_cluster, links);
    structures("chip", "ClusterChip", offsetof(struct tf_cluster, chip), TF_CLUSTER_CHIPS_MAX,
               sizeof((struct tf_cluster *)0)->chip);
    structures("link", "ClusterLink", offsetof(struct tf_cluster, link), TF_CLUSTER_LINKS_MAX,
               sizeof((struct tf_cluster *)0)->link);
    end();
}

/* `from` is a word of Python. */
static void print_systems(void)
{
    BEGIN(tf_system_config, "SystemConfig");
    FIELD(tf_system_config, struct_bytes);
    FIELD(tf_system_config, cluster);
    FIELD(tf_system_config, link_latency_cycles);
    FIELD(tf_system_config, link_gbps);
    FIELD(tf_system_config, link_fault);
    FIELD(tf_system_config, link_faults);
    FIELD(tf_system_config, on_chip);
    FIELD(tf_system_config, user);
    pad_to(offsetof(struct tf_system_config, chip));
    FIELD(tf_system_config, chip);
    end();
    BEGIN(tf_system_run_options, "SystemRunOptions");
    FIELD(tf_system_run_options, run);
    FIELD(tf_system_run_options, until_chip);
    end();
    BEGIN(tf_link_stats, "LinkStats");
    field("from_", "ClusterEnd", offsetof(struct tf_link_stats, from), sizeof(struct tf_cluster_end));
    FIELD(tf_link_stats, to);
    FIELD(tf_link_stats, packets);
    FIELD(tf_link_stats, bytes);
    FIELD(tf_link_stats, waiting);
    FIELD(tf_link_stats, lost);
    end();
    BEGIN(tf_link_wait, "LinkWait");
    field("from_", "ClusterEnd", offsetof(struct tf_link_wait, from), sizeof(struct tf_cluster_end));
    FIELD(tf_link_wait, to);
    FIELD(tf_link_wait, linked);
    FIELD(tf_link_wait, down);
    FIELD(tf_link_wait, unacknowledged);
    FIELD(tf_link_wait, held);
    FIELD(tf_link_wait, lost);
    pad_to(sizeof(struct tf_link_wait));
    end();
}

static void print_values(void)
{
    VALUE(TF_LINK_FAULTS_MAX);
    printf("LINK_FAULT_BYTES: Final = %zu\n", sizeof(struct tf_link_fault));
    VALUE(TF_PARAMS_ADDRESS);
    VALUE(TF_PARAMS_ARGUMENTS);
    VALUE(TF_PARAMS_BUFFERS);
    VALUE(TF_PARAMS_SEMAPHORES);
    PLACE("TF_PARAMS_COMMON", common);
    PLACE("TF_PARAMS_BUFFER", buffer);
    PLACE("TF_PARAMS_SEMAPHORE", semaphore);
    VALUE(TF_OK);
    VALUE(TF_EINVAL);
    VALUE(TF_ENOMEM);
    VALUE(TF_EIO);
    VALUE(TF_EFORMAT);
    VALUE(TF_ERANGE);
    VALUE(TF_ENODEV);
    VALUE(TF_EACCESS);
    VALUE(TF_ESYS);
    VALUE(TF_TILE_CORES);
    VALUE(TF_TENSIX_TILES_MAX);
    VALUE(TF_CORE_NONE);
    VALUE(TF_NODE_ETH);
    VALUE(TF_NODE_DRAM);
    VALUE(TF_NODE_PCIE);
    VALUE(TF_NODE_ARC);
    VALUE(TF_NODE_L2CPU);
    VALUE(TF_NODE_SECURITY);
    VALUE(TF_MODE_DETERMINISTIC);
    VALUE(TF_MODE_RELAXED);
    VALUE(TF_ATOMICS_ISA);
    VALUE(TF_ATOMICS_EMU_SPEC);
    VALUE(TF_VECTORS_BEST);
    VALUE(TF_VECTORS_PORTABLE);
    VALUE(TF_VECTORS_AVX2);
    VALUE(TF_VECTORS_AVX512);
    VALUE(TF_END_QUIET);
    VALUE(TF_END_VALUE);
    VALUE(TF_END_CYCLES);
    VALUE(TF_END_FAULT);
    VALUE(TF_END_STOPPED);
    VALUE(TF_END_TIME);
    VALUE(TF_CORE_RESET);
    VALUE(TF_CORE_RUNNING);
    VALUE(TF_CORE_PARKED);
    VALUE(TF_CORE_BLOCKED);
    VALUE(TF_CORE_PAUSED);
    VALUE(TF_CORE_FAULTED);
    VALUE(TF_WAITING_TEXT_BYTES);
    VALUE(TF_PLACE_BYTES);
    VALUE(TF_NOC_LANDED);
    VALUE(TF_NOC_REFUSED);
    VALUE(TF_NOC_ISSUED);
    VALUE(TF_NOC_ACTED);
    VALUE(TF_NOC_READ);
    VALUE(TF_NOC_WRITE);
    VALUE(TF_NOC_WRITE_BE);
    VALUE(TF_NOC_WRITE_INLINE);
    VALUE(TF_NOC_ATOMIC);
    VALUE(TF_RACE_DATA);
    VALUE(TF_RACE_STALE_LINE);
    VALUE(TF_RACE_OVERTAKEN);
    VALUE(TF_RACE_UNWRITTEN);
    VALUE(TF_RACE_COUNTER);
    VALUE(TF_RACE_UNFINISHED);
    VALUE(TF_RACE_WRAPPED);
    VALUE(TF_RACE_REGISTER);
    VALUE(TF_RACE_SCHEDULE);
    VALUE(TF_RACE_NULL);
    VALUE(TF_RACE_SEMAPHORE);
    VALUE(TF_FREEDOMS);
    VALUE(TF_EXPLORE_CYCLES);
    VALUE(TF_DECISION_TEXT_BYTES);
}

static void print_limits(void)
{
    printf("\n#: The limits of the numbers of Config.\nLIMITS: Final = {\n");
#define TF_CONFIG_NUMBER(field_, default_, least_, most_) \
    printf("    \"%s\": (%u, %u),\n", #field_, (unsigned)(least_), (unsigned)(most_));
#define TF_CONFIG_FLAG(field_, default_)
#include "farm/chip/config.def"
    printf("}\n");
}

int main(void)
{
    printf("# SPDX-License-Identifier: Apache-2.0\n"
           "\"\"\"The structures and constants of libtilefarm. Made by tools/make_python.c.\"\"\"\n"
           "from ctypes import (  # noqa: F401\n    Structure, c_bool, c_char, c_char_p, c_double, c_int32, c_int8,\n"
           "    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p,\n)\nfrom typing import Final\n\n"
           "VERSION: Final = \"%s\"\n",
           TF_VERSION);
    print_values();
    print_limits();
    BEGIN(tf_coord, "Coord");
    FIELD(tf_coord, x);
    FIELD(tf_coord, y);
    end();
    print_configuration();
    print_records();
    print_figures();
    print_events();
    print_noc_event();
    print_orders();
    print_files();
    print_cluster();
    print_systems();
    return 0;
}
