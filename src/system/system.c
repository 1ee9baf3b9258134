/* SPDX-License-Identifier: Apache-2.0 */
/* Making a system of chips and links, and what it tells between runs. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "farm/chip/chip.h"
#include "farm/chip/config.h"
#include "farm/epoch/time.h"
#include "farm/make/create.h"
#include "farm/run/part.h"
#include "host/clock.h"
#include "host/extremes.h"
#include "host/zeros.h"
#include "pool/cpus.h"
#include "system/hops.h"
#include "system/led.h"
#include "system/ranks.h"
#include "system/relaxed.h"
#include "system/state.h"
#include "system/system.h"
#include "system/tell.h"
#include "tile/hash.h"
#include "tile/eth/link.h"
#include "tile/eth/wire.h"
#include "tile/eth/connect.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_system_config.h"

/* A window of chips that nothing joins. */
#define UNJOINED_CYCLES 65536u

static __attribute__((format(printf, 3, 4))) int fail_with(struct tf_message *message, int error, const char *format,
                                                           ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (message != NULL)
        vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return error;
}

/* The field `chip` is the last one, since it may grow. */
#define FRONT_BYTES offsetof(struct tf_system_config, chip)

void tf_system_config_init_sized(struct tf_system_config *config, size_t bytes)
{
    memset(config, 0, FRONT_BYTES);
    config->struct_bytes = bytes;
    tf_config_init_sized(&config->chip, bytes - FRONT_BYTES);
}

int tf_system_config_take(const struct tf_system_config *theirs, struct tf_system_config *whole,
                          struct tf_message *message)
{
    if (theirs == NULL || theirs->struct_bytes < FRONT_BYTES ||
        theirs->struct_bytes - FRONT_BYTES != theirs->chip.struct_bytes ||
        !tf_zeros((const uint8_t *)theirs->reserved, sizeof theirs->reserved))
        return fail_with(message, TF_EINVAL, "the configuration of a system was not made by tf_system_config_init()");
    memcpy(whole, theirs, FRONT_BYTES);
    whole->struct_bytes = sizeof *whole;
    return tf_config_take(&theirs->chip, &whole->chip, message);
}

static uint32_t latency_of(const struct tf_system_config *config)
{
    return config->link_latency_cycles != 0 ? config->link_latency_cycles : TF_LINK_LATENCY_CYCLES;
}

/* Why a system cannot have this configuration in relaxed mode. NULL: it can. */
static const char *relaxed_refuses(const struct tf_system_config *config)
{
    if (config->link_latency_cycles != 0 || config->link_gbps != 0)
        return "in relaxed mode links take no time: leave their latency and rate out, or choose deterministic mode";
    if (config->link_faults != 0)
        return "in relaxed mode links have no faults, which come at cycles of all chips: choose deterministic mode";
    if (config->on_packet != NULL)
        return "in relaxed mode on_packet must be NULL: there is no order of packets to report";
    return NULL;
}

static int check(const struct tf_system_config *config, struct tf_message *message)
{
    const uint32_t latency = latency_of(config), least = config->chip.epoch_cycles_min;
    const char *why = config->chip.mode == TF_MODE_RELAXED ? relaxed_refuses(config) : NULL;
    if (why != NULL)
        return fail_with(message, TF_EINVAL, "%s", why);
    if (latency < least || latency > TF_LINK_LATENCY_CYCLES_MOST)
        return fail_with(message, TF_EINVAL, "the latency of links is %u cycles: it must be between %u and %u", latency,
                         least, TF_LINK_LATENCY_CYCLES_MOST);
    if (config->link_gbps > TF_LINK_GBPS_MOST)
        return fail_with(message, TF_EINVAL, "the rate of links is %u Gb/s: it must be between 1 and %u",
                         config->link_gbps, TF_LINK_GBPS_MOST);
    int error = tf_cluster_check(config->cluster, message);
    return error == TF_OK ? tf_link_faults_check(config->cluster, config->link_fault, config->link_faults, message)
                          : error;
}

/* ---- Links ---- */

