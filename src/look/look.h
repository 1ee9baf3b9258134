/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observers that write files: they have the callbacks that fill the files which a user asks for. They change no result.
 * Thread: the one in tf_run().
 */
#ifndef LOOK_LOOK_H
#define LOOK_LOOK_H

#include <stdbool.h>
#include <stdio.h>

#include "look/page.h"
#include "look/profile.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"

/* The files to write; NULL: not this one. */
struct tf_look_wish {
    const char *title; /* of the run, in pictures; NULL: none */
    FILE *noc_trace;   /* NOC requests for tt-npe (noc_trace.h) */
    FILE *profile;
    enum tf_profile_form profile_form;
    FILE *coverage;
    FILE *page;     /* the report, one HTML page */
    FILE *timeline; /* for Perfetto (timeline.h) */
    bool timeline_compressed;
    struct tf_packets *timeline_packets; /* of `timeline`, which several chips share; NULL: one has it */
    unsigned chip;                       /* number of the chip among these */
    uint64_t timeline_from, timeline_to; /* cycles; timeline_to 0: no limit */
    /* By the number of a tile (farm/chip/dram_tiles.h), as bits: cores of the timeline, and those of the profile.
       Coverage has all cores. A chip without such cores has no part in the file. */
    uint8_t timeline_cores[TF_NODES_MAX], profiled[TF_NODES_MAX];
};

struct tf_look;
struct tf_packet_event;
struct tf_saved;

/*
 * Make observers for a chip. *look is NULL if the wish names no file. Returns TF_OK, TF_ENOMEM, or
 * TF_EINVAL with a message: relaxed mode does not allow one of the files.
 */
int tf_look_create(const struct tf_look_wish *wish, const struct tf_arch *arch, bool relaxed, struct tf_look **look,
                   struct tf_message *message);

/* Free the observers, after the chip is destroyed. */
void tf_look_destroy(struct tf_look *look);

/* Attach the observers to a chip, before it runs. Returns false if the host has no memory. `look` may be NULL. */
bool tf_look_attach(struct tf_look *look, struct tf_chip *chip, struct tf_symbols *symbols);

/* Does a file need on_noc? `look` may be NULL. */
bool tf_look_wants_noc(const struct tf_look *look);

/* Does a file need on_tensix, for instructions of this tile's coprocessor? */
bool tf_look_wants_tensix(const struct tf_look *look, unsigned tile);

/* Does a file need on_epoch? */
bool tf_look_wants_epochs(const struct tf_look *look);

/* The callbacks: for on_noc; for on_tensix; for on_print, which has marks too; for on_epoch. `look` may be NULL for
   on_tensix and on_print. */
void tf_look_noc(struct tf_look *look, const struct tf_noc_event *event);
void tf_look_tensix(struct tf_look *look, const struct tf_tensix_event *event);
void tf_look_mark(struct tf_look *look, const struct tf_print_event *event);
void tf_look_epoch(struct tf_look *look, uint64_t cycle);

/* A packet of a link of a system. sent: it is the chip's own; else it arrives there. `look` may be NULL. */
void tf_look_packet(struct tf_look *look, const struct tf_packet_event *event, bool sent);

/* What there is to write: the observers of a chip, or those of all chips of a system. */
struct tf_look_result {
    struct tf_look *const *look; /* by chip; all NULL: nothing is written */
    unsigned chips;
    const struct tf_page_facts *const *facts; /* by chip, for the page; NULL without one */
    const struct tf_page_system *system;      /* for the page of several chips; NULL without one */
};

/* The run of a chip has ended. Of one of several processes that write files together: rank 0 calls tf_look_write(). */
bool tf_look_finish(struct tf_look *look);

/* What the observers of a finished chip have counted, but for the timeline: to write it, or to read it into those of
   the same chip in another process. `look` may be NULL in both. */
void tf_look_state(struct tf_saved *saved, struct tf_look *look);

/* Write the files, while the chips exist. Returns false if some of it is lost, because the host had no memory. */
bool tf_look_write(const struct tf_look_result *result);

#endif
