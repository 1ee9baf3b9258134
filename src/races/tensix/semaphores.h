/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads and cores know of the semaphores of the coprocessor. A post at 15 and a get at 0 change nothing
 * (SyncUnit.md), and neither waits. So who posts must know that there is room, and who gets must know of a post. An
 * actor knows the value at SEMINIT, and some of the posts and gets since. Another order of the program may have no
 * others so far.
 */
#ifndef RACES_TENSIX_SEMAPHORES_H
#define RACES_TENSIX_SEMAPHORES_H

#include "races/state/state.h"

/* Who posts or gets, and when. */
struct semaphore_user {
    const struct tf_view *view;
    unsigned slot; /* SLOT_OF_PUSHED(thread), or SLOT_CORE + core */
    uint32_t time;
};

/* A SEMINIT sets semaphores to a value. mask: their numbers, as bits. */
void semaphores_begin(struct site *site, uint32_t mask, int32_t value);

/* A user adds 1 to semaphores, or takes 1 from them. Returns those that this may not change, as far as it knows. */
uint32_t semaphores_change(struct site *site, const struct semaphore_user *user, uint32_t mask, bool post);

/* Free what is kept of them. */
void semaphores_free(struct site *site);

#endif
