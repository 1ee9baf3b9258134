/* SPDX-License-Identifier: Apache-2.0 */
/* What a test wants of a system, as chip_wish.h: the fields of struct tf_system_config under their names. */
#ifndef TESTS_SYSTEM_WISH_H
#define TESTS_SYSTEM_WISH_H

#include "chip_wish.h"
#include "tilefarm/tilefarm_links.h"
#include "tilefarm/tilefarm_system_run.h"

struct system_wish {
    const struct tf_cluster *cluster;
    uint32_t link_latency_cycles, link_gbps;
    const struct tf_link_fault *link_fault;
    unsigned link_faults;
    void (*on_chip)(void *user, unsigned chip, struct chip_wish *wish);
    void (*on_packet)(void *user, const struct tf_packet_event *event);
    void *user;
    struct chip_wish chip;
};

/* The defaults of tf_system_config_init(). */
void system_wish_init(struct system_wish *wish);

/* As tf_system_create(), tf_system_fork() and tf_saved_system_config(). Calls on_chip from this thread alone. */
int system_wish_create(const struct system_wish *wish, struct tf_system **system, struct tf_message *message);
int system_wish_fork(struct tf_system *system, const struct system_wish *wish, struct tf_system **fork,
                     struct tf_message *message);
int system_wish_saved(const char *path, struct system_wish *wish, struct tf_cluster *cluster,
                      struct tf_link_fault *fault, struct tf_message *message);

#endif
