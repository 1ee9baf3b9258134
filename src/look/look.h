/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observers that write files. They open the files that a user asks for, and have the callbacks for them. No result
 * changes. Calls come from the thread in tf_run().
 */
#ifndef LOOK_LOOK_H
#define LOOK_LOOK_H

#include <stdbool.h>
#include <stdio.h>

#include "look/page.h"
#include "look/profile.h"
#include "tilefarm/tilefarm.h"

/* Files to write; NULL: not wished for. */
struct tf_look_wish {
    FILE *noc_trace; /* NOC requests, as noc_trace.h says */
    FILE *profile;
    enum tf_profile_form profile_form;
    FILE *coverage;
    FILE *page;     /* the report as HTML */
    FILE *timeline; /* for Perfetto */
    bool timeline_compressed;
    uint64_t timeline_from, timeline_to;         /* cycles; to 0: no limit */
    uint8_t timeline_cores[TF_TENSIX_TILES_MAX]; /* by tile, as bits */
    uint8_t profiled[TF_TENSIX_TILES_MAX];       /* by tile: cores of the profile, as bits; coverage is of all */
};

struct tf_look;

/*
 * Prepare for a chip of a configuration. *look is NULL if nothing is wished for.
 * Returns TF_OK, TF_EINVAL (with a message: the configuration does not allow it), TF_ENOMEM.
 */
int tf_look_create(const struct tf_look_wish *wish, const struct tf_config *config, struct tf_look **look,
                   struct tf_message *message);
void tf_look_destroy(struct tf_look *look);

/* Look at a chip, before it runs. False: no memory. `look` may be NULL. */
bool tf_look_attach(struct tf_look *look, struct tf_chip *chip, struct tf_symbols *symbols);

/* Does it need to see NOC requests? `look` may be NULL. */
bool tf_look_wants_noc(const struct tf_look *look);

/* Does it need to see instructions of the coprocessor of a tile? */
bool tf_look_wants_tensix(const struct tf_look *look, unsigned tile);

/* Does it need to see epochs? */
bool tf_look_wants_epochs(const struct tf_look *look);

/* For on_noc, on_tensix and on_epoch. `look` may be NULL for on_tensix. */
void tf_look_noc(struct tf_look *look, const struct tf_noc_event *event);
void tf_look_tensix(struct tf_look *look, const struct tf_tensix_event *event);
void tf_look_mark(struct tf_look *look, const struct tf_print_event *event); /* `look` may be NULL */
void tf_look_epoch(struct tf_look *look, uint64_t cycle);

/* Write the files, while the chip lives. facts: for the page; else NULL. False: some of it was lost, as there was no
   memory. */
bool tf_look_write(struct tf_look *look, const struct tf_page_facts *facts);

#endif
