/* SPDX-License-Identifier: Apache-2.0 */
/* Follow each packet on its way, and compare the whole packet with the bytes at its origin. */
#include "cli/workloads/common.h"

#define WAYS 2u

static const char *const variants[] = {"both", "write", "read", "long", NULL};

static uint32_t packet_words(const struct tf_wl *wl)
{
    return (wl->options.variant == TF_RING_LONG ? TF_RING_LONG_BYTES : TF_RING_BYTES) / 4;
}

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    static const uint32_t cores[] = {
        [TF_RING_BOTH] = TF_WL_B | TF_WL_NC,
        [TF_RING_WRITE] = TF_WL_B,
        [TF_RING_READ] = TF_WL_NC,
        [TF_RING_LONG] = TF_WL_B | TF_WL_NC,
    };
    uint32_t variant = options->variant <= TF_RING_LONG ? options->variant : 0;
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, &tf_workload_ring, options, cores[variant], &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    return tf_wl_start(chip, wl, message);
}

/* The tile at which the packet of an origin is after some hops. */
static unsigned station(const struct tf_wl *wl, unsigned way, unsigned origin, uint32_t hops)
{
    unsigned by = hops % wl->tiles;
    return (origin + (way == 0 ? by : wl->tiles - by)) % wl->tiles;
}

/* Carry a packet around the ring. Adds to the sums of the tiles that it passes. */
static void travel(const struct tf_wl *wl, unsigned way, unsigned origin, uint32_t *packet, uint32_t *sums)
{
    uint32_t body = packet_words(wl) - TF_RING_HEADER_WORDS, steps = wl->options.scale * wl->tiles, trace = 0;
    for (uint32_t i = TF_RING_HEADER_WORDS; i < packet_words(wl); i++)
        packet[i] = tf_k_input(wl->options.seed + way, origin, i);
    for (uint32_t hop = 1; hop <= steps; hop++) {
        unsigned tile = station(wl, way, origin, hop - 1);
        trace = (trace << 5 | trace >> 27) + tf_k_mix(tile);
        packet[TF_RING_HEADER_WORDS + hop * 29 % body] ^= trace;
        sums[tile] += tf_k_mix(trace + hop) + origin;
    }
    packet[TF_RING_ORIGIN] = origin;
    packet[TF_RING_HOPS] = steps;
    packet[TF_RING_TRACE] = trace;
    packet[3] = 0;
}

static int verify_packet(struct tf_chip *chip, const struct tf_wl *wl, unsigned way, unsigned origin,
                         const uint32_t *expected, uint32_t *got, struct tf_message *message)
{
    int result = tf_wl_read(chip, origin, TF_RING_SLOT(way, 0), got, packet_words(wl) * 4, message);
    for (uint32_t i = 0; i < packet_words(wl) && result == TF_OK; i++)
        result = tf_wl_expect(chip, message, origin, way ? "word of the packet read" : "word of the packet written", i,
                              got[i], expected[i]);
    return result;
}

static int verify_way(struct tf_chip *chip, const struct tf_wl *wl, unsigned way, uint32_t *buffer,
                      struct tf_message *message)
{
    uint32_t sums[TF_TENSIX_TILES_MAX] = {0}, word[2];
    int result = TF_OK;
    for (unsigned origin = 0; origin < wl->tiles && result == TF_OK; origin++) {
        travel(wl, way, origin, buffer, sums);
        result = verify_packet(chip, wl, way, origin, buffer, buffer + packet_words(wl), message);
    }
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++) {
        result = tf_wl_result(chip, tile, way, word, 2, message);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, tile, "packets seen, way", way, word[TF_RING_SEEN],
                                  wl->options.scale * wl->tiles);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, tile, "sum over headers, way", way, word[TF_RING_SUM], sums[tile]);
    }
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    int result = tf_wl_done(chip, wl, message);
    uint32_t *buffer = malloc(2 * TF_RING_LONG_BYTES);
    if (buffer == NULL)
        return TF_ENOMEM;
    for (unsigned way = 0; way < WAYS && result == TF_OK; way++) {
        if (tf_wl_runs(wl, way))
            result = verify_way(chip, wl, way, buffer, message);
    }
    free(buffer);
    return result;
}

const struct tf_workload tf_workload_ring = {
    .name = "ring",
    .summary = "16 KiB packets around all tiles, forwards by writes and backwards by reads",
    .variants = variants,
    .scale_default = 8,
    .scale_max = 100000,
    .scale_test = 1,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
