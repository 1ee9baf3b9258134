/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_systems LIBRARY SYSTEM [WORKLOAD [SCALE]]: run the workloads of a system on a library with the libttsim
 * interface, and print what they leave there. The library must have the system: ours takes it from TILEFARM_SYSTEM,
 * which this program sets, and ttsim has a build for each (p300 bh_x2, quietbox2 bh_x4, n300 wh_x2, t3000 wh_x8). Each
 * workload also checks its results. A line has the chip, the tile, the sum that a program of an Ethernet tile has made,
 * and a hash: of the buffer of an Ethernet tile, or of the memory behind the programs of a Tensix tile.
 *
 * With a scale, print only the seconds in which the library ran the chips. The workload may also be one of a chip: it
 * runs on each.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/systems/links.h"
#include "cli/systems/list.h"
#include "cli/workloads/list.h"
#include "driver.h"
#include "host/clock.h"
#include "system_peer.h"
#include "system_wish.h"
#include "tilefarm_layout.h"

#define CLOCK_CYCLES 2000u
#define CLOCKS_MAX 1000000u
#define CLOCKS_AFTER 20u /* for credits that no program awaits */
#define TENSIX_BYTES 0x100000u
#define SEED 7u

static bool is_done(const struct peer_started *at)
{
    uint32_t word = 0;
    peer_access(at->chip, at->node, at->on_eth ? TF_L_DONE : TF_K_DONE + 4 * at->core, &word, sizeof word, false);
    return word >> 16 == TF_K_DONE_MAGIC >> 16;
}

/* Run until all programs have ended. verify() names one that has not. */
static void work(void)
{
    unsigned clocks = 0;
    for (unsigned i = 0; i < peer.count; i++)
        for (; !is_done(&peer.started[i]) && clocks < CLOCKS_MAX; clocks++)
            peer_clock(CLOCK_CYCLES);
    for (unsigned i = 0; i < CLOCKS_AFTER; i++)
        peer_clock(CLOCK_CYCLES);
}

static void tell(const struct peer_started *at)
{
    static uint8_t memory[TENSIX_BYTES];
    const uint32_t bytes = at->on_eth ? TF_L_BUFFER_BYTES : TENSIX_BYTES;
    uint32_t sum = 0;
    peer_access(at->chip, at->node, at->on_eth ? TF_L_BUFFER : TF_K_SHARED, memory, bytes, false);
    if (at->on_eth)
        peer_access(at->chip, at->node, TF_L_RESULT + offsetof(struct tf_link_result, sum), &sum, sizeof sum, false);
    printf("  chip %u %2u-%-2u %08x %016llx\n", at->chip, at->node.x, at->node.y, sum,
           (unsigned long long)hash(0, memory, bytes));
}

static bool run(struct tf_system *system, const struct tf_system_workload *workload)
{
    const struct tf_workload_options options = {.scale = workload->scale_test, .seed = SEED};
    struct tf_message message = {""};
    void *state = NULL;
    peer_begin();
    int error = workload->setup(system, &options, &state, &message);
    if (error == TF_OK) {
        work();
        error = workload->verify(system, state, &message);
    }
    printf("  %s%s\n", error == TF_OK ? "right" : "wrong: ", message.text);
    for (unsigned i = 0; i < peer.count; i++) {
        const struct peer_started *at = &peer.started[i];
        if (at->core == 0 && (!at->on_eth || workload != &tf_system_router)) /* which slots it uses depends on time */
            tell(at);
    }
    workload->release(state);
    peer_end();
    return error == TF_OK;
}

/* A process for each workload: ttsim ends it at a violation, and keeps the memory of its chips from run to run. */
static bool run_apart(struct tf_system *system, const struct tf_system_workload *workload)
{
    int status = 1;
    printf("%s\n", workload->name);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        exit(!run(system, workload));
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* ---- Time ---- */

/* The parts of a workload on each chip of a system. */
static int set_up_each(struct tf_system *system, const struct tf_workload *workload,
                       const struct tf_workload_options *options, void **state, struct tf_message *message)
{
    int error = TF_OK;
    for (unsigned i = 0; i < tf_system_cluster(system)->chips && error == TF_OK; i++)
        error = workload->setup(tf_system_chip(system, i), options, &state[i], message);
    return error;
}

static int verify_each(struct tf_system *system, const struct tf_workload *workload, void **state,
                       struct tf_message *message)
{
    int (*const verify)(struct tf_chip *, void *, struct tf_message *) = workload->verify_memory != NULL
                                                                             ? workload->verify_memory
                                                                             : workload->verify;
    int error = TF_OK;
    for (unsigned i = 0; i < tf_system_cluster(system)->chips && error == TF_OK; i++)
        error = verify(tf_system_chip(system, i), state[i], message);
    return error;
}

/* The process ends behind it, so nothing is released. */
static bool measure(struct tf_system *system, const char *name, uint32_t scale)
{
    const struct tf_workload_options options = {.scale = scale, .seed = SEED};
    const struct tf_system_workload *of_system = tf_system_workload_find(name);
    const struct tf_workload *of_chip = tf_workload_find(name);
    struct tf_message message = {"there is no such workload"};
    void *state[TF_CLUSTER_CHIPS_MAX] = {NULL};
    double work_s = 0;
    int error = TF_EINVAL;
    peer_begin();
    if (of_system != NULL)
        error = of_system->setup(system, &options, &state[0], &message);
    else if (of_chip != NULL)
        error = set_up_each(system, of_chip, &options, state, &message);
    if (error == TF_OK) {
        const double began_s = tf_seconds();
        work();
        work_s = tf_seconds() - began_s;
        error = of_system != NULL ? of_system->verify(system, state[0], &message)
                                  : verify_each(system, of_chip, state, &message);
    }
    printf("%s of scale %u: %s, %.3f s\n", name, scale, error == TF_OK ? "right" : message.text, work_s);
    return error == TF_OK;
}

int main(int argc, char **argv)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_system *system = NULL;
    struct tf_message message = {"usage: record_systems LIBRARY SYSTEM [WORKLOAD [SCALE]]"};
    system_wish_init(&config);
    config.cluster = &cluster;
    if (argc < 3 || tf_cluster_find(argv[2], &cluster, &message) != TF_OK ||
        system_wish_create(&config, &system, &message) != TF_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 2;
    }
    setenv("TILEFARM_SYSTEM", argv[2], 1);
    if (!cluster.chip[cluster.chips - 1].pcie)
        setenv("TTSIM_ETH_FW_ROUTING", "0", 1); /* ttsim serves requests without firmware */
    peer_load(argv[1], system);
    if (argc > 4)
        return !measure(system, argv[3], (uint32_t)strtoul(argv[4], NULL, 10));
    bool right = true;
    for (const struct tf_system_workload *const *w = tf_system_workloads; *w != NULL; w++)
        if (argc < 4 || strcmp(argv[3], (*w)->name) == 0)
            right &= run_apart(system, *w);
    tf_system_destroy(system);
    return !right;
}
