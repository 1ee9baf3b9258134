/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Clusters: which chips a system has, and which Ethernet tiles are joined. A cluster is data. tilefarm_system.h makes
 * chips of it. The texts are cluster descriptors, as tt-umd reads and writes them
 * (docs/yaml_schemas/cluster_descriptor.yaml there).
 */
#ifndef TILEFARM_CLUSTER_H
#define TILEFARM_CLUSTER_H

#include "tilefarm/tilefarm_chip.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TF_CLUSTER_CHIPS_MAX 32u  /**< As many as PCI devices of one bus. */
#define TF_CLUSTER_LINKS_MAX 512u /**< 16 ports of 32 chips, and one link for every two ports, is 256. */

/** A chip of a cluster. */
struct tf_cluster_chip {
    struct tf_board board; /**< Its name and what is fused off: a complete board of the family. */
    uint64_t unique_id;    /**< Of the chip; no two chips of a cluster have the same. */
    uint64_t board_id;     /**< Chips of one board have the same. */
    bool pcie;             /**< The host reaches it by PCIe; else through the Ethernet tiles of its neighbours. */
    uint8_t asic_location; /**< On its board, from 0. */
    uint8_t x, y;          /**< Where it is on its shelf, for Wormhole's firmware: 0..63. */
    uint8_t rack, shelf;   /**< 0..255 */
};

/** One end of a link. */
struct tf_cluster_end {
    uint8_t chip;
    uint8_t port; /**< Which of the Ethernet tiles that the chip has, from 0, in the order of the die. */
};

struct tf_cluster_link {
    struct tf_cluster_end end[2];
};

struct tf_cluster {
    const struct tf_arch *arch; /**< The family of all chips. */
    unsigned chips, links;
    struct tf_cluster_chip chip[TF_CLUSTER_CHIPS_MAX];
    struct tf_cluster_link link[TF_CLUSTER_LINKS_MAX];
};

/** Name of the known cluster number `index`, from 0 on. NULL: there are no more. Any thread. */
TF_API const char *tf_cluster_name(unsigned index);

/**
 * Find a known cluster. Any thread.
 * @param name  one of tf_cluster_name(), such as "n300".
 * @param[out] cluster  untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK, TF_EINVAL (no cluster has that name).
 */
TF_API int tf_cluster_find(const char *name, struct tf_cluster *cluster, struct tf_message *message);

/**
 * Read a cluster descriptor: the keys of tt-umd's schema; others are left out. Links to devices outside the descriptor
 * are left down. What is missing: chips are at 0,0; boards are the family's first one; locations and unique ids are
 * made of the boards. The links are sorted. Any thread.
 * @param text  in YAML; no NUL is needed.
 * @param bytes  its length.
 * @param[out] cluster  untouched on error.
 * @param[out] message  what is wrong, with the line of the text where there is one; or NULL.
 * @return TF_OK, TF_EFORMAT (not such a descriptor, or it contradicts itself), TF_ENOMEM.
 */
TF_API int tf_cluster_parse(const char *text, size_t bytes, struct tf_cluster *cluster, struct tf_message *message);

/**
 * Check a cluster that a program has filled: chips and ports exist, no port has two links, no link joins a port with
 * itself, unique ids differ, boards have identifiers of their kind, and each chip without PCIe is reached by links from
 * one with it. Wormhole also needs other coordinates for such a chip than for those that it is joined with. Any thread.
 * @return TF_OK, TF_EINVAL and a message.
 */
TF_API int tf_cluster_check(const struct tf_cluster *cluster, struct tf_message *message);

/** Write the cluster descriptor of a cluster that tf_cluster_check() accepts. The rules of tf_describe_soc() apply. Any
 *  thread. */
TF_API size_t tf_describe_system(const struct tf_cluster *cluster, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
