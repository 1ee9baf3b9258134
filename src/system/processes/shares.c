/* SPDX-License-Identifier: Apache-2.0 */
#include "system/processes/shares.h"

#include "tilefarm/tilefarm_cluster.h"

/* The board of each chip, numbered in the order of first chips. Chips of one board have its identifier. The trays of a
   Galaxy all have that of the Galaxy; each of them has every location once. */
static unsigned number_boards(const struct tf_cluster *cluster, unsigned *board)
{
    unsigned boards = 0;
    struct {
        uint64_t id;
        unsigned tray;
    } known[TF_CLUSTER_CHIPS_MAX];
    for (unsigned i = 0; i < cluster->chips; i++) {
        const struct tf_cluster_chip *chip = &cluster->chip[i];
        unsigned tray = 0, at = 0;
        for (unsigned k = 0; k < i; k++)
            tray += cluster->chip[k].board_id == chip->board_id &&
                    cluster->chip[k].asic_location == chip->asic_location;
        while (at < boards && (known[at].id != chip->board_id || known[at].tray != tray))
            at++;
        if (at == boards) {
            known[boards].id = chip->board_id;
            known[boards++].tray = tray;
        }
        board[i] = at;
    }
    return boards;
}

bool tf_shares_find(const struct tf_cluster *cluster, unsigned ranks, enum tf_ranks_by by, struct tf_shares *shares)
{
    unsigned board[TF_CLUSTER_CHIPS_MAX];
    const unsigned boards = number_boards(cluster, board);
    shares->by_board = by == TF_RANKS_BY_BOARD || (by == TF_RANKS_BY_ANY && ranks <= boards);
    shares->most = shares->by_board ? boards : cluster->chips;
    for (unsigned i = 0; i < cluster->chips; i++)
        shares->owner[i] = (uint8_t)(shares->by_board ? board[i] * ranks / boards : i * ranks / cluster->chips);
    return ranks <= shares->most;
}