static struct tf_eth_line line_of(const struct tf_system *system, const struct tf_arch *arch)
{
    if (system->rules.mode == TF_MODE_RELAXED)
        return (struct tf_eth_line){.latency_cycles = 0};
    const uint64_t cycles_q20 = ((uint64_t)8 * arch->clock_mhz << 20) / ((uint64_t)system->gbps * 1000);
    return (struct tf_eth_line){.latency_cycles = system->latency_cycles, .byte_cycles_q20 = (uint32_t)cycles_q20};
}

/* The number of a port of all chips. */
static unsigned number_of(struct tf_cluster_end end)
{
    return end.chip * TF_PORTS_MAX + end.port;
}

/* Make the direction of a link from one of its ends. */
static bool connect(struct tf_system *system, const struct tf_eth_line *line, unsigned link, unsigned direction)
{
    const struct tf_cluster_end *end = system->cluster.link[link].end;
    const struct tf_cluster_end from = end[direction], to = end[!direction];
    struct tf_lane *lane = &system->lane[2 * link + direction];
    struct tf_system_part *sender = &system->part[from.chip], *receiver = &system->part[to.chip];
    tf_lane_init(lane, from, tf_part_port(sender->chip, from.port), to, tf_part_port(receiver->chip, to.port));
    sender->out[from.port] = lane;
    receiver->in[to.port] = lane;
    tf_part_link(receiver->chip, lane->receiver);
    lane->line = *line;
    tf_link_faults_apply(&system->faults, link, direction, &lane->line);
    return tf_eth_connect(lane->sender, &lane->line) &&
           tf_part_follow(sender->chip, lane->sender, number_of(from), number_of(to));
}

static int create_links(struct tf_system *system)
{
    const struct tf_cluster *cluster = &system->cluster;
    const struct tf_chip *first = system->part[0].chip;
    const struct tf_eth_line line = line_of(system, first->arch);
    const uint32_t cycles = cluster->links != 0 ? system->latency_cycles : UNJOINED_CYCLES;
    system->window_ticks = cluster->chips == 1 ? WINDOW_ENDLESS : cycles / first->schedule.tick_cycles;
    if (cluster->links == 0)
        return TF_OK;
    system->lane = calloc(2 * cluster->links, sizeof *system->lane);
    if (system->lane == NULL)
        return TF_ENOMEM;
    bool connected = true;
    for (unsigned i = 0; i < 2 * cluster->links; i++)
        connected &= connect(system, &line, i / 2, i % 2);
    return connected ? TF_OK : TF_ENOMEM;
}

/* ---- Chips ---- */

static int no_memory(struct tf_message *message, unsigned number)
{
    return fail_with(message, TF_ENOMEM, "too little memory for chip %u of the system", number);
}

/* Programs of larger systems leave most tiles alone, and huge pages would cost more memory than they save time. */
#define CHIPS_DENSE 4u

static int create_chip(struct tf_system *system, const struct tf_system_config *config, const struct tf_system *like,
                       unsigned number, struct tf_message *message)
{
    struct tf_config chip = config->chip;
    chip.arch = system->cluster.arch;
    chip.board = system->cluster.chip[number].board;
    chip.threads = system->rules.mode == TF_MODE_RELAXED ? system->crew.team.count : 1;
    chip.pin = false;
    if (system->cluster.chips > 1)
        chip.on_progress = NULL; /* else a window is the whole run */
    if (config->on_chip != NULL)
        config->on_chip(config->user, number, &chip);
    system->serial |= chip.on_tensix != NULL || chip.on_riscv != NULL || chip.on_print != NULL || chip.on_noc != NULL ||
                      chip.on_epoch != NULL || chip.on_host_read != NULL;
    struct tf_system_part *part = &system->part[number];
    const bool sparse = system->cluster.chips > CHIPS_DENSE;
    part->due = UINT64_MAX;
    if (like == NULL) {
        int error = tf_chip_create_as(&chip, sparse, &part->chip, message);
        if (error != TF_OK)
            return error;
    } else if (tf_chip_create_on(&chip, like->part[number].chip->arch, sparse, &part->chip) != TF_OK) {
        return no_memory(message, number);
    }
    tf_part_number(part->chip, number);
    if (tf_cluster_tell(&system->cluster, number, part->chip) != TF_OK || !tf_part_join(part->chip))
        return no_memory(message, number);
    return TF_OK;
}

