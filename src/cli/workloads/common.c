/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workloads/common.h"

#include <stdarg.h>
#include <stdio.h>

#include "cli/workloads/grid.h"
#include "images.h"
#include "tile/arch.h"
#include "tile/node_text.h"

/* NOC_AT_LEN_BE in the two profiles (BlackholeA0/NoC/Atomics.md; the emulator specification's "noc atomics"). */
/* clang-format off */
static const uint32_t recipes[2][TF_K_AT_COUNT] = {
    [TF_ATOMICS_ISA] = {
        [TF_K_AT_INC] = TF_K_AT(0x1000 | 31 << 2, 0, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_INC_PTR] = TF_K_AT(0x2000, TF_K_NONE, 6, 2),
        [TF_K_AT_SWAP_MASK] = TF_K_AT(0x3000, TF_K_NONE, 2, TF_K_NONE),
        [TF_K_AT_CAS] = TF_K_AT(0x4000, 0, 2, 6),
        [TF_K_AT_MAP] = TF_K_AT(0x5000, TF_K_NONE, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_SWAP_0] = TF_K_AT(0x6004, 0, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_SWAP_1] = TF_K_AT(0x7000, 2, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_SWAP_2] = TF_K_AT(0xA300, 0, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_ZAAMO] = TF_K_AT(0xA800, 0, 8, TF_K_NONE),
        [TF_K_AT_ACC] = TF_K_AT(0x9000, TF_K_NONE, 0, TF_K_NONE),
    },
    [TF_ATOMICS_EMU_SPEC] = {
        [TF_K_AT_INC] = TF_K_AT(0x1000, 0, 6, TF_K_NONE),
        [TF_K_AT_INC_PTR] = TF_K_AT(0x2000, TF_K_NONE, 6, 2),
        [TF_K_AT_SWAP_MASK] = TF_K_AT(0x3000, TF_K_NONE, 4, TF_K_NONE),
        [TF_K_AT_CAS] = TF_K_AT(0x4000, 2, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_MAP] = TF_K_AT(0x5000, TF_K_NONE, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_SWAP_0] = TF_K_AT(0x7000, 2, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_SWAP_1] = TF_K_AT(0x7000, 2, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_SWAP_2] = TF_K_AT(0x7000, 2, TF_K_NONE, TF_K_NONE),
        [TF_K_AT_ZAAMO] = TF_K_AT(0x8000, 0, 8, TF_K_NONE),
        [TF_K_AT_ACC] = TF_K_AT(0x9000, TF_K_NONE, 0, TF_K_NONE),
    },
};
/* clang-format on */

static void describe(struct tf_message *message, const char *format, va_list list)
{
    if (message != NULL)
        vsnprintf(message->text, sizeof message->text, format, list);
}

__attribute__((format(printf, 3, 4))) static int complain(struct tf_message *message, int code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    describe(message, format, list);
    va_end(list);
    return code;
}

int tf_wl_wrong(struct tf_message *message, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    describe(message, format, list);
    va_end(list);
    return TF_WORKLOAD_WRONG;
}

/* A tile in a message, as "tile 1 (2,2)". The text lasts as long as the block. */
#define TEXT(chip, tile) tf_tile_text(tf_chip_arch(chip), tile, (char[TF_NODE_TEXT_BYTES]){""})

int tf_wl_differs(const struct tf_chip *chip, struct tf_message *message, unsigned tile, const char *what,
                  uint32_t index, uint32_t got, uint32_t expected)
{
    return tf_wl_wrong(message, "%s: %s %u is 0x%08x, not 0x%08x", TEXT(chip, tile), what, index, got, expected);
}

/* The place of a tile. If there is no such tile, it is off the grid, and an access reports that. */
static struct tf_coord place(const struct tf_chip *chip, unsigned tile)
{
    struct tf_coord coord = {UINT8_MAX, UINT8_MAX};
    tf_tile_coord(tf_chip_arch(chip), tile, &coord);
    return coord;
}

int tf_wl_read(struct tf_chip *chip, unsigned tile, uint64_t address, void *data, size_t bytes,
               struct tf_message *message)
{
    int result = tf_read(chip, place(chip, tile), address, data, bytes);
    if (result == TF_OK)
        return TF_OK;
    return complain(message, result, "%s: reading 0x%llx: %s", TEXT(chip, tile), (unsigned long long)address,
                    tf_strerror(result));
}

int tf_wl_write(struct tf_chip *chip, unsigned tile, uint64_t address, const void *data, size_t bytes,
                struct tf_message *message)
{
    int result = tf_write(chip, place(chip, tile), address, data, bytes);
    if (result == TF_OK)
        return TF_OK;
    return complain(message, result, "%s: writing 0x%llx: %s", TEXT(chip, tile), (unsigned long long)address,
                    tf_strerror(result));
}

