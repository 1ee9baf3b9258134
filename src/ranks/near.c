/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

struct tf_near_memory {
    uint64_t token;
    struct tf_ring ring[]; /* by the rank that writes */
};

static size_t memory_bytes(const struct tf_near *near)
{
    return sizeof(struct tf_near_memory) + near->ranks * sizeof(struct tf_ring);
}

static struct tf_near_memory *map_file(const struct tf_near *near, int file)
{
    void *memory = mmap(NULL, memory_bytes(near), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

/* Pages that nobody writes take no memory. */
static void make_own(struct tf_near *near)
{
    uint64_t token = 0;
    near->own.file = memfd_create("tilefarm-ranks", MFD_CLOEXEC);
    if (near->own.file < 0 || ftruncate(near->own.file, (off_t)memory_bytes(near)) != 0 ||
        getrandom(&token, sizeof token, 0) != sizeof token)
        return;
    struct tf_near_memory *memory = near->memory[near->rank] = map_file(near, near->own.file);
    if (memory != NULL)
        memory->token = near->own.token = token | 1;
}

bool tf_near_open(struct tf_near *near, unsigned rank, unsigned ranks)
{
    *near = (struct tf_near){.rank = rank,
                             .ranks = ranks,
                             .memory = calloc(ranks, sizeof(struct tf_near_memory *)),
                             .to = calloc(ranks, sizeof *near->to),
                             .from = calloc(ranks, sizeof *near->from),
                             .own = {.process = getpid(), .file = -1}};
    if (near->memory == NULL || near->to == NULL || near->from == NULL)
        return false;
    make_own(near);
    return true;
}

/* A process of another host may have the same number, and its file is another one: the token tells. */
bool tf_near_map(struct tf_near *near, unsigned rank, const struct tf_near_place *place)
{
    char path[64];
    struct tf_near_memory *memory = NULL;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/fd/%" PRId32, place->process, place->file);
    const int file = place->token != 0 ? open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK) : -1;
    if (file >= 0 && lseek(file, 0, SEEK_END) == (off_t)memory_bytes(near))
        memory = map_file(near, file);
    if (file >= 0)
        close(file);
    if (memory != NULL && memory->token != place->token) {
        munmap(memory, memory_bytes(near));
        memory = NULL;
    }
    near->memory[rank] = memory;
    near->to[rank].ring = memory != NULL ? &memory->ring[near->rank] : NULL;
    return memory != NULL;
}

void tf_near_listen(struct tf_near *near, unsigned rank)
{
    near->from[rank].ring = &near->memory[near->rank]->ring[rank];
}

void tf_near_end_mapping(struct tf_near *near)
{
    if (near->own.file >= 0)
        close(near->own.file);
    near->own.file = -1;
}

void tf_near_close(struct tf_near *near)
{
    tf_near_end_mapping(near);
    for (unsigned i = 0; i < near->ranks && near->memory != NULL; i++)
        if (near->memory[i] != NULL)
            munmap(near->memory[i], memory_bytes(near));
    free(near->memory);
    free(near->to);
    free(near->from);
}
