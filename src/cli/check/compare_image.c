/* SPDX-License-Identifier: Apache-2.0 */
/* The memory and the cores of a chip before its run: enough to start another chip like it. */
#include <stdlib.h>
#include <string.h>

#include "cli/check/compare.h"
#include "cli/check/compare_image.h"
#include "farm/chip/chip.h"
#include "host/extremes.h"
#include "host/zeroed.h"
#include "host/zeros.h"
#include "noc/nodes/space.h"
#include "tilefarm_layout.h"

#define PAGE_BYTES TF_ZEROED_PAGE_BYTES
#define BLOCK_BYTES (2u << 20) /* DRAM is compared in such units; untouched blocks are skipped */

_Static_assert(BLOCK_BYTES <= TF_ZEROED_LOOK_PAGES * PAGE_BYTES, "a block, and the L1 of a tile, takes one look");

/* Make room for one more item in an array. Its room doubles. Returns NULL if the host has no memory. */
static void *grow(void *array, size_t *count, size_t item_bytes)
{
    size_t n = *count;
    if ((n & (n - 1)) == 0) {
        array = realloc(array, (n == 0 ? 1 : 2 * n) * item_bytes);
        if (array == NULL)
            return NULL;
    }
    *count = n + 1;
    return array;
}

static bool add_before(struct tf_image *image, struct tf_coord node, uint64_t address, const uint8_t *data)
{
    struct tf_span *list = grow(image->before, &image->befores, sizeof *list);
    uint8_t *copy = malloc(PAGE_BYTES);
    if (list != NULL)
        image->before = list;
    if (list == NULL || copy == NULL) {
        free(copy);
        image->befores -= list != NULL;
        return false;
    }
    memcpy(copy, data, PAGE_BYTES);
    list[image->befores - 1] = (struct tf_span){.node = node, .address = address, .bytes = PAGE_BYTES, .data = copy};
    return true;
}

static bool add_after(struct tf_image *image, struct tf_coord node, uint64_t address, size_t bytes)
{
    struct tf_span *list = grow(image->after, &image->afters, sizeof *list);
    if (list == NULL)
        return false;
    image->after = list;
    list[image->afters - 1] = (struct tf_span){.node = node, .address = address, .bytes = bytes};
    image->after_bytes += bytes;
    return true;
}

static bool take_memory(struct tf_image *image, struct tf_node *node, uint64_t first, uint64_t bytes)
{
    bool zero, touched[TF_ZEROED_LOOK_PAGES];
    const uint8_t *memory = tf_node_memory(node, first, bytes, false, &zero);
    if (memory != NULL)
        tf_zeroed_ask(NULL, memory, bytes, touched);
    for (uint64_t at = 0, page = 0; memory != NULL && at < bytes; at += PAGE_BYTES, page++)
        if (touched[page] && !tf_zeros(memory + at, PAGE_BYTES) &&
            !add_before(image, node->coord, first + at, memory + at))
            return false;
    return true;
}

static bool add_start(struct tf_image *image, struct tf_chip *chip, unsigned tile, struct tf_coord place)
{
    struct tf_start start = {.node = place};
    for (unsigned core = 0; core < chip->tiles.tile[tile].arch->cores; core++) {
        struct tf_core_view view;
        if (tf_core_view(chip, tile, (enum tf_core)core, &view) != TF_OK || view.state == TF_CORE_RESET)
            continue;
        start.cores |= 1u << core;
        start.pc[core] = view.pc;
    }
    if (start.cores == 0)
        return true;
    struct tf_start *list = grow(image->start, &image->starts, sizeof *list);
    if (list == NULL)
        return false;
    image->start = list;
    list[image->starts - 1] = start;
    return true;
}

/* Compare all of L1 except the scratch area of workloads, whose words depend on the order of atomics. */
static bool add_l1(struct tf_image *image, struct tf_coord place, uint32_t bytes, bool workload)
{
    uint32_t hole = workload ? TF_K_CORES * TF_K_SCRATCH_BYTES : 0;
    return add_after(image, place, 0, TF_K_SCRATCH) &&
           add_after(image, place, TF_K_SCRATCH + hole, bytes - TF_K_SCRATCH - hole);
}

