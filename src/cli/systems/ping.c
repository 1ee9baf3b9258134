/* SPDX-License-Identifier: Apache-2.0 */
/* eth-ping and eth-stream: the latency and the rate of each link, beside what the links are configured to. */
#include <stdlib.h>

#include "cli/systems/links.h"
#include "tilefarm_layout.h"

/* One end of each link gets a role, and the other end its counterpart. */
static int start_pairs(struct tf_system *system, struct tf_links *links, uint32_t role, uint32_t counterpart,
                       struct tf_message *message)
{
    const struct tf_cluster *cluster = tf_system_cluster(system);
    int error = TF_OK;
    for (unsigned i = 0; i < cluster->links && error == TF_OK; i++) {
        error = tf_links_start(system, links, cluster->link[i].end[0], &(struct tf_link_job){.role = role}, message);
        if (error == TF_OK)
            error = tf_links_start(system, links, cluster->link[i].end[1], &(struct tf_link_job){.role = counterpart},
                                   message);
    }
    return error;
}

/* Fill the senders' buffers. Each word differs. */
static int fill(struct tf_system *system, const struct tf_links *links, struct tf_message *message)
{
    uint32_t *data = malloc(links->bytes);
    int error = data == NULL ? TF_ENOMEM : TF_OK;
    for (unsigned i = 0; i < links->count && error == TF_OK; i += 2) {
        for (uint32_t word = 0; word < links->bytes / 4; word++)
            data[word] = tf_k_input(links->options.seed, i, word);
        error = tf_links_write(system, links->port[i], TF_L_BUFFER, data, links->bytes, message);
    }
    free(data);
    return error;
}

/* The receivers' buffers must have the senders' data. */
static int compare(struct tf_system *system, const struct tf_links *links, struct tf_message *message)
{
    uint32_t *data = malloc(links->bytes);
    int error = data == NULL ? TF_ENOMEM : TF_OK;
    for (unsigned i = 0; i < links->count && error == TF_OK; i++) {
        error = tf_links_read(system, links->port[i], TF_L_BUFFER, data, links->bytes, message);
        for (uint32_t word = 0; word < links->bytes / 4 && error == TF_OK; word++) {
            const uint32_t expected = tf_k_input(links->options.seed, i & ~1u, word);
            if (data[word] != expected)
                error = tf_links_fail(message, TF_WORKLOAD_WRONG, links->port[i], "word %u is 0x%08x, not 0x%08x", word,
                                      data[word], expected);
        }
    }
    free(data);
    return error;
}

static int setup(struct tf_system *system, const struct tf_system_workload *workload,
                 const struct tf_workload_options *options, uint32_t bytes, const uint32_t role[2], void **state,
                 struct tf_message *message)
{
    int error;
    struct tf_links *links = tf_links_begin(system, workload, options, &error, message);
    if (links == NULL)
        return error;
    *state = links;
    links->bytes = bytes;
    error = start_pairs(system, links, role[0], role[1], message);
    return error == TF_OK ? fill(system, links, message) : error;
}

static int verify(struct tf_system *system, void *state, struct tf_message *message)
{
    const struct tf_links *links = state;
    struct tf_link_result result;
    for (unsigned i = 0; i < links->count; i++) {
        int error = tf_links_result(system, links->port[i], &result, message);
        if (error != TF_OK)
            return error;
    }
    return compare(system, links, message);
}

#define PING_BYTES 16u
#define STREAM_BYTES 16384u

static int setup_ping(struct tf_system *system, const struct tf_workload_options *options, void **state,
                      struct tf_message *message)
{
    static const uint32_t role[] = {TF_L_PING, TF_L_PONG};
    return setup(system, &tf_system_ping, options, PING_BYTES, role, state, message);
}

static int setup_stream(struct tf_system *system, const struct tf_workload_options *options, void **state,
                        struct tf_message *message)
{
    static const uint32_t role[] = {TF_L_SOURCE, TF_L_SINK};
    return setup(system, &tf_system_stream, options, STREAM_BYTES, role, state, message);
}

static double clock_mhz(struct tf_system *system)
{
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(tf_system_chip(system, 0)), &shape);
    return shape.clock_mhz;
}

static void print_ping(struct tf_system *system, void *state, FILE *to)
{
    const struct tf_links *links = state;
    const double half_ns = 0.5e3 / clock_mhz(system);
    uint32_t least = UINT32_MAX, most = 0;
    struct tf_link_result result;
    if (tf_system_latency(system) == 0) { /* relaxed mode: each tile has a time of its own */
        fprintf(to, "  latency       none: links take no time\n");
        return;
    }
    for (unsigned i = 0; i < links->count; i += 2) {
        if (tf_links_result(system, links->port[i], &result, NULL) != TF_OK)
            return;
        least = result.cycles_min < least ? result.cycles_min : least;
        most = result.cycles_max > most ? result.cycles_max : most;
    }
    fprintf(to, "  latency       %.0f to %.0f ns each way, from core to core; links are set to %u cycles, %.0f ns\n",
            least * half_ns, most * half_ns, tf_system_latency(system), tf_system_latency(system) * 2 * half_ns);
}

static void print_stream(struct tf_system *system, void *state, FILE *to)
{
    const struct tf_links *links = state;
    double least = 1e9, most = 0;
    struct tf_link_result result;
    if (tf_system_gbps(system) == 0) {
        fprintf(to, "  rate          none: links take no time\n");
        return;
    }
    for (unsigned i = 0; i < links->count; i += 2) {
        if (tf_links_result(system, links->port[i], &result, NULL) != TF_OK || result.cycles == 0)
            return;
        const double gbps = 8e-3 * links->bytes * links->options.scale * clock_mhz(system) / result.cycles;
        least = gbps < least ? gbps : least;
        most = gbps > most ? gbps : most;
    }
    fprintf(to, "  rate          %.1f to %.1f Gb/s of data on each link; links are set to %u Gb/s\n", least, most,
            tf_system_gbps(system));
}

const struct tf_system_workload tf_system_ping = {
    .name = "eth-ping",
    .summary = "16 bytes there and back on each link: its latency",
    .program = "link",
    .scale_default = 100,
    .scale_max = 1000000,
    .scale_test = 4,
    .setup = setup_ping,
    .verify = verify,
    .figures = print_ping,
    .release = free,
};

const struct tf_system_workload tf_system_stream = {
    .name = "eth-stream",
    .summary = "16 KiB messages one behind another on each link: its rate",
    .program = "link",
    .scale_default = 100,
    .scale_max = 100000,
    .scale_test = 4,
    .setup = setup_stream,
    .verify = verify,
    .figures = print_stream,
    .release = free,
};
