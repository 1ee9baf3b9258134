/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executables for a core: ELF32, little-endian, RISC-V, linked to fixed addresses (ET_EXEC). Functions keep no state;
 * any thread may call them.
 *
 * File data are loaded to a segment's physical address (p_paddr) in L1. If the program uses them there (p_vaddr is
 * equal), the memory beyond the file data is zeroed. If not, the program itself copies the data to p_vaddr, and nothing
 * else is written. Local RAM takes file data on request only, and after the core's reset, which clears it. Source:
 * BlackholeA0/TensixTile/BabyRISCV/README.md, "Local data RAM".
 */
#ifndef FARM_LOADER_H
#define FARM_LOADER_H

#include <stddef.h>
#include <stdint.h>

#include "tilefarm_address.h"
#include "tilefarm/tilefarm_base.h"

#define TF_ELF_SEGMENTS_MAX 32u
#define TF_ELF_LOCALS_MAX 4u
#define TF_ELF_BYTES_MAX (256u << 20) /* size of a file; debugging information included */

/* A segment in L1: file data, then zeros up to memory_bytes. */
struct tf_elf_segment {
    uint32_t address; /* in L1 */
    uint32_t file_offset;
    uint32_t file_bytes;
    uint32_t memory_bytes; /* at least file_bytes, not 0 */
};

struct tf_elf {
    uint32_t entry;                                 /* in L1, 4-aligned, inside a segment */
    uint32_t local_bytes;                           /* local RAM that segments take, from TF_LOCAL_BASE */
    uint32_t local_header;                          /* file offset of the program header that takes most of it */
    char family[16];                                /* that the program was made for; "": it does not say */
    uint32_t family_at;                             /* file offset of that */
    char core[8];                                   /* the name of the core that it was made for; "": it does not say */
    struct tf_elf_segment local[TF_ELF_LOCALS_MAX]; /* with data for local RAM, at the addresses of the core */
    unsigned locals;
    unsigned segments;
    struct tf_elf_segment segment[TF_ELF_SEGMENTS_MAX]; /* by rising address, without overlap */
};

struct tf_arch;
struct tf_tile_arch;

/*
 * Check a whole file for the L1 and the largest local RAM of a kind of tile, and list what it loads. name: of the file,
 * for messages. out is written on TF_OK only.
 * TF_EFORMAT (the file breaks a rule of the format, or one that loading adds), TF_ERANGE (a segment outside L1
 * and local RAM), TF_ENOMEM.
 */
int tf_elf_parse(const void *image, size_t bytes, const char *name, const struct tf_tile_arch *tile, struct tf_elf *out,
                 struct tf_message *message);

/* The same for a file that may have data for local RAM. */
int tf_elf_parse_local(const void *image, size_t bytes, const char *name, const struct tf_tile_arch *tile,
                       struct tf_elf *out, struct tf_message *message);

/* Check that a file was not made for another family. A family that tf_arch_find() does not know takes any file. TF_OK,
   TF_EFORMAT. */
int tf_elf_fits_family(const struct tf_elf *elf, const char *name, const struct tf_arch *arch,
                       struct tf_message *message);

/* Was a file made for another core than that of this name? message: a sentence that says so; else "". It may be
   NULL. */
bool tf_elf_of_other_core(const struct tf_elf *elf, const char *name, const char *core, struct tf_message *message);

/* Check that a file's segments fit the local RAM of a core, which has local_bytes. TF_OK, TF_ERANGE. */
int tf_elf_fits_core(const struct tf_elf *elf, const char *name, const char *core, uint32_t local_bytes,
                     struct tf_message *message);

#endif
