/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/loads.h"

#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/request/request.h"
#include "cli/text.h"
#include "farm/chip/dram_tiles.h"
#include "farm/chip/loader.h"
#include "farm/chip/rules.h"
#include "tile/arch.h"

/* The ranges of L1 that a program writes. */
struct footprint {
    unsigned ranges;
    struct {
        uint32_t address, bytes;
    } range[TF_ELF_SEGMENTS_MAX];
};

static const char *name_of_core(const struct tf_load *load)
{
    return tf_cli_core_name(load->kind, load->core);
}

static bool is_source(const char *path)
{
    static const char *const ends[] = {".c", ".cc", ".cpp", ".S"};
    const char *dot = strrchr(path, '.');
    for (unsigned i = 0; dot != NULL && i < sizeof ends / sizeof ends[0]; i++)
        if (strcmp(dot, ends[i]) == 0)
            return true;
    return false;
}

static bool find_footprint(const struct tf_load *load, const struct tf_arch *arch, bool local,
                           struct footprint *footprint)
{
    struct tf_elf elf;
    struct tf_message message;
    *footprint = (struct footprint){.ranges = 0};
    if (load->flat) {
        footprint->ranges = 1;
        footprint->range[0].address = load->address;
        footprint->range[0].bytes = (uint32_t)load->bytes;
        return true;
    }
    const struct tf_tile_arch *tile = load->kind == TF_TILE_DRAM ? arch->dram.core : &arch->tile[load->kind];
    if ((local ? tf_elf_parse_local : tf_elf_parse)(load->image, load->bytes, load->path, tile, &elf, &message) !=
        TF_OK) {
        if (is_source(load->path))
            tf_cli_error("--load: %s is source text; compile it by 'tilefarm cc -c %s %s'", load->path,
                         name_of_core(load), load->path);
        else
            tf_cli_error("%s%s", message.text,
                         strstr(message.text, "has data for local RAM") != NULL ? "; or use --load-local" : "");
        return false;
    }
    if (tf_elf_of_other_core(&elf, load->path, name_of_core(load), &message))
        tf_cli_error("warning: %s", message.text);
    footprint->ranges = elf.segments;
    for (unsigned i = 0; i < elf.segments; i++) {
        footprint->range[i].address = elf.segment[i].address;
        footprint->range[i].bytes = elf.segment[i].memory_bytes;
    }
    return true;
}

/* The first tile that two programs share, or -1. */
static int shared_tile(const struct tf_load *a, const struct tf_load *b)
{
    const bool apart = a->kind != b->kind || (a->of_chip && b->of_chip && a->chip != b->chip);
    for (unsigned tile = 0; !apart && tile < sizeof a->tiles.has; tile++)
        if (a->tiles.has[tile] && b->tiles.has[tile])
            return (int)tile;
    return -1;
}

/* One file may serve several cores of a tile. */
static bool same_image(const struct tf_load *a, const struct tf_load *b)
{
    return a->flat == b->flat && a->address == b->address && a->bytes == b->bytes &&
           memcmp(a->image, b->image, a->bytes) == 0;
}

/* Find the first address that both programs write. Returns false if there is none. */
static bool find_overlap(const struct footprint *a, const struct footprint *b, uint32_t *address)
{
    for (unsigned i = 0; i < a->ranges; i++)
        for (unsigned j = 0; j < b->ranges; j++) {
            uint64_t first = a->range[i].address, second = b->range[j].address;
            uint64_t start = first > second ? first : second;
            if (start >= first + a->range[i].bytes || start >= second + b->range[j].bytes)
                continue;
            *address = (uint32_t)start;
            return true;
        }
    return false;
}

/* Print an error line and return false if the second of two programs takes a core or memory of the first. */
static bool check_pair(const struct tf_load *a, const struct footprint *at_a, const struct tf_load *b,
                       const struct footprint *at_b)
{
    uint32_t address;
    int tile = shared_tile(a, b);
    if (tile < 0)
        return true;
    if (a->core == b->core) {
        tf_cli_error("%s and %s: both programs are for core %s of %s %d", a->path, b->path, name_of_core(a),
                     tf_cli_place_word(a->kind), tile);
        return false;
    }
    if (same_image(a, b) || !find_overlap(at_a, at_b, &address))
        return true;
    tf_cli_error("%s and %s: both write to address 0x%x of %s %d", a->path, b->path, address,
                 tf_cli_place_word(a->kind), tile);
    return false;
}

static bool check_loads(const struct tf_request *request, struct footprint *footprint)
{
    const struct tf_arch *arch = tf_arch_or_default(tf_job_arch(&request->job));
    const struct tf_rules rules = tf_rules_of(tf_job_config(&request->job));
    const char *refused = tf_dram_tile_refused(&rules);
    for (unsigned i = 0; i < request->job.loads; i++) {
        if (request->load[i].kind == TF_TILE_DRAM && refused != NULL) {
            tf_cli_error("--load: %s: %s", request->load[i].path, refused);
            return false;
        }
        if (!find_footprint(&request->load[i], arch, request->job.load_local, &footprint[i]))
            return false;
        for (unsigned j = 0; j < i; j++)
            if (!check_pair(&request->load[j], &footprint[j], &request->load[i], &footprint[i]))
                return false;
    }
    return true;
}

static bool read_named(struct tf_named *named)
{
    named->image = tf_cli_read_file(named->path, &named->bytes);
    struct tf_symbols *symbols = named->image != NULL ? tf_symbols_create() : NULL;
    const bool fine = symbols != NULL && tf_symbols_add_unplaced(symbols, named->image, named->bytes);
    if (named->image != NULL && !fine)
        tf_cli_error("--symbols: %s: no ELF file of a RISC-V program with symbols", named->path);
    tf_symbols_destroy(symbols);
    return fine;
}

int tf_request_load(struct tf_request *request)
{
    for (unsigned i = 0; i < request->job.names; i++)
        if (!read_named(&request->job.named[i]))
            return TF_EXIT_USAGE;
    if (request->job.loads == 0)
        return -1;
    for (unsigned i = 0; i < request->job.loads; i++) {
        struct tf_load *load = &request->load[i];
        load->image = tf_cli_read_file(load->path, &load->bytes);
        if (load->image == NULL)
            return TF_EXIT_USAGE;
        if (load->flat && load->bytes == 0) {
            tf_cli_error("--flat: %s: the file is empty", load->path);
            return TF_EXIT_USAGE;
        }
    }
    struct footprint *footprint = calloc(request->job.loads, sizeof *footprint);
    if (footprint == NULL) {
        tf_cli_error("too little memory");
        return TF_EXIT_FAILED;
    }
    bool right = check_loads(request, footprint);
    free(footprint);
    return right ? -1 : TF_EXIT_USAGE;
}