static bool fetch(void *user, unsigned chip)
{
    struct tf_system *system = user;
    return tf_led_fetch(system->led, chip);
}

static void create_routes(struct tf_system *system)
{
    system->routes = (struct tf_routes){
        .cluster = &system->cluster, .part = system->part, .lane = system->lane, .fetch = fetch, .user = system};
    tf_routes_create(&system->routes);
}

static int create(struct tf_system *system, const struct tf_system_config *config, const struct tf_system *like,
                  struct tf_message *message)
{
    const unsigned chips = config->cluster->chips;
    const struct tf_arch *arch = tf_arch_or_default(config->cluster->arch);
    system->cluster = *config->cluster;
    *system->config = config->chip;
    system->rules = tf_rules_of(&config->chip);
    system->latency_cycles = latency_of(config);
    system->gbps = config->link_gbps != 0 ? config->link_gbps : arch->eth_gbps;
    system->on_progress = chips > 1 ? config->chip.on_progress : NULL;
    system->user = config->chip.user;
    system->listener = (struct tf_lane_listener){.on_packet = config->on_packet, .user = config->user};
    uint32_t next[TF_CLUSTER_CHIPS_MAX];
    tf_hops_of_chips(&system->cluster, next);
    system->hops = (unsigned)tf_max(1, tf_hops_most(next, chips));
    system->part = aligned_alloc(_Alignof(struct tf_system_part), chips * sizeof *system->part);
    if (system->part == NULL)
        return fail_with(message, TF_ENOMEM, "too little memory for a system of %u chips", chips);
    memset(system->part, 0, chips * sizeof *system->part);
    const unsigned workers = config->chip.mode == TF_MODE_RELAXED ? tf_system_relaxed_workers(config->cluster) : chips;
    int error = config->chip.threads != 1 ? tf_cpus_check(message) : TF_OK;
    if (error != TF_OK)
        return error;
    error = tf_crew_init(&system->crew, config->chip.threads, workers, config->chip.pin);
    if (error != TF_OK)
        return fail_with(message, error, "too little memory for the threads of a system");
    for (unsigned i = 0; i < chips; i++) {
        error = create_chip(system, config, like, i, message);
        if (error != TF_OK)
            return error;
    }
    error = tf_link_faults_create(&system->faults, config->link_fault, config->link_faults);
    if (error == TF_OK)
        error = create_links(system);
    if (error == TF_OK)
        create_routes(system);
    if (error == TF_OK && config->chip.mode == TF_MODE_RELAXED)
        error = tf_system_relaxed_create(system);
    return error == TF_OK ? TF_OK : fail_with(message, error, "too little memory for the links of a system");
}

/* One piece of memory: tf_system_destroy() frees the system. */
struct made {
    struct tf_system system;
    struct tf_config config;
};

int tf_system_create(const struct tf_system_config *config, struct tf_system **out, struct tf_message *message)
{
    struct tf_system_config whole;
    int error = tf_system_config_take(config, &whole, message);
    if (error == TF_OK && whole.cluster == NULL)
        error = fail_with(message, TF_EINVAL, "the configuration of a system has no cluster");
    return error == TF_OK ? tf_system_create_like(&whole, NULL, out, message) : error;
}

int tf_system_create_like(const struct tf_system_config *config, const struct tf_system *like, struct tf_system **out,
                          struct tf_message *message)
{
    if (out == NULL)
        return fail_with(message, TF_EINVAL, "the pointer that returns the system is NULL");
    int error = check(config, message);
    if (error != TF_OK)
        return error;
    struct made *made = aligned_alloc(128, (sizeof *made + 127) & ~(size_t)127);
    if (made == NULL)
        return fail_with(message, TF_ENOMEM, "too little memory for a system");
    memset(made, 0, sizeof *made);
    struct tf_system *system = &made->system;
    system->config = &made->config;
    error = create(system, config, like, message);
    if (error == TF_OK)
        *out = system;
    else
        tf_system_destroy(system);
    return error;
}

