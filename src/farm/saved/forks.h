/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks of a chip. A fork has the chip's state, and copies none of it at first. Each site is copied when the chip or
 * the fork first visits it. The copy is a saved state (host/saved.h), in an image that all forks of one moment share.
 *
 * Before a chip changes a site, it copies the site's state to its images. A fork that visits a site takes it from its
 * image, or from the chip if the image does not have it yet. Both hold the lock of the image, so a chip and its forks
 * may run on different threads.
 */
#ifndef FARM_SAVED_FORKS_H
#define FARM_SAVED_FORKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"

struct tf_fabric;
struct tf_image;
struct tf_saved;

/* The state of a chip that has forks, or is one. */
struct tf_forks {
    struct tf_image *from;    /* of a fork: the image with the sites that it still lacks; NULL: it lacks none */
    struct tf_image *to;      /* images that still lack sites of this chip: a list, newest first */
    bool fresh;               /* the chip has not changed since its newest image was made */
    bool untouched;           /* of a fork: it has not changed since it was made */
    atomic_bool lost;         /* the host had no memory for a site that was visited */
    bool lacks[TF_NODES_MAX]; /* sites to copy from the image; written by the worker that visits the site */
};

/* Call before a site is read or changed: take its state from the image, and copy it to the images that lack it. Thread:
   the worker that visits the site. */
void tf_forks_visit(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site);

/* The same for an access of the host. Thread: the calling one, between runs. */
void tf_forks_settle(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site);

/* The same for all sites. Thread: the calling one, between runs. */
void tf_forks_settle_all(struct tf_forks *forks, struct tf_fabric *fabric);

/* Call when a run begins or ends. all: settle all sites now. False: a site is lost. Thread: the calling one. */
bool tf_forks_run(struct tf_forks *forks, struct tf_fabric *fabric, bool all);

/* Call when the chip is destroyed: leave its images, and free those that no chip needs. fabric: NULL if the chip has
   none. */
void tf_forks_end(struct tf_forks *forks, struct tf_fabric *fabric);

/* Write or read the chip's own state, which belongs to no site. */
typedef void tf_write_own(struct tf_saved *saved, void *chip);

/* The image that a fork made now reads: that of this chip, or of the chip that this one is an untouched fork of. NULL:
   the host has no memory. Thread: the chip's, between runs. */
struct tf_image *tf_forks_image(struct tf_forks *forks, struct tf_fabric *fabric, tf_write_own *write, void *chip);

/* A new fork reads an image, and lacks all sites. */
void tf_forks_read(struct tf_forks *fork, const struct tf_fabric *fabric, struct tf_image *image);

/* Read the chip's own state of an image. Returns false if the host has no memory. */
bool tf_image_read_own(const struct tf_image *image, tf_write_own *read, void *chip);

/* Copy a site into a fork's fabric, if the fork still lacks it. */
void tf_forks_obtain(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site);

/* Is a site lost, because the host had no memory for it? Any thread. */
static inline bool tf_forks_lost(const struct tf_forks *forks)
{
    return atomic_load_explicit(&forks->lost, memory_order_relaxed);
}

/* Does any site of the chip still have to be copied, to it or from it? */
static inline bool tf_forks_open(const struct tf_forks *forks)
{
    return forks->from != NULL || forks->to != NULL;
}

#endif
