/* SPDX-License-Identifier: Apache-2.0 */
/* Before ranks run a system together, they compare what they are about to run. */
#include <stdio.h>
#include <string.h>

#include "system/greeting.h"
#include "system/processes/letters.h"
#include "system/ranks.h"

struct greeting {
    char version[40];
    uint64_t layout; /* of saved states */
    uint64_t cluster, options;
    uint64_t led; /* by a client */
};

/* What differs between two ranks; NULL: nothing. */
static const char *difference(const struct greeting *a, const struct greeting *b)
{
    return memcmp(a->version, b->version, sizeof a->version) != 0 ? "its version of tilefarm"
           : a->layout != b->layout                               ? "its build of tilefarm"
           : a->led != b->led         ? "its command ('tilefarm join' is for ranks that a client leads)"
           : a->cluster != b->cluster ? "its system, by name or descriptor"
           : a->options != b->options ? "its workload, options or programs"
                                      : NULL;
}

static bool send_all(struct tf_letters *letters, const struct greeting *own, struct tf_message *why)
{
    const struct tf_transport *transport = letters->transport;
    bool fine = true;
    for (unsigned i = 0; i < transport->ranks && fine; i++) {
        struct tf_saved letter;
        struct greeting copy = *own;
        if (i == transport->rank)
            continue;
        if (tf_letter_begin(&letter))
            TF_SAVED(&letter, copy);
        fine = tf_letter_send(letters, i, TF_LETTER_HELLO, &letter, why);
        tf_letter_end(&letter);
    }
    return fine;
}

static bool receive(struct tf_letters *letters, unsigned from, struct greeting *greeting, struct tf_message *why)
{
    struct tf_saved letter;
    if (!tf_letter_receive(letters, from, TF_LETTER_HELLO, &letter, why))
        return false;
    TF_SAVED(&letter, *greeting);
    const bool fine = tf_letter_was_read(&letter, from, why);
    tf_letter_end(&letter);
    return fine;
}

int tf_ranks_greet(struct tf_transport *transport, const struct tf_ranks_plan *plan, struct tf_message *why)
{
    struct tf_letters letters = {.transport = transport};
    struct greeting all[TF_RANKS_MAX] = {0}, *own = &all[transport->rank];
    if (transport->ranks > TF_RANKS_MAX)
        return TF_EINVAL;
    *own =
        (struct greeting){.layout = plan->layout, .cluster = plan->cluster, .options = plan->options, .led = plan->led};
    snprintf(own->version, sizeof own->version, "%s", tf_version());
    if (!send_all(&letters, own, why))
        return TF_EIO;
    for (unsigned i = 0; i < transport->ranks; i++)
        if (i != transport->rank && !receive(&letters, i, &all[i], why))
            return TF_EIO;
    for (unsigned i = 1; i < transport->ranks; i++)
        if (all[i].led == TF_LED_WRONGLY && all[0].led == TF_LED) {
            snprintf(why->text, sizeof why->text,
                     "rank %u is a client, too: mpirun -n 1 client : -n 3 tilefarm join makes rank 0 the only one", i);
            return TF_EINVAL;
        }
    for (unsigned i = 1; i < transport->ranks; i++)
        if (difference(&all[0], &all[i]) != NULL) {
            snprintf(why->text, sizeof why->text, "rank %u differs from rank 0 in %s: give all ranks the same", i,
                     difference(&all[0], &all[i]));
            return TF_EINVAL;
        }
    return TF_OK;
}
