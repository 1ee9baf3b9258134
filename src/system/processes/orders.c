/* SPDX-License-Identifier: Apache-2.0 */
#include "system/processes/orders.h"

#include <stdio.h>

#include "system/processes/shares.h"

bool tf_order_send(struct tf_letters *letters, unsigned to, const struct tf_order *order, struct tf_message *why)
{
    struct tf_saved letter;
    struct tf_order copy = *order;
    if (tf_letter_begin(&letter))
        TF_SAVED(&letter, copy);
    const bool fine = tf_letter_send(letters, to, TF_LETTER_ORDER, &letter, why);
    tf_letter_end(&letter);
    return fine;
}

bool tf_order_receive(struct tf_letters *letters, struct tf_order *order, struct tf_message *why)
{
    struct tf_saved letter;
    if (!tf_letter_receive(letters, 0, TF_LETTER_ORDER, &letter, why))
        return false;
    TF_SAVED(&letter, *order);
    const bool fine = tf_letter_was_read(&letter, 0, why);
    tf_letter_end(&letter);
    return fine;
}

bool tf_order_share(const struct tf_cluster *cluster, unsigned ranks, uint8_t *owner, struct tf_message *why)
{
    struct tf_shares shares = {.owner = owner};
    if (tf_shares_find(cluster, ranks, TF_RANKS_BY_ANY, &shares))
        return true;
    snprintf(why->text, sizeof why->text, "%u ranks are more than the system has chips, %u: start fewer", ranks,
             shares.most);
    return false;
}
