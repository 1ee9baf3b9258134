/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/job.h"
#include "cli/output/json_about.h"

#include <string.h>
#include <xxhash.h>

#include "cli/systems/links.h"
#include "cli/workloads/common.h"
#include "debug/depth.h"
#include "host/vectors.h"
#include "tile/node_text.h"
#include "tilefarm/tilefarm_config.h"

json_t *tf_json_command(const struct tf_job *job)
{
    json_t *array = json_array();
    json_array_append_new(array, json_string("tilefarm"));
    for (int i = 0; i < job->words; i++) {
        json_t *word = json_string(job->word[i]); /* NULL: not UTF-8 */
        json_array_append_new(array, word != NULL ? word : json_string("?"));
    }
    return array;
}

/* The numbers of the tiles, ports or DRAM tiles of a load. */
static json_t *place_array(const struct tf_load *load)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < TF_TENSIX_TILES_MAX; i++)
        if (load->tiles.has[i])
            json_array_append_new(array, json_integer(i));
    return array;
}

static json_t *hash_of(const void *image, size_t bytes)
{
    return json_sprintf("%016llx", (unsigned long long)XXH3_64bits(image, bytes));
}

/* Programs of workloads are in the command: they have no file. */
static void add_unnamed(json_t *array, const char *core, const void *image, size_t bytes)
{
    if (image != NULL)
        json_array_append_new(array, json_pack("{s:s, s:n, s:I, s:o}", "core", core, "file", "bytes", (json_int_t)bytes,
                                               "xxh3", hash_of(image, bytes)));
}

static void add_workload(json_t *array, const struct tf_job *job, const struct tf_chip *chip)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    struct tf_shape shape;
    size_t bytes;
    tf_arch_shape(arch, &shape);
    for (unsigned core = 0; core < shape.cores; core++) {
        const void *image = tf_workload_program(chip, job->workload, core, &bytes);
        add_unnamed(array, tf_core_name(arch, TF_NODE_TENSIX, core), image, bytes);
    }
}

json_t *tf_json_link_programs(const struct tf_arch *arch, const struct tf_system_workload *workload)
{
    json_t *array = json_array();
    struct tf_shape shape;
    char name[TF_LINKS_NAME_BYTES];
    size_t bytes;
    const void *image = tf_links_program(arch, workload->program, name, &bytes);
    add_unnamed(array, tf_core_name(arch, TF_NODE_ETH, 0), image, bytes);
    tf_arch_shape(arch, &shape);
    for (unsigned core = 0; core < shape.cores && workload->tile_program != NULL; core++) {
        image = tf_links_tile_program(arch, workload->tile_program, core, name, &bytes);
        add_unnamed(array, tf_core_name(arch, TF_NODE_TENSIX, core), image, bytes);
    }
    return array;
}

json_t *tf_json_programs(const struct tf_job *job, const struct tf_arch *arch, const struct tf_chip *chip)
{
    json_t *array = json_array();
    if (job->workload != NULL && chip != NULL)
        add_workload(array, job, chip);
    for (unsigned i = 0; i < job->loads; i++) {
        const struct tf_load *load = &job->load[i];
        static const char *const places[] = {
            [TF_TILE_TENSIX] = "tiles", [TF_TILE_ETH] = "ports", [TF_TILE_DRAM] = "dram_tiles"};
        static const enum tf_node_kind kinds[] = {
            [TF_TILE_TENSIX] = TF_NODE_TENSIX, [TF_TILE_ETH] = TF_NODE_ETH, [TF_TILE_DRAM] = TF_NODE_DRAM};
        json_t *object = json_pack("{s:s, s:s?, s:I, s:o, s:o}", "core",
                                   tf_core_name(arch, kinds[load->kind], load->core), "file", load->path, "bytes",
                                   (json_int_t)load->bytes, "xxh3", hash_of(load->image, load->bytes),
                                   places[load->kind], place_array(load));
        if (load->of_chip)
            json_object_set_new(object, "chip", json_integer(load->chip));
        json_array_append_new(array, object);
    }
    return array;
}

const char *tf_json_end(enum tf_end end)
{
    static const char *const name[] = {
        [TF_END_QUIET] = "quiet", [TF_END_VALUE] = "value",     [TF_END_CYCLES] = "cycles",
        [TF_END_FAULT] = "fault", [TF_END_STOPPED] = "stopped", [TF_END_TIME] = "time",
    };
    return name[end];
}

json_t *tf_json_tiles(struct tf_chip *chip)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    json_t *array = json_array();
    struct tf_tile_stats stats;
    struct tf_coord at;
    char where[TF_NODE_TEXT_BYTES];
    for (unsigned i = 0; tf_tile_coord(arch, i, &at) == TF_OK && tf_tile_stats(chip, i, &stats) == TF_OK; i++)
        json_array_append_new(array,
                              json_pack("{s:s, s:i, s:[i, i], s:I, s:I, s:I, s:I, s:I}", "tile",
                                        tf_node_text(arch, at, where), "index", (int)i, "node", (int)at.x, (int)at.y,
                                        "instructions", (json_int_t)stats.instructions, "noc_requests",
                                        (json_int_t)stats.noc_requests, "noc_bytes", (json_int_t)stats.noc_bytes,
                                        "noc_atomics", (json_int_t)stats.noc_atomics, "noc_bytes_in",
                                        (json_int_t)stats.noc_bytes_in));
    return array;
}

json_t *tf_json_stacks(struct tf_chip *chip, const struct tf_symbols *symbols)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    json_t *object = json_object();
    struct tf_deepest deepest;
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    for (unsigned core = 0; core < shape.cores; core++)
        if (tf_stack_deepest(chip, symbols, core, &deepest))
            json_object_set_new(object, tf_core_name(arch, TF_NODE_TENSIX, core),
                                json_pack("{s:i, s:i, s:i}", "used", (int)deepest.depth.used, "room",
                                          (int)deepest.depth.room, "tile", (int)deepest.tile));
    return object;
}

json_t *tf_json_configuration(const struct tf_job *job, const struct tf_arch *arch, unsigned workers)
{
    const struct tf_config *config = tf_job_config(job);
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    return json_pack("{s:s?, s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "variant", tf_job_variant(job), "arch", shape.name,
                     "mode", config->mode == TF_MODE_RELAXED ? "relaxed" : "deterministic", "atomics",
                     config->atomics == TF_ATOMICS_EMU_SPEC ? "emu-spec" : "isa", "vectors",
                     tf_vectors_name(config->vectors), "scale", (json_int_t)job->options.scale, "seed",
                     (json_int_t)job->options.seed, "threads",
                     (json_int_t)(config->threads != 0 ? config->threads : workers));
}

json_t *tf_json_about(const struct tf_job *job, const struct tf_arch *arch, const struct tf_chip *chip)
{
    const struct tf_config *config = tf_job_config(job);
    return json_pack("{s:i, s:s, s:s, s:o, s:o, s:s, s:[I, I], s:I}", "schema", TF_JSON_SCHEMA, "tilefarm",
                     tf_version(), "commit", tf_commit(), "command", tf_json_command(job), "programs",
                     tf_json_programs(job, arch, chip), "board", arch->board.name, "epoch",
                     (json_int_t)config->epoch_cycles_min, (json_int_t)config->epoch_cycles_max, "slice",
                     (json_int_t)config->slice_cycles);
}
