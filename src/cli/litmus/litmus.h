/* SPDX-License-Identifier: Apache-2.0 */
/* Litmus tests of the chip's memory model: what they do, the outcomes that the documents allow, and their runs. */
#ifndef CLI_LITMUS_LITMUS_H
#define CLI_LITMUS_LITMUS_H

#include "cli/cli.h"
#include "tilefarm_litmus.h"

#define TF_LITMUS_SEEN 4u
#define TF_LITMUS_TEXT 64u
#define TF_LITMUS_OUTCOMES 24u

#define TF_LITMUS_DRAM 255u /* in place of a tile: channel 0 of DRAM */

struct tf_litmus_step {
    uint32_t op, a, b, c;
    uint32_t tile; /* the place of a request; of a multicast: tiles 1 .. tile are its rectangle */
    uint32_t ctrl;
};

struct tf_litmus_actor {
    uint8_t tile, core;
    struct tf_litmus_step step[TF_LITMUS_STEPS];
};

/* A part of an outcome: a register of an actor, or a word of L1 or of DRAM at the end. */
struct tf_litmus_seen {
    bool word;
    uint8_t actor_or_tile;
    uint32_t number; /* of the register, or the address */
};

/* Does `run --check` name a race? */
enum tf_litmus_race {
    TF_LITMUS_RACE_BY_OUTCOMES, /* if several outcomes are allowed */
    TF_LITMUS_RACE_NONE,        /* several outcomes are allowed, but only actions meet that synchronize */
    TF_LITMUS_RACE_WARM,        /* the reader's first load races, which only fills L0; one outcome is allowed */
};

struct tf_litmus {
    const char *name;
    const char *about;   /* in a line, for people */
    const char *page;    /* where the documents say which outcomes there are */
    const char *allowed; /* outcomes, "0 1|1 1": all others are forbidden */
    enum tf_litmus_race race;
    unsigned actors, seen;
    const struct tf_litmus_actor *actor; /* apart: the loader would write to each page between the texts' addresses */
    struct tf_litmus_seen see[TF_LITMUS_SEEN];
};

enum tf_litmus_mode { TF_LITMUS_EXPLORE, TF_LITMUS_DETERMINISTIC, TF_LITMUS_RELAXED, TF_LITMUS_MODES };

/* The result of a test. */
struct tf_litmus_result {
    uint64_t runs[TF_LITMUS_MODES];
    struct {
        char text[TF_LITMUS_TEXT];
        uint64_t runs[TF_LITMUS_MODES];
        bool allowed;
    } outcome[TF_LITMUS_OUTCOMES];
    unsigned outcomes;
    bool forbidden;           /* an outcome that is not allowed has occurred */
    unsigned reached, wanted; /* number of allowed outcomes that occurred in explore, and of all allowed ones */
    uint64_t forbidden_seed;
    bool racy;         /* `run --check` has named a race, in deterministic mode */
    const char *error; /* NULL: none */
    bool complete;     /* no signal ended the test early */
};

#endif
