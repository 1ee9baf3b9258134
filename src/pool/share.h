/* SPDX-License-Identifier: Apache-2.0 */
/* Which worker visits which site of a shared phase: shares, steals, and the borders between the shares. */
#ifndef POOL_SHARE_H
#define POOL_SHARE_H

#include "host/hostile.h"
#include "pool/team.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_cpus;

/* A test build can share every phase that has two sites. It then steals only in odd turns. */
#ifndef TF_SHARE_ALL
#define TF_SHARE_ALL TF_UNLESS_HOSTILE(false, true)
#endif

/* Marks that there is no owner, or that no worker owns a site. */
#define TF_NO_OWNER UINT16_MAX

/* What a worker has taken of its share of a shared phase, by the phase's parity: from the front, and << 16 from the
   back. Other workers write it when they steal. */
struct tf_taken {
    _Alignas(128) atomic_uint by[2];
};

/* What the sites are, and which worker begins with which. Constant once it is made. */
struct tf_share_plan {
    const struct tf_topology *topology; /* the NUMA nodes of the workers */
    const struct tf_cpus *cpus;         /* their distances; NULL: not known */
    const uint64_t *turn;               /* a number that changes with each round of phases, and rotates their order */
    unsigned sites, nodes;
    struct tf_sites spread;          /* sites that are spread one by one over the workers: they have much work */
    struct tf_sites callers;         /* sites that only the calling thread may visit */
    uint16_t home[TF_SITES_MAX];     /* home worker of each site */
    uint16_t site_of[TF_SITES_MAX];  /* by node: its site. Several nodes may be one site */
    uint16_t border[TF_WORKERS_MAX]; /* first site of each worker's range */
};

struct tf_sharing {
    struct tf_team *team;
    struct tf_share_plan plan;
    struct tf_taken *taken; /* by worker */
    uint16_t *victim;       /* [workers][workers - 1]: from which others each worker steals, the nearest first */
    /* Written between phases, read by all workers in a phase. */
    _Alignas(64) uint16_t border[TF_WORKERS_MAX + 1]; /* first site of each worker's range; then all sites */
    uint16_t owner[TF_SITES_MAX];                     /* by node: owner of its site; TF_NO_OWNER: the calling thread */
    uint16_t owned[TF_WORKERS_MAX];                   /* a site of each worker; TF_NO_OWNER if it owns none */
    /* Shares of the phase that may still hold sites for other workers. Owners close their shares. */
    _Alignas(64) atomic_uint open;
    /* Fields of the calling thread. */
    _Alignas(64) struct tf_shared_phase phase; /* of the last shared phase */
    double drift[TF_WORKERS_MAX];              /* weighted average: sites by which a worker's range began too low */
    double drift_weight;                       /* moving average of a shared phase's weight */
    double move_s;                             /* moving average: extra time to visit a stolen site, there and back */
    double dealt_s;                            /* when the last shared phase began */
    unsigned present;                          /* workers that the borders are for */
    bool absent;                               /* a worker was left out of the phase */
    bool owners_stale;                         /* borders have moved, but owners have not changed yet */
};

/* Share the sites of a plan, which is copied, among a team that does not run yet. TF_OK, TF_ENOMEM. */
int tf_sharing_init(struct tf_sharing *sharing, struct tf_team *team, const struct tf_share_plan *plan);
void tf_sharing_fini(struct tf_sharing *sharing);

/* Update the owners from the borders. Call this only before a run phase: borders move after each shared phase, but all
   chains of an epoch need one table. If a worker lost its last site after the run phase, its chains would never act. */
void tf_owners_follow(struct tf_sharing *sharing);

/* The first site in the order of a turn. */
static inline unsigned tf_first_site(uint64_t turn, unsigned sites)
{
    return (unsigned)((sites - turn % sites) % sites);
}

/* List a set of sites in the order of this turn. list: room for TF_SITES_MAX. Returns the count. */
unsigned tf_list_sites(const struct tf_sharing *sharing, const struct tf_sites *sites, uint16_t *list);

/* Fill in a shared phase, except visit, kind and cpu_time. visit_s: expected time of a visit,
   above 0. */
void tf_deal(struct tf_sharing *sharing, const struct tf_sites *sites, double visit_s);

/* The same for a phase with one visit for each worker, which no other worker makes. */
void tf_deal_one_each(struct tf_sharing *sharing, const struct tf_sites *sites);

/* A worker's walk through a shared phase: first through its own share, then through those of other workers. */
struct tf_walk {
    const struct tf_shared_phase *phase;
    unsigned victim;               /* 0 for its own share; from 1 on the shares to steal from, in order */
    unsigned reserved;             /* last sites of a share that only its owner takes: the phase's number, or fewer */
    unsigned looked;               /* shares of others that it has searched */
    unsigned dealt, taken, stolen; /* sites of its share; sites taken in all; stolen sites among these */
    bool listed, closed;           /* closed: its own share holds nothing for other workers */
    unsigned owner, count;         /* the worker whose share is listed, and the number of its sites */
    unsigned at, end;              /* sites of the listed share that are taken, and not visited yet */
    uint16_t list[TF_SITES_MAX];
};

void tf_walk_begin(struct tf_walk *walk, const struct tf_shared_phase *phase);

/* May workers steal in this turn? If so, the calling thread can take all remaining sites of a phase. */
bool tf_may_steal(const struct tf_sharing *sharing);

/* Take sites for a worker: a chunk of its own share, or a stolen site. Returns false if none is left; the call that
   returns false is the worker's last of the phase. Any worker. */
bool tf_take_sites(struct tf_sharing *sharing, unsigned worker, struct tf_walk *walk);

/* The worker's next site among those that it has taken. When they end, it takes more. Returns false as tf_take_sites()
   does. Bench row, on several threads: atomic1-inc-spread, whose visits are short. */
static inline bool tf_next_site(struct tf_sharing *sharing, unsigned worker, struct tf_walk *walk, unsigned *site)
{
    if (walk->at == walk->end && !tf_take_sites(sharing, worker, walk))
        return false;
    *site = walk->list[walk->at++];
    return true;
}

/* The site that the walk visits next; TF_NO_SITE if that is not known yet. */
static inline unsigned tf_site_after(const struct tf_walk *walk)
{
    return walk->at != walk->end ? walk->list[walk->at] : TF_NO_SITE;
}

/* After a shared phase: find workers that were left out, and make them ready for the next phase. */
void tf_share_absent(struct tf_sharing *sharing);

/* After a shared phase of `count` sites: move the borders, so that the workers end together. */
void tf_borders_move(struct tf_sharing *sharing, unsigned count, double visit_s);

/* After a shared phase: update the estimate of the cost of a steal. */
void tf_move_cost_update(struct tf_sharing *sharing, double visit_s);

#endif