int tf_wl_write_word(struct tf_chip *chip, unsigned tile, uint64_t address, uint32_t value, struct tf_message *message)
{
    return tf_wl_write(chip, tile, address, &value, sizeof value, message);
}

int tf_wl_result(struct tf_chip *chip, unsigned tile, unsigned core, uint32_t *word, unsigned words,
                 struct tf_message *message)
{
    return tf_wl_read(chip, tile, TF_K_RESULT + core * TF_K_RESULT_BYTES, word, words * sizeof *word, message);
}

int tf_wl_expect_word(struct tf_chip *chip, unsigned tile, const char *what, uint32_t index, uint64_t address,
                      uint32_t expected, struct tf_message *message)
{
    uint32_t word;
    int result = tf_wl_read(chip, tile, address, &word, sizeof word, message);
    return result == TF_OK ? tf_wl_expect(chip, message, tile, what, index, word, expected) : result;
}

static int check_options(const struct tf_workload *workload, const struct tf_workload_options *options,
                         struct tf_message *message)
{
    if (options->scale > workload->scale_max)
        return complain(message, TF_EINVAL, "scale %u is above %u", options->scale, workload->scale_max);
    if (options->variant >= tf_workload_variants(workload))
        return complain(message, TF_EINVAL, "there is no variant %u", options->variant);
    if (options->atomics != TF_ATOMICS_ISA && options->atomics != TF_ATOMICS_EMU_SPEC)
        return complain(message, TF_EINVAL, "unknown profile of atomics");
    return TF_OK;
}

/* The shape that a workload needs unless its table says otherwise. */
#define COLUMNS_LEAST 4u
#define ROWS_LEAST 8u /* softmax over the chip has 16 rows: a tile's own, or that of the tile 8 rows above */

/* Read the chip's shape. Its Tensix tiles must stand in rows of one length. */
static int look_at_chip(const struct tf_chip *chip, struct tf_wl *wl, struct tf_message *message)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    const struct tf_workload *workload = wl->workload;
    const unsigned columns_least = workload->columns_least != 0 ? workload->columns_least : COLUMNS_LEAST;
    const unsigned rows_least = workload->rows_least != 0 ? workload->rows_least : ROWS_LEAST;
    wl->tiles = arch->tile[TF_TILE_TENSIX].tiles;
    wl->whole = tf_grid_is_whole(arch);
    wl->family = arch->name;
    wl->noc_atomics = arch->noc.atomics;
    wl->stream_place = arch->tile[TF_TILE_TENSIX].stream_place;
    wl->amos = tf_arch_extensions(arch) & TF_EXT_ZAAMO;
    while (wl->row < wl->tiles && place(chip, wl->row).y == place(chip, 0).y)
        wl->row++;
    wl->rows = wl->row != 0 ? wl->tiles / wl->row : 0;
    if (wl->row < columns_least || wl->rows < rows_least)
        return complain(message, TF_EINVAL, "%s needs %u columns and %u rows of tiles; this %s (%s) has %u by %u",
                        workload->name, columns_least, rows_least, arch->title, arch->board.name, wl->row, wl->rows);
    for (unsigned core = 0; core < TF_K_CORES; core++) {
        char name[64];
        tf_grid_image(arch, wl->workload->name, core, name, sizeof name);
        if (tf_wl_runs(wl, core) && tf_kernel_find(name) == NULL)
            return complain(message, TF_EINVAL, "there is no program for %s, whose chips have %u tiles", arch->title,
                            wl->tiles);
    }
    return TF_OK;
}

int tf_wl_lacks(struct tf_chip *chip, const char *what, struct tf_message *message)
{
    return complain(message, TF_EINVAL, "%s has no %s", tf_chip_arch(chip)->title, what);
}

bool tf_workload_exists(const struct tf_arch *arch, const struct tf_workload *workload)
{
    for (unsigned core = 0; core < TF_K_CORES; core++) {
        char name[64];
        tf_grid_image(tf_arch_or_default(arch), workload->name, core, name, sizeof name);
        if (tf_kernel_find(name) != NULL)
            return true;
    }
    return false;
}

const void *tf_workload_program(const struct tf_chip *chip, const struct tf_workload *workload, unsigned core,
                                size_t *bytes)
{
    char name[64];
    tf_grid_image(tf_chip_arch(chip), workload->name, core, name, sizeof name);
    const struct tf_kernel_image *image = tf_kernel_find(name);
    *bytes = image == NULL ? 0 : tf_kernel_bytes(image);
    return image == NULL ? NULL : image->data;
}

