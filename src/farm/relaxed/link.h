/* SPDX-License-Identifier: Apache-2.0 */
/* Links between chips of one run (R10). */
#ifndef FARM_RELAXED_LINK_H
#define FARM_RELAXED_LINK_H

#include "farm/chip/chip.h"

/* Join the Ethernet tiles of two ends. Both ends stay where they are, and so do their chips. */
void tf_relaxed_join(struct tf_relaxed_port *one, struct tf_relaxed_port *other);

/* So many packets may be on the way. Until the peer has taken them, the tile that sends is not run: raw packets have no
   window, and would fill the memory of the host. */
#ifdef TF_MUTANTS
#define TF_RELAXED_UNDER_WAY_MAX 2u
#else
#define TF_RELAXED_UNDER_WAY_MAX 1024u
#endif

/* Has the peer answered all that the tile has sent? Ask before what was handed over is taken: the answers are there. */
static inline bool tf_relaxed_is_answered(const struct tf_relaxed_port *port)
{
    return atomic_load_explicit(&port->under_way, memory_order_acquire) == 0;
}

static inline bool tf_relaxed_is_full(const struct tf_relaxed_port *port)
{
    return atomic_load_explicit(&port->under_way, memory_order_relaxed) >= TF_RELAXED_UNDER_WAY_MAX;
}

/* Before the tile of an end runs, and after it has taken what was handed over: send again what is due. answered: the
   peer has answered all. */
void tf_relaxed_resend(struct tf_relaxed_port *port, struct tf_tile *tile, bool answered);

/* What the peer of an end has sent arrives. By the owner. */
void tf_relaxed_arrive(struct tf_relaxed_port *port, struct tf_tile *tile, struct tf_relaxed_sent *sent);
void tf_relaxed_drop_sent(struct tf_relaxed_sent *sent);

/* A visit ends: hand over what the tile has sent, and count as answered what it has taken. */
void tf_relaxed_hand_over(struct tf_worker *worker, struct tf_relaxed_port *port, struct tf_tile *tile);

/* Nothing else happens. Let time pass for the tile that has to send again first. Returns false if there is none before
   the limit; *late: there is one behind it. While no worker visits a site. */
bool tf_relaxed_pass_time(struct tf_relaxed *relaxed, bool *late);

#endif
