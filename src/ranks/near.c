/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct tf_near_memory {
    MPI_Comm host; /* the ranks of this host */
    MPI_Win window;
};

/* Do all ranks of the host say so? */
static bool agree(MPI_Comm host, bool own)
{
    int fine = own;
    return MPI_Allreduce(MPI_IN_PLACE, &fine, 1, MPI_INT, MPI_MIN, host) == MPI_SUCCESS && fine;
}

/* The first ring in memory of MPI, which it may align less. Pages are mapped as a whole, so all ranks find the same. */
static struct tf_ring *first_ring(void *memory)
{
    const uintptr_t past = (uintptr_t)memory % TF_RING_LINE_BYTES;
    return (struct tf_ring *)((char *)memory + (past != 0 ? TF_RING_LINE_BYTES - past : 0));
}

/* The ring in the memory of a reader that a writer uses. Both are ranks of the host. */
static struct tf_ring *ring_of(const struct tf_near_memory *shared, int reader, int writer)
{
    MPI_Aint bytes;
    int unit;
    void *memory = NULL;
    MPI_Win_shared_query(shared->window, reader, &bytes, &unit, (void *)&memory);
    return first_ring(memory) + (writer < reader ? writer : writer - 1);
}

static bool share_memory(struct tf_near_memory *shared, int here)
{
    void *own = NULL;
    const size_t bytes = (size_t)(here - 1) * sizeof(struct tf_ring);
    MPI_Comm_set_errhandler(shared->host, MPI_ERRORS_RETURN);
    const int error = MPI_Win_allocate_shared((MPI_Aint)(bytes + TF_RING_LINE_BYTES), 1, MPI_INFO_NULL, shared->host,
                                              (void *)&own, &shared->window);
    if (!agree(shared->host, error == MPI_SUCCESS))
        return false;
    memset(first_ring(own), 0, bytes);
    return MPI_Barrier(shared->host) == MPI_SUCCESS;
}

static void find_rings(struct tf_near *near, int here)
{
    MPI_Group host, world;
    int own;
    MPI_Comm_rank(near->memory->host, &own);
    MPI_Comm_group(near->memory->host, &host);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < here; i++) {
        int rank;
        if (i == own)
            continue;
        MPI_Group_translate_ranks(host, 1, &i, world, &rank);
        near->to[rank].ring = ring_of(near->memory, i, own);
        near->from[rank].ring = ring_of(near->memory, own, i);
    }
    MPI_Group_free(&host);
    MPI_Group_free(&world);
}

bool tf_near_open(struct tf_near *near, unsigned ranks)
{
    int here = 1;
    struct tf_near_memory shared;
    *near = (struct tf_near){.memory = malloc(sizeof shared),
                             .to = calloc(ranks, sizeof *near->to),
                             .from = calloc(ranks, sizeof *near->from)};
    const bool fine = near->memory != NULL && near->to != NULL && near->from != NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared.host);
    MPI_Comm_size(shared.host, &here);
    if (agree(shared.host, fine) && here > 1 && share_memory(&shared, here)) {
        *near->memory = shared;
        find_rings(near, here);
        return true;
    }
    free(near->memory);
    near->memory = NULL;
    return fine;
}

void tf_near_close(struct tf_near *near)
{
    if (near->memory != NULL)
        MPI_Win_free(&near->memory->window);
    free(near->memory);
    free(near->to);
    free(near->from);
}
