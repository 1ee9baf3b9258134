/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flights of timing mode. Requests and answers leave their NIU, pass the links of their route and arrive, in cycles
 * that times.def says. Links, NIUs and DRAM channels serve one packet after another: who comes first is first.
 *
 * Tiles run an epoch without seeing each other. It is not longer than the shortest way between two tiles, so whatever
 * is sent in it arrives later. At its end tf_transit_depart() sends packets on their way, in the order in which they
 * leave their NIUs. In the epoch that an arrival falls into, the worker of its site lets it act, in its cycle: the tile
 * has run up to that cycle, and no core has touched anything after it.
 *
 * Times within the links are in hundredths of a cycle.
 *
 * Thread: the calling one, between phases, except where a comment says otherwise.
 */
#ifndef FARM_TRANSIT_H
#define FARM_TRANSIT_H

#include <stdbool.h>
#include <stdint.h>

#include "farm/flight/flight.h"
#include "farm/transit/route.h"
#include "pool/sites.h"

struct tf_chip;
struct tf_epochs;
struct tf_fabric;
struct tf_hash;
struct tf_node;
struct tf_observers;
struct tf_schedule;
struct tf_saved;
struct tf_times;
struct tf_worker;
struct tf_workers;

/* The cycles of a tick, and so of an epoch, in timing mode. With the variation of ticks (run/slice.h) an epoch is at
   most as long as the shortest way from one tile to another: NOC_OUT + NOC_HOP + NOC_IN. */
#define TF_TRANSIT_TICK_CYCLES 16u

/* The most ticks of an epoch in coarse timing mode. An epoch has more than one only if no packet is under way when it
   begins. What is sent in it arrives at its end at the earliest, and so up to that many ticks late. A power of two. */
#define TF_TRANSIT_TICKS_COARSE 8u

/* The classes of packets that a NIU sends. Requests do not wait for answers, nor answers for requests; they share the
   link to the router. */
enum tf_flight_class { TF_FLIGHTS_ASKED, TF_FLIGHTS_ANSWERED, TF_FLIGHT_CLASSES };

/* Packets that have not left a NIU, first come first. */
struct tf_flight_queue {
    struct tf_flight *first, **end;
    uint64_t free; /* from when on the NIU sends the next one */
};

/* A queue that is not empty, and when its first packet was to leave when that was asked last. */
struct tf_flights_waiting {
    uint64_t leaves;
    unsigned queue;
};

/* When packets take a link: spans of time that do not touch, in order. A packet that comes later may find room before
   one that was here first, because it has come a shorter way. */
#define TF_LINK_SPANS 8u

struct tf_link_times {
    uint64_t begin[TF_LINK_SPANS], end[TF_LINK_SPANS];
    uint64_t count;
};

#define TF_TRANSIT_CHANNELS 2u /* limit of DRAM_CHANNELS */

#define TF_TRANSIT_QUEUES (TF_NODES_MAX * 2u * TF_FLIGHT_CLASSES)

struct tf_transit {
    /* Constant. */
    struct tf_fabric *fabric;
    struct tf_workers *workers;
    struct tf_epochs *epochs;
    struct tf_schedule *schedule;
    const struct tf_observers *observers;
    const struct tf_times *times;
    /* Packets. */
    struct tf_flight_queue queue[TF_TRANSIT_QUEUES];      /* by node, NOC, class */
    struct tf_flights_waiting waiting[TF_TRANSIT_QUEUES]; /* a heap of those that are not empty */
    unsigned waits;
    struct tf_flight *arriving[TF_NODES_MAX]; /* by site, the earliest first */
    struct tf_flight *last[TF_NODES_MAX];     /* of these lists; undefined for an empty one */
    struct tf_sites expecting;                /* sites with such a list */
    uint64_t numbers;                         /* requests so far */
    uint64_t ahead_end;                       /* tick before which tiles may run ahead in a run: epoch/ahead.h */
    /* When things are free. */
    struct tf_link_times link[2][TF_NODES_MAX * TF_LINKS]; /* but TF_LINK_OUT, */
    uint64_t out[2][TF_NODES_MAX];                         /* which packets take in order: from when on it is free */
    uint64_t channel[TF_NODES_MAX][TF_TRANSIT_CHANNELS];   /* GDDR, by site; by the worker of the site in a phase */
    /* Cycles in which they were busy, in hundredths. */
    uint64_t busy[2][TF_NODES_MAX][2];   /* links from and to a NIU, by NOC, node */
    uint64_t channel_busy[TF_NODES_MAX]; /* by site; by the worker of the site in a phase */
    /* The links that the present multicast has passed, and when its head leaves them. */
    uint64_t passed[TF_NODES_MAX * TF_LINKS], head[TF_NODES_MAX * TF_LINKS];
    uint64_t tree;
    /* For the critical path: the longest wait of the present packet for a link, and the link. */
    uint64_t longest;
    uint16_t longest_at;
};

#endif
