/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/systems/links.h"

#include <stdarg.h>
#include <stdlib.h>

#include "cli/workloads/grid.h"
#include "images.h"
#include "tilefarm_layout.h"

int tf_links_fail(struct tf_message *message, int code, struct tf_cluster_end port, const char *format, ...)
{
    va_list arguments;
    char text[200];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "chip %u, port %u: %s", port.chip, port.port, text);
    return code;
}

struct tf_links *tf_links_begin(struct tf_system *system, const struct tf_system_workload *workload,
                                const struct tf_workload_options *options, int *error, struct tf_message *message)
{
    struct tf_links *links = NULL;
    *error = TF_EINVAL;
    if (tf_system_cluster(system)->links == 0)
        snprintf(message->text, sizeof message->text, "it needs chips that are joined by links");
    else if (options->scale > workload->scale_max)
        snprintf(message->text, sizeof message->text, "its scale is at most %u", workload->scale_max);
    else if ((links = calloc(1, sizeof *links)) == NULL)
        *error = TF_ENOMEM;
    if (links == NULL)
        return NULL;
    links->options = *options;
    links->program = workload->program;
    if (links->options.scale == 0)
        links->options.scale = workload->scale_default;
    *error = TF_OK;
    return links;
}

static struct tf_coord place(struct tf_system *system, struct tf_cluster_end port)
{
    struct tf_coord coord = {UINT8_MAX, UINT8_MAX};
    tf_port_coord(tf_chip_arch(tf_system_chip(system, port.chip)), port.port, &coord);
    return coord;
}

int tf_links_read(struct tf_system *system, struct tf_cluster_end port, uint32_t address, void *data, uint32_t bytes,
                  struct tf_message *message)
{
    int error = tf_read(tf_system_chip(system, port.chip), place(system, port), address, data, bytes);
    return error == TF_OK ? TF_OK
                          : tf_links_fail(message, error, port, "reading 0x%x: %s", address, tf_strerror(error));
}

int tf_links_write(struct tf_system *system, struct tf_cluster_end port, uint32_t address, const void *data,
                   uint32_t bytes, struct tf_message *message)
{
    int error = tf_write(tf_system_chip(system, port.chip), place(system, port), address, data, bytes);
    return error == TF_OK ? TF_OK
                          : tf_links_fail(message, error, port, "writing 0x%x: %s", address, tf_strerror(error));
}

int tf_links_clear(struct tf_system *system, struct tf_cluster_end port, struct tf_message *message)
{
    static const uint8_t zero[TF_L_PROGRAM - TF_L_JOB];
    int error = tf_links_write(system, port, TF_L_JOB, zero, TF_L_PROGRAM - TF_L_JOB, message);
    return error == TF_OK ? tf_links_write(system, port, TF_L_SIGNAL, zero, TF_L_BUFFER - TF_L_SIGNAL, message) : error;
}

static const void *find(const char *name, size_t *bytes)
{
    const struct tf_kernel_image *image = tf_kernel_find(name);
    *bytes = image != NULL ? tf_kernel_bytes(image) : 0;
    return image != NULL ? image->data : NULL;
}

const void *tf_links_program(const struct tf_arch *arch, const char *program, char name[TF_LINKS_NAME_BYTES],
                             size_t *bytes)
{
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    const bool in_folder = tf_grid_has_folder(arch);
    snprintf(name, TF_LINKS_NAME_BYTES, "%s%s%s.e0", in_folder ? shape.name : "", in_folder ? "/" : "", program);
    return find(name, bytes);
}

const void *tf_links_tile_program(const struct tf_arch *arch, const char *program, unsigned core,
                                  char name[TF_LINKS_NAME_BYTES], size_t *bytes)
{
    tf_grid_image(arch, program, core, name, TF_LINKS_NAME_BYTES);
    return find(name, bytes);
}

int tf_links_start_port(struct tf_system *system, struct tf_cluster_end port, const char *program,
                        struct tf_message *message)
{
    struct tf_chip *chip = tf_system_chip(system, port.chip);
    char name[TF_LINKS_NAME_BYTES];
    size_t bytes;
    const void *image = tf_links_program(tf_chip_arch(chip), program, name, &bytes);
    const int tile = tf_port_tile(chip, port.port);
    if (image == NULL || tile < 0)
        return tf_links_fail(message, TF_ENODEV, port, "there is no program for its Ethernet tile");
    int error = tf_load_elf(chip, (unsigned)tile, 0, name, image, bytes, message);
    return error == TF_OK ? tf_core_start(chip, (unsigned)tile, 0) : error;
}

int tf_links_start(struct tf_system *system, struct tf_links *links, struct tf_cluster_end port,
                   const struct tf_link_job *job, struct tf_message *message)
{
    struct tf_link_job filled = *job;
    filled.magic = TF_L_MAGIC;
    filled.seed = links->options.seed;
    filled.rounds = links->options.scale;
    filled.bytes = links->bytes;
    int error = tf_links_clear(system, port, message);
    if (error == TF_OK)
        error = tf_links_write(system, port, TF_L_JOB, &filled, sizeof filled, message);
    if (error == TF_OK)
        error = tf_links_start_port(system, port, links->program, message);
    if (error == TF_OK)
        links->port[links->count++] = port;
    return error;
}

int tf_links_result(struct tf_system *system, struct tf_cluster_end port, struct tf_link_result *result,
                    struct tf_message *message)
{
    uint32_t done;
    int error = tf_links_read(system, port, TF_L_DONE, &done, sizeof done, message);
    if (error == TF_OK)
        error = tf_links_read(system, port, TF_L_RESULT, result, sizeof *result, message);
    if (error == TF_OK && done != TF_K_DONE_MAGIC)
        return tf_links_fail(message, TF_WORKLOAD_WRONG, port, done == 0 ? "E0 has not ended" : "E0 returned 0x%x",
                             done);
    return error;
}

uint32_t tf_links_port_xy(struct tf_system *system, struct tf_cluster_end port)
{
    const struct tf_coord coord = place(system, port);
    return coord.x | (uint32_t)coord.y << 6;
}

uint32_t tf_links_tile_xy(const struct tf_arch *arch, unsigned tile)
{
    struct tf_coord coord = {0, 0};
    struct tf_k_grid grid;
    tf_tile_coord(arch, tile, &coord);
    tf_grid_make(arch, &grid);
    if (grid.tiles == 0)
        return coord.x | (uint32_t)coord.y << 6;
    return grid.x[tile % grid.row] | (uint32_t)grid.y[tile / grid.row] << 6;
}

int tf_links_write_grid(struct tf_chip *chip, unsigned tile)
{
    struct tf_coord coord = {0, 0};
    struct tf_k_grid grid;
    tf_tile_coord(tf_chip_arch(chip), tile, &coord);
    tf_grid_make(tf_chip_arch(chip), &grid);
    grid.me = grid.tiles != 0 ? tile : 0;
    return tf_write(chip, coord, TF_K_GRID, &grid, sizeof grid);
}

int tf_links_start_core(struct tf_chip *chip, unsigned tile, const char *program, unsigned core,
                        struct tf_message *message)
{
    char name[TF_LINKS_NAME_BYTES];
    size_t bytes;
    const void *image = tf_links_tile_program(tf_chip_arch(chip), program, core, name, &bytes);
    if (image == NULL)
        return TF_ENODEV;
    int error = tf_load_elf(chip, tile, core, name, image, bytes, message);
    return error == TF_OK ? tf_core_start(chip, tile, core) : error;
}