static bool take_tiles(struct tf_image *image, struct tf_chip *chip, bool workload)
{
    for (unsigned tile = 0; tile < chip->tiles.tensix; tile++) {
        struct tf_coord place;
        tf_tile_coord(chip->arch, tile, &place);
        struct tf_node *node = &chip->fabric->node[tf_node_number(chip->arch, place)];
        size_t starts = image->starts;
        if (!take_memory(image, node, 0, node->l1_bytes) || !add_start(image, chip, tile, place))
            return false;
        if (image->starts > starts && !add_l1(image, place, node->l1_bytes, workload))
            return false;
    }
    return true;
}

static bool take_dram(struct tf_image *image, struct tf_chip *chip)
{
    for (unsigned i = 0; i < chip->fabric->nodes; i++) {
        struct tf_node *node = &chip->fabric->node[i];
        if (node->dram == NULL || node->site != node->number)
            continue;
        for (uint64_t at = 0; at < node->dram_bytes; at += BLOCK_BYTES) {
            bool zero;
            if (tf_node_memory(node, at, BLOCK_BYTES, false, &zero) == NULL)
                continue;
            if (!take_memory(image, node, at, BLOCK_BYTES) || !add_after(image, node->coord, at, BLOCK_BYTES))
                return false;
        }
    }
    return true;
}

bool tf_image_take(struct tf_image *image, struct tf_chip *chip, bool workload)
{
    *image = (struct tf_image){.before = NULL};
    if (take_tiles(image, chip, workload) && take_dram(image, chip))
        return true;
    tf_image_free(image);
    return false;
}

void tf_image_free(struct tf_image *image)
{
    for (size_t i = 0; i < image->befores; i++)
        free((void *)image->before[i].data);
    free(image->before);
    free(image->after);
    free(image->start);
    *image = (struct tf_image){.before = NULL};
}

size_t tf_image_result_bytes(const struct tf_image *image)
{
    size_t pieces = image->after_bytes / PAGE_BYTES + 2 * image->afters;
    return sizeof(struct tf_library_result) + image->after_bytes + pieces * sizeof(bool);
}

bool tf_image_next(const struct tf_image *image, struct tf_piece *piece)
{
    piece->number += piece->bytes != 0;
    piece->at += piece->bytes;
    piece->address += piece->bytes;
    if (image->afters == 0)
        return false;
    const struct tf_span *span = &image->after[piece->span];
    if (piece->bytes == 0) {
        piece->address = span->address;
    } else if (piece->address == span->address + span->bytes) {
        if (++piece->span == image->afters)
            return false;
        span = &image->after[piece->span];
        piece->address = span->address;
    }
    piece->bytes = (size_t)tf_min(PAGE_BYTES - piece->address % PAGE_BYTES,
                                  span->address + span->bytes - piece->address);
    return true;
}

bool *tf_image_used(const struct tf_image *image, struct tf_library_result *result, const struct tf_piece *piece)
{
    return (bool *)(result->memory + image->after_bytes) + piece->number;
}

/* Which pages of a span may hold anything but zeros in the chip? */
static void look(struct tf_chip *chip, const struct tf_span *span, bool *touched)
{
    bool zero;
    uint64_t skip = span->address % PAGE_BYTES;
    uint64_t bytes = (skip + span->bytes + PAGE_BYTES - 1) & -(uint64_t)PAGE_BYTES;
    struct tf_node *node = &chip->fabric->node[tf_node_number(chip->arch, span->node)];
    const uint8_t *memory = tf_node_memory(node, span->address - skip, bytes, false, &zero);
    if (memory != NULL)
        tf_zeroed_ask(NULL, memory, bytes, touched);
    else
        memset(touched, true, TF_ZEROED_LOOK_PAGES);
}

int tf_image_put(const struct tf_image *image, struct tf_library_result *result, struct tf_chip *chip)
{
    bool touched[TF_ZEROED_LOOK_PAGES];
    const struct tf_span *looked = NULL, *span;
    for (struct tf_piece piece = {.number = 0}; tf_image_next(image, &piece); looked = span) {
        span = &image->after[piece.span];
        if (span != looked)
            look(chip, span, touched);
        if (!*tf_image_used(image, result, &piece) && !touched[piece.address / PAGE_BYTES - span->address / PAGE_BYTES])
            continue;
        int error = tf_write(chip, span->node, piece.address, result->memory + piece.at, piece.bytes);
        if (error != TF_OK)
            return error;
    }
    return TF_OK;
}
