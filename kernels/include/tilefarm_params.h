/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters of the kernels of a tile: arguments, circular buffers, semaphores. The host writes them to L1 before the
 * cores start: `tilefarm run --write`, tf_write(), or Tile.set_arguments() and Tile.set_buffer() of Python. Device
 * programs and hosts share the layout. All words are little endian.
 *
 * The places of buffers are constants: TF_PARAMS_PAGES pages of TF_PARAMS_PAGE_BYTES each, at
 * TF_PARAMS_BUFFER_ADDRESS(). In a program that is compiled with -DTF_HOST_BUFFERS the host chooses them: all that the
 * program uses.
 */
#ifndef TILEFARM_PARAMS_H
#define TILEFARM_PARAMS_H

#include <stdint.h>

#define TF_PARAMS_ADDRESS 0x14000u /* behind the programs of the five cores */
#define TF_PARAMS_ARGUMENTS 64u    /* of each core, and common to all cores */
#define TF_PARAMS_BUFFERS 32u
#define TF_PARAMS_SEMAPHORES 16u

/* A circular buffer in L1. The stream of its number counts its pages. */
struct tf_params_buffer {
    uint32_t address;    /* a multiple of 64 */
    uint32_t page_bytes; /* a multiple of 16 */
    uint32_t pages;      /* 1..65535 */
    uint32_t format;     /* of tf_tensor_format; for programs alone */
};

struct tf_params_block {
    uint32_t argument[5][TF_PARAMS_ARGUMENTS]; /* by core: B, NC, T0, T1, T2 */
    uint32_t common[TF_PARAMS_ARGUMENTS];
    struct tf_params_buffer buffer[TF_PARAMS_BUFFERS];
    uint32_t semaphore[TF_PARAMS_SEMAPHORES][4]; /* the first word of each; a NOC write needs 16 bytes */
};

#ifndef TF_PARAMS_PAGES
#define TF_PARAMS_PAGES 2u
#define TF_PARAMS_PAGE_BYTES 2048u
#define TF_PARAMS_FORMAT 5u /* TF_BF16 */
#endif
#define TF_PARAMS_BUFFER_ADDRESS(buffer) (0x20000u + (buffer)*TF_PARAMS_PAGES * TF_PARAMS_PAGE_BYTES)

#ifdef TF_CORE

#define TF_PARAMS_BLOCK ((volatile struct tf_params_block *)(uintptr_t)TF_PARAMS_ADDRESS)

/* Returns an argument of this core. index: 0 .. TF_PARAMS_ARGUMENTS - 1. */
static inline uint32_t tf_argument(unsigned index)
{
    return TF_PARAMS_BLOCK->argument[TF_CORE][index];
}

/* Returns an argument that all cores of the tile have in common. index: as in tf_argument(). */
static inline uint32_t tf_common_argument(unsigned index)
{
    return TF_PARAMS_BLOCK->common[index];
}

/* Returns the address of a semaphore of this tile, for tf_sem_*(). number: 0 .. TF_PARAMS_SEMAPHORES - 1. */
static inline uint32_t tf_semaphore_address(unsigned number)
{
    return (uint32_t)(uintptr_t)TF_PARAMS_BLOCK->semaphore[number];
}

/* Returns a buffer's place. buffer: 0 .. TF_PARAMS_BUFFERS - 1. */
static inline struct tf_params_buffer tf_buffer(unsigned buffer)
{
    struct tf_params_buffer place;
#ifdef TF_HOST_BUFFERS
    const volatile struct tf_params_buffer *set = &TF_PARAMS_BLOCK->buffer[buffer];
    place.address = set->address;
    place.page_bytes = set->page_bytes;
    place.pages = set->pages;
    place.format = set->format;
#else
    place.address = TF_PARAMS_BUFFER_ADDRESS(buffer);
    place.page_bytes = TF_PARAMS_PAGE_BYTES;
    place.pages = TF_PARAMS_PAGES;
    place.format = TF_PARAMS_FORMAT;
#endif
    return place;
}

#endif

#endif
