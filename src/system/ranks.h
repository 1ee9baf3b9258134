/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A system that several processes run together. Each of them, a rank, has all chips, and runs those that it owns. Ranks
 * whose chips are joined are neighbours. After each window, neighbours send each other what crosses their links. That
 * also carries news, which takes a window for each step from rank to rank. Nobody waits for all others.
 */
#ifndef SYSTEM_RANKS_H
#define SYSTEM_RANKS_H

#include "system/lane.h"
#include "system/news.h"
#include "system/processes/letters.h"
#include "tilefarm/tilefarm_system_run.h"

struct tf_ranks {
    struct tf_letters letters;
    unsigned rank, ranks;
    uint8_t owner[TF_CLUSTER_CHIPS_MAX];
    unsigned neighbour[TF_RANKS_MAX], neighbours;
    unsigned hops; /* between the ranks that are farthest apart */
    /* known[i]: no rank within i + 1 steps had anything to do, behind the window that was run i + 1 windows ago, before
       this tick. 0: not known. */
    uint64_t known[TF_RANKS_MAX];
    uint64_t stirred[TF_RANKS_MAX]; /* tf_news.stirred of ranks within i + 1 steps, i windows ago or later */
    uint64_t stage;                 /* tf_ranks_stage() */
    struct tf_packet_event *packet; /* packets since the listener was last told */
    size_t packets, packet_room;
    bool failed;           /* a message did not come, or was wrong */
    struct tf_message why; /* then */
};

/* What ranks must have in common, as hashes. */
struct tf_ranks_plan {
    uint64_t layout; /* of saved states in this build */
    uint64_t cluster, options;
    uint64_t led; /* enum tf_led_by; by a client, which decides on both */
};

enum tf_led_by {
    TF_LED_NOT,
    TF_LED,
    TF_LED_WRONGLY, /* this rank is another client, or rank 0 is none */
};

/* Let ranks run a system that has not run yet. owner: by chip. The transport must outlive the system. Returns TF_OK,
   TF_EINVAL (a rank owns nothing), TF_ENOMEM. */
int tf_ranks_join(struct tf_system *system, struct tf_transport *transport, const uint8_t *owner);

void tf_ranks_leave(struct tf_system *system);

/* Does another rank run this chip? */
bool tf_ranks_elsewhere(const struct tf_system *system, unsigned chip);

/* The number of the window that is being run. */
uint64_t tf_ranks_window(const struct tf_system *system);

/*
 * The number of the present stage of all runs so far. Stages are equal on all ranks. In a stage the callbacks of one
 * process come in the order of chips, and those of packets in the order of the ports that sent them. So all that ranks
 * have seen can be brought into one order. 0 without ranks. tf_ranks_next_stage() begins another one.
 */
uint64_t tf_ranks_stage(const struct tf_system *system);
void tf_ranks_next_stage(struct tf_system *system);

/* Whom lanes tell of packets: the system's listener, or, over ranks, somebody who tells it by tf_ranks_tell(), in
   order. Then the ranks of both its ends tell of a packet. */
struct tf_lane_listener tf_ranks_listener(struct tf_system *system);
void tf_ranks_tell(struct tf_system *system);

/* After a window: give neighbours what has crossed links, and system->news.ended; and take what they give. *next: tick
   of the window that comes next; UINT64_MAX: none, since nothing will happen. Returns false if a rank has failed. */
bool tf_ranks_exchange(struct tf_system *system, uint64_t window, uint64_t *next);

/* May the system be calm now (calm.h)? All ranks answer alike. If not, it is not; if so, tf_ranks_agree() tells. */
bool tf_ranks_may_be_calm(const struct tf_system *system, uint64_t now);

/* Between windows: let system->news, which has the news of this rank, become that of all ranks. What the host has sent
   on links is given to neighbours. */
bool tf_ranks_agree(struct tf_system *system);

/* Send or receive bytes of the caller's own; both ranks know how many. Returns false if a rank has failed. */
bool tf_ranks_send(struct tf_system *system, unsigned to, const void *data, size_t bytes);
bool tf_ranks_receive(struct tf_system *system, unsigned from, void *data, size_t bytes);

/* Why ranks failed. "": they did not. */
const char *tf_ranks_why(const struct tf_system *system);

#endif