static int load(struct tf_chip *chip, const struct tf_wl *wl, unsigned core, struct tf_message *message)
{
    char name[64];
    tf_grid_image(tf_chip_arch(chip), wl->workload->name, core, name, sizeof name);
    const struct tf_kernel_image *image = tf_kernel_find(name);
    if (image == NULL)
        return complain(message, TF_EFORMAT, "the device program %s is missing", name);
    for (unsigned tile = 0; tile < wl->tiles; tile++) {
        int result = tf_load_elf(chip, tile, (enum tf_core)core, name, image->data, tf_kernel_bytes(image), message);
        if (result != TF_OK)
            return result;
    }
    return TF_OK;
}

/* Parameters, done words, results, scratch and shared words, for every tile. */
static int hand_out(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    size_t bytes = TF_K_SHARED + TF_K_SHARED_BYTES - TF_K_PARAMS;
    struct tf_k_params params = {
        .magic = TF_K_PARAMS_MAGIC,
        .seed = wl->options.seed,
        .scale = wl->options.scale,
        .variant = wl->options.variant,
    };
    unsigned char *image = calloc(1, bytes);
    struct tf_k_grid grid;
    int result = TF_OK;
    if (image == NULL)
        return complain(message, TF_ENOMEM, "no memory");
    memcpy(params.at, recipes[wl->options.atomics], sizeof params.at);
    if (!(wl->noc_atomics >> 10 & 1)) /* two of the three word swaps are used */
        params.at[TF_K_AT_SWAP_2] = params.at[TF_K_AT_SWAP_0];
    memcpy(image, &params, sizeof params);
    tf_grid_make(tf_chip_arch(chip), &grid);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++) {
        grid.me = grid.tiles != 0 ? tile : 0;
        memcpy(image + (TF_K_GRID - TF_K_PARAMS), &grid, sizeof grid);
        result = tf_wl_write(chip, tile, TF_K_PARAMS, image, bytes, message);
    }
    free(image);
    return result;
}

int tf_wl_begin(struct tf_chip *chip, const struct tf_workload *workload, const struct tf_workload_options *options,
                uint32_t cores, struct tf_wl **wl, struct tf_message *message)
{
    int result = check_options(workload, options, message);
    if (result != TF_OK)
        return result;
    struct tf_wl *made = calloc(1, sizeof *made);
    if (made == NULL)
        return complain(message, TF_ENOMEM, "no memory");
    made->workload = workload;
    made->options = *options;
    made->cores = cores;
    if (made->options.scale == 0)
        made->options.scale = workload->scale_default;
    result = look_at_chip(chip, made, message);
    for (unsigned core = 0; core < TF_K_CORES && result == TF_OK; core++) {
        if (tf_wl_runs(made, core))
            result = load(chip, made, core, message);
    }
    if (result == TF_OK)
        result = hand_out(chip, made, message);
    if (result != TF_OK) {
        free(made);
        return result;
    }
    *wl = made;
    return TF_OK;
}

int tf_wl_start(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    for (unsigned tile = 0; tile < wl->tiles; tile++) {
        for (unsigned core = 0; core < TF_K_CORES; core++) {
            int result = tf_wl_runs(wl, core) ? tf_core_start(chip, tile, (enum tf_core)core) : TF_OK;
            if (result != TF_OK)
                return complain(message, result, "%s: starting %s: %s", TEXT(chip, tile), tf_tensix_core_name(core),
                                tf_strerror(result));
        }
    }
    return TF_OK;
}

int tf_wl_setup(struct tf_chip *chip, const struct tf_workload *workload, const struct tf_workload_options *options,
                uint32_t cores, void **state, struct tf_message *message)
{
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, workload, options, cores, &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    return tf_wl_start(chip, wl, message);
}

int tf_wl_done(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    for (unsigned tile = 0; tile < wl->tiles; tile++) {
        uint32_t word[TF_K_CORES];
        int result = tf_wl_read(chip, tile, TF_K_DONE, word, sizeof word, message);
        if (result != TF_OK)
            return result;
        for (unsigned core = 0; core < TF_K_CORES; core++) {
            if (!tf_wl_runs(wl, core) || word[core] == TF_K_DONE_MAGIC)
                continue;
            if (word[core] >> 16 == TF_K_DONE_MAGIC >> 16)
                return tf_wl_wrong(message, "%s: %s found error %u", TEXT(chip, tile), tf_tensix_core_name(core),
                                   word[core] & 0xFFFF);
            return tf_wl_wrong(message, "%s: %s has not finished (done word 0x%08x)", TEXT(chip, tile),
                               tf_tensix_core_name(core), word[core]);
        }
    }
    return TF_OK;
}

int tf_wl_verify_tiles(struct tf_chip *chip, const struct tf_wl *wl,
                       int (*verify_tile)(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile,
                                          struct tf_message *message),
                       struct tf_message *message)
{
    int result = tf_wl_done(chip, wl, message);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++)
        result = verify_tile(chip, wl, tile, message);
    return result;
}

void tf_wl_release(void *state)
{
    free(state);
}
