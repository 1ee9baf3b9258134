/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executables for a core: ELF32, little-endian, RISC-V, linked to fixed addresses (ET_EXEC). Nothing here keeps state;
 * any thread may call it.
 *
 * File data go to a segment's physical address (p_paddr), which is in L1. Where that is also where the program uses
 * them (p_vaddr), the memory beyond the file data is zeroed. Where it is not, the data are an image that the program
 * itself copies to p_vaddr, and nothing else is touched. Local RAM takes no file data: it is cleared when a core comes
 * out of reset (BlackholeA0/TensixTile/BabyRISCV/README.md, "Local data RAM"), so such data would be lost.
 */
#ifndef FARM_LOADER_H
#define FARM_LOADER_H

#include <stddef.h>
#include <stdint.h>

#include "tile/address.h"
#include "tilefarm/tilefarm.h"

#define TF_ELF_SEGMENTS_MAX 32u
#define TF_ELF_BYTES_MAX (256u << 20) /* size of a file; debugging information included */
#define TF_LOCAL_BYTES_MAX 0x2000u    /* the most that a core of any family has */

/* What is to be written to L1: file data, then zeros up to memory_bytes. */
struct tf_elf_segment {
    uint32_t address;      /* in L1 */
    uint32_t file_offset;
    uint32_t file_bytes;
    uint32_t memory_bytes; /* at least file_bytes, not 0 */
};

struct tf_elf {
    uint32_t entry;        /* in L1, 4-aligned, inside a segment */
    uint32_t local_bytes;  /* local RAM that segments take, from TF_LOCAL_BASE */
    uint32_t local_header; /* file offset of the program header that takes most of it */
    unsigned segments;
    struct tf_elf_segment segment[TF_ELF_SEGMENTS_MAX]; /* by rising address, without overlap */
};

/*
 * Check a whole file and say what it loads into a tile with l1_bytes of L1. name stands for the file in messages. out
 * is written on TF_OK alone.
 * TF_EFORMAT (a rule of the format, or one that loading adds), TF_ERANGE (a segment outside L1 and local RAM),
 * TF_ENOMEM.
 */
int tf_elf_parse(const void *image, size_t bytes, const char *name, uint32_t l1_bytes, struct tf_elf *out,
                 struct tf_message *message);

/* Whether a file's use of local RAM fits a core with local_bytes of it. TF_OK, TF_ERANGE. */
int tf_elf_fits_core(const struct tf_elf *elf, const char *name, unsigned core, uint32_t local_bytes,
                     struct tf_message *message);

#endif
