/* SPDX-License-Identifier: Apache-2.0 */
/* tf_lead_open() and tf_lead_system(): a client of the library leads ranks (system/lead.h). */
#include <stdlib.h>

#include "farm/chip/chip.h"
#include "host/message.h"
#include "system/lead.h"
#include "system/meet.h"
#include "system/processes/launch.h"
#include "system/state.h"
#include "tilefarm/tilefarm_lead.h"

#define LAUNCH "mpirun -n 1 program : -n 3 tilefarm join"

int tf_lead_open(struct tf_lead **lead, struct tf_message *message)
{
    struct tf_message why = {"too little memory"};
    if (lead == NULL)
        return tf_message_set(message, TF_EINVAL, "ranks", "the pointer that returns them is NULL");
    if (tf_launch_ranks() == 0)
        return tf_message_set(message, TF_EINVAL, "ranks", "mpirun has not started several processes: " LAUNCH);
    struct tf_transport *transport = calloc(1, sizeof *transport);
    int error = transport == NULL ? TF_ENOMEM : tf_ranks_meet(transport, true, &why);
    struct tf_lead *made = error == TF_OK ? tf_lead_create(transport, true) : NULL;
    if (error == TF_OK && made == NULL)
        error = TF_ENOMEM;
    if (error == TF_OK)
        *lead = made;
    else
        free(transport);
    return error == TF_OK ? TF_OK : tf_message_set(message, error, "ranks", why.text);
}

/* Callbacks that ranks do not make for each other. */
static bool looks_at(const struct tf_callbacks *call)
{
    return call->on_riscv != NULL || call->on_tensix != NULL || call->on_noc != NULL || call->on_epoch != NULL;
}

static const char *why_not(const struct tf_system *system)
{
    bool looked_at = system->listener.on_packet != NULL || system->on_progress != NULL;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        looked_at |= looks_at(&system->part[i].chip->call);
    return system->led != NULL || system->ranks != NULL ? "ranks run this system already"
           : tf_system_cycles(system) != 0              ? "the system has run: ranks take one that has not"
           : system->relaxed != NULL                    ? "ranks cannot run a system in relaxed mode"
           : system->rules.explores                     ? "ranks cannot run a system that explores other orders"
           : system->rules.check                        ? "ranks cannot run a system that is checked for races"
           : looked_at ? "ranks make no callbacks for instructions, requests, epochs, packets and progress"
                       : NULL;
}

int tf_lead_system(struct tf_lead *lead, struct tf_system *system, struct tf_message *message)
{
    struct tf_message why = {"too little memory"};
    if (lead == NULL || system == NULL)
        return tf_message_set(message, TF_EINVAL, "ranks", "the ranks or the system are NULL");
    const char *refusal = why_not(system);
    if (refusal != NULL)
        return tf_message_set(message, TF_EINVAL, "ranks", refusal);
    const int error = tf_lead_take(lead, system, &why);
    if (error == TF_OK)
        tf_lead_touch(lead); /* the program may have loaded something */
    return error == TF_OK ? TF_OK : tf_message_set(message, error, "ranks", why.text);
}
