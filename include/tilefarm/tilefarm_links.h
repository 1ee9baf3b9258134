/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_links.h
 * What goes over the links of a system, and what goes wrong there. tilefarm_system.h includes it.
 */
#ifndef TILEFARM_LINKS_H
#define TILEFARM_LINKS_H

#include "tilefarm/tilefarm_base.h"
#include "tilefarm/tilefarm_cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TF_LINK_LATENCY_CYCLES 1024u       /**< The default of tf_system_config.link_latency_cycles. */
#define TF_LINK_LATENCY_CYCLES_MOST 65536u /**< Its limit. */
#define TF_LINK_GBPS_MOST 1000u            /**< The limit of link_gbps. */

/** What goes wrong on a link. */
enum tf_link_fault_kind {
    TF_LINK_DOWN, /**< The link is down from the start, until TF_LINK_UP. */
    TF_LINK_CUT,  /**< From cycle `value` on it is down, until TF_LINK_UP. */
    TF_LINK_UP,   /**< At cycle `value` it is trained, which takes TF_LINK_TRAINING_CYCLES. */
    TF_LINK_LOSE, /**< Packet number `value`, from 0 on, of one direction is lost. */
    TF_LINK_RATE, /**< Of a million packets of one direction, `value` are lost: 1..999999, chosen by `seed`. */
    TF_LINK_SLOW, /**< A direction takes `value` times as long for each byte: 2..1000. */
};

#define TF_LINK_TRAINING_CYCLES 10000u
#define TF_LINK_FAULTS_MAX 4096u

/**
 * A link fault. All that follows from it is simulated: equal faults give equal results. While a link is down, what is
 * on it is lost in both directions. TT-link packets are sent again; raw packets are not.
 */
struct tf_link_fault {
    enum tf_link_fault_kind kind;
    unsigned link;      /**< Its number in the cluster. */
    unsigned direction; /**< Of TF_LINK_LOSE, TF_LINK_RATE, TF_LINK_SLOW: the end of the link that sends, 0 or 1. */
    uint64_t value;
    uint64_t seed;
};

/** What a packet carries (EthernetTxRx.md of both families). */
enum tf_packet_kind {
    TF_PACKET_RAW,      /**< Bytes for the receiver's buffer. */
    TF_PACKET_L1,       /**< A write to the receiver's L1. */
    TF_PACKET_REGISTER, /**< A write of a word to a register of the receiver. */
};

/** A packet that a link has taken. */
struct tf_packet_event {
    struct tf_cluster_end from, to;
    uint64_t number;  /**< Of the packets in this direction of the link, from 0 on; those that it loses have none. */
    uint64_t sent;    /**< The cycle in which its last byte is sent. */
    uint64_t arrives; /**< The cycle in which its last byte is received. */
    uint64_t address; /**< At the receiver; TF_PACKET_RAW: 0. */
    uint32_t bytes;   /**< Of data. */
    uint32_t cycles;  /**< That the link needs for its frame. */
    enum tf_packet_kind kind;
};

/**
 * Read link faults. They are separated by commas, and each begins with a port, CHIP:PORT. The link at the port is
 * meant; `lose` and `slow` are about what the port sends.
 *
 *     0:8 down, 0:8 up 50000, 1:0 cut 20000, 0:9 lose 3 4 17, 1:1 lose 0.5% 7, 0:9 slow 4
 *
 * Numbers are cycles, packets, a rate with a seed (default 0), and a factor. Any thread.
 * @param[out] fault  room for TF_LINK_FAULTS_MAX.
 * @param[out] count  their number.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK, TF_EFORMAT.
 */
TF_API int tf_link_fault_parse(const struct tf_cluster *cluster, const char *text, struct tf_link_fault *fault,
                               unsigned *count, struct tf_message *message);

#ifdef __cplusplus
}
#endif

#endif
