/* SPDX-License-Identifier: Apache-2.0 */
#include "system/crew.h"

#include <stdlib.h>

#include "host/clock.h"
#include "host/extremes.h"
#include "pool/form.h"
#include "pool/place.h"
#include "system/part.h"

/* Windows are shared when a chip's part of one takes longer than this. Else helpers would cost more than they gain. */
#ifdef TF_HOSTILE_BUILD
#define SHARED_S 0.0
#else
#define SHARED_S 5e-6
#endif

/* Of the moving average. */
#define WEIGHT 0.1

static struct tf_part run_parts(void *context, unsigned worker, double began_s)
{
    struct tf_crew *crew = context;
    unsigned i;
    (void)worker;
    while ((i = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed)) < crew->parts)
        tf_system_part_run(crew->part[i], crew->tick);
    double ended_s = tf_seconds();
    return (struct tf_part){.ended_s = ended_s, .busy_s = ended_s - began_s};
}

int tf_crew_init(struct tf_crew *crew, unsigned threads, unsigned chips, bool pin)
{
    struct tf_topology topology;
    const struct tf_place_request place = {.threads = threads, .tiles = chips, .pin = pin, .yield = true};
    tf_place_on_host(&place, &topology);
    const unsigned count = tf_min(threads != 0 ? threads : topology.workers, chips);
    int cpu[TF_WORKERS_MAX];
    for (unsigned i = 0; i < count; i++)
        cpu[i] = i < topology.workers ? topology.worker[i].cpu : -1;
    const struct tf_team_request request = {.count = count,
                                            .limit = threads == 0 ? tf_place_most(&topology) : 0,
                                            .cpu = cpu,
                                            .spin = count <= topology.cpus_allowed};
    crew->task = (struct tf_task){.run = run_parts, .context = crew};
    return tf_team_init(&crew->team, NULL, &request);
}

void tf_crew_fini(struct tf_crew *crew)
{
    tf_team_fini(&crew->team);
}

void tf_crew_rest(struct tf_crew *crew)
{
    tf_team_rest(&crew->team);
}

void tf_crew_run(struct tf_crew *crew, bool alone)
{
    const double began_s = tf_seconds();
    atomic_store_explicit(&crew->next, 0, memory_order_relaxed);
    alone = alone || crew->team.count == 1 || crew->parts == 1 || crew->chip_s < SHARED_S;
    if (alone || tf_team_form(&crew->team) != TF_OK)
        run_parts(crew, 0, began_s);
    else
        tf_team_share(&crew->team, &crew->task, NULL);
    const double workers = alone ? 1 : tf_min(crew->team.present, crew->parts);
    crew->chip_s += WEIGHT * ((tf_seconds() - began_s) * workers / crew->parts - crew->chip_s);
}
