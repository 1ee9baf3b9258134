/* SPDX-License-Identifier: Apache-2.0 */
/* For `tilefarm compare`: the image of a chip before its run, and libraries that run the image. */
#ifndef CLI_CHECK_COMPARE_H
#define CLI_CHECK_COMPARE_H

#include "tilefarm/tilefarm_base.h"

#define TF_COMPARE_LIBRARIES_MAX 8u

/* Memory of a node: its bytes before the run, or (data NULL) a range to compare after the run. */
struct tf_span {
    struct tf_coord node;
    uint64_t address;
    size_t bytes;
    const uint8_t *data;
};

/* The cores of a tile that are out of reset. */
struct tf_start {
    struct tf_coord node;
    unsigned cores; /* as a mask of 1 << enum tf_core */
    uint32_t pc[TF_TILE_CORES];
};

/* A chip before its first cycle, and the memory to compare after the run. */
struct tf_image {
    struct tf_span *before; /* memory that is not zero */
    size_t befores;
    struct tf_span *after; /* memory that is compared */
    size_t afters;
    size_t after_bytes;
    struct tf_start *start;
    size_t starts;
};

enum tf_library_end {
    TF_LIBRARY_DIED,     /* its process ended before there was a result */
    TF_LIBRARY_UNUSABLE, /* it could not be loaded */
    TF_LIBRARY_CANNOT,   /* the image cannot be run through the interface */
    TF_LIBRARY_STOPPED,  /* it did not end: `text` says why */
    TF_LIBRARY_DONE,
};

/* The result of a run, in memory that both processes share. */
struct tf_library_result {
    enum tf_library_end end;
    bool started; /* it was loaded, and its init() returned */
    uint64_t cycles;
    char text[256];
    uint8_t memory[]; /* the ranges of image->after, in their order; then for each piece whether it is used */
};

/* A piece of the memory that is compared, within a page of its node. It is used if it holds anything but zeros. Most
   of a chip's memory is not, and nobody touches it in the result: each page would cost a page fault. */
struct tf_piece {
    size_t span, number;
    uint64_t address;
    size_t bytes, at; /* in the memory of a result */
};

struct tf_library_job {
    const char *path;
    const struct tf_arch *arch; /* of the library's chip */
    const struct tf_image *image;
    const struct tf_run_options *run; /* until, cycles_max */
    bool workload;                    /* ends when every core has written its done word */
};

#endif
