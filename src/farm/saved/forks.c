/* SPDX-License-Identifier: Apache-2.0 */
/* Images of chips that have forks, and when sites are copied. */
#include "farm/saved/forks.h"

#include <pthread.h>
#include <stdlib.h>

#include "farm/saved/site.h"
#include "host/saved.h"
#include "noc/noc.h"

/* A saved state in memory. */
struct part {
    uint8_t *data;
    size_t bytes;
    atomic_bool complete;
};

struct tf_image {
    atomic_uint holders; /* the chip, while it may have to give sites; and each fork that lacks some */
    pthread_mutex_t lock;
    struct tf_fabric *fabric; /* of the chip whose state it is; until all sites are there */
    struct tf_image *next;
    unsigned sites;                 /* numbers below it may be sites */
    atomic_uint missing;            /* sites */
    atomic_bool lost;               /* a site could not be copied */
    struct part chip_part;          /* the chip's own, and what is in flight */
    struct part site[TF_NODES_MAX]; /* by number */
};

#define PART_BYTES 32768u

/* A tf_saved.refill of a reader that wants more than was written. */
static bool end(struct tf_saved *saved)
{
    tf_saved_fail(saved, "internal error: a part of the copy is too short");
    return false;
}

/* A tf_saved that writes to a part; buffer NULL: no memory. */
static struct tf_saved write_to(void)
{
    return (struct tf_saved){.room = PART_BYTES, .refill = tf_saved_grow, .buffer = malloc(PART_BYTES)};
}

/* Hand the written bytes over to the part. Returns false if the host has no memory. */
static bool close_part(struct part *part, const struct tf_saved *saved)
{
    if (saved->why != NULL) {
        free(saved->buffer);
        return false;
    }
    uint8_t *exact = realloc(saved->buffer, saved->at);
    part->data = exact != NULL ? exact : saved->buffer;
    part->bytes = saved->at;
    atomic_store_explicit(&part->complete, true, memory_order_release);
    return true;
}

static struct tf_saved read_from(const struct part *part)
{
    return (struct tf_saved){.reads = true, .refill = end, .buffer = part->data, .bytes = part->bytes};
}

static bool is_read(const struct tf_saved *saved)
{
    return saved->why == NULL && saved->at == saved->bytes;
}

/* Write the state of a site of the image's chip into the image. Returns false if that failed. */
static bool write_site(struct tf_image *image, unsigned site)
{
    struct tf_saved saved = write_to();
    if (saved.buffer == NULL)
        return false;
    tf_site_state(&saved, image->fabric, site);
    return close_part(&image->site[site], &saved);
}

static void release(struct tf_image *image)
{
    if (image == NULL || atomic_fetch_sub_explicit(&image->holders, 1, memory_order_acq_rel) != 1)
        return;
    free(image->chip_part.data);
    for (unsigned i = 0; i < image->sites; i++)
        free(image->site[i].data);
    pthread_mutex_destroy(&image->lock);
    free(image);
}

static bool is_site(const struct tf_fabric *fabric, unsigned number)
{
    return tf_site_of(fabric, number) == number;
}

/* Let the image have a site; not after another was lost, as this one may have changed meanwhile. */
static void give(struct tf_image *image, unsigned site)
{
    struct part *part = &image->site[site];
    if (atomic_load_explicit(&part->complete, memory_order_acquire))
        return;
    pthread_mutex_lock(&image->lock);
    if (!atomic_load_explicit(&part->complete, memory_order_relaxed) &&
        !atomic_load_explicit(&image->lost, memory_order_relaxed)) {
        if (write_site(image, site))
            atomic_fetch_sub_explicit(&image->missing, 1, memory_order_release);
        else
            atomic_store_explicit(&image->lost, true, memory_order_release);
    }
    pthread_mutex_unlock(&image->lock);
}

void tf_forks_obtain(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site)
{
    struct tf_image *image = forks->from;
    if (image == NULL || !forks->lacks[site])
        return;
    give(image, site);
    const struct part *part = &image->site[site];
    bool complete = atomic_load_explicit(&part->complete, memory_order_acquire);
    struct tf_saved saved = read_from(part);
    if (complete)
        tf_site_state(&saved, fabric, site);
    if (!complete || !is_read(&saved))
        atomic_store_explicit(&forks->lost, true, memory_order_relaxed);
    forks->lacks[site] = false;
}

