/* SPDX-License-Identifier: Apache-2.0 */
/* Loads executables into a chip. This is a file of its own, so that a library that loads none does not need libelf. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm/chip/access.h"
#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "farm/chip/load.h"
#include "farm/chip/loader.h"

static int read_file(const char *path, uint8_t **image, size_t *bytes, struct tf_message *message)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        goto bad;
    if (fseek(file, 0, SEEK_END) != 0)
        goto bad;
    long size = ftell(file);
    if (size < 0 || size > (long)TF_ELF_BYTES_MAX || fseek(file, 0, SEEK_SET) != 0)
        goto bad;
    *image = malloc((size_t)size + 1);
    if (*image == NULL) {
        fclose(file);
        return TF_ENOMEM;
    }
    *bytes = fread(*image, 1, (size_t)size, file);
    if (ferror(file) || *bytes != (size_t)size) {
        free(*image);
        goto bad;
    }
    fclose(file);
    return TF_OK;
bad:
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%.200s: cannot be read", path);
    if (file != NULL)
        fclose(file);
    return TF_EIO;
}

static int load_segments(struct tf_chip *chip, unsigned tile, const struct tf_elf *elf, const uint8_t *image)
{
    static const uint8_t zero[4096];
    struct tf_coord coord = tf_chip_tile_node(chip, tile)->coord;
    const uint64_t l1 = tf_chip_tile_arch(chip, tile)->kind == TF_TILE_DRAM ? chip->arch->space.core_l1_first : 0;
    for (unsigned i = 0; i < elf->segments; i++) {
        const struct tf_elf_segment *segment = &elf->segment[i];
        int error = tf_write(chip, coord, l1 + segment->address, image + segment->file_offset, segment->file_bytes);
        for (uint32_t at = segment->file_bytes; error == TF_OK && at < segment->memory_bytes;) {
            uint32_t length = segment->memory_bytes - at < sizeof zero ? segment->memory_bytes - at : sizeof zero;
            error = tf_write(chip, coord, l1 + segment->address + at, zero, length);
            at += length;
        }
        if (error != TF_OK)
            return error;
    }
    return TF_OK;
}

/* A core that has run starts another program as after a reset that clears local RAM, where a reset keeps it. */
static void clear_local(struct tf_chip *chip, unsigned tile, enum tf_core core, const struct tf_elf *elf)
{
    struct tf_tile *of = tf_chip_tile(chip, tile);
    struct tf_core_view view;
    if (of != NULL && tf_chip_tile_arch(chip, tile)->keeps_local && tf_core_look(chip, tile, core, &view) == TF_OK &&
        view.state == TF_CORE_RESET && view.instret != 0)
        memset(of->hart[core].local, 0, elf->local_bytes);
}

/* Load a checked file: L1, and where the core starts. */
static int load(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *name, const uint8_t *image,
                const struct tf_elf *elf, struct tf_message *message)
{
    const struct tf_tile_arch *arch = tf_chip_tile_arch(chip, tile);
    int error = tf_elf_fits_family(elf, name, chip->arch, message);
    if (error == TF_OK)
        error = tf_elf_fits_core(elf, name, arch->core_name[core], arch->local_bytes[core], message);
    if (error == TF_OK)
        error = load_segments(chip, tile, elf, image);
    if (error == TF_OK)
        clear_local(chip, tile, core, elf);
    if (error == TF_OK)
        error = tf_core_set_pc(chip, tile, core, elf->entry);
    if (error == TF_OK)
        tf_elf_of_other_core(elf, name, arch->core_name[core], message);
    return error;
}

int tf_load_elf(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *path, const void *image,
                size_t image_bytes, struct tf_message *message)
{
    if (chip == NULL || (path == NULL && image == NULL))
        return TF_EINVAL;
    struct tf_core_view view;
    if (tf_core_look(chip, tile, core, &view) != TF_OK)
        return TF_ENODEV;
    uint8_t *file = NULL;
    int error = TF_OK;
    if (image == NULL) {
        error = read_file(path, &file, &image_bytes, message);
        image = file;
    }
    if (error != TF_OK)
        return error;
    struct tf_elf elf;
    const char *name = path != NULL ? path : "(memory)";
    error = tf_elf_parse(image, image_bytes, name, tf_chip_tile_arch(chip, tile), &elf, message);
    if (error == TF_OK)
        error = load(chip, tile, core, name, image, &elf, message);
    free(file);
    return error;
}

int tf_load_elf_local(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *name, const void *image,
                      size_t bytes, struct tf_message *message)
{
    struct tf_core_view view;
    struct tf_elf elf;
    if (tf_core_look(chip, tile, core, &view) != TF_OK)
        return TF_ENODEV;
    int error = tf_elf_parse_local(image, bytes, name, tf_chip_tile_arch(chip, tile), &elf, message);
    return error == TF_OK ? load(chip, tile, core, name, image, &elf, message) : error;
}

int tf_load_local(struct tf_chip *chip, unsigned tile, enum tf_core core, const char *name, const void *image,
                  size_t bytes)
{
    struct tf_core_view view;
    struct tf_elf elf;
    if (tf_core_look(chip, tile, core, &view) != TF_OK)
        return TF_ENODEV;
    int error = tf_elf_parse_local(image, bytes, name, tf_chip_tile_arch(chip, tile), &elf, NULL);
    struct tf_tile *of = tf_chip_tile(chip, tile);
    for (unsigned i = 0; error == TF_OK && of != NULL && i < elf.locals; i++) {
        struct tf_hart *hart = &of->hart[core];
        const uint32_t at = elf.local[i].address - TF_LOCAL_BASE, count = elf.local[i].file_bytes;
        if (at > hart->local_bytes || count > hart->local_bytes - at)
            error = TF_ERANGE;
        else
            memcpy(hart->local + at, (const uint8_t *)image + elf.local[i].file_offset, count);
    }
    return error;
}
