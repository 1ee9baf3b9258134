/* SPDX-License-Identifier: Apache-2.0 */
#include "system/crew.h"

#include <stdlib.h>

#include "host/clock.h"
#include "host/extremes.h"
#include "pool/form.h"
#include "pool/place.h"
#include "pool/share.h"
#include "system/part.h"

/* Windows are shared when a chip's part of one takes longer than this. Else helpers would cost more than they gain. */
#define SHARED_S 5e-6

/* Of the moving average. */
#define WEIGHT 0.1

/* A thread that the host stops within a part does not work meanwhile. So a part counts as at most this many times
   longer than expected, or than LEAST_S. */
#define LONGER_MOST 4
#define LEAST_S 1e-6

static struct tf_part run_parts(void *context, unsigned worker, double began_s)
{
    struct tf_crew *crew = context;
    unsigned i;
    (void)worker;
    while ((i = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed)) < crew->parts)
        tf_system_part_run(crew->part[i], crew->tick, crew->hold);
    double ended_s = tf_seconds();
    return (struct tf_part){.ended_s = ended_s, .busy_s = ended_s - began_s};
}

/* The calling thread has ended its part, so each chip has been begun. Helpers that have not begun are not needed. */
static bool nothing_is_left(void *context)
{
    (void)context;
    return true;
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
    crew->task = (struct tf_task){.run = run_parts, .overdue = nothing_is_left, .context = crew};
    crew->gain.next_s = TF_GAIN_HOLD_S;
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

void tf_crew_note(struct tf_crew *crew, double busy_s)
{
    const double expected_s = crew->chip_s > LEAST_S ? crew->chip_s : LEAST_S;
    const double chip_s = busy_s / crew->parts, most_s = LONGER_MOST * expected_s;
    crew->chip_s += WEIGHT * ((chip_s < most_s ? chip_s : most_s) - crew->chip_s);
}

/* Is a window worth a helper? */
static bool pays_to_share(struct tf_crew *crew)
{
    if (crew->team.count == 1 || crew->parts == 1)
        return false;
    if (TF_SHARE_ALL)
        return true;
    return crew->chip_s >= SHARED_S && !tf_gain_pauses(&crew->gain, crew->chip_s * crew->parts);
}

/* Returns the sum of the times that the threads worked. */
static double share(struct tf_crew *crew)
{
    struct tf_team *team = &crew->team;
    double busy_s = 0;
    tf_team_share(team, &crew->task, NULL);
    for (unsigned i = 0; i < team->present; i++)
        busy_s += tf_part_of(team, i)->busy_s;
    const double most_s = LONGER_MOST * crew->chip_s * crew->parts, wall_s = team->met_s - team->began_s;
    const double alone_s = busy_s < most_s ? busy_s : most_s;
    tf_gain_note(&crew->gain, team, alone_s, wall_s);
    tf_gain_note_loss(&crew->gain, &crew->lost_s, alone_s, wall_s);
    return busy_s;
}

void tf_crew_run(struct tf_crew *crew, bool alone)
{
    atomic_store_explicit(&crew->next, 0, memory_order_relaxed);
    if (!alone && pays_to_share(crew) && tf_team_form(&crew->team) == TF_OK)
        tf_crew_note(crew, share(crew));
    else
        tf_crew_note(crew, run_parts(crew, 0, tf_seconds()).busy_s);
}
