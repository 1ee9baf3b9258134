/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of libtilefarm.so with a system of four chips, which ranks may run: a core of each chip counts, and one
 * faults. The output is that of one process. Usage: led_library alone|lead FILE ROUNDS
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system_wish.h"
#include "tilefarm/tilefarm_lead.h"

#define COUNT 0x400u

static int stop_at(const char *what, int error, const struct tf_message *message)
{
    printf("%s: %s: %s\n", what, tf_strerror(error), message->text);
    fflush(stdout);
    return 1;
}

static void on_fault(void *user, const struct tf_fault *fault)
{
    (void)user;
    printf("fault in cycle %" PRIu64 "\n", fault->cycle);
}

/* Where the chip has its first tile. */
static struct tf_coord first(struct tf_chip *chip)
{
    struct tf_coord coord = {0, 0};
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    return coord;
}

/* addi t0, t0, step; sw t0, COUNT(x0); j -8 */
static void count(struct tf_system *system, unsigned chip)
{
    const uint32_t code[] = {0x00028293 | (chip + 1) << 20, 0x40502023, 0xFF9FF06F};
    struct tf_chip *at = tf_system_chip(system, chip);
    tf_write(at, first(at), 0, code, sizeof code);
    tf_core_start(at, 0, TF_CORE_B);
}

static int show(struct tf_system *system, long round)
{
    printf("%ld:", round);
    for (unsigned i = 0; i < tf_system_cluster(system)->chips; i++) {
        uint32_t found = 0;
        struct tf_chip *chip = tf_system_chip(system, i);
        if (chip == NULL || tf_read(chip, first(chip), COUNT, &found, sizeof found) != TF_OK)
            return 1;
        printf(" %" PRIu32, found);
    }
    printf("; %" PRIu64 " cycles\n", tf_system_cycles(system));
    fflush(stdout);
    return 0;
}

static int run(struct tf_system *system, const struct tf_lead *lead)
{
    const struct tf_system_run_options options = {.run.cycles_max = 5000};
    struct tf_message message = {""};
    enum tf_end end;
    const int error = tf_system_run(system, &options, &end);
    if (lead != NULL)
        snprintf(message.text, sizeof message.text, "%s", tf_lead_why(lead));
    return error == TF_OK ? 0 : stop_at("run", error, &message);
}

/* Saves, forks and faults. */
static int end_well(struct tf_system *system, const struct tf_lead *lead, const char *path)
{
    struct tf_message message = {""};
    struct tf_system *fork = NULL;
    const uint32_t bad = 0xFFFFFFFF;
    printf("hash %016" PRIx64 "\n", tf_system_hash(system));
    int error = tf_system_save(system, path, &message);
    if (error != TF_OK)
        return stop_at("save", error, &message);
    error = system_wish_fork(system, NULL, &fork, &message);
    if (error != TF_OK)
        return stop_at("fork", error, &message);
    if (run(system, lead) != 0 || run(fork, NULL) != 0)
        return 1;
    printf("fork %d\n", tf_system_hash(fork) == tf_system_hash(system));
    tf_system_destroy(fork);
    error = tf_system_restore(system, path, &message);
    if (error != TF_OK)
        return stop_at("restore", error, &message);
    tf_write(tf_system_chip(system, 3), first(tf_system_chip(system, 3)), 0, &bad, sizeof bad);
    if (run(system, lead) != 0)
        return 1;
    struct tf_link_stats stats;
    if (tf_link_stats(system, 0, &stats) != TF_OK)
        return 1;
    printf("faults %zu, packets %" PRIu64 ", hash %016" PRIx64 "\n", tf_fault_count(tf_system_chip(system, 3)),
           stats.packets, tf_system_hash(system));
    return 0;
}

int main(int argc, char **argv)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_system *system = NULL, *relaxed = NULL;
    struct tf_message message = {""};
    struct tf_lead *lead = NULL;
    if (argc != 4)
        return 2;
    int error = strcmp(argv[1], "lead") == 0 ? tf_lead_open(&lead, &message) : TF_OK;
    if (error != TF_OK)
        return stop_at("lead", error, &message);
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = 1;
    config.chip.on_fault = on_fault;
    error = tf_cluster_find("2xn300", &cluster, &message);
    if (error == TF_OK)
        error = system_wish_create(&config, &system, &message);
    if (error == TF_OK)
        count(system, 1); /* before ranks take it */
    if (error == TF_OK && lead != NULL)
        error = tf_lead_system(lead, system, &message);
    if (error != TF_OK) {
        tf_system_destroy(system);
        tf_lead_close(lead);
        return stop_at("system", error, &message);
    }
    config.chip.mode = TF_MODE_RELAXED;
    if (lead != NULL &&
        (system_wish_create(&config, &relaxed, NULL) != TF_OK || tf_lead_system(lead, relaxed, &message) != TF_EINVAL ||
         tf_lead_system(lead, system, NULL) != TF_EINVAL || tf_lead_system(lead, NULL, NULL) != TF_EINVAL))
        return stop_at("relaxed", error, &message);
    tf_system_destroy(relaxed);
    for (unsigned i = 0; i < cluster.chips; i++)
        if (i != 1)
            count(system, i);
    const long rounds = strtol(argv[3], NULL, 10);
    int code = 0;
    for (long round = 0; round < rounds && code == 0; round++) {
        code = run(system, lead);
        code = code != 0 ? code : show(system, round);
    }
    code = code != 0 ? code : end_well(system, lead, argv[2]);
    tf_system_destroy(system);
    tf_lead_close(lead);
    return code;
}