void tf_forks_visit(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site)
{
    tf_forks_obtain(forks, fabric, site);
    for (struct tf_image *image = forks->to; image != NULL; image = image->next)
        give(image, site);
}

/* Forget images that have everything, or that no fork wants. */
static void close_images(struct tf_forks *forks)
{
    for (struct tf_image **at = &forks->to; *at != NULL;) {
        struct tf_image *image = *at;
        bool wanted = atomic_load_explicit(&image->holders, memory_order_acquire) > 1;
        if (wanted && atomic_load_explicit(&image->missing, memory_order_acquire) != 0) {
            at = &image->next;
            continue;
        }
        *at = image->next;
        release(image);
    }
    for (unsigned i = 0; forks->from != NULL && i < forks->from->sites; i++)
        if (forks->lacks[i])
            return;
    release(forks->from);
    forks->from = NULL;
}

void tf_forks_settle(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site)
{
    if (!tf_forks_open(forks))
        return;
    forks->untouched = forks->fresh = false;
    tf_forks_visit(forks, fabric, site);
}

void tf_forks_settle_all(struct tf_forks *forks, struct tf_fabric *fabric)
{
    if (!tf_forks_open(forks))
        return;
    close_images(forks);
    forks->untouched = forks->fresh = false;
    for (unsigned site = 0; site < fabric->nodes; site++)
        if (is_site(fabric, site))
            tf_forks_visit(forks, fabric, site);
    close_images(forks);
}

bool tf_forks_run(struct tf_forks *forks, struct tf_fabric *fabric, bool all)
{
    if (tf_forks_open(forks)) {
        close_images(forks);
        forks->untouched = forks->fresh = false;
        if (all)
            tf_forks_settle_all(forks, fabric);
    }
    return !tf_forks_lost(forks);
}

void tf_forks_end(struct tf_forks *forks, struct tf_fabric *fabric)
{
    release(forks->from);
    forks->from = NULL;
    close_images(forks);
    for (unsigned site = 0; forks->to != NULL && site < fabric->nodes; site++)
        if (is_site(fabric, site))
            for (struct tf_image *image = forks->to; image != NULL; image = image->next)
                give(image, site);
    while (forks->to != NULL) {
        struct tf_image *image = forks->to;
        forks->to = image->next;
        release(image);
    }
}

/* An image of the chip as it is now, without any site yet. Returns NULL if the host has no memory. */
static struct tf_image *begin_image(struct tf_forks *forks, struct tf_fabric *fabric, tf_write_own *write, void *chip)
{
    struct tf_image *image = calloc(1, sizeof *image);
    if (image == NULL || pthread_mutex_init(&image->lock, NULL) != 0) {
        free(image);
        return NULL;
    }
    image->fabric = fabric;
    image->sites = fabric->nodes;
    atomic_init(&image->holders, 1);
    unsigned missing = 0;
    for (unsigned i = 0; i < fabric->nodes; i++)
        missing += is_site(fabric, i);
    atomic_init(&image->missing, missing);
    struct tf_saved saved = write_to();
    if (saved.buffer != NULL)
        write(&saved, chip);
    if (saved.buffer == NULL || !close_part(&image->chip_part, &saved)) {
        release(image);
        return NULL;
    }
    image->next = forks->to;
    forks->to = image;
    forks->fresh = true;
    return image;
}

struct tf_image *tf_forks_image(struct tf_forks *forks, struct tf_fabric *fabric, tf_write_own *write, void *chip)
{
    if (forks->from != NULL && forks->untouched)
        return forks->from;
    for (unsigned site = 0; site < fabric->nodes && forks->from != NULL; site++)
        tf_forks_obtain(forks, fabric, site);
    close_images(forks);
    return forks->to != NULL && forks->fresh ? forks->to : begin_image(forks, fabric, write, chip);
}

void tf_forks_read(struct tf_forks *fork, const struct tf_fabric *fabric, struct tf_image *image)
{
    atomic_fetch_add_explicit(&image->holders, 1, memory_order_relaxed);
    fork->from = image;
    for (unsigned site = 0; site < fabric->nodes; site++)
        fork->lacks[site] = is_site(fabric, site);
    fork->untouched = true;
}

bool tf_image_read_own(const struct tf_image *image, tf_write_own *read, void *chip)
{
    struct tf_saved saved = read_from(&image->chip_part);
    read(&saved, chip);
    return is_read(&saved);
}