void tf_system_destroy(struct tf_system *system)
{
    if (system == NULL)
        return;
    tf_led_leave(system->led);
    tf_ranks_leave(system);
    if (system->crew.task.run != NULL)
        tf_crew_fini(&system->crew);
    for (unsigned i = 0; system->lane != NULL && i < 2 * system->cluster.links; i++)
        tf_lane_fini(&system->lane[i]);
    free(system->lane);
    tf_system_relaxed_destroy(system);
    tf_link_faults_destroy(&system->faults);
    for (unsigned i = 0; system->part != NULL && i < system->cluster.chips; i++)
        tf_chip_destroy(system->part[i].chip);
    free(system->part);
    free(system);
}

/* ---- Between runs ---- */

const struct tf_cluster *tf_system_cluster(const struct tf_system *system)
{
    return &system->cluster;
}

struct tf_chip *tf_system_chip(struct tf_system *system, unsigned chip)
{
    return chip < system->cluster.chips && tf_led_fetch(system->led, chip) ? system->part[chip].chip : NULL;
}

uint32_t tf_system_latency(const struct tf_system *system)
{
    return system->relaxed == NULL ? system->latency_cycles : 0;
}

uint32_t tf_system_gbps(const struct tf_system *system)
{
    return system->relaxed == NULL ? system->gbps : 0;
}

bool tf_system_is_quiet(const struct tf_system *system)
{
    bool quiet = true, rests = true;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        quiet &= tf_led_knows(system->led, i, &rests) ? tf_system_part_next(&system->part[i]) == UINT64_MAX : rests;
    return quiet;
}

void tf_system_pass(struct tf_system *system, uint64_t cycle)
{
    bool quiet;
    tf_led_pass(system->led, cycle);
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        struct tf_chip *chip = system->part[i].chip;
        const bool here = system->led != NULL ? tf_led_knows(system->led, i, &quiet) : !system->part[i].elsewhere;
        if (here && tf_chip_cycles(chip) < cycle)
            tf_pass_time(&chip->epochs, &chip->schedule, cycle - tf_chip_cycles(chip));
    }
}

void tf_system_go_on(struct tf_system *system)
{
    atomic_store_explicit(&system->part[0].chip->stop, false, memory_order_relaxed);
    atomic_store_explicit(&system->stop, false, memory_order_relaxed);
}

void tf_system_defer_progress(struct tf_system *system)
{
    system->progress_s = tf_seconds();
}

int tf_link_stats(const struct tf_system *system, unsigned index, struct tf_link_stats *stats)
{
    if (system == NULL || stats == NULL || index >= 2 * system->cluster.links)
        return TF_ERANGE;
    const struct tf_lane *lane = &system->lane[index];
    if (!tf_led_fetch(system->led, lane->from.chip) || !tf_led_fetch(system->led, lane->to.chip))
        return TF_EIO;
    *stats = (struct tf_link_stats){.from = lane->from,
                                    .to = lane->to,
                                    .packets = lane->packets,
                                    .bytes = lane->bytes,
                                    .waiting = lane->packets - lane->arrived,
                                    .lost = tf_eth_lost(lane->sender)};
    return TF_OK;
}

uint64_t tf_system_hash(struct tf_system *system)
{
    XXH3_state_t state;
    struct tf_hash hash = {.state = &state};
    tf_led_fetch_all(system->led, system->cluster.chips);
    XXH3_64bits_reset(hash.state);
    for (unsigned i = 0; i < system->cluster.chips; i++)
        tf_hash_u64(&hash, tf_state_hash(system->part[i].chip));
    for (unsigned i = 0; i < 2 * system->cluster.links; i++)
        tf_lane_hash(&system->lane[i], &hash);
    return XXH3_64bits_digest(hash.state);
}
