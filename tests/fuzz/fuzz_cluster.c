/* SPDX-License-Identifier: Apache-2.0 */
/* Cluster descriptors. One that is read is right, and is read again from what is written of it. */
#include <stdbool.h>
#include <string.h>

#include "driver.h"
#include "tilefarm/tilefarm_cluster.h"

const char *const fuzz_words[] = {"arch:",
                                  "chips:",
                                  "boards:",
                                  "harvesting:",
                                  "chip_unique_ids:",
                                  "ethernet_connections:",
                                  "ethernet_connections_to_remote_devices:",
                                  "chips_with_mmio:",
                                  "asic_locations:",
                                  "chip_pci_bdfs:",
                                  "eth_harvesting_mask: 3",
                                  "board_id: 0x40000000001",
                                  "wormhole_b0",
                                  "blackhole",
                                  "{chip: 0, chan: 1}",
                                  "[[[[[[[[[[[[[[[[[[[[",
                                  "{{{{{{{{{{",
                                  "&a",
                                  "*a",
                                  "!!map",
                                  "<<: *a",
                                  "? ",
                                  "- ",
                                  ": ",
                                  "\"\\0\"",
                                  "|\n  text",
                                  "\xEF\xBB\xBF",
                                  "---\n",
                                  "...\n",
                                  "%TAG ! a\n",
                                  "\n",
                                  "\t",
                                  "true",
                                  NULL};

static const char *const names[] = {"n300", "p300", "t3000", "bh-galaxy", "wh-galaxy"};

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    struct tf_cluster cluster;
    if (number >= sizeof names / sizeof names[0] || tf_cluster_find(names[number], &cluster, NULL) != TF_OK)
        return 0;
    size_t bytes = tf_describe_system(&cluster, (char *)data, room);
    return bytes < room ? bytes : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static char text[FUZZ_BYTES_MAX];
    struct tf_cluster cluster, again;
    struct tf_message message;
    memset(&message, 'x', sizeof message);
    int error = tf_cluster_parse((const char *)data, bytes, &cluster, &message);
    if (error != TF_OK) {
        DEMAND(error == TF_EFORMAT);
        DEMAND(memchr(message.text, '\0', sizeof message.text) != NULL && message.text[0] != '\0');
        DEMAND(strchr(message.text, '\n') == NULL);
        return 0;
    }
    DEMAND(tf_cluster_check(&cluster, NULL) == TF_OK);
    size_t written = tf_describe_system(&cluster, text, sizeof text);
    DEMAND(written < sizeof text);
    DEMAND(tf_cluster_parse(text, written, &again, NULL) == TF_OK);
    DEMAND(again.chips == cluster.chips && again.links == cluster.links);
    DEMAND(memcmp(again.link, cluster.link, again.links * sizeof again.link[0]) == 0);
    for (unsigned i = 0; i < again.chips; i++)
        DEMAND(again.chip[i].unique_id == cluster.chip[i].unique_id &&
               memcmp(&again.chip[i].board, &cluster.chip[i].board, sizeof again.chip[i].board) == 0);
    return 0;
}
