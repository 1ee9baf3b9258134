/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How each actor of a run in timing mode came to where it is: for the critical path (tilefarm_times.h).
 *
 * A core, a thread of the coprocessor and a packet each have a present node. A node is a span of cycles of one actor,
 * with what it spent them on. Its parent is what came before: an earlier span of the actor, or of the actor that ended
 * its last wait. So the parents of a node lead back to the start of the run, without a gap. Nodes that nothing comes
 * from any more are freed, and spans of one actor that nothing else comes from are merged. So memory holds the path
 * and the present nodes.
 *
 * Thread: a present node is the actor's. Nodes that are past do not change their span; references are atomic.
 */
#ifndef TILE_PATH_PATH_H
#define TILE_PATH_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/times.h"
#include "tilefarm/tilefarm_times.h"

#define TF_PATH_CORES 5u
#define TF_PATH_THREADS 3u
#define TF_PATH_WATCHES 8u /* loads that a core may poll in one loop */
#define TF_PATH_PUSHES 64u /* more than a FIFO of the coprocessor holds */
#define TF_PATH_CHANGES 6u /* bits of enum tf_change */

/* Cycles of a core that a row of durations explains have the number of the row, and this more, as what they were for.
   Others have an enum tf_path_kind. */
#define TF_PATH_ROWS 128u

/* Cycles that a node spent on one thing. */
struct tf_path_entry {
    uint64_t cycles;
    uint32_t pc;
    uint16_t detail; /* a link of the NOCs, or a unit of the coprocessor */
    uint8_t what;    /* enum tf_path_kind, or a row */
};

struct tf_path_node {
    struct tf_path_node *parent;
    struct tf_path_entry *entry;
    uint64_t begin, end;        /* its cycles; the entries add up to them */
    uint32_t refs;              /* atomic */
    uint32_t count, room, last; /* of entry[]; where to look first */
    uint16_t at, to;            /* nodes of chips; to: where a packet goes */
    uint16_t code;              /* the node of the core whose instructions pc is about */
    uint8_t core;               /* and the core */
    uint8_t actor, number;      /* enum tf_path_actor; core, thread, NOC or TX queue */
    uint8_t chip, to_chip;      /* of `at` and `code`; of `to` */
    uint32_t age;               /* spans of the actor before it; says when they are merged */
};

/* A load that a core may repeat until its value changes. */
struct tf_path_watch {
    uint32_t pc, address, value;
    uint8_t bytes, window;      /* window: enum tf_window_id; TF_AT_NOTHING: L1. bytes 0: there is none */
    uint64_t loaded;            /* the cycle of the last load */
    struct tf_path_node *cause; /* who has changed the value since; or NULL */
};

/* An instruction that a core has pushed. */
struct tf_path_push {
    uint32_t pc;
    struct tf_path_node *by;
};

/* Why the instruction at the gate of a thread did not pass when it tried last. */
struct tf_path_held {
    struct tf_path_node *cause; /* who has ended that, or will; NULL: nobody else */
    uint64_t since;             /* its first try */
    uint32_t changes;           /* the gate waits for these, as bits of enum tf_change */
    uint16_t unit;
    uint8_t what; /* enum tf_path_kind; 0: it has not had to wait */
};

/* A tile. */
struct tf_path {
    struct tf_path_node *start; /* the start of the run */
    struct tf_path_node *core[TF_PATH_CORES], *thread[TF_PATH_THREADS];
    struct tf_path_node *released; /* who last stored to a register that may start cores; or NULL */
    struct tf_path_node *mailed[TF_PATH_CORES][TF_PATH_CORES]; /* who has sent to a mailbox: reader, writer */
    struct tf_path_node *changed[TF_PATH_CHANGES];             /* who has changed what threads await at their gates */
    struct tf_path_node *bank[2][2];                           /* who has filled [SrcA, SrcB][bank] */
    struct tf_path_watch watch[TF_PATH_CORES][TF_PATH_WATCHES];
    struct tf_path_push push[TF_PATH_THREADS][TF_PATH_PUSHES];
    uint8_t next_watch[TF_PATH_CORES], next_push[TF_PATH_THREADS];
    struct tf_path_held held[TF_PATH_THREADS];
    uint64_t before[TF_TIMES]; /* of the core that issues: its rows up to the end of its present node */
    uint16_t at;
    uint8_t watching; /* cores with a watch, as bits */
    bool lost;        /* the host had no memory: the path has a gap */
};

/* A tile's record, whose actors come from `start`. NULL: the host has no memory. */
struct tf_path *tf_path_create(struct tf_path_node *start, uint16_t at);
void tf_path_destroy(struct tf_path *path);

/* A node of an actor of chip 0 that comes from `parent`, or from nothing: NULL. Returns a reference; NULL: no
   memory. */
struct tf_path_node *tf_path_new(struct tf_path_node *parent, enum tf_path_actor actor, unsigned number, uint16_t at,
                                 uint64_t begin);

/* The same of a tile's core or thread. */
struct tf_path_node *tf_path_new_at(const struct tf_path *path, struct tf_path_node *parent, enum tf_path_actor actor,
                                    unsigned number);

/* Does the span of a node follow another one of the same actor? */
bool tf_path_same_actor(const struct tf_path_node *a, const struct tf_path_node *b);

/* One reference more; one less. NULL is allowed. */
struct tf_path_node *tf_path_ref(struct tf_path_node *node);
void tf_path_unref(struct tf_path_node *node);

/* Replace a reference by another one, which is given up to it. */
void tf_path_set(struct tf_path_node **at, struct tf_path_node *node);

/* A present node goes on until a cycle; nothing happens if it has reached it. Returns false: no memory. */
bool tf_path_spend(struct tf_path_node *node, uint8_t what, uint16_t detail, uint32_t pc, uint64_t until);

/* What has happened up to now becomes past, and something may come from it. Returns a reference to it; NULL: no
   memory. */
struct tf_path_node *tf_path_past(struct tf_path_node **present);

/* The actor waited for `cause`: it comes from there now. Nothing happens if the cause ends before the wait began, or
   after the cycle `now`. Returns whether it did. */
bool tf_path_follow(struct tf_path_node **present, struct tf_path_node *cause, uint64_t began, uint64_t now);

/* --- what others do to a tile --- */

/* Somebody has changed bytes of L1, or registers of a window: cores that poll there may have waited for it. l1: the
   tile's memory. by: a present node. */
void tf_path_wrote_l1(struct tf_path *path, const uint8_t *l1, unsigned writer, uint64_t address, uint64_t bytes,
                      struct tf_path_node **by);
void tf_path_wrote_window(struct tf_path *path, unsigned writer, unsigned window, struct tf_path_node **by);

/* The same of registers with these addresses. */
void tf_path_wrote_registers(struct tf_path *path, uint32_t first, uint32_t bytes, struct tf_path_node **by);

/* The bytes that a core loads. */
uint32_t tf_path_l1_value(const uint8_t *l1, uint32_t address, unsigned bytes);

/* Any register may have changed. */
#define TF_PATH_ALL_WINDOWS UINT32_MAX
/* No core has written. */
#define TF_PATH_NO_CORE UINT32_MAX

#endif
