/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks of a chip. A fork has the chip's state, and copies none of it at first. Each site is copied when the chip or
 * the fork first visits it. The copy is a saved state (host/saved.h), in an image that all forks of one moment share.
 *
 * A chip that changes a site gives the site's state to its images first. A fork that visits a site obtains it from its
 * image, or from the chip if the image does not have it yet. The lock of an image makes the two exclude each other, so
 * that chip and forks may run on different threads.
 */
#ifndef FARM_FORK_H
#define FARM_FORK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"

struct tf_fabric;
struct tf_image;

struct tf_forks {
    struct tf_image *from;    /* image with the sites that this chip lacks; NULL: none missing */
    struct tf_image *to;      /* images that wait for sites of this chip, newest first */
    bool fresh;               /* unchanged since its newest image began */
    bool untouched;           /* unchanged since its fork */
    atomic_bool lost;         /* the host had no memory for a site */
    bool lacks[TF_NODES_MAX]; /* sites to copy from the image; written by the worker that visits the site */
};

/* Before a site is read or changed: obtain it, and give it to the images. Thread: the site's visitor. */
void tf_forks_visit(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site);

/* Do that before an access of the host. Thread: the calling one, while no worker runs. */
void tf_forks_settle(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site);

/* Do that for all sites. Thread: the calling one, while no worker runs. */
void tf_forks_settle_all(struct tf_forks *forks, struct tf_fabric *fabric);

/* A run begins or ends. all: settle all sites now. False: a site is lost. Thread: the calling one. */
bool tf_forks_run(struct tf_forks *forks, struct tf_fabric *fabric, bool all);

/* The chip is destroyed. fabric: NULL: it could not be made. */
void tf_forks_end(struct tf_forks *forks, struct tf_fabric *fabric);

/* Had the host no memory for a site that was visited? */
static inline bool tf_forks_lost(const struct tf_forks *forks)
{
    return atomic_load_explicit(&forks->lost, memory_order_relaxed);
}

static inline bool tf_forks_open(const struct tf_forks *forks)
{
    return forks->from != NULL || forks->to != NULL;
}

#endif
