/* SPDX-License-Identifier: Apache-2.0 */
/* tf_chip_fork(), and when sites are copied. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/chip/config.h"
#include "farm/chip/found.h"
#include "farm/saved/header.h"
#include "farm/saved/config.h"
#include "farm/saved/state.h"
#include "host/saved.h"
#include "tilefarm/tilefarm_config.h"
#include "host/message.h"

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

static void hold(struct tf_image *image)
{
    atomic_fetch_add_explicit(&image->holders, 1, memory_order_relaxed);
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

/* Copy a site into a fork's fabric, if the fork still lacks it. */
static void obtain(struct tf_forks *forks, struct tf_fabric *fabric, unsigned site)
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
    obtain(forks, fabric, site);
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
static struct tf_image *begin_image(struct tf_chip *chip)
{
    struct tf_image *image = calloc(1, sizeof *image);
    if (image == NULL || pthread_mutex_init(&image->lock, NULL) != 0) {
        free(image);
        return NULL;
    }
    image->fabric = chip->fabric;
    image->sites = chip->fabric->nodes;
    atomic_init(&image->holders, 1);
    unsigned missing = 0;
    for (unsigned i = 0; i < chip->fabric->nodes; i++)
        missing += is_site(chip->fabric, i);
    atomic_init(&image->missing, missing);
    struct tf_saved saved = write_to();
    if (saved.buffer != NULL)
        tf_chip_own_state(&saved, chip);
    if (saved.buffer == NULL || !close_part(&image->chip_part, &saved)) {
        release(image);
        return NULL;
    }
    image->next = chip->forks.to;
    chip->forks.to = image;
    chip->forks.fresh = true;
    return image;
}

/* The image that a fork made now reads: that of this chip, or of the chip that this one is an untouched fork of. */
static struct tf_image *image_of(struct tf_chip *chip)
{
    struct tf_forks *forks = &chip->forks;
    if (forks->from != NULL && forks->untouched)
        return forks->from;
    for (unsigned site = 0; site < chip->fabric->nodes && forks->from != NULL; site++)
        obtain(forks, chip->fabric, site);
    close_images(forks);
    return forks->to != NULL && forks->fresh ? forks->to : begin_image(chip);
}

/* Tiles with faults that the host has not collected: the fork must find them without a visit. */
static void find_faults(const struct tf_fabric *fabric, struct tf_chip *fork)
{
    struct tf_worker *worker_0 = &fork->workers.worker[0];
    for (unsigned i = 0; i < fabric->nodes; i++) {
        if (fabric->node[i].tile == NULL || fabric->node[i].tile->faults.count == 0)
            continue;
        obtain(&fork->forks, fork->fabric, i);
        fork->forks.untouched = false;
        tf_find_more(worker_0, TF_FOUND_FAULTED, &worker_0->more.faulted, i);
    }
}

/* Give a new chip the state of another. */
static bool begin_fork(struct tf_chip *chip, struct tf_chip *fork)
{
    struct tf_image *image = image_of(chip);
    if (image == NULL)
        return false;
    hold(image);
    fork->forks.from = image;
    for (unsigned site = 0; site < fork->fabric->nodes; site++)
        fork->forks.lacks[site] = is_site(fork->fabric, site);
    fork->forks.untouched = true;
    struct tf_saved saved = read_from(&image->chip_part);
    tf_chip_own_state(&saved, fork);
    if (!is_read(&saved))
        return false;
    find_faults(chip->fabric, fork);
    return tf_forks_run(&fork->forks, fork->fabric,
                        fork->config->on_tensix != NULL || fork->config->on_riscv != NULL ||
                            fork->config->on_print != NULL);
}

int tf_forks_begin(struct tf_chip *chip, struct tf_chip *fork, struct tf_message *message)
{
    struct tf_message difference;
    struct tf_saved_config saved, own;
    tf_saved_describe(chip->config, chip->arch, &saved);
    tf_saved_describe(fork->config, fork->arch, &own);
    if (!tf_saved_fits(&saved, &own, &difference))
        return tf_message_set(message, TF_EINVAL, "a fork", difference.text);
    return begin_fork(chip, fork) ? TF_OK : tf_message_set(message, TF_ENOMEM, "a fork", tf_saved_no_memory);
}

int tf_chip_fork(struct tf_chip *chip, const struct tf_config *config, struct tf_chip **fork,
                 struct tf_message *message)
{
    struct tf_config whole;
    if (chip == NULL || fork == NULL)
        return tf_message_set(message, TF_EINVAL, "a fork",
                              "a pointer is NULL: the chip, or the one that returns the fork");
    if (chip->config->mode == TF_MODE_RELAXED)
        return tf_message_set(message, TF_EINVAL, "a fork", "a chip in relaxed mode cannot be forked");
    int error = tf_config_take(config, &whole, message);
    if (error != TF_OK)
        return error;
    if (chip->exploring != NULL || whole.explore != NULL)
        return tf_message_set(message, TF_EINVAL, "a fork",
                              "a chip that explores other orders can neither be forked nor be a fork");
    if (chip->joined)
        return tf_message_set(message, TF_EINVAL, "a fork",
                              "a chip of a system is forked with its system, by tf_system_fork()");
    if (config == NULL) {
        whole = *chip->config;
        whole.on_fault = NULL;
        whole.on_progress = NULL;
        whole.on_tensix = NULL;
        whole.on_riscv = NULL;
        whole.on_print = NULL;
        whole.check = false;
        whole.on_noc = NULL;
        whole.on_epoch = NULL;
    }
    struct tf_chip *made;
    error = tf_chip_create(&whole, &made, message);
    if (error != TF_OK)
        return error;
    error = tf_forks_begin(chip, made, message);
    if (error == TF_OK)
        *fork = made;
    else
        tf_chip_destroy(made);
    return error;
}
