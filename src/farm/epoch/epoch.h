/* SPDX-License-Identifier: Apache-2.0 */
/* An epoch of deterministic mode, and its findings for the next epoch. */
#ifndef FARM_EPOCH_EPOCH_H
#define FARM_EPOCH_EPOCH_H

#include <stddef.h>

#include "pool/sites.h"
#include "farm/share/workers.h"
#include "noc/noc.h"
#include "tile/run/slice.h"

/* A multicast request of an epoch. Each site that it reaches makes its own copies. */
struct tf_multicast {
    struct tf_multicast *next;
    struct tf_noc_request *request;
    struct tf_sites sites; /* that it reaches */
};

struct tf_epochs {
    /* Written by the calling thread in each epoch, and read by all workers. */
    _Alignas(64) uint64_t tick; /* the chip's next tick; tf_epochs_pass() moves it */
    uint64_t cycles;            /* the chip's time: the end of the tick before it */
    uint64_t number;            /* epochs that have ended */
    uint64_t run_end;           /* tick before which the present epoch ends at the latest */
    struct tf_sites landing;    /* active sites at which responses land */
    /* Read by all workers, and written where they change. */
    _Alignas(64) unsigned multicasters; /* workers with multicasts in this epoch */
    bool reads_for_others;              /* TF_FOUND_READS_FOR_OTHERS in this epoch */
    bool merges;           /* responses may lie in mail, or a trace or checker sees each: see tf_land_merged() */
    bool chains;           /* requests join chains in this epoch, until a request of another kind comes */
    const uint16_t *owner; /* of chained requests, by target node: the worker that lets them act; or TF_NO_OWNER */
    uint64_t chainers[TF_WORKERS_MAX / 64]; /* workers that have made chains, as bits; while these requests act */
    struct tf_multicast *multicasts[TF_WORKERS_MAX]; /* of these workers, while the epoch's requests act */
    /* The calling thread's. */
    _Alignas(64) uint32_t ticks; /* length of the next epoch */
    uint32_t unchained;          /* epochs for which there are no chains: a request was of another kind */
    uint64_t age;                /* of the chip's memory in this process, in epochs; no part of the state */
    struct tf_sites active;      /* sites to visit in the next epoch */
    struct tf_sites uncaptured;  /* sites that sent long writes in the last epoch */
    struct tf_sites links;       /* Ethernet tiles with a link */
    uint64_t hold;    /* nothing happens at these tiles before this tick, and epochs last until then; 0: no such time */
    uint64_t stirred; /* the chip's tick after the last epoch that sent requests, or had such a tile active */
};

/* Bits of tf_found.what. */
enum {
    TF_FOUND_RUNNING = 1, /* tiles that are not quiet */
    TF_FOUND_MULTICASTS = 2,
    TF_FOUND_READS_FOR_OTHERS = 4, /* a long read whose data land at another tile than the one that issued it */
    /* Each of these bits makes one set of tf_found_more valid. */
    TF_FOUND_BULK = 8,
    TF_FOUND_LONG_READS = 16,
    TF_FOUND_STAGED_READS = 32,
    TF_FOUND_FAULTED = 64,
    TF_FOUND_SAID = 128,   /* texts that programs print; no set */
    TF_FOUND_MAILED = 256, /* responses in mail; no set */
};

/* The findings of a worker in an epoch. Two cache lines, as the calling thread reads them in each epoch. */
struct tf_found {
    _Alignas(128) uint64_t epoch; /* number of the epoch, from 1 */
    uint64_t tick_max;            /* latest tick before which a tile became quiet */
    uint64_t ahead;               /* least tick before which a busy tile has run ahead; 0: one has not */
    unsigned what;
    struct tf_sites landing;           /* sites at which responses land in the next epoch */
    _Alignas(64) struct tf_sites busy; /* tiles that are not quiet, or whose NIU has commands waiting */
    struct tf_sites sent_to;           /* targets of requests */
};

_Static_assert(sizeof(struct tf_found) == 128 && offsetof(struct tf_found, busy) == 64, "two lines");

/* The sets that few epochs need. */
struct tf_found_more {
    struct tf_sites bulk;         /* sources of long writes */
    struct tf_sites long_reads;   /* sources of long reads */
    struct tf_sites staged_reads; /* sites where staged data of long reads land at the end of the epoch */
    struct tf_sites faulted;      /* tiles with entries in their fault log */
};

/* The chip's next tick is `tick`, which is not 0. Calling thread, while no worker runs. */
static inline void tf_epochs_pass(struct tf_epochs *epochs, struct tf_schedule *schedule, uint64_t tick)
{
    epochs->tick = tick;
    epochs->cycles = tf_tick_end_next(schedule, tick - 1);
    tf_schedule_note(schedule, tick);
}

/* Run one epoch. It ends before tick_limit, which is above the chip's tick. Calling thread only. Returns false if no
   site is active after it. */
bool tf_epoch(struct tf_chip *chip, uint64_t tick_limit);

#endif
